//! A birth: what it would do, what it brought, and why there was none.

use std::collections::BTreeMap;
use std::path::PathBuf;

use golem_grimoire::id::EntryId;
use golem_inheritance::summon::{HeirPreview, Memorial};
use golem_primitives::{Address, AgentId, LineageId, Ppm, Usdc, UtcTime};

use crate::{AsKept, Wei, picture};

picture! {
    /// A transaction that an owner would sign.
    pub struct WouldSend { to: String = "to", what: String = "what" }

    /// What a birth would do.
    pub struct BirthToBe {
        name: String,
        chain_id: u64,
        owner: Address = "owner, who pays",
        book: String = "acts by",
        rules: usize = "its rules",
        pool: Address = "in the pool",
        credits: Usdc = "credits to live on",
        capital: Usdc = "capital to trade with",
        gas: Wei = "gas for its key",
        guardian: Option<Address> = "guardian",
        host: Option<Address> = "paid for the machine",
        transactions: Vec<WouldSend>,
    }

    /// What a birth brought.
    pub struct BirthPicture {
        name: String,
        agent: AgentId = "agent id",
        vault: Address = "vault",
        key: Address = "key",
        key_file: PathBuf = "sealed in",
        owner: Address = "owner",
        lineage: LineageId = "lineage",
        generation: u64 = "generation",
        chain_id: u64 = "chain",
        pool: Address = "pool",
        host: Option<Address> = "host",
        born: UtcTime = "born",
        block: u64 = "in block",
        credits: Usdc = "credits",
        capital: Usdc = "capital",
        wallet: Option<Address> = "linked wallet",
        /// L-014. Whether its file may be made to say that it is dead.
        epitaph: bool = "its file may say that it is dead",
        deployment: AsKept,
    }

    /// Where a vault will stand.
    pub struct VaultToBe {
        name: String,
        vault: Address,
        key: Address,
        usdc_address: Address,
        chain_id: u64,
        uri: String,
    }

    /// M-050. What a life should be given, and why.
    pub struct FundingPicture {
        daily: Usdc = "a day costs about",
        two_weeks: Usdc = "two weeks and a tenth",
        reserve: Usdc = "locked reserve for its death",
        recommended: Usdc = "recommended credits",
        given: Usdc = "you give",
        break_even: String = "least capital to earn that",
    }

    /// I-051. One entry of the queue of validation.
    pub struct FirstTried { entry: EntryId, novelty: Ppm, says: String }

    /// What is known of an heir's first days before it is born.
    #[derive(Default)]
    pub struct FirstDays {
        /// I-051. The head of the queue of validation.
        first: Vec<FirstTried>,
        /// I-055. How many are put off as nearly known.
        put_off: usize,
        /// I-183. Rules of the line that are proposed as defaults.
        proposed: Vec<EntryId>,
        /// I-203. What the predecessor failed in, of the five checks.
        warned_of: Vec<&'static str>,
    }

    /// I-267. What an heir would begin with.
    pub struct WouldInherit {
        born: bool,
        similarity: Option<Ppm>,
        entries: usize,
        told: usize,
        tried: FirstDays,
    }

    /// I-210, I-283. Why nobody was born: how alike, what differs, and what to change.
    pub struct StillbornPicture {
        born: bool,
        similarity: Option<Ppm>,
        diff: Vec<String>,
        why: String,
        advice: &'static str,
    }

    /// I-260. What stands on the stone of who is succeeded.
    pub struct MemorialPicture {
        ticks: u64 = "lived, ticks",
        trades: u32 = "round trips",
        funded: Usdc = "was given",
        earned: Usdc = "earned",
        spent: Usdc = "spent",
        entries: u32 = "entries made",
        inherited: u32 = "entries inherited",
        best_fitness: Ppm = "fitness at its best",
        last_fitness: Ppm = "fitness at the end",
        cause: String = "cause",
        last_words: String = "last words",
    }
}

impl From<&Memorial> for MemorialPicture {
    fn from(memorial: &Memorial) -> Self {
        let stats = &memorial.stats;
        Self {
            ticks: stats.ticks,
            trades: stats.trades,
            funded: stats.funded,
            earned: stats.earned,
            spent: stats.spent,
            entries: stats.insights_generated,
            inherited: stats.insights_inherited,
            best_fitness: stats.peak_fitness,
            last_fitness: stats.final_fitness,
            cause: memorial.cause.clone(),
            last_words: memorial.last_words.clone(),
        }
    }
}

picture! {
    /// I-267. What an heir would inherit, as candidates.
    pub struct InheritancePreview {
        genome: usize = "entries of its genome, of at most 2048",
        told: usize = "statements of its testament besides, worth at most 0.4",
        percent_left: u8 = "percent left by the barrier",
        before: Vec<u32> = "by tenths of confidence, before",
        after: Vec<u32> = "and after",
        domains: BTreeMap<String, u32> = "by domain",
        own_bloodstains: u32 = "bloodstains of the dead",
        older_bloodstains: u32 = "and of those before",
    }
}

impl InheritancePreview {
    /// Of what was counted by the law of adoption itself, and how much of that the testament tells beside the genome.
    #[must_use]
    pub fn of(shown: &HeirPreview, told_apart: usize) -> Self {
        Self {
            genome: shown.entries.saturating_sub(told_apart),
            told: told_apart,
            percent_left: shown.percent_left,
            before: shown.before.to_vec(),
            after: shown.after.to_vec(),
            domains: shown.domains.iter().map(|(domain, count)| (domain.to_string(), *count)).collect(),
            own_bloodstains: shown.own_bloodstains,
            older_bloodstains: shown.older_bloodstains,
        }
    }
}

picture! {
    /// I-289. A step of a succession that was taken.
    pub struct SuccessionPicture {
        /// As its file keeps it.
        succession: AsKept,
        words: String,
        /// What differs, where it halted for being too much alike.
        diff: Vec<String>,
    }
}
