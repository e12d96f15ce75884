//! The Curator: every 50 ticks it counts evidence, promotes, demotes, lets go, and says what it did.
//!
//! [`curate`] is a pure function: entries, episodes and the moment go in, changes come out. Applied one by one to the
//! same entries, the changes give the Grimoire that came out beside them, so a store may write them in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use golem_mortality::demurrage::KnowledgePressure;
use golem_mortality::phase::Phase;
use golem_primitives::{GolemId, Ppm, Tick, UtcTime};

use crate::confidence::Votes;
use crate::distil::is_due_early;
use crate::emotion::minority_weight;
use crate::episode::{Ambiguity, DreamPriority, Recorded};
use crate::event::GrimoireEvent;
use crate::gate::Quarantined;
use crate::id::{EntryId, EpisodeId, Moment};
use crate::kind::{Domain, Kind};
use crate::law::GrimoireLaw;
use crate::shelf::{Change, Grimoire};
use crate::status::Status;

pub mod dreamt;
mod evidence;
mod forgetting;
mod links;

pub use links::CountedLink;

/// G-139, C20. Ticks between two cycles.
pub const CYCLE_TICKS: u64 = 50;
/// G-153. Ticks between two cycles in Conservation.
pub const CONSERVATION_CYCLE_TICKS: u64 = 100;
/// G-151. Ticks between two deep validations.
pub const DEEP_TICKS: u64 = 250;

/// What the Curator is told.
#[derive(Debug, Clone, Copy)]
pub struct CuratorInput<'a> {
    pub golem: GolemId,
    pub law: &'a GrimoireLaw,
    pub grimoire: &'a Grimoire,
    pub episodes: &'a [Recorded],
    /// G-144. Votes since the last cycle.
    pub votes: &'a BTreeMap<EntryId, Votes>,
    /// G-083. Predictions checked since.
    pub checks: &'a [(EntryId, bool)],
    /// G-132. What is known to follow what, as looks count it; `None` where nobody counts.
    pub links: Option<&'a [CountedLink]>,
    /// G-149. What waits in quarantine.
    pub quarantine: &'a [Quarantined],
    /// G-151. Fitness by domain; a domain not named is fit.
    pub domain_fitness: &'a BTreeMap<Domain, Ppm>,
    /// G-199. Fitness of the whole.
    pub fitness: Ppm,
    /// G-153. The phase of life.
    pub phase: Phase,
    /// G-078. What the clocks press for.
    pub pressure: KnowledgePressure,
    /// I-051. What was inherited and waits for its turn to be tried: votes count, places wait.
    pub held: &'a BTreeSet<EntryId>,
    pub now: Moment,
}

/// G-153, C32. How much of its work the Curator does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duty {
    /// Nothing: not its turn.
    Rest,
    /// G-078. Only what poverty asks for: unused entries go.
    Austerity,
    /// Evidence, decay, archive and export; nothing new is distilled.
    Housekeeping,
    Whole,
}

/// G-139, G-153. The Curator's duty at a tick. A dying Golem stops distilling and never stops forgetting (C32); a poor
/// one only lets go; a stable one may skip a cycle in which nothing happened.
#[must_use]
pub const fn duty(tick: Tick, phase: Phase, economic_critical: bool, has_news: bool) -> Duty {
    let period = match phase {
        Phase::Conservation => CONSERVATION_CYCLE_TICKS,
        _ => CYCLE_TICKS,
    };
    if !tick.is_every(period) {
        return Duty::Rest;
    }
    match phase {
        _ if economic_critical => Duty::Austerity,
        Phase::Terminal | Phase::Declining => Duty::Housekeeping,
        Phase::Stable if !has_news => Duty::Housekeeping,
        _ => Duty::Whole,
    }
}

/// What a cycle did, in numbers (G-147, G-195).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct CuratorReport {
    /// Candidates that joined.
    pub added: u32,
    /// Candidates that became active.
    pub promoted: u32,
    /// Active entries that became candidates.
    pub demoted: u32,
    pub archived: u32,
    pub restored: u32,
    pub burned: u32,
    /// Heuristics worthy of PLAYBOOK.md.
    pub heuristics_proposed: u32,
    /// Mean effective confidence of active entries before.
    pub mean_before: Ppm,
    pub mean_after: Ppm,
}

