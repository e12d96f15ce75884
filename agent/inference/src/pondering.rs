//! Thoughts beside the ticks, put to the models an owner configured: words, shape, bound and price of each.

use golem_core::record::{CauseKind, Diagnosis, MOST_LESSONS, MOST_RULES, MissCause, Phase, Rule, SaidRule, Tier};
use golem_ports::{
    About, Conclusion, Considered, Episodes, LastWords, LookBack, Matter, Misses, Prompt, Request, Schema, Supposition,
    Thinking, Thought,
};
use golem_primitives::{B256, EffectId, Ppm, Tick, Usdc};
use serde_json::Value;

use crate::prompts::{Distil, Foreign, Reflect, TestamentBrief, TextSource};
use crate::text;

/// How many pieces of a kind go into a question, and how many bytes each may have when it is written out. The price of a
/// question follows from its bytes, so these are what makes the small model affordable (M-021).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) pieces: usize,
    pub(crate) bytes: usize,
}

impl Room {
    /// The first few texts, each cut to the bytes it may have.
    pub(crate) fn cut(self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| clip(text, self.bytes)).filter(|text| !text.is_empty()).take(self.pieces).collect()
    }

    /// As much as it holds.
    pub(crate) fn full(self) -> Vec<String> {
        vec!["x".repeat(self.bytes); self.pieces]
    }
}

const OUTCOMES: Room = Room { pieces: 8, bytes: 180 };
const EPISODES: Room = Room { pieces: 10, bytes: 160 };
const KNOWN: Room = Room { pieces: 5, bytes: 160 };
const TOOLS: Room = Room { pieces: 6, bytes: 48 };
const NUMBERS: Room = Room { pieces: 12, bytes: 160 };
const MEMORIES: Room = Room { pieces: 12, bytes: 240 };
const TURNS: Room = Room { pieces: 5, bytes: 160 };
const PLAYBOOK: Room = Room { pieces: 1, bytes: 1_000 };
const LAST_PLAYBOOK: Room = Room { pieces: 1, bytes: 3_000 };

/// S-123. The same where the Golem's own state stands above the question and takes their room, so that no
/// question costs more by it.
const OUTCOMES_UNDER: Room = Room { pieces: 2, bytes: 180 };
const PLAYBOOK_UNDER: Room = Room { pieces: 1, bytes: 250 };
const EPISODES_UNDER: Room = Room { pieces: 2, bytes: 160 };
const KNOWN_UNDER: Room = Room { pieces: 1, bytes: 100 };

/// The longest answers, in tokens.
const REFLECTION_TOKENS: u32 = 560;
const DISTILLATION_TOKENS: u32 = 600;
/// M-199.
const LAST_WORDS_TOKENS: u32 = golem_core::means::DEATH_REFLECTION_TOKENS;
/// M-211. The same in short, by a small model.
const BRIEF_WORDS_TOKENS: u32 = 2_000;

/// The newest pieces, each cut to the room it has.
struct Cut(TextSource, Vec<String>);

impl Cut {
    fn new<'a>(source: TextSource, room: Room, texts: impl IntoIterator<Item = &'a String>) -> Self {
        let all: Vec<_> = texts.into_iter().collect();
        let newest = all.len().saturating_sub(room.pieces);
        Self(source, all[newest..].iter().map(|text| clip(text, room.bytes)).collect())
    }

    fn pieces(&self) -> Vec<Foreign<'_>> {
        self.1.iter().map(|text| Foreign::new(self.0, text)).collect()
    }
}

/// As much of a text as takes so many bytes once it is fenced, without what a screen would obey.
pub(crate) fn clip(text: &str, bytes: usize) -> String {
    let mut left = bytes;
    let fits = |c: &char| {
        let taken = match c {
            '&' => 5,
            '<' | '>' => 4,
            c => c.len_utf8(),
        };
        let fits = taken <= left;
        left = left.saturating_sub(taken);
        fits
    };
    text::lines(text, bytes).0.chars().take_while(fits).collect::<String>().trim().to_owned()
}

/// S-107, A-044. The longest a Golem's own state is, in bytes: 350 tokens of what presses and 150 of its end and its mood,
/// which come last and are cut where what presses takes all of its room.
pub(crate) const STATE_BYTES: usize = 4 * (350 + 150);

