//! Waking up: from a dream's report to what shall change, as one value.
//!
//! A report is data of a machine that models took part in. Nothing in it is taken at its word that the waking life can
//! look up itself: rows are staged anew under the owner's law, what is promoted is read from the table and not from the
//! report, drafts come in as dreamt whatever they claim, and a feeling can only fade.

use std::collections::{BTreeMap, BTreeSet};

use golem_daimon::dream::DreamTrace;
use golem_dreams::integration::class::Contradiction;
use golem_dreams::integration::journal::JournalEntry;
use golem_dreams::integration::staging::{EXPIRES_AFTER, RevisionType, RowStatus, Staged, Staging, is_protected};
use golem_dreams::onset::fragment::Held;
use golem_dreams::rem::hypothesis::CreativePrediction;
use golem_dreams::rem::threat::Rehearsals;
use golem_dreams::report::{Awakening, DreamReport, GrimoireUpdate};
use golem_dreams::words::Trigger;
use golem_grimoire::confidence::Votes;
use golem_grimoire::curator::CuratorInput;
use golem_grimoire::curator::dreamt::{Delivered, Delivery, THREAT_TAG, Validated, receive};
use golem_grimoire::entry::{Draft, DreamMark, Method};
use golem_grimoire::episode::Annotations;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::kind::Body;
use golem_grimoire::playbook::{Edit, Holder, Rule, Section, Writership};
use golem_grimoire::provenance::{DreamOutput, Provenance, Source};
use golem_grimoire::regime::Regime;
use golem_primitives::{Ppm, Tick, Usdc};

use super::{Sources, arousal_of};
use crate::curation::{Written, age, domain_fitness, knowledge_pressure};
use crate::life::Life;
use crate::record::{DreamCounts, Dreamt};

/// Fragments, predictions and lines that are kept of one cycle at most.
const MOST_KEPT: usize = 64;

/// D-186. Everything a dream changes, for one transaction; a dream that was cut short changes its journal alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Landing {
    /// D-168. Its entry in the journal.
    pub journal: JournalEntry,
    /// What the Grimoire takes, as of a Curator's cycle; `None` when it takes nothing.
    pub delivered: Option<Delivered>,
    /// D-164. What Integration wrote.
    pub written: Option<Written>,
    /// Rows that are new or changed, as they are now.
    pub staging: Vec<Staged>,
    /// Notes of episodes, as they are now.
    pub notes: BTreeMap<EpisodeId, Annotations>,
    /// D-143. Feelings, as they are now.
    pub feelings: BTreeMap<EpisodeId, DreamTrace>,
    /// D-133. What is remembered of threats.
    pub rehearsals: Rehearsals,
    /// D-060. Fragments that wait.
    pub held: Vec<Held>,
    /// D-120. Predictions that hypotheses stand by.
    pub predictions: Vec<CreativePrediction>,
    /// D-145. What is flagged for review.
    pub contradictions: Vec<Contradiction>,
    /// D-020. Lines for the draft of the testament, of an emergency dream alone.
    pub testament: Vec<String>,
    /// D-177. What it wakes with.
    pub awakening: Awakening,
    /// What the life is told.
    pub dreamt: Dreamt,
    /// What it cost.
    pub cost: Usdc,
}

