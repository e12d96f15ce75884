//! M-139, R-032. Choosing among permitted actions.

use golem_core::deliberation::{Choices, PreviewedOrder, RATIONALE_CHARS};
use golem_core::record::{Order, Phase};
use golem_ports::{Prompt, PromptId, Schema, SchemaField};
use golem_primitives::{Ppm, Tick};

use super::phase_name;
use super::template::{Foreign, Slot, Template};

const TEMPLATE: Template =
    Template { id: PromptId { name: "deliberate", version: 2 }, file: include_str!("../../prompts/deliberate.v2.md") };

/// What a deliberation is told.
#[derive(Debug, Clone, Copy)]
pub struct Deliberate<'a> {
    pub tick: Tick,
    pub phase: Phase,
    pub vitality: Ppm,
    pub surprise: Ppm,
    pub uncertainty: Ppm,
    pub choices: &'a Choices,
    pub market: &'a [Foreign<'a>],
    pub memories: &'a [Foreign<'a>],
    pub peers: &'a [Foreign<'a>],
}

impl Deliberate<'_> {
    /// The words.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        TEMPLATE.render(&[
            ("tick", Slot::own(self.tick)),
            ("phase", Slot::own(phase_name(self.phase))),
            ("vitality", Slot::own(self.vitality)),
            ("surprise", Slot::own(self.surprise)),
            ("uncertainty", Slot::own(self.uncertainty)),
            ("choices", Slot::own(listed(self.choices))),
            ("market", Slot::foreign(self.market)),
            ("memories", Slot::foreign(self.memories)),
            ("peers", Slot::foreign(self.peers)),
        ])
    }

    /// An index of the list and a reason. Nothing else can be said.
    #[must_use]
    pub fn schema(&self) -> Schema {
        Schema::Object(vec![
            SchemaField {
                name: "choice",
                meaning: "The number of the permitted action; 0 is to stay.",
                schema: Schema::Index { count: self.choices.count() },
            },
            SchemaField {
                name: "rationale",
                meaning: "Why, in one or two sentences, for people to read.",
                schema: Schema::Text { most_chars: RATIONALE_CHARS },
            },
        ])
    }
}

fn listed(choices: &Choices) -> String {
    let stay = "0: stay, do nothing".to_owned();
    let rest = choices.candidates().iter().zip(1..).map(|(candidate, number)| line(number, candidate));
    std::iter::once(stay).chain(rest).collect::<Vec<_>>().join("\n")
}

fn line(number: usize, PreviewedOrder { order, preview }: &PreviewedOrder) -> String {
    let what = match order {
        Order::Buy { spend, .. } => format!("buy the token for {spend}"),
        Order::Sell { least, .. } => format!("sell the token for at least {least}"),
        Order::Provide { usdc, .. } => format!("provide liquidity with up to {usdc} and the token for it"),
        Order::Withdraw { .. } => "withdraw a liquidity position with its fees".to_owned(),
    };
    let sign = if preview.value_micros < 0 { "-" } else { "+" };
    let value = golem_primitives::Usdc::from_micros(preview.value_micros.unsigned_abs());
    format!("{number}: {what}; preview: value {sign}{value}, gas {}", preview.gas)
}