/// S-100, S-123. A question above which the agent's own state stands.
pub(crate) fn under(state: Option<&str>, mut prompt: Prompt) -> Prompt {
    if let Some(state) = state {
        let mut end = state.len().min(STATE_BYTES);
        while !state.is_char_boundary(end) {
            end -= 1;
        }
        prompt.user = format!("{}\n\n{}", &state[..end], prompt.user);
    }
    prompt
}

/// The question in words and in its shape.
pub(crate) fn request(matter: &Matter) -> Request {
    let is_under = matter.state.is_some();
    let (purpose, (prompt, schema), max_output_tokens) = match &matter.about {
        About::Misses(misses) => (Thinking::Reflection, reflection(misses, is_under), REFLECTION_TOKENS),
        About::Episodes(episodes) => (Thinking::Distillation, distillation(episodes, is_under), DISTILLATION_TOKENS),
        About::Life(life) if matter.tier <= Tier::T1 => {
            (Thinking::DeathReflection, last_words(life, true), BRIEF_WORDS_TOKENS)
        }
        About::Life(life) => (Thinking::DeathReflection, last_words(life, false), LAST_WORDS_TOKENS),
    };
    let prompt = under(matter.state.as_deref(), prompt);
    let (tier, budget, idempotency) = (matter.tier, matter.budget, matter.effect);
    Request { tier, purpose, prompt, schema, max_output_tokens, budget, idempotency, temperature: None, within: None }
}

fn reflection(misses: &Misses, is_under: bool) -> (Prompt, Schema) {
    let [most, document] = if is_under { [OUTCOMES_UNDER, PLAYBOOK_UNDER] } else { [OUTCOMES, PLAYBOOK] };
    let outcomes = Cut::new(TextSource::Chain, most, &misses.outcomes);
    let playbook = Cut::new(TextSource::Model, document, &misses.playbook);
    let (outcomes, playbook) = (outcomes.pieces(), playbook.pieces());
    let words = Reflect {
        tick: misses.tick,
        phase: misses.phase,
        fitness: misses.fitness,
        outcomes: &outcomes,
        playbook: &playbook,
    };
    (words.prompt(), words.schema())
}

fn distillation(about: &Episodes, is_under: bool) -> (Prompt, Schema) {
    let [most, already] = if is_under { [EPISODES_UNDER, KNOWN_UNDER] } else { [EPISODES, KNOWN] };
    // The first tools, not the last: the answer names them by their place in the whole list.
    let tools: Vec<String> = about.tools.iter().take(TOOLS.pieces).cloned().collect();
    let tools = Cut::new(TextSource::Model, TOOLS, &tools);
    let episodes = Cut::new(TextSource::Model, most, &about.episodes);
    let known = Cut::new(TextSource::Model, already, &about.known);
    let (tools, episodes, known) = (tools.pieces(), episodes.pieces(), known.pieces());
    let words = Distil { regime: about.regime, tools: &tools, episodes: &episodes, known: &known };
    (words.prompt(), words.schema())
}

fn last_words(life: &LookBack, is_brief: bool) -> (Prompt, Schema) {
    let numbers = Cut::new(TextSource::Chain, NUMBERS, &life.numbers);
    let memories = Cut::new(TextSource::Model, MEMORIES, &life.memories);
    let turns = Cut::new(TextSource::Model, TURNS, &life.turns);
    let playbook = Cut::new(TextSource::Model, LAST_PLAYBOOK, &life.playbook);
    let (numbers, memories, turns, playbook) = (numbers.pieces(), memories.pieces(), turns.pieces(), playbook.pieces());
    let words = TestamentBrief {
        cause: life.cause,
        ticks: life.ticks,
        vitality: life.vitality,
        generation: life.generation,
        arc: &life.arc,
        was_immortal: life.was_immortal,
        numbers: &numbers,
        memories: &memories,
        turns: &turns,
        playbook: &playbook,
        is_brief,
    };
    (words.prompt(), words.schema())
}