/// What a cycle wants.
#[derive(Debug, Clone, PartialEq)]
pub struct CuratorPass {
    /// How much of the work was done.
    pub duty: Duty,
    /// In order; applied to the input they give `grimoire`.
    pub changes: Vec<Change>,
    /// The entries after all changes.
    pub grimoire: Grimoire,
    pub consolidated: BTreeSet<EpisodeId>,
    /// G-141. Episodes to be dreamt of, and why.
    pub tags: BTreeMap<EpisodeId, (DreamPriority, Ambiguity)>,
    /// W-26. When something was done that now spoke for or against an entry.
    pub taught: Vec<UtcTime>,
    /// G-149. What stays in quarantine.
    pub quarantine: Vec<Quarantined>,
    /// G-145, G-161. Heuristics that should stand in PLAYBOOK.md; its writer decides.
    pub playbook: BTreeSet<EntryId>,
    /// G-078. Entries an old Golem pushes to its Clade.
    pub to_push: BTreeSet<EntryId>,
    /// G-152. What entries of the mood in the minority gain until the next cycle.
    pub minority_weight: f64,
    pub report: CuratorReport,
    /// G-195. What is told to the outside.
    pub events: Vec<GrimoireEvent>,
}

/// A cycle at work: every change is done on a copy first and kept only if the law let it happen.
struct Desk<'a> {
    input: CuratorInput<'a>,
    shelf: Grimoire,
    pass: Pass,
}

#[derive(Default)]
struct Pass {
    changes: Vec<Change>,
    consolidated: BTreeSet<EpisodeId>,
    tags: BTreeMap<EpisodeId, (DreamPriority, Ambiguity)>,
    taught: Vec<UtcTime>,
    quarantine: Vec<Quarantined>,
    to_push: BTreeSet<EntryId>,
    report: CuratorReport,
    events: Vec<GrimoireEvent>,
}

impl<'a> Desk<'a> {
    fn new(input: &CuratorInput<'a>) -> Self {
        let mut desk = Self { input: *input, shelf: input.grimoire.clone(), pass: Pass::default() };
        desk.pass.report.mean_before = desk.mean();
        desk.pass.quarantine = input.quarantine.to_vec();
        desk
    }
}

impl Desk<'_> {
    fn change(&mut self, change: Change) -> bool {
        if self.shelf.apply(change.clone(), self.input.now).is_err() {
            return false;
        }
        let report = &mut self.pass.report;
        match &change {
            Change::Add(_) => report.added += 1,
            Change::Promote { .. } => report.promoted += 1,
            Change::Demote { .. } => report.demoted += 1,
            Change::Archive { .. } => report.archived += 1,
            Change::Restore { .. } => report.restored += 1,
            Change::Burn { .. } => report.burned += 1,
            _ => {}
        }
        self.pass.changes.push(change);
        true
    }

    /// Mean effective confidence of active entries; none has none.
    fn mean(&self) -> Ppm {
        let law = &self.input.law.retention;
        let effective: Vec<u64> = self
            .shelf
            .active()
            .map(|active| u64::from(active.knowledge().effective(law, self.input.now.at).get()))
            .collect();
        let count = u64::try_from(effective.len().max(1)).unwrap_or(u64::MAX);
        Ppm::saturating(effective.iter().sum::<u64>() / count)
    }
}

/// G-139 to G-156. One cycle. The order is the law: evidence counts before anything is let go, so nothing is archived
/// in the cycle that confirmed it; capacity comes last, over what is left.
#[must_use]
pub fn curate(input: &CuratorInput<'_>) -> CuratorPass {
    let has_news = !input.votes.is_empty()
        || !input.checks.is_empty()
        || !input.quarantine.is_empty()
        || input.episodes.iter().any(|recorded| !recorded.notes.is_consolidated);
    let duty = duty(input.now.tick, input.phase, input.pressure.economic_critical, has_news);
    if duty == Duty::Rest && is_early(input) {
        return distil_early(input);
    }
    work(input, duty)
}

/// G-143. Whether it is called before its turn because enough has happened, in a phase that distils.
fn is_early(input: &CuratorInput<'_>) -> bool {
    input.phase > Phase::Declining && !input.pressure.economic_critical && is_due_early(input.episodes)
}