/// D-144. What a report comes to in the store as it is now.
#[must_use]
pub fn land(life: &Life, report: DreamReport, sources: &Sources<'_>, now: Moment) -> Landing {
    let is_last = report.journal.trigger == Trigger::Emergency;
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
    let replayed = landing.note(&report.updates, &report.deletions, sources, now);
    let mut table = sources.shelf.staging.clone();
    let validated = validated(life, &report, sources, &replayed, now);
    let lowered = lowered(life, &report, sources);
    let delivery = Delivery { lowered, ..delivery(&report, validated) };
    let delivered = receive(&input(life, sources, now, &domain_fitness(life)), delivery);
    for (row, _) in delivered.promoted.iter().chain(&delivered.lowered) {
        // A row whose table changed meanwhile stays as it is there; it was validated when it was read above.
        let _ = table.applied(*row);
    }
    stage(&mut table, &report, life, now, &mut landing.dreamt.counts);
    landing.written = write(life, now, &report, sources, &delivered);
    landing.staging = changed(&sources.shelf.staging, &table);
    for threat in &report.threats {
        landing.rehearsals.rehearsed(threat.kind, report.cycle.0, now.at);
    }
    landing.held = report.held.into_iter().take(MOST_KEPT).collect();
    landing.predictions = report.predictions.into_iter().take(MOST_KEPT).collect();
    landing.contradictions = report.contradictions.into_iter().take(MOST_KEPT).collect();
    landing.count(&delivered, sources);
    landing.delivered = Some(delivered);
    landing
}

/// A landing of the journal alone.
fn bare(report: &DreamReport, sources: &Sources<'_>) -> Landing {
    let journal = &report.journal;
    let counts = DreamCounts {
        replayed: journal.nrem.episodes,
        patterns: journal.nrem.patterns,
        counterfactuals: journal.rem.counterfactuals,
        hypotheses: journal.rem.hypotheses,
        insights: u32::try_from(report.insights.len()).unwrap_or(u32::MAX),
        threats: journal.rem.threats,
        flagged: journal.integration.flagged,
        ..DreamCounts::default()
    };
    Landing {
        delivered: None,
        written: None,
        staging: Vec::new(),
        notes: BTreeMap::new(),
        feelings: BTreeMap::new(),
        rehearsals: sources.shelf.rehearsals.clone(),
        held: sources.shelf.held.clone(),
        predictions: Vec::new(),
        contradictions: Vec::new(),
        testament: Vec::new(),
        awakening: Awakening::default(),
        dreamt: Dreamt {
            cycle: report.cycle,
            trigger: journal.trigger,
            tier: journal.tier,
            engine: journal.engine,
            ending: journal.ending.clone(),
            calls: journal.llm_calls,
            wasted: journal.wasted,
            duration_ticks: journal.duration_ticks,
            counts,
            playbook_version: None,
            quality: journal.quality,
            mood: report.awakening.mood,
        },
        cost: report.total_cost,
        journal: report.journal.clone(),
    }
}