/// What is left of an answer that fits its schema; `None` when it is not what was asked.
pub(crate) fn considered(matter: &Matter, thought: &Thought) -> Option<Considered> {
    let conclusion = match matter.about {
        About::Misses(_) => Conclusion::Diagnosis(diagnosis(&thought.json)?),
        About::Episodes(_) => Conclusion::Claims(claims(&thought.json)?),
        About::Life(_) => Conclusion::LastWords(Box::new(words_of(thought)?)),
    };
    Some(Considered { conclusion, cost: thought.cost })
}

fn diagnosis(json: &Value) -> Option<Diagnosis> {
    Some(Diagnosis {
        cause: MissCause::from_name(json.get("cause")?.as_str()?)?,
        certainty: u8::try_from(json.get("certainty")?.as_u64()?).ok()?,
        lessons: texts(json, "lessons")?.iter().take(MOST_LESSONS).map(|lesson| lesson.as_str().into()).collect(),
        rules: rules(json)?,
    })
}

/// P-074. The rules that can be read; what is said in another language is no rule, and the rest of the answer stands.
pub(crate) fn rules(json: &Value) -> Option<Vec<Rule>> {
    let said = json.get("rules")?.as_array()?.iter().take(MOST_RULES);
    let read = |json: &Value| {
        let part = |name: &str| json.get(name)?.as_str();
        let said = SaidRule {
            name: part("name")?,
            when: part("when")?,
            action: part("do")?,
            until: part("until")?,
            expects: part("expects")?,
            because: part("because")?,
        };
        said.read()
    };
    Some(said.filter_map(read).collect())
}

fn claims(json: &Value) -> Option<Vec<Supposition>> {
    let claim = |json: &Value| {
        Some(Supposition {
            tool: usize::try_from(json.get("tool")?.as_u64()?).ok()?,
            regime: json.get("regime")?.as_str()?.to_owned(),
            holds: json.get("verdict")?.as_str()? == "holds",
            because: json.get("because")?.as_str()?.to_owned(),
        })
    };
    json.get("claims")?.as_array()?.iter().map(claim).collect()
}

fn words_of(thought: &Thought) -> Option<LastWords> {
    let json = &thought.json;
    let text = |name: &str| Some(json.get(name)?.as_str()?.to_owned());
    Some(LastWords {
        model: text::line(&thought.model, 80),
        prompt: thought.prompt_version.to_string(),
        last_words: text("last_words")?,
        narrative: text("narrative")?,
        led_to_death: texts(json, "led_to_death")?,
        learned: texts(json, "learned")?,
        got_wrong: texts(json, "got_wrong")?,
        confused: texts(json, "confused")?,
        suspicions: texts(json, "suspicions")?,
        change: texts(json, "change")?,
        keep: texts(json, "keep")?,
        investigate: texts(json, "investigate")?,
    })
}

fn texts(json: &Value, name: &str) -> Option<Vec<String>> {
    json.get(name)?.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect()
}

/// The longest matter of each kind, so that no real one costs more than was said of it.
pub(crate) fn widest(purpose: Thinking, tier: Tier) -> Matter {
    let one = |room: Room| Some("x".repeat(room.bytes));
    let about = match purpose {
        Thinking::Distillation => About::Episodes(Episodes {
            regime: "trend-down",
            tools: TOOLS.full(),
            episodes: EPISODES.full(),
            known: KNOWN.full(),
        }),
        Thinking::DeathReflection => About::Life(Box::new(LookBack {
            cause: CauseKind::EpistemicSenescence,
            ticks: u64::MAX,
            vitality: Ppm::of(123_456),
            generation: u32::MAX,
            arc: "contaminating".to_owned(),
            was_immortal: true,
            numbers: NUMBERS.full(),
            memories: MEMORIES.full(),
            turns: TURNS.full(),
            playbook: one(LAST_PLAYBOOK),
        })),
        Thinking::Reflection | Thinking::Deliberation | Thinking::Dream => About::Misses(Misses {
            tick: Tick::new(u64::MAX),
            phase: Phase::Conservation,
            fitness: Ppm::of(123_456),
            outcomes: OUTCOMES.full(),
            playbook: one(PLAYBOOK),
        }),
    };
    Matter { effect: EffectId(B256::repeat_byte(0xff)), tier, budget: Usdc::MAX, about, state: None }
}

#[cfg(test)]
#[path = "tests/pondering.rs"]
mod tests;
