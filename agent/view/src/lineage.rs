//! Who came from whom, what became of what was handed down, and whether it is true.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_inheritance::negentropy::Negentropy;
use golem_primitives::{Address, AgentId, B256, LineageId, Ppm, UtcTime};

use crate::{AsKept, Gain, Millionths, Shown as _, Table, Tested, picture};

picture! {
    /// One member of a line by the chain's logs.
    pub struct MemberPicture {
        generation: u64 = "generation",
        agent: AgentId = "agent",
        life: String = "life",
        ticks: u64 = "ticks",
        born: UtcTime = "born",
        cause: Option<&'static str> = "cause",
        testament: Option<B256> = "testament",
        owner: Address = "owner",
        /// Everything the logs say of it, as the chronicle keeps it.
        record: AsKept,
    }

    /// Something that was proved of a Golem, or not.
    pub struct CheckPicture { ok: Tested = "ok", agent: AgentId = "agent", name: &'static str = "what", detail: String = "found" }
}

impl CheckPicture {
    /// How many hold, in a sentence.
    #[must_use]
    pub fn told(checks: &[Self]) -> String {
        match checks.iter().filter(|check| !check.ok.0).count() {
            0 => format!("All {} checks hold.", checks.len()),
            wrong => format!("{wrong} of {} checks do not hold.", checks.len()),
        }
    }
}

picture! {
    /// I-220. Signs of order in what a generation left.
    pub struct OrderPicture {
        distilled: Ppm,
        edges_per_entry: Ppm,
        domains: u32,
        questions: Ppm,
        contradicted: Ppm,
    }
}

impl From<Negentropy> for OrderPicture {
    fn from(order: Negentropy) -> Self {
        let Negentropy { distilled, edges_per_entry, domains, questions, contradicted } = order;
        Self { distilled, edges_per_entry, domains, questions, contradicted }
    }
}

picture! {
    /// I-042 to I-046, I-314. What the testament of one generation says of it.
    pub struct GenerationPicture {
        generation: u32 = "generation",
        agent: AgentId = "agent",
        /// I-042, I-043. What that means is its band; of a first generation a score has no upper end.
        score: Millionths = "score",
        band: &'static str = "band",
        novel: u64 = "new",
        /// I-045. What it was given, and what became of that.
        inherited: u32 = "given",
        validated: u32 = "confirmed",
        contradicted: u32 = "refuted",
        untested: u32 = "untested",
        net: Gain,
        /// I-220, I-221. Signs of order, and whether they rose since the generation before.
        order: OrderPicture,
        order_rises: Option<bool> = "order rises",
        /// I-314. Its own record, from nothing at birth; the predecessor's is for the eye alone.
        reputation: Ppm = "reputation",
        predecessor_reputation: Option<Ppm>,
        /// I-203, I-204. The verdict of the five checks.
        individuation: String = "became",
    }

    /// I-314, I-317. A line as a whole.
    pub struct LinePicture {
        status: &'static str,
        score: Millionths,
        band: &'static str,
        is_better: Option<bool>,
        generations: Vec<GenerationPicture>,
    }
}

impl LinePicture {
    /// In a sentence.
    #[must_use]
    pub fn told(&self) -> String {
        let trend = match self.is_better {
            Some(true) => ", the last better than the one before",
            Some(false) => ", the last no better than the one before",
            None => "",
        };
        format!("The line is {}; its score is {} ({}){trend}.", self.status, self.score.words(), self.band)
    }
}

picture! {
    /// What an entry was worth in one life.
    pub struct StopPicture {
        agent: AgentId,
        generation: u32,
        /// What it was worth on arrival; nothing for one's own.
        arrived: Option<Confidence>,
        /// What it was worth when it was left, or is worth to one that lives.
        left: Option<Confidence>,
        validated: u32,
        contradicted: u32,
        fate: String,
    }
}

impl StopPicture {
    fn told(&self) -> String {
        let Self { generation, arrived, left, validated, contradicted, fate, .. } = self;
        format!("{generation}: {} > {} (+{validated} -{contradicted}, {fate})", arrived.words(), left.words())
    }
}

picture! {
    /// I-160, I-362. An entry from its first life to its last.
    pub struct TracePicture {
        entry: EntryId,
        says: String,
        /// I-180. Whether it survived three inheritances and is still believed: what would be a default of the line.
        is_baldwin: bool,
        stops: Vec<StopPicture>,
    }
}

impl TracePicture {
    /// One line an entry: what it was worth from life to life.
    #[must_use]
    pub fn through(traces: &[Self]) -> Table {
        let row = |one: &Self| {
            let path = one.stops.iter().map(StopPicture::told).collect::<Vec<_>>().join("  ");
            // I-180: nothing moves into any configuration by itself.
            let mark = if one.is_baldwin { "would be a default of the line (Baldwin)" } else { "" };
            vec![one.entry.to_string(), path, mark.to_owned(), one.says.clone()]
        };
        Table::new("Entries through the generations: arrived > left", traces.iter().map(row).collect())
    }
}

picture! {
    /// O-005. A line: its members, what each made of what it was given, and the proof where one was asked for.
    pub struct LineagePicture {
        lineage: LineageId,
        block: u64,
        members: Vec<MemberPicture>,
        checks: Option<Vec<CheckPicture>>,
        entries: Vec<TracePicture>,
        holds: Option<bool>,
        line: LinePicture,
    }

    /// A life held against what the chain says of it.
    pub struct ProofPicture { golem: String, holds: bool, block: u64, checks: Vec<CheckPicture> }
}
