//! What an owner keeps of the dead.

use std::collections::BTreeMap;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_primitives::{AgentId, GolemId, LineageId, UtcTime};

use crate::{AsKept, picture};

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
}

picture! {
    /// Where it comes from and what became of it.
    pub struct LibraryDetail {
        domain: &'static str = "domain",
        origin: GolemId = "first learnt by",
        inheritances: u32 = "inheritances survived",
        /// I-245. What became of it at those it was given to.
        equipped: BTreeMap<String, String> = "equipped with",
        tier: String = "suggested as",
        validated_by: usize = "proved by",
        battle_tested: bool = "battle-tested",
        claims: Option<String> = "claims",
    }
}

picture! {
    /// What became of an entry that was taken from a Golem, or given to one.
    pub struct ShelfLine {
        entry: EntryId = "entry",
        fate: String = "fate",
        worth: Option<Confidence> = "worth",
        says: String = "says",
    }
}

picture! {
    /// What a death left and how much of it is kept.
    pub struct DepositedPicture { golem: GolemId, name: String, entries: usize, kept: usize }
}

picture! {
    /// I-252. What a version of a named bundle changed.
    pub struct NamedVersion { version: u32, at: UtcTime, added: Vec<EntryId>, removed: Vec<EntryId> }
}

picture! {
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
}

picture! {
    /// I-243. A double: the one that went, and the one that stays.
    pub struct JoinedPicture { gone: EntryId, stays: EntryId }
}

picture! {
    /// I-181. An entry that joined the default bundle of its strategy.
    pub struct DefaultJoined { bundle: String, entry: EntryId }
}

picture! {
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
}