impl Landing {
    /// D-089, D-139, C31. What is noted beside episodes: only of those that are there; a feeling only fades, and only what
    /// was replayed is let go. Answers what was replayed.
    fn note(
        &mut self,
        updates: &[GrimoireUpdate],
        deletions: &[EpisodeId],
        sources: &Sources<'_>,
        now: Moment,
    ) -> BTreeSet<EpisodeId> {
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
                GrimoireUpdate::Boost(_) => {}
            }
        }
        for id in deletions.iter().filter(|id| replayed.contains(id)) {
            if let Some(notes) = self.notes.get_mut(id) {
                notes.is_forgotten = true;
                self.dreamt.counts.forgotten += 1;
            }
        }
        self.dreamt.counts.depotentiated = u32::try_from(self.feelings.len()).unwrap_or(u32::MAX);
        replayed
    }

    fn count(&mut self, delivered: &Delivered, sources: &Sources<'_>) {
        let counts = &mut self.dreamt.counts;
        counts.boosted = delivered.raised;
        counts.admitted = delivered.admitted;
        counts.refused = delivered.refused;
        counts.promoted = u32::try_from(delivered.promoted.len()).unwrap_or(u32::MAX);
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
    sources: &Sources<'a>,
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

fn delivery(report: &DreamReport, validated: Vec<Validated>) -> Delivery {
    let confirmed = report.updates.iter().filter_map(|update| match update {
        GrimoireUpdate::Boost(boost) => Some(boost.entry),
        _ => None,
    });
    // Warnings stand in the order of their threats, by whose kind they are told apart.
    let kinds = report.threats.iter().map(|threat| Some(threat.kind)).chain(std::iter::repeat(None));
    let warnings = report.warnings.iter().zip(kinds).map(|(draft, kind)| {
        let mut draft = draft.clone();
        draft.tags.extend(kind.map(|kind| format!("{THREAT_TAG}{kind}")));
        draft
    });
    // D-241. What touches limits or the constitution is discarded, whoever worded it.
    let drafts = report.insights.iter().cloned().chain(warnings).filter(|draft| !is_protected("", &draft.content));
    let drafts = drafts.take(MOST_KEPT).collect();
    Delivery { confirmed: confirmed.collect(), drafts, validated, ..Delivery::default() }
}

/// D-155, D-165. Rows of the table as it is now that the report names and that may be applied.
fn ready<'a>(life: &Life, report: &DreamReport, sources: &'a Sources<'_>) -> impl Iterator<Item = &'a Staged> {
    let is_required = life.dreams().is_none_or(|dreams| dreams.law().consolidation.validation_required);
    let named: BTreeSet<EntryId> = report.playbook_delta.iter().map(|promotion| promotion.row).collect();
    sources.shelf.staging.promotable(is_required).filter(move |row| named.contains(&row.id))
}

/// D-166. Of them those that lower an entry, each with the living entry it names.
fn lowered(life: &Life, report: &DreamReport, sources: &Sources<'_>) -> Vec<(EntryId, EntryId)> {
    let weights = ready(life, report, sources).filter(|row| row.revision == RevisionType::ModifyHeuristic);
    let named = |row: &Staged| {
        let entry = sources.grimoire.living().find(|entry| row.current.as_deref() == Some(&entry.id.to_string()))?;
        Some((row.id, entry.id))
    };
    weights.filter_map(named).collect()
}

/// D-155, D-165, D-242. Rows of the table as it is now that the report names and that may stand at the gate, each with its
/// waking evidence. The report's own draft of it is not read.
fn validated(
    life: &Life,
    report: &DreamReport,
    sources: &Sources<'_>,
    replayed: &BTreeSet<EpisodeId>,
    now: Moment,
) -> Vec<Validated> {
    let ready = ready(life, report, sources).filter(|row| row.revision != RevisionType::ModifyHeuristic);
    let count = |episodes: &BTreeSet<EpisodeId>| u32::try_from(episodes.len()).unwrap_or(u32::MAX);
    let votes = |row: &Staged| Votes { up: count(&row.confirmed_by), down: count(&row.contradicted_by) };
    ready.map(|row| Validated { row: row.id, draft: draft(row, life, replayed, now), votes: votes(row) }).collect()
}

/// A text cut to what a part of an entry may hold.
fn part(text: &str) -> String {
    const MOST: usize = 400;
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST).collect()
}

/// D-150, D-166. A validated row as a draft: a rule of PLAYBOOK.md where it proposes one, an insight where it does not.
fn draft(row: &Staged, life: &Life, replayed: &BTreeSet<EpisodeId>, now: Moment) -> Draft {
    let body = match row.revision {
        RevisionType::AddHeuristic | RevisionType::AddGuard | RevisionType::ModifyParameter => Body::Heuristic {
            when: part(&row.criterion),
            act: part(&row.proposed),
            because: because(row),
            // G-017. The supposition that was staged is what it is derived from.
            derived_from: BTreeSet::from([row.id]),
        },
        _ => Body::Insight,
    };
    let content = body.statement().unwrap_or_else(|| part(&row.proposed));
    let source = Source::foreign(Provenance::Dream, *life.id(), 0);
    let mut draft = Draft::new(&content, body, source, now.at);
    (draft.method, draft.parents) = (Method::Stated, row.evidence.union(&row.confirmed_by).copied().collect());
    draft.original_confidence = row.confidence.confidence();
    draft.dream = Some(DreamMark {
        cycle: row.cycle.to_string(),
        replayed: replayed.intersection(&row.evidence).copied().collect(),
        output: Some(DreamOutput::Hypothesis),
        vitality: life.vitals().vitality().composite,
        ..DreamMark::default()
    });
    draft
}

