//! Dreams: what is asked at the edge of sleep, in replay, in imagination.

use golem_dreams::dream::AskKind;
use golem_ports::{Prompt, PromptId, Schema, SchemaField};

use super::memory::rules;
use super::template::{Foreign, Slot, Template};

macro_rules! template {
    ($name:literal) => {
        Template {
            id: PromptId { name: $name, version: 1 },
            file: include_str!(concat!("../../prompts/", $name, ".v1.md")),
        }
    };
}

const INDUCTION: Template = template!("dream_induction");
const PARTIAL: Template = template!("dream_partial");
const OBSERVE: Template = template!("dream_observe");
const REPLAY: Template = template!("dream_replay");
const OPPOSITE: Template = template!("dream_opposite");
const CREATE: Template = template!("dream_create");
const THREAT: Template = template!("dream_threat");

/// D-087. Claims of one batch.
const MOST_CLAIMS: usize = 5;
/// D-110. Claims of one decision in the opposite market.
const MOST_OPPOSITES: usize = 2;
/// Characters of a sentence that is to be tested, and of a story.
const SENTENCE: Schema = Schema::Text { most_chars: 280 };
const STORY: Schema = Schema::Text { most_chars: 900 };
/// A token is rarely longer; what is, is cut.
const CHARS_A_TOKEN: usize = 6;

/// What a question of a dream is told.
#[derive(Debug, Clone, Copy)]
pub struct DreamBrief<'a> {
    pub kind: AskKind,
    /// Where the Golem stood when it fell asleep.
    pub scene: &'a [Foreign<'a>],
    pub episodes: &'a [Foreign<'a>],
    pub known: &'a [Foreign<'a>],
    pub lines: &'a [Foreign<'a>],
}

impl DreamBrief<'_> {
    /// The words.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        let scene = || ("scene", Slot::foreign(self.scene));
        let episodes = || ("episodes", Slot::foreign(self.episodes));
        let known = || ("known", Slot::foreign(self.known));
        let lines = || ("lines", Slot::foreign(self.lines));
        match self.kind {
            AskKind::Induction => INDUCTION.render(&[scene(), episodes(), known(), lines()]),
            AskKind::DaliPartial { .. } => PARTIAL.render(&[scene(), episodes(), known(), lines()]),
            AskKind::Observe => OBSERVE.render(&[scene(), lines()]),
            AskKind::ReplayBatch => REPLAY.render(&[scene(), episodes()]),
            AskKind::OppositeMarket => OPPOSITE.render(&[scene(), episodes()]),
            AskKind::Creative(mode) => {
                CREATE.render(&[("mode", Slot::own(mode)), scene(), episodes(), known(), lines()])
            }
            AskKind::Threat(kind) => THREAT.render(&[("threat", Slot::own(kind)), scene()]),
        }
    }

    /// The shape of the answer, closed: prose, two scores, claims, an idea or a story.
    #[must_use]
    pub fn schema(&self) -> Schema {
        match self.kind {
            AskKind::Induction | AskKind::DaliPartial { .. } => {
                Schema::Text { most_chars: self.kind.max_tokens() as usize * CHARS_A_TOKEN }
            }
            AskKind::Observe => Schema::Object(vec![
                field("relevance", "Whether it matters here.", Schema::Whole { least: 0, most: 100 }),
                field("coherence", "Whether it hangs together.", Schema::Whole { least: 0, most: 100 }),
            ]),
            AskKind::ReplayBatch => claims(MOST_CLAIMS),
            AskKind::OppositeMarket => claims(MOST_OPPOSITES),
            AskKind::Creative(_) => Schema::Object(vec![
                field("scenario", "What happens.", SENTENCE),
                field("strategy", "What would do well in it.", SENTENCE),
                field("failure", "When that fails catastrophically.", SENTENCE),
                field("test", "Its simplest version that later ticks could test.", SENTENCE),
                rules(1),
            ]),
            AskKind::Threat(_) => Schema::Object(vec![field("narrative", "The story.", STORY)]),
        }
    }
}

const fn field(name: &'static str, meaning: &'static str, schema: Schema) -> SchemaField {
    SchemaField { name, meaning, schema }
}

fn claims(most: usize) -> Schema {
    let claim = Schema::Object(vec![
        field("text", "The claim.", SENTENCE),
        field("criterion", "The condition of later ticks under which it would be confirmed.", SENTENCE),
        field("failure", "When it fails.", SENTENCE),
    ]);
    Schema::Object(vec![field(
        "claims",
        "What is claimed; empty when nothing is.",
        Schema::List { item: Box::new(claim), most },
    )])
}
