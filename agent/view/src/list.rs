//! The Golems of a machine, one line each.

use golem_primitives::{AgentId, Tick};

use crate::picture;

picture! {
    /// One of them; what cannot be read is said in its own line and keeps no other from being shown.
    pub struct GolemLine {
        name: String = "name",
        agent: Option<AgentId> = "agent",
        /// Its address, or that it lives on paper.
        vault: Option<String> = "vault",
        chain: Option<u64> = "chain",
        life: &'static str = "life",
        phase: Option<String> = "phase",
        tick: Option<Tick> = "tick",
        process: Option<u32> = "process",
        error: Option<String>,
    }
}