/// G-143. The half of a cycle that counts. Letting go has its own pace: nothing fades by being busy, and no cycle more is
/// counted for anyone; only what there is no room for goes (G-075).
fn distil_early(input: &CuratorInput<'_>) -> CuratorPass {
    let mut desk = Desk::new(input);
    desk.take_votes();
    desk.distil();
    desk.demote();
    desk.promote();
    desk.burn_refuted();
    desk.keep_capacity();
    desk.finish(Duty::Whole)
}

/// M-067, G-143. A cycle at whatever tick the epistemic clock warns: the same work as in turn, within the same phase.
#[must_use]
pub fn curate_at_once(input: &CuratorInput<'_>) -> CuratorPass {
    // A tick in which the turn has come whatever the phase.
    let turn = Tick::new(CYCLE_TICKS * CONSERVATION_CYCLE_TICKS);
    work(input, duty(turn, input.phase, input.pressure.economic_critical, true))
}

/// C32, G-163. The last cycle, at whatever tick death comes: evidence counts and the faded go; nothing new is distilled.
#[must_use]
pub fn put_in_order(input: &CuratorInput<'_>) -> CuratorPass {
    work(input, Duty::Housekeeping)
}

fn work(input: &CuratorInput<'_>, duty: Duty) -> CuratorPass {
    let mut desk = Desk::new(input);
    if duty >= Duty::Housekeeping {
        desk.take_votes();
        desk.take_links();
    }
    if duty == Duty::Whole {
        desk.distil();
        desk.review_quarantine();
    }
    if duty >= Duty::Housekeeping {
        if input.now.tick.is_every(DEEP_TICKS) {
            desk.validate_deeply();
        }
        desk.demote();
        desk.promote();
        // The refuted burn before the faded are kept: the archive is for what may yet be right.
        desk.burn_refuted();
        desk.let_go();
    }
    if duty >= Duty::Austerity {
        desk.yield_to_pressure();
        desk.keep_capacity();
    }
    if duty >= Duty::Housekeeping {
        desk.count_cycle();
    }
    desk.finish(duty)
}

impl Desk<'_> {
    fn finish(mut self, duty: Duty) -> CuratorPass {
        let playbook: BTreeSet<EntryId> = self
            .shelf
            .active()
            .filter(|active| active.is_playbook_worthy())
            .map(|active| active.knowledge().id)
            .collect();
        self.pass.report.mean_after = self.mean();
        self.pass.report.heuristics_proposed = u32::try_from(playbook.len()).unwrap_or(u32::MAX);
        if duty > Duty::Rest {
            self.announce();
        }
        let fresh = self.input.episodes.iter().filter(|recorded| !recorded.notes.is_consolidated);
        let valences: Vec<f64> =
            fresh.filter_map(|recorded| recorded.episode.emotion.map(|tag| tag.pad.pleasure())).collect();
        CuratorPass {
            duty,
            changes: self.pass.changes,
            grimoire: self.shelf,
            consolidated: self.pass.consolidated,
            tags: self.pass.tags,
            taught: self.pass.taught,
            quarantine: self.pass.quarantine,
            playbook,
            to_push: self.pass.to_push,
            minority_weight: minority_weight(&valences),
            report: self.pass.report,
            events: self.pass.events,
        }
    }

    /// G-195. What the outside is told.
    fn announce(&mut self) {
        let report = self.pass.report;
        self.pass.events.push(GrimoireEvent::Decay {
            entries_decayed: report.archived,
            mean_before: report.mean_before,
            mean_after: report.mean_after,
        });
        self.pass.events.push(GrimoireEvent::CuratorCycleComplete {
            pruned: report.archived + report.burned,
            promoted: report.promoted,
            heuristics_proposed: report.heuristics_proposed,
        });
    }

    /// Ids of living entries, in order.
    fn living_ids(&self) -> Vec<EntryId> {
        self.shelf.living().map(|entry| entry.id).collect()
    }

    /// Whether an entry is spared by pruning: warnings, the words of the dead and open questions (G-071, G-170).
    fn is_spared(&self, id: EntryId) -> bool {
        self.shelf.get(id).and_then(crate::status::Entry::knowledge).is_some_and(|entry| {
            entry.kind() == Kind::Warning || entry.draft.source.is_bloodstain() || entry.is_open_question()
        })
    }

    fn status(&self, id: EntryId) -> Option<Status> {
        self.shelf.get(id).map(crate::status::Entry::status)
    }
}
