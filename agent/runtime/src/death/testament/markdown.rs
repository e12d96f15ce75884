//! The testament as a person reads it. The JSON is what counts; this says the same.

use std::fmt::Write as _;

use golem_inheritance::testament::affect::EmotionalTopology;
use golem_inheritance::testament::section::{Section, Sections, TestamentHypothesis};
use golem_inheritance::testament::{Recommendation, Verb};

use super::file::{Measured, TestamentFile};

impl TestamentFile {
    /// I-204. The verdict on this life, and which of the five checks it failed.
    #[must_use]
    pub fn judged(&self) -> String {
        let failed = self.individuation.failed();
        match failed.as_slice() {
            [] => self.individuation.verdict().to_string(),
            failed => format!("{} (failed: {})", self.individuation.verdict(), failed.join(", ")),
        }
    }

    /// I-262. All of it in Markdown, section by section; an empty section says so.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let (will, stats) = (&self.testament, &self.testament.stats);
        let mut text = format!("# Testament of {}\n\n> {}\n\n", will.header.golem, will.last_words);
        let kin = &self.kin;
        let agent = kin.agent.map_or_else(|| "none".to_owned(), |agent| agent.to_string());
        let lines = [
            ("chain, agent", format!("{}, {agent}", kin.chain)),
            ("lineage, generation", format!("{}, {}", kin.lineage, kin.generation)),
            ("died of", will.death.death.cause.kind().name().to_owned()),
            ("when", format!("{} (tick {})", will.death.at, will.death.trigger_tick)),
            ("ticks, round trips", format!("{}, {}", stats.ticks, stats.trades)),
            ("funded, earned, spent", format!("{}, {}, {}", stats.funded, stats.earned, stats.spent)),
            ("fitness at the end, at its best", format!("{}, {}", stats.final_fitness, stats.peak_fitness)),
            ("entries made, inherited", format!("{}, {}", stats.insights_generated, stats.insights_inherited)),
            ("individuation", self.judged()),
            ("arc", format!("{} (sure by {})", will.arc.arc, will.arc.confidence)),
        ];
        let settled = &will.settlement;
        let moves = format!(
            "{} moves, {} of them failed; {} recovered for {} of gas",
            settled.actions.len(),
            settled.failures().count(),
            settled.recovered(),
            settled.gas()
        );
        let estate = self.estate.as_ref().map(|estate| ("to its owner", estate.told()));
        let earned = self.earned.as_ref().map(|earned| ("ledger", earned.told.clone()));
        let mood = will.emotion.as_ref().map(|layer| {
            let [pleasure, arousal, dominance] = layer.final_mood.axes();
            let last = format!("pleasure {pleasure:.2}, arousal {arousal:.2}, dominance {dominance:.2}");
            ("last mood, most often felt", format!("{last}; {}", layer.dominant))
        });
        let suffered = self.suffering.as_ref().map(|one| {
            let (active, over) = (one.stressors.len(), one.resolved_history.len());
            ("suffered at the end, and before", format!("{} ({active} pressing), {over} times", one.band))
        });
        let end = self.acceptance.as_ref().map(|one| ("had to die with", one.line()));
        let measured = self.measured.iter().flat_map(measured);
        let after = estate.into_iter().chain(earned).chain(end).chain(measured).chain(mood).chain(suffered);
        for (name, value) in lines.into_iter().chain([("settlement", moves)]).chain(after) {
            let _ = writeln!(text, "- {name}: {value}");
        }
        if will.is_of_the_control_group() {
            text.push_str("- it lived as an immortal, for comparison\n");
        }
        let _ = write!(text, "\n{}\n", will.narrative);
        if let Some(words) = &self.last_words {
            let _ = write!(text, "\n## As {} tells it\n\n{}\n\n> {}\n", words.model, words.narrative, words.last_words);
        }
        sections(&mut text, &will.sections);
        if let Some(autopsy) = &self.autopsy {
            let broke = |regime: Option<_>| regime.map_or("no regime known".to_owned(), |r| format!("{r}"));
            let held = broke(autopsy.last_valid);
            let _ = write!(text, "\n## Autopsy\n\n- broke in {}; last held in {held}\n", broke(autopsy.broke_in));
            let toxic = autopsy.toxic.iter();
            list(
                &mut text,
                toxic.map(|one| format!("{}: {}, {} of all failures", one.id, one.antidote, one.contribution)),
            );
        }
        if let Some(advice) = &will.recommendation {
            recommendation(&mut text, advice);
        }
        text
    }
}

