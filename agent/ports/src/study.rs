//! What a model can be asked beside a life's ticks: why predictions fail, what episodes have in common, how a life was.
//! Words, providers and prices are the adapter's.

use golem_core::record::{CauseKind, Diagnosis, Phase, Tier};
use golem_primitives::{EffectId, Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// Something to think about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matter {
    /// The effect that asks; providers that know idempotency keys get it as one.
    pub effect: EffectId,
    pub tier: Tier,
    /// The most all attempts together may cost.
    pub budget: Usdc,
    pub about: About,
    /// S-106, S-123. What the Golem is under and in which mood; nothing at its end (S-133).
    pub state: Option<String>,
}

/// What is thought about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// M-067. Predictions that failed.
    Misses(Misses),
    /// G-142. Episodes.
    Episodes(Episodes),
    /// M-195. A whole life.
    Life(Box<LookBack>),
}

/// M-067. What a reflection looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misses {
    pub tick: Tick,
    pub phase: Phase,
    pub fitness: Ppm,
    /// What was said and what came, newest last.
    pub outcomes: Vec<String>,
    /// PLAYBOOK.md, when one was written.
    pub playbook: Option<String>,
}

/// G-142. What a distillation looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episodes {
    /// The regime now, by our own name for it.
    pub regime: &'static str,
    /// The tools that were used, by their own names: what can be claimed is claimed of one of these.
    pub tools: Vec<String>,
    /// In words, newest last.
    pub episodes: Vec<String>,
    pub known: Vec<String>,
}

/// M-195..M-199. What the last words are written from: facts, none of them the model's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookBack {
    pub cause: CauseKind,
    pub ticks: u64,
    /// How alive it was last.
    pub vitality: Ppm,
    pub generation: u32,
    /// M-198. Its narrative arc.
    pub arc: String,
    /// I-305. Whether it had been immortal for a time.
    pub was_immortal: bool,
    /// Figures of the life.
    pub numbers: Vec<String>,
    /// M-196. Its strongest memories.
    pub memories: Vec<String>,
    /// M-197. Where its life turned.
    pub turns: Vec<String>,
    pub playbook: Option<String>,
}

/// A thought and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Considered {
    pub conclusion: Conclusion,
    /// By the provider's usage numbers.
    pub cost: Usdc,
}

/// What is left of an answer: words of a list, indices, bounded prose. None of it is a target, an amount or a
/// limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion {
    /// Why predictions failed.
    Diagnosis(Diagnosis),
    /// What episodes have in common.
    Claims(Vec<Supposition>),
    /// How a life was.
    LastWords(Box<LastWords>),
}

/// G-142. A claim in the form one's own findings have: this tool, in this regime, holds or fails. It is no evidence:
/// what happens here later is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supposition {
    /// The place of the tool in the list that was shown.
    pub tool: usize,
    pub regime: String,
    pub holds: bool,
    /// Why, for people.
    pub because: String,
}

/// M-199, I-300. What a model wrote of a life, for a successor to weigh. Prose, bounded and stripped.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LastWords {
    /// The model, as the provider names it.
    pub model: String,
    /// The words it answered to.
    pub prompt: String,
    /// One sentence to be remembered by.
    pub last_words: String,
    /// The life, in its own voice.
    pub narrative: String,
    pub led_to_death: Vec<String>,
    pub learned: Vec<String>,
    pub got_wrong: Vec<String>,
    /// What it never understood.
    pub confused: Vec<String>,
    /// What it never proved.
    pub suspicions: Vec<String>,
    pub change: Vec<String>,
    pub keep: Vec<String>,
    pub investigate: Vec<String>,
}
