//! What an owner keeps of the dead.

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_primitives::{AgentId, B256, GolemId, LineageId, Ppm, Usdc, UtcTime};

use crate::{AsKept, ReturnPpm, picture};

picture! {
    /// I-240. An entry that is kept.
    pub struct LibraryLine {
        id: EntryId = "entry",
        worth: Confidence = "worth",
        kind: &'static str = "type",
        generation: u32 = "generation",
        left_by: String = "from",
        channel: String = "by",
        /// I-245, I-251. Proved by five Golems, or found wrong by two.
        mark: &'static str = "mark",
        says: String = "says",
        golem: GolemId,
        agent: Option<AgentId>,
        lineage: LineageId,
        proved_by: Vec<GolemId>,
        joined: Vec<EntryId>,
        /// As a bundle has it.
        entry: AsKept,
    }

    /// Where it comes from and what became of it.
    pub struct LibraryDetail {
        domain: &'static str = "domain",
        origin: GolemId = "first learnt by",
        /// I-232. Where anybody knows.
        origin_generation: Option<u32> = "in generation",
        /// I-233. Whoever passed it on, it was first learnt by its origin.
        hop: GolemId = "came last from",
        inheritances: u32 = "inheritances survived",
        /// I-245. What became of it at those it was given to.
        equipped: BTreeMap<String, String> = "equipped with",
        tier: String = "suggested as",
        validated_by: usize = "proved by",
        battle_tested: bool = "battle-tested",
        claims: Option<String> = "claims",
    }

    /// What became of an entry that was taken from a Golem, or given to one.
    pub struct ShelfLine {
        entry: EntryId = "entry",
        fate: String = "fate",
        worth: Option<Confidence> = "worth",
        says: String = "says",
    }

    /// What a death left and how much of it is kept.
    pub struct DepositedPicture { golem: GolemId, name: String, entries: usize, kept: usize }

    /// I-252. What a version of a named bundle changed.
    pub struct NamedVersion { version: u32, at: UtcTime, added: Vec<EntryId>, removed: Vec<EntryId> }

    /// I-249. A set of entries for a purpose.
    pub struct NamedBundle {
        name: String = "bundle",
        version: u32 = "version",
        holds: usize = "entries",
        validated_by: usize = "validated by",
        purpose: String = "purpose",
        publishable: bool = "may be published",
        entries: Vec<EntryId>,
        versions: Vec<NamedVersion>,
    }

    /// I-243. A double: the one that went, and the one that stays.
    pub struct JoinedPicture { gone: EntryId, stays: EntryId }

    /// I-181. An entry that joined the default bundle of its strategy.
    pub struct DefaultJoined { bundle: String, entry: EntryId }

    /// What was put in order.
    #[derive(Default)]
    pub struct TendedPicture {
        /// I-240. Taken in because three Golems of one owner proved it.
        overflowed: Vec<EntryId>,
        joined: Vec<JoinedPicture>,
        /// I-251. Proved by five Golems.
        battle_tested: Vec<EntryId>,
        /// I-245. Contradicted by two Golems: it comes after the others, and nothing is deleted.
        contradicted: Vec<EntryId>,
        /// I-250. Bundles that were proposed.
        proposed: Vec<String>,
        defaults: Vec<DefaultJoined>,
    }

    /// I-240, I-230. A set of somebody's library that is for sale, with what stands behind each thing in it.
    pub struct SetPicture {
        name: String = "set",
        price: Usdc = "price",
        holds: usize = "entries",
        rules_held: usize = "rules",
        purpose: String = "purpose",
        hash: B256 = "hash",
        entries: Vec<EntryEvidencePicture>,
        rules: Vec<RuleEvidencePicture>,
    }

    /// What stands behind an entry that is for sale; its words are what is sold.
    pub struct EntryEvidencePicture {
        kind: &'static str = "type",
        domain: &'static str = "about",
        regime: Option<&'static str> = "regime",
        confidence: Confidence = "worth there",
        episodes: u32 = "episodes",
        trials: Option<u32> = "tried",
        held: Option<u32> = "held",
        proved_by: u32 = "proved by",
        inheritances: u32 = "inheritances",
        origin: GolemId = "first learnt by",
        origin_generation: Option<u32> = "in generation",
        hop: GolemId,
        bloodstain: bool = "of the dead",
    }

    /// P-032. What a rule that is for sale has shown.
    pub struct RuleEvidencePicture {
        looks: u64 = "looks",
        trips: u64 = "trips",
        evidence: u64 = "evidence",
        mean_return_recent: ReturnPpm = "mean",
        origin: GolemId = "acted by",
        origin_generation: Option<u32> = "in generation",
    }

    /// A set that was put on a stall, or taken off it.
    pub struct PublishedPicture {
        set: String,
        on: String,
        price: Option<Usdc>,
        hash: Option<B256>,
        entries: usize,
        rules: usize,
    }

    /// What became of a thing that was bought.
    pub struct BoughtLine {
        what: String = "entry or rule",
        fate: String = "fate",
        says: String = "says",
    }

    /// I-240. A set that was bought.
    pub struct BoughtPicture {
        set: String,
        hash: B256,
        seller: GolemId,
        agent: AgentId,
        paid: Usdc,
        tx: Option<B256>,
        bundle: Option<String>,
        lines: Vec<BoughtLine>,
    }

    /// A rule that was bought: tried by nobody here before it is equipped.
    pub struct LibraryRule {
        name: String = "rule",
        trips: u64 = "trips there",
        evidence: u64 = "evidence there",
        origin: GolemId = "acted by",
        seller: GolemId = "bought from",
        says: String = "says",
        text: String,
    }

    /// I-232, I-234. What the library owes to who first learned it.
    pub struct CreditLine {
        origin: GolemId = "first learnt by",
        origin_generation: Option<u32> = "generation",
        lineage: Option<LineageId> = "lineage",
        entries: usize = "entries",
        confirmed: u32 = "confirmed",
        contradicted: u32 = "contradicted",
        /// In tenths, as the law counts.
        golem_tenths: u64,
        lineage_tenths: u64,
        /// I-314. The mean of Beta(1, 1) after what became of its entries.
        reputation: Ppm = "reputation",
        credit: String = "credit",
        line_credit: String = "of its line",
    }
}
