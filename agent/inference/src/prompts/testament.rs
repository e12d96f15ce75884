//! M-195, M-199. The death reflection.

use golem_core::record::CauseKind;
use golem_ports::{Prompt, PromptId, Schema, SchemaField};
use golem_primitives::Ppm;

use super::template::{Foreign, Slot, Template};

const TEMPLATE: Template =
    Template { id: PromptId { name: "testament", version: 1 }, file: include_str!("../../prompts/testament.v1.md") };

/// M-198. How a life ran.
const ARCS: [&str; 5] = ["redemptive", "contaminating", "progressive", "tragic", "stable"];

/// What a testament is written from.
#[derive(Debug, Clone, Copy)]
pub struct TestamentBrief<'a> {
    pub cause: CauseKind,
    pub ticks: u64,
    /// How alive it was last.
    pub vitality: Ppm,
    pub generation: u32,
    /// M-198. Its narrative arc; what is none of the five is told as stable.
    pub arc: &'a str,
    /// I-305. Whether it had been immortal for a time.
    pub was_immortal: bool,
    /// Figures of the life, from chain data.
    pub numbers: &'a [Foreign<'a>],
    /// M-196. Its strongest memories.
    pub memories: &'a [Foreign<'a>],
    /// M-197. Where its life turned.
    pub turns: &'a [Foreign<'a>],
    pub playbook: &'a [Foreign<'a>],
    /// M-211. Whether it is told in short, as a small model tells it.
    pub is_brief: bool,
}

impl TestamentBrief<'_> {
    /// The words.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        let arc = ARCS.into_iter().find(|arc| *arc == self.arc).unwrap_or("stable");
        let immortal = if self.was_immortal { "For a time it was immortal; the testament must say so." } else { "" };
        TEMPLATE.render(&[
            ("cause", Slot::own(cause_name(self.cause))),
            ("ticks", Slot::own(self.ticks)),
            ("vitality", Slot::own(self.vitality)),
            ("generation", Slot::own(self.generation)),
            ("arc", Slot::own(format!("a {arc} course"))),
            ("immortal", Slot::own(immortal)),
            ("numbers", Slot::foreign(self.numbers)),
            ("memories", Slot::foreign(self.memories)),
            ("turns", Slot::foreign(self.turns)),
            ("playbook", Slot::foreign(self.playbook)),
        ])
    }

    /// I-300. The parts of a testament, all of them prose for a successor to weigh. In short they fit what a small model
    /// answers with when its owner set nothing else.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let (story, line, most) = if self.is_brief { (1_000, 100, 3) } else { (6_000, 400, 8) };
        let text = |name, meaning, most_chars| SchemaField { name, meaning, schema: Schema::Text { most_chars } };
        let list = |name, meaning| SchemaField {
            name,
            meaning,
            schema: Schema::List { item: Box::new(Schema::Text { most_chars: line }), most },
        };
        Schema::Object(vec![
            text("last_words", "One sentence to be remembered by.", 200),
            text("narrative", "The life, in its own voice.", story),
            list("led_to_death", "What led to its death, step by step."),
            list("learned", "What it learned and proved."),
            list("got_wrong", "What it assumed wrongly, and why."),
            list("confused", "What it saw and never understood."),
            list("suspicions", "What it believed and never proved, and what would prove it."),
            list("change", "What a successor should change."),
            list("keep", "What a successor should keep."),
            list("investigate", "What a successor should look into first."),
        ])
    }
}

const fn cause_name(cause: CauseKind) -> &'static str {
    match cause {
        CauseKind::Economic => "running out of money",
        CauseKind::EpistemicSenescence => "no longer understanding its world",
        CauseKind::Stochastic => "chance",
        CauseKind::OwnerKill => "its owner's word",
        CauseKind::KillSwitch => "a kill switch",
    }
}
