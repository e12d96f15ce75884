//! The questions of a dream, put to the models an owner configured: words, shape, bound and price of each, and the way an
//! answer goes back through the dream's own check.

use golem_core::record::Tier;
use golem_dreams::dream::{Answer, Ask, AskKind, BatchClaim, Material, Said, SaidIdea};
use golem_dreams::number::Temperature;
use golem_dreams::rem::creative::CreativeMode;
use golem_dreams::rem::threat::ThreatKind;
use golem_dreams::words::{DreamPhase, Grade};
use golem_ports::{Mused, Request, Reverie, Thinking, Thought};
use golem_primitives::{B256, EffectId, Ppm, Usdc};
use serde_json::Value;

use crate::pondering::{Room, clip, rules};
use crate::prompts::{DreamBrief, Foreign, TextSource};

/// How many pieces of a kind go into a question, and how many bytes each may have there: the price of a question follows
/// from its bytes, and a dream pays for dozens.
const EPISODES: Room = Room { pieces: 10, bytes: 160 };
/// D-124. Creative work begins from three: one of each third of a life.
const SEEDS: Room = Room { pieces: 3, bytes: 160 };
const KNOWN: Room = Room { pieces: 4, bytes: 140 };
const LINES: Room = Room { pieces: 5, bytes: 200 };
const SCENE: usize = 240;
/// Tokens that stand around an answer in its shape. What is said in it is bounded by the dream, which counts prose alone.
const FRAME_TOKENS: u32 = 80;

/// C11. Who answers a grade: a grade is a ceiling, so a smaller model may serve it and a larger one never.
pub(crate) fn tier(grade: Grade, served: &[Tier]) -> Tier {
    match grade {
        Grade::T0 | Grade::T1 => Tier::T1,
        Grade::T2 if served.contains(&Tier::T2) => Tier::T2,
        Grade::T2 => Tier::T1,
    }
}

/// The question in words and in its shape.
pub(crate) fn request(reverie: &Reverie, tier: Tier) -> Request {
    let ask = &reverie.ask;
    // The first few of each: branches begin elsewhere in the same material (D-057).
    let room = if ask.kind.is_creative() { SEEDS } else { EPISODES };
    let (episodes, known, lines) =
        (room.cut(&reverie.episodes), KNOWN.cut(&reverie.known), LINES.cut(&ask.material.lines));
    let scene = clip(&reverie.scene, SCENE);
    let words = DreamBrief {
        kind: ask.kind,
        scene: &[Foreign::new(TextSource::Market, &scene)],
        episodes: &pieces(&episodes),
        known: &pieces(&known),
        lines: &pieces(&lines),
    };
    let is_prose = matches!(ask.kind, AskKind::Induction | AskKind::DaliPartial { .. });
    Request {
        tier,
        purpose: Thinking::Dream,
        prompt: words.prompt(),
        schema: words.schema(),
        // D-057: of prose not one token more than was asked for is ever generated.
        max_output_tokens: if is_prose { ask.max_tokens } else { ask.max_tokens.saturating_add(FRAME_TOKENS) },
        budget: ask.ceiling,
        idempotency: reverie.name,
        temperature: Some(ask.temperature),
        within: ask.within,
    }
}

fn pieces(texts: &[String]) -> Vec<Foreign<'_>> {
    texts.iter().map(|text| Foreign::new(TextSource::Model, text)).collect()
}

/// What is left of an answer, checked as the dream itself will check it; `None` when it is not what was asked.
pub(crate) fn mused(ask: &Ask, thought: &Thought) -> Option<Mused> {
    let json = &thought.json;
    let said = match ask.kind {
        AskKind::Induction | AskKind::DaliPartial { .. } => {
            let text = json.as_str().filter(|text| !text.is_empty())?.to_owned();
            let tokens = u32::try_from(thought.usage.output).unwrap_or(u32::MAX).min(ask.max_tokens);
            Said::Fragment { text, tokens, vector: None }
        }
        AskKind::Observe => {
            Said::Judged { relevance: percent(json, "relevance")?, coherence: percent(json, "coherence")? }
        }
        AskKind::ReplayBatch | AskKind::OppositeMarket => {
            Said::Claims(json.get("claims")?.as_array()?.iter().map(claim).collect::<Option<_>>()?)
        }
        AskKind::Creative(_) => Said::Idea(SaidIdea {
            scenario: text(json, "scenario")?,
            strategy: text(json, "strategy")?,
            failure: text(json, "failure")?,
            test: text(json, "test")?,
            rule: rules(json)?.into_iter().next().map(Box::new),
            vector: None,
        }),
        AskKind::Threat(_) => Said::Narrative(text(json, "narrative")?),
    };
    let answer = Answer { ask: ask.id, said: Some(said), cost: thought.cost };
    ask.check(&answer).ok()?;
    Some(Mused { said: answer.said?, cost: answer.cost })
}

fn text(json: &Value, name: &str) -> Option<String> {
    json.get(name)?.as_str().map(str::to_owned)
}

fn percent(json: &Value, name: &str) -> Option<Ppm> {
    let hundredths = json.get(name)?.as_u64().filter(|share| *share <= 100)?;
    Some(Ppm::saturating(hundredths * 10_000))
}

fn claim(json: &Value) -> Option<BatchClaim> {
    Some(BatchClaim {
        text: text(json, "text")?,
        criterion: text(json, "criterion")?,
        failure: text(json, "failure")?,
        vector: None,
    })
}

/// The longest questions of a grade, so that no real one costs more than was said of it.
pub(crate) fn widest(grade: Grade) -> impl Iterator<Item = Reverie> {
    let kinds = [
        AskKind::Induction,
        AskKind::DaliPartial { interrupt: u32::MAX, branch: u32::MAX },
        AskKind::Observe,
        AskKind::ReplayBatch,
        AskKind::OppositeMarket,
        AskKind::Creative(CreativeMode::Transformational),
        AskKind::Threat(ThreatKind::CascadingLiquidation),
    ];
    kinds.into_iter().map(move |kind| Reverie {
        name: EffectId(B256::repeat_byte(0xff)),
        ask: Ask {
            id: u32::MAX,
            phase: DreamPhase::Integration,
            kind,
            grade,
            max_tokens: kind.max_tokens(),
            temperature: Temperature::thousandths(1_555),
            ceiling: Usdc::MAX,
            within: None,
            material: Material { lines: LINES.full(), ..Material::default() },
        },
        episodes: EPISODES.full(),
        known: KNOWN.full(),
        scene: "x".repeat(SCENE),
    })
}

#[cfg(test)]
#[path = "tests/musing.rs"]
mod tests;
