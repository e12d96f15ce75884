//! Waking up: from a dream's report to what shall change, as one value.
//!
//! A report is data of a machine that models took part in. Nothing in it is taken at its word that the waking life can
//! look up itself: warnings come in as dreamt whatever they claim, rules are tried like a stranger's, and a feeling can only
//! fade.

use std::collections::{BTreeMap, BTreeSet};

use golem_daimon::dream::DreamTrace;
use golem_dreams::integration::is_protected;
use golem_dreams::integration::journal::DreamJournalEntry;
use golem_dreams::onset::fragment::Held;
use golem_dreams::rem::threat::Rehearsals;
use golem_dreams::report::{Awakening, DreamReport, GrimoireUpdate, Rehearsed};
use golem_dreams::words::DreamTrigger;
use golem_grimoire::confidence::Votes;
use golem_grimoire::curator::CuratorInput;
use golem_grimoire::curator::dreamt::{Delivered, THREAT_TAG, receive};
use golem_grimoire::entry::Draft;
use golem_grimoire::episode::Annotations;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::playbook::Holder;
use golem_primitives::{Ppm, Usdc};

use super::{DreamSources, arousal_of};
use crate::curation::{WrittenBook, age, domain_fitness, knowledge_pressure, write};
use crate::life::Life;
use crate::record::{DreamCounts, Dreamt, MOST_RULES};

/// Warnings, fragments and lines that are kept of one cycle at most.
const MOST_KEPT: usize = 64;

/// D-186. Everything a dream changes, for one transaction; a dream that was cut short changes its journal alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Landing {
    /// D-168. Its entry in the journal.
    pub journal: DreamJournalEntry,
    /// What the Grimoire takes, as of a Curator's cycle; `None` when it takes nothing.
    pub delivered: Option<Delivered>,
    /// D-164. What Integration wrote.
    pub written: Option<WrittenBook>,
    pub notes: BTreeMap<EpisodeId, Annotations>,
    /// D-143. Feelings, as they are now.
    pub feelings: BTreeMap<EpisodeId, DreamTrace>,
    /// D-133. What is remembered of threats.
    pub rehearsals: Rehearsals,
    /// D-060. Fragments that wait.
    pub held: Vec<Held>,
    /// D-020. Lines for the draft of the testament, of an emergency dream alone.
    pub testament: Vec<String>,
    /// D-177. What it wakes with.
    pub awakening: Awakening,
    pub dreamt: Dreamt,
    pub cost: Usdc,
}

/// D-144. What a report comes to in the store as it is now.
#[must_use]
pub fn land(life: &Life, report: DreamReport, sources: &DreamSources<'_>, now: Moment) -> Landing {
    let is_last = report.journal.trigger == DreamTrigger::Emergency;
    let mut landing = bare(&report, sources);
    if !report.is_complete() {
        return landing;
    }
    landing.awakening =
        Awakening { lines: report.awakening.lines.iter().take(MOST_KEPT).cloned().collect(), ..report.awakening };
    if is_last {
        landing.testament = report.testament.into_iter().take(MOST_KEPT).collect();
        return landing;
    }
    landing.note(&report.updates, sources, now);
    let drafts = report.threats.iter().filter_map(draft).take(MOST_KEPT).collect();
    let delivered = receive(&input(life, sources, now, &domain_fitness(life)), drafts);
    let (cycle, law) = (format!("{} at tick {}", report.journal.cycle, now.tick), &sources.law.reflection);
    landing.written = write(life, Holder::Integration, cycle, sources.playbook, &delivered.pass.grimoire, law);
    for threat in &report.threats {
        landing.rehearsals.rehearsed(threat.kind, report.journal.cycle.0, now.at);
    }
    landing.dreamt.rules = report.rules.into_iter().take(MOST_RULES).collect();
    landing.held = report.held.into_iter().take(MOST_KEPT).collect();
    landing.count(&delivered, sources);
    landing.delivered = Some(delivered);
    landing
}

