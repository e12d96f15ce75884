//! Learning: why predictions fail, and what episodes have in common.

use golem_core::record::{MOST_RULES, Phase};
use golem_ports::{Prompt, PromptId, Schema, SchemaField};
use golem_primitives::{Ppm, Tick};

use super::phase_name;
use super::template::{Foreign, Slot, Template, shown};

const REFLECT: Template =
    Template { id: PromptId { name: "reflect", version: 2 }, file: include_str!("../../prompts/reflect.v2.md") };
const DISTIL: Template =
    Template { id: PromptId { name: "distil", version: 2 }, file: include_str!("../../prompts/distil.v2.md") };

/// Claims and lessons a call may bring.
const MOST_WRITTEN: usize = 5;
/// G-135. The kinds of market that a heartbeat can name, and so the ones in which a claim can be tried.
const MARKETS: &[&str] = &["bull", "bear", "sideways", "high_vol"];

/// M-067. What a Loop-2 reflection is told.
#[derive(Debug, Clone, Copy)]
pub struct Reflect<'a> {
    pub tick: Tick,
    pub phase: Phase,
    pub fitness: Ppm,
    /// Predictions and what came of them.
    pub outcomes: &'a [Foreign<'a>],
    pub playbook: &'a [Foreign<'a>],
}

impl Reflect<'_> {
    /// The words.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        REFLECT.render(&[
            ("tick", Slot::own(self.tick)),
            ("phase", Slot::own(phase_name(self.phase))),
            ("fitness", Slot::own(self.fitness)),
            ("outcomes", Slot::foreign(self.outcomes)),
            ("playbook", Slot::foreign(self.playbook)),
        ])
    }

    /// A kind of cause, how sure, and lessons. Whether anything improved is measured, not asked (M-010).
    #[must_use]
    pub fn schema(&self) -> Schema {
        let kinds = &["regime_change", "bad_rule", "costs", "execution", "bad_data", "chance", "unclear"];
        Schema::Object(vec![
            SchemaField { name: "cause", meaning: "What kind of cause explains most.", schema: Schema::Word(kinds) },
            SchemaField {
                name: "certainty",
                meaning: "How sure, in percent.",
                schema: Schema::Whole { least: 0, most: 100 },
            },
            SchemaField {
                name: "lessons",
                meaning: "Each a condition and what to expect under it.",
                schema: Schema::List { item: Box::new(Schema::Text { most_chars: 200 }), most: MOST_WRITTEN },
            },
            rules(MOST_RULES),
        ])
    }
}

/// P-074. Rules to be tried, so many at most.
pub(super) fn rules(most: usize) -> SchemaField {
    SchemaField {
        name: "rules",
        meaning: "Rules to be tried; empty when none.",
        schema: Schema::List { item: Box::new(Schema::Object(rule_parts())), most },
    }
}

/// P-074. The parts of a rule, each in the words of the book; what a rule has none of is an empty text.
fn rule_parts() -> Vec<SchemaField> {
    let part = |name, meaning, most_chars| SchemaField { name, meaning, schema: Schema::Text { most_chars } };
    vec![
        part("name", "Small letters and dashes.", 24),
        part("when", "When it wakes.", 120),
        part("do", "What it wants.", 24),
        part("until", "When it sleeps.", 120),
        part("expects", "What it pays.", 32),
        part("because", "Why.", 120),
    ]
}

/// What a distillation is told.
#[derive(Debug, Clone, Copy)]
pub struct Distil<'a> {
    /// The regime, by our own name for it.
    pub regime: &'static str,
    /// The tools that were used, at most twenty.
    pub tools: &'a [Foreign<'a>],
    /// Episodes, at most twenty.
    pub episodes: &'a [Foreign<'a>],
    pub known: &'a [Foreign<'a>],
}

impl Distil<'_> {
    /// The words.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        DISTIL.render(&[
            ("regime", Slot::own(self.regime)),
            ("tools", Slot::numbered(self.tools)),
            ("episodes", Slot::numbered(self.episodes)),
            ("known", Slot::foreign(self.known)),
        ])
    }

    /// G-142. Claims in the form own findings have: a tool, a kind of market, and whether it holds there. The numbers a
    /// finding has are counted, never asked.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let (tools, shown) = (shown(self.tools.len()), shown(self.episodes.len()));
        let claim = Schema::Object(vec![
            // Providers refuse an enumeration of nothing; without tools the list that holds it stays empty anyway.
            SchemaField {
                name: "tool",
                meaning: "The number of the tool.",
                schema: Schema::Index { count: tools.max(1) },
            },
            SchemaField { name: "regime", meaning: "The kind of market.", schema: Schema::Word(MARKETS) },
            SchemaField {
                name: "verdict",
                meaning: "Whether it holds there.",
                schema: Schema::Word(&["holds", "fails"]),
            },
            SchemaField {
                name: "because",
                meaning: "Why, so that it can be proven wrong.",
                schema: Schema::Text { most_chars: 280 },
            },
            SchemaField {
                name: "evidence",
                meaning: "Numbers of the episodes that support it.",
                schema: Schema::List { item: Box::new(Schema::Index { count: shown.max(1) }), most: shown.into() },
            },
        ]);
        let most = if tools == 0 { 0 } else { MOST_WRITTEN };
        Schema::Object(vec![SchemaField {
            name: "claims",
            meaning: "What was distilled; empty when nothing is.",
            schema: Schema::List { item: Box::new(claim), most },
        }])
    }
}
