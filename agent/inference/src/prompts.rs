//! The words, each with its version. A prompt is a file with named slots; what is foreign in it stands fenced, as data.
//!
//! A changed word is a new version: answers are recorded with the version they answered to, and an old life replays with
//! what was said to it then.

mod deliberate;
mod dream;
mod memory;
mod template;
mod testament;

pub use deliberate::Deliberate;
pub use dream::DreamBrief;
pub use memory::{Distil, Reflect};
pub use template::{Foreign, TextSource};
pub use testament::TestamentBrief;

use golem_core::record::Phase;

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Thriving => "Thriving",
        Phase::Stable => "Stable",
        Phase::Conservation => "Conservation",
        Phase::Declining => "Declining",
        Phase::Terminal => "Terminal",
    }
}

#[cfg(test)]
#[path = "tests/prompts.rs"]
mod tests;