fn bare(report: &DreamReport, sources: &DreamSources<'_>) -> Landing {
    let journal = &report.journal;
    let counts = DreamCounts {
        replayed: journal.nrem.episodes,
        counterfactuals: journal.rem.counterfactuals,
        hypotheses: journal.rem.hypotheses,
        threats: journal.rem.threats,
        ..DreamCounts::default()
    };
    Landing {
        delivered: None,
        written: None,
        notes: BTreeMap::new(),
        feelings: BTreeMap::new(),
        rehearsals: sources.shelf.rehearsals.clone(),
        held: sources.shelf.held.clone(),
        testament: Vec::new(),
        awakening: Awakening::default(),
        dreamt: Dreamt {
            cycle: journal.cycle,
            trigger: journal.trigger,
            tier: journal.tier,
            engine: journal.engine,
            ending: journal.ending.clone(),
            calls: journal.llm_calls,
            wasted: journal.wasted,
            duration_ticks: journal.duration_ticks,
            counts,
            rules: Vec::new(),
            playbook_version: None,
            quality: journal.quality,
            mood: report.awakening.mood,
        },
        cost: journal.cost,
        journal: report.journal.clone(),
    }
}

impl Landing {
    /// D-089, D-139. What is noted beside episodes: only of those that are there, and a feeling only fades.
    fn note(&mut self, updates: &[GrimoireUpdate], sources: &DreamSources<'_>, now: Moment) {
        let known: BTreeMap<EpisodeId, _> =
            sources.episodes.iter().map(|recorded| (recorded.episode.id, recorded)).collect();
        let mut replayed = BTreeSet::new();
        for update in updates {
            match update {
                GrimoireUpdate::Replayed(id, by) => {
                    let Some(recorded) = known.get(id).filter(|_| replayed.insert(*id)) else { continue };
                    let notes = self.notes.entry(*id).or_insert_with(|| recorded.notes.clone());
                    notes.strength = notes.strength.reinforced(*by);
                    notes.replay_count = notes.replay_count.saturating_add(1);
                    notes.last_replayed = Some(now);
                    notes.dream_priority = None;
                }
                GrimoireUpdate::Feeling(after) => {
                    let Some(recorded) = known.get(&after.episode) else { continue };
                    let left = Ppm::round(after.feeling.processed().arousal().abs());
                    if left > arousal_of(recorded, &sources.shelf.feelings) {
                        continue;
                    }
                    self.notes.entry(after.episode).or_insert_with(|| recorded.notes.clone()).arousal = left;
                    self.feelings.insert(after.episode, after.feeling);
                }
            }
        }
        self.dreamt.counts.depotentiated = u32::try_from(self.feelings.len()).unwrap_or(u32::MAX);
    }

    fn count(&mut self, delivered: &Delivered, sources: &DreamSources<'_>) {
        let counts = &mut self.dreamt.counts;
        counts.admitted = delivered.admitted;
        counts.refused = delivered.refused;
        if let Some(written) = &self.written {
            let changes = written.playbook.changes_since(sources.playbook).len();
            counts.edits = u32::try_from(changes).unwrap_or(u32::MAX);
            self.dreamt.playbook_version = Some(written.playbook.version());
        }
    }
}

/// What the Curator's desk is told for a delivery: evidence has its own turn.
fn input<'a>(
    life: &Life,
    sources: &DreamSources<'a>,
    now: Moment,
    domain_fitness: &'a BTreeMap<golem_grimoire::kind::Domain, Ppm>,
) -> CuratorInput<'a> {
    static NO_VOTES: BTreeMap<EntryId, Votes> = BTreeMap::new();
    static NOBODY: BTreeSet<EntryId> = BTreeSet::new();
    let vitals = life.vitals();
    CuratorInput {
        golem: *life.id(),
        law: sources.law,
        grimoire: sources.grimoire,
        episodes: sources.episodes,
        votes: &NO_VOTES,
        checks: &[],
        links: None,
        quarantine: sources.quarantine,
        domain_fitness,
        fitness: age(vitals),
        phase: vitals.phase(),
        pressure: knowledge_pressure(life, now),
        held: &NOBODY,
        now,
    }
}

/// D-145. The warning of a threat, told apart from others by its kind. D-241: what touches limits or the constitution is discarded,
/// whoever worded it.
fn draft(threat: &Rehearsed) -> Option<Draft> {
    let mut draft = threat.warning.clone();
    draft.tags.insert(format!("{THREAT_TAG}{}", threat.kind));
    (!is_protected(&draft.content)).then_some(draft)
}