/// I-042, I-221. What it did with what it was given, and what order it left.
fn measured(of: &Measured) -> [(&'static str, String); 2] {
    let (tally, order) = (&of.tally, &of.negentropy);
    let ratchet = format!(
        "{} ({}): {} new, {} of {} inherited confirmed, {} refuted, {} untested",
        of.score,
        of.score.band(),
        tally.novel(),
        tally.validated,
        tally.inherited,
        tally.contradicted,
        tally.untested()
    );
    let order = format!(
        "{} of what it stored is distilled, {} of it causal, {} asks, {} failed, {} domains",
        order.distilled, order.edges_per_entry, order.questions, order.contradicted, order.domains
    );
    [("ratchet", ratchet), ("order", order)]
}

fn list(text: &mut String, items: impl Iterator<Item = String>) {
    let mut is_empty = true;
    for item in items {
        let _ = writeln!(text, "- {item}");
        is_empty = false;
    }
    if is_empty {
        text.push_str("Nothing was recorded.\n");
    }
}

const fn title(section: Section) -> &'static str {
    match section {
        Section::Worked => "What worked",
        Section::Failed => "What failed",
        Section::Confused => "What confused me",
        Section::Untested => "What I never tested",
        Section::Killed => "What killed me",
        Section::WouldChange => "What I would change",
        Section::Suspects => "What I suspect and cannot prove",
        Section::CausalEdges => "My strongest causal edges",
        Section::EmotionalTopology => "What I felt",
    }
}

fn sections(text: &mut String, all: &Sections) {
    let maybe = |one: &TestamentHypothesis| format!("{} ({}; {})", one.statement, one.strength, one.validation);
    for section in Section::ALL {
        let _ = write!(text, "\n## {}\n\n", title(*section));
        match section {
            Section::Worked => list(
                text,
                all.worked.iter().map(|one| {
                    format!("{} (confidence {}, {}; {})", one.statement, one.confidence, one.source, one.context)
                }),
            ),
            Section::Failed => list(
                text,
                all.failed.iter().map(|one| format!("{} (cost {}; {})", one.statement, one.cost, one.why_held)),
            ),
            Section::Confused => {
                list(text, all.confused.iter().map(|one| format!("{}: {}", one.about, one.signals.join("; "))))
            }
            Section::Untested => list(text, all.untested.iter().map(maybe)),
            Section::Killed => {
                let killed = &all.killed;
                let market = killed.market.map_or("no market known".to_owned(), |regime| format!("a {regime} market"));
                list(text, killed.factors.iter().cloned());
                let _ = writeln!(
                    text,
                    "- in {market}; {}",
                    if killed.preventable { "preventable" } else { "not preventable" }
                );
                let _ = writeln!(text, "- {}", killed.change);
            }
            Section::WouldChange => {
                list(text, all.would_change.iter().map(|one| format!("{}: {} ({})", one.urgency, one.what, one.why)))
            }
            Section::Suspects => list(text, all.suspects.iter().map(maybe)),
            Section::CausalEdges => list(
                text,
                all.causal_edges.iter().map(|one| {
                    let way = if one.is_alike { "the same way" } else { "the other way" };
                    format!(
                        "{} → {}, {way} (weight {}, confidence {}, seen {} times)",
                        one.from, one.to, one.weight, one.confidence, one.evidence
                    )
                }),
            ),
            Section::EmotionalTopology => list(text, felt(&all.emotional_topology)),
        }
    }
}

/// M-224. Peaks, turns and what was left unsettled.
fn felt(topology: &EmotionalTopology) -> impl Iterator<Item = String> {
    let peaks = topology.peaks.iter().map(|(tick, emotion, what)| format!("{emotion} at tick {tick}: {what}"));
    let turns = topology.turning_points.iter().map(|turn| format!("a turn at tick {}", turn.tick));
    let open = topology.tensions.iter().map(|one| format!("unsettled, {}: {}", one.urgency, one.what));
    peaks.chain(turns).chain(open)
}

fn recommendation(text: &mut String, advice: &Recommendation) {
    text.push_str("\n## Advice to a successor\n\n");
    for verb in Verb::ALL {
        for one in advice.adjustments.iter().filter(|one| one.verb == *verb) {
            let _ = writeln!(text, "- {verb}: {} ({})", one.what, one.rationale);
        }
    }
    let _ = writeln!(text, "- outlook: {}", advice.outlook);
    if let Some(disposition) = advice.disposition {
        let _ = writeln!(text, "- disposition: {disposition}");
    }
    advice.guidance.iter().for_each(|line| {
        let _ = writeln!(text, "- of its moods: {line}");
    });
    let _ = writeln!(text, "- begin with: {}", advice.funding);
    let _ = writeln!(text, "- {}", advice.self_assessment);
}