fn because(row: &Staged) -> String {
    format!("{} supposed it and {} waking episodes confirmed it", row.cycle, row.confirmed_by.len())
}

/// D-150 to D-157. Stages what the report proposes on the table as it is now, each row as if fresh from the dream.
fn stage(table: &mut Staging, report: &DreamReport, life: &Life, now: Moment, counts: &mut DreamCounts) {
    let most = life.dreams().map_or(0, |dreams| dreams.law().consolidation.max_staged) as usize;
    for (row, _) in report.staging_writes.iter().take(MOST_KEPT) {
        let fresh = Staged {
            status: RowStatus::Staged,
            closure: None,
            confirmed_by: BTreeSet::new(),
            contradicted_by: BTreeSet::new(),
            cycle: report.cycle,
            staged_at: now.tick,
            expires_at: now.tick.checked_add(EXPIRES_AFTER).unwrap_or(Tick::MAX),
            ..row.clone()
        };
        let is_taken = table.rows().iter().any(|known| known.id == fresh.id);
        let is_staged = !is_taken && table.offer(fresh, most).is_ok();
        *(if is_staged { &mut counts.staged } else { &mut counts.unstaged }) += 1;
    }
    counts.unstaged = counts.unstaged.saturating_add(u32::try_from(report.not_staged.len()).unwrap_or(u32::MAX));
}

/// Rows that are not as they were.
fn changed(before: &Staging, after: &Staging) -> Vec<Staged> {
    let was: BTreeMap<EntryId, &Staged> = before.rows().iter().map(|row| (row.id, row)).collect();
    after.rows().iter().filter(|row| was.get(&row.id) != Some(row)).cloned().collect()
}

/// D-164, C30. The one writer's turn: what the Grimoire says is worthy, and what was dreamt, confirmed awake and became
/// active.
fn write(
    life: &Life,
    now: Moment,
    report: &DreamReport,
    sources: &Sources<'_>,
    delivered: &Delivered,
) -> Option<Written> {
    let mut playbook = sources.playbook.clone();
    let grimoire = &delivered.pass.grimoire;
    let mut edits = playbook.wanted_edits(grimoire);
    let rules = delivered.promoted.iter().filter_map(|(row, entry)| {
        let row = sources.shelf.staging.rows().iter().find(|known| known.id == *row)?;
        let active = grimoire.active().find(|active| active.knowledge().id == *entry)?.knowledge();
        let Body::Heuristic { when, act, because, .. } = &active.draft.body else { return None };
        let rule = Rule {
            id: *entry,
            when: when.clone(),
            act: act.clone(),
            because: because.clone(),
            confidence: active.confidence,
            regime: regime(row, sources),
            evidence: row.confirmed_by.clone(),
            open_question: None,
        };
        Some(Edit::Put { section: Section::Global, rule })
    });
    edits.extend(rules);
    let writership = Writership { dreams: true, is_dying: !life.is_alive(), phase: life.vitals().phase() };
    let mut pen = playbook.pen(Holder::Integration, writership).ok()?;
    let cycle = format!("{} at tick {}", report.cycle, now.tick);
    let event = pen.commit(&cycle, &edits).ok()??.event;
    Some(Written { playbook, cycle, event })
}

/// The regime of a row: that of the episodes it comes from, where they agree.
fn regime(row: &Staged, sources: &Sources<'_>) -> Option<Regime> {
    let behind = sources.episodes.iter().filter(|recorded| row.evidence.contains(&recorded.episode.id));
    let regimes: BTreeSet<Option<Regime>> = behind.map(|recorded| recorded.episode.regime).collect();
    if regimes.len() == 1 { regimes.into_iter().next().flatten() } else { None }
}
