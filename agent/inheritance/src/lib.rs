//! The law of inheritance: what crosses from a dead Golem to the living, and how it must prove itself there.
//!
//! Three things cross: a compressed Grimoire, PLAYBOOK.md and a testament. The [`bottleneck`] lets at most 2,048 entries
//! through, the [Weismann barrier](weismann) takes from their certainty once, and the heir takes them in as candidates,
//! the most [surprising](novelty) first. Nothing becomes active by arriving: not from the dead ([`heir`]), not from
//! siblings ([`ingest`]), not from the [`library`]. And nobody is born who would be the same again ([`individuation`]).
//!
//! | room | holds |
//! |---|---|
//! | [`bottleneck`], [`genome`], [`weismann`], [`baldwin`] | what is handed down, and what it is worth |
//! | [`heir`], [`birth`], [`novelty`], [`arrival`], [`toxic`], [`dissection`] | how an heir takes it in, and what it leaves out |
//! | [`testament`], [`death_bundle`], [`bloodstain`] | what the dying say, in typed sections, and where they died |
//! | [`individuation`], [`ratchet`], [`negentropy`], [`lineage`] | whether a life became its own, and a line grew |
//! | [`succession`], [`summon`] | the next life: by itself in seven steps, or by a person's hand |
//! | [`withheld`], [`ingest`], [`guard`], [`clade`] | what siblings exchange, how much, and what is believed |
//! | [`library`], [`pheromone`], [`attribution`] | what an owner keeps, what the market is told, who is owed |
//!
//! Carrying is not here: no socket, file, database, chain or format. Where the catalogue speaks of them this crate holds
//! their limits, queues and decisions, and takes what they found as plain data: times are given, chance and hashes are
//! handed in or functions of names, signatures and chain reads arrive as verdicts. Scores are computed with a pinned
//! `libm` and rounded once to parts per million.

pub mod arrival;
pub mod attribution;
pub mod baldwin;
pub mod birth;
pub mod bloodstain;
pub mod bottleneck;
pub mod clade;
pub mod death_bundle;
pub mod dissection;
pub mod genome;
pub mod guard;
pub mod heir;
pub mod individuation;
pub mod ingest;
pub mod library;
pub mod lineage;
pub mod negentropy;
pub mod novelty;
pub mod pheromone;
pub mod ratchet;
mod row;
pub mod succession;
pub mod summon;
pub mod testament;
pub mod toxic;
pub mod weismann;
pub mod withheld;
