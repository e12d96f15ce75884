//! The dead.

use golem_inheritance::testament::Adjustment;
use golem_primitives::{Address, AgentId, B256, Ppm, UtcTime};

use crate::{FindingPicture, picture};

picture! {
    /// I-272. What a testament advises, which binds nobody.
    pub struct AdjustmentPicture { verb: String = "do", what: String = "what", rationale: String = "because" }
}

impl From<&Adjustment> for AdjustmentPicture {
    fn from(advised: &Adjustment) -> Self {
        Self {
            verb: advised.verb.name().to_owned(),
            what: advised.what.to_string(),
            rationale: advised.rationale.to_string(),
        }
    }
}

picture! {
    /// What the dead say to whoever would follow.
    pub struct AdvicePicture {
        cause: &'static str = "cause",
        score_micros: i64 = "score",
        adjustments: Vec<AdjustmentPicture>,
    }

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

picture! {
    /// T-004. What the chain has of a testament.
    pub struct TestamentPicture {
        hash: B256 = "hash",
        uri: String = "where it lies",
        genome_root: B256,
        playbook_digest: B256,
        /// Attached after others had ended the death.
        late: bool,
        recorded: UtcTime = "recorded",
        block: u64,
        tx: B256,
    }

    /// M-207. Where somebody died.
    pub struct StainPicture {
        cause: &'static str = "died of",
        owner: Address = "owner",
        vitality: Ppm = "vitality",
        ticks: u64 = "ticks",
        confirmed: u32 = "confirmed",
        contradicted: u32 = "contradicted",
        testament: B256 = "testament",
        genome: B256 = "genome",
        /// Whom the chain knows by now.
        successor: String = "succeeded by",
    }

    /// What a life had learnt when it died.
    pub struct LearntPicture {
        entries: usize,
        active: usize,
        rules: u32,
        playbook_version: u64,
        /// What it was surest of, and how sure.
        statements: Vec<String>,
    }

    /// Who came after it.
    pub struct HeirPicture { name: String, agent: AgentId, generation: u64 }

    /// A death, with everything that must be so after it.
    pub struct TombstonePicture {
        agent: AgentId,
        vault: Address,
        cause: &'static str,
        ticks: u64,
        killed_by_owner: bool,
        testament: B256,
        state_hash: B256,
        checks: Vec<FindingPicture>,
        successor: HeirPicture,
        grimoire: LearntPicture,
    }
}
