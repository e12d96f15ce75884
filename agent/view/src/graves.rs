//! The dead.

use golem_primitives::{Address, AgentId, B256, Ppm, UtcTime};

use crate::picture;

picture! {
    /// I-272. What a testament advises, which binds nobody.
    pub struct AdjustmentPicture { verb: String = "do", what: String = "what", rationale: String = "because" }
}

picture! {
    /// What the dead say to whoever would follow.
    pub struct AdvicePicture {
        cause: &'static str = "cause",
        score_micros: i64 = "score",
        adjustments: Vec<AdjustmentPicture>,
    }
}

picture! {
    /// One grave: what this machine kept of it, and what the chain says.
    pub struct GravePicture {
        agent: AgentId = "agent",
        /// I-346. The names of the dead are written with a dagger.
        shown: Option<String> = "name",
        name: Option<String>,
        generation: u64 = "generation",
        life: &'static str = "life",
        cause: Option<&'static str> = "cause",
        ticks: Option<u64> = "ticks",
        born: Option<UtcTime> = "born",
        died: Option<UtcTime> = "died",
        testament: bool = "testament",
        testament_hash: Option<B256>,
        testament_worth: Option<Ppm>,
        bundle: bool = "bundle",
        bloodstain: bool,
        archived: bool,
        kept: Option<&'static str> = "kept",
        successor: Option<AgentId> = "successor",
        reason: Option<String> = "reason",
        owner: Option<Address>,
        advice: Option<AdvicePicture>,
    }
}

impl GravePicture {
    /// A grave of which nothing is known yet.
    #[must_use]
    pub const fn unmarked(agent: AgentId) -> Self {
        Self {
            agent,
            shown: None,
            name: None,
            generation: 0,
            life: "dead",
            cause: None,
            ticks: None,
            born: None,
            died: None,
            testament: false,
            testament_hash: None,
            testament_worth: None,
            bundle: false,
            bloodstain: false,
            archived: false,
            kept: None,
            successor: None,
            reason: None,
            owner: None,
            advice: None,
        }
    }
}
