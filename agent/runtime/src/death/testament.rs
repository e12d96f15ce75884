//! What is left to read: the facts of a life, from its own records and no opinion.

use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_core::record::OutcomeVerification;
use golem_core::trader::Trader;
use golem_dreams::inputs::InheritedHypothesis;
use golem_grimoire::episode::Recorded;
use golem_grimoire::id::Moment;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::playbook::Playbook;
use golem_grimoire::reflection::ReflectionLaw;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::individuation::{Distance, Individuation, Invalidation, Leaving};
use golem_inheritance::lineage::{Bequeathed, is_left};
use golem_inheritance::testament as law;
use golem_inheritance::testament::affect::{EmotionalTopology, arc};
use golem_inheritance::testament::fill::{Records, fill};
use golem_inheritance::testament::{DeathNotice, GrimoireSummary, Header, LifeStats, advise};
use golem_ports::{LastWords, Memory, SettledTestament};
use golem_primitives::{B256, Ppm, Tick, Usdc, UtcTime, keccak256};

use super::acceptance::acceptance;
use super::legacy::{self, hand_file};
use crate::clade;
use crate::error::RuntimeError;
use crate::files::{json, write_whole};
use crate::heritage::Heritage;
use crate::kin::Kin;
use crate::notes;

mod felt;
pub(crate) mod file;
mod markdown;
mod measured;
mod records;

use file::{ActionLine, Earned, Estate, TESTAMENT_NOTE, TestamentFile, noted};
use measured::measure;

/// What of a life is read for its testament.
struct Read {
    grimoire: Grimoire,
    episodes: Vec<Recorded>,
    outcomes: Vec<OutcomeVerification>,
    playbook: Playbook,
    playbook_text: String,
    heritage: Option<Heritage>,
    contributions: u32,
    supposed: Vec<InheritedHypothesis>,
}

impl Read {
    fn of<S: Memory>(store: &S) -> Result<Self, RuntimeError> {
        let shelf = store.shelf()?;
        let newest = store.playbook(None)?;
        Ok(Self {
            grimoire: shelf.grimoire,
            episodes: shelf.episodes,
            outcomes: store.outcomes_after(0)?.into_iter().map(|outcome| outcome.record).collect(),
            playbook_text: newest.as_ref().map(|newest| newest.text.clone()).unwrap_or_default(),
            playbook: newest.map(|newest| newest.playbook).unwrap_or_default(),
            heritage: Heritage::read(store)?,
            contributions: clade::contributions(store)?,
            supposed: store.untried()?,
        })
    }

    /// I-201, I-205. How far the last PLAYBOOK lies from the one that was handed down, by rules: that needs no model.
    fn distance(&self) -> Option<Distance> {
        let handed: Playbook = self.heritage.as_ref()?.playbook.parse().ok()?;
        Some(Distance::by_rules(&self.playbook, &handed))
    }

    fn inherited(&self) -> u32 {
        let came = self.heritage.iter().flat_map(|heritage| &heritage.entries).filter(|one| one.arrived.is_some());
        count(came.count())
    }

    fn stats(&self, life: &Life, kin: &Kin, now: UtcTime) -> LifeStats {
        let (vitals, ticks) = (life.vitals(), life.death().map_or(life.tick().get(), |death| death.ticks_alive));
        let known = || self.grimoire.entries().filter_map(|entry| entry.knowledge());
        let own = || known().filter(|entry| entry.draft.source.provenance.is_own());
        let trips = life.trader().map(|trader| *trader.ledger().earned()).unwrap_or_default();
        let phages = life.trader().map_or(0, |trader| trader.phages_sent());
        let gained = Usdc::from_micros(trips.gain_micros.unsigned_abs());
        // What round trips lost was spent.
        let [earned, lost] = if trips.gain_micros < 0 { [Usdc::ZERO, gained] } else { [gained, Usdc::ZERO] };
        let lifespan = u128::from(vitals.law().vitality.reference_lifespan_ticks.max(1));
        let used = u128::from(ticks).saturating_mul(1_000_000) / lifespan;
        LifeStats {
            ticks,
            hours: now.since(kin.born).as_secs() / 3_600,
            funded: vitals.economic().lifetime_funded(),
            earned,
            spent: vitals.economic().lifetime_spent().saturating_add(lost),
            trades: trips.closed,
            insights_generated: count(own().count()),
            insights_inherited: self.inherited(),
            insights_novel: count(own().filter(|entry| entry.validated > entry.contradicted).count()),
            phages: count(usize::try_from(phages).unwrap_or(usize::MAX)),
            clade_contributions: self.contributions,
            final_fitness: vitals.vitality().epistemic,
            peak_fitness: vitals.epistemic().peak().0.ppm(),
            age_utilisation: Ppm::saturating(u64::try_from(used).unwrap_or(u64::MAX)),
            playbook_divergence: self.distance().map(Distance::ppm),
        }
    }

    /// I-200 to I-208. The five checks; none of them holds up a death (I-203).
    fn individuation(&self, generation: u32, law: &ReflectionLaw) -> Individuation {
        let handed: Option<Playbook> = self.heritage.as_ref().and_then(|heritage| heritage.playbook.parse().ok());
        let is_new = |rule: &golem_grimoire::playbook::WrittenRule| {
            handed.as_ref().is_none_or(|handed| handed.rules().all(|(_, old)| old.key() != rule.key()))
        };
        let wrong = self
            .grimoire
            .entries()
            .filter_map(|entry| entry.knowledge())
            .filter(|entry| entry.draft.source.provenance.is_inherited() && entry.contradicted > entry.validated);
        Leaving {
            generation,
            distance: self.distance(),
            novel: count(self.playbook.rules().filter(|(_, rule)| is_new(rule)).count()),
            inherited: self.inherited(),
            invalidated: wrong
                .map(|entry| Invalidation {
                    reasoning: format!("held {} times, failed {}", entry.validated, entry.contradicted),
                })
                .collect(),
            has_gaps: self.grimoire.living().any(|entry| !entry.draft.gaps.is_empty()),
            questions: count(self.grimoire.living().filter(|entry| entry.draft.question.is_some()).count()),
            entries: count(self.grimoire.living().count()),
        }
        .checks(law)
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// I-300, I-301. Writes down a life from its records: every section is counted, so a Golem that never had a model leaves
/// a whole testament.
pub fn compose<S: Memory>(
    life: &Life,
    store: &S,
    kin: &Kin,
    knows_by: &GrimoireLaw,
    now: UtcTime,
) -> Result<TestamentFile, RuntimeError> {
    let death = life.death().cloned().ok_or(RuntimeError::NotDying)?;
    let read = Read::of(store)?;
    let strategies = records::strategies(life, &read.episodes);
    let refuted = records::refutations(&read.grimoire, &read.episodes);
    let last = life.trader().map_or(life.tick(), |_| life.next_pass().0);
    let records = Records {
        grimoire: &read.grimoire,
        retention: &knows_by.retention,
        strategies: &strategies,
        refuted: &refuted,
        death: &death,
        regime: life.trader().and_then(Trader::regime),
        now: Moment::new(last, now),
    };
    let memories = felt::memories(&read.episodes);
    let moods_met: Vec<_> = memories.iter().map(|one| one.mood).collect();
    let topology = EmotionalTopology::of(&memories, felt::pressing(life));
    let (stats, mut sections) = (read.stats(life, kin, now), fill(&records, topology));
    sections.untested = records::untested(&read.supposed, sections.untested);
    let emotion = felt::layer(life, &memories, &read.grimoire, &sections.told(), now);
    // The one place where the story is told. Whoever can tell it better replaces these two texts and nothing else.
    let (narrative, last_words) = advise::narrate(&sections, &stats);
    let mut recommendation = advise::recommend(&records, &sections, &stats);
    recommendation.config_hints = records::hints(life, &strategies);
    let moods = emotion.as_ref().map(|layer| advise::guidance(layer, &sections.emotional_topology));
    recommendation.guidance = moods.unwrap_or_default();
    let individuation = read.individuation(kin.generation, &knows_by.reflection);
    Ok(TestamentFile {
        version: law::VERSION.to_owned(),
        kin: kin.clone(),
        written: now,
        state_hash: life.hash(),
        left: life.vitals().economic().balance(),
        estate: life.trader().and_then(|trader| Estate::of(trader, kin.owner)),
        book: life.trader().map(|trader| trader.acts_by().to_string()),
        stake: life.trader().map(|trader| trader.settings.stake),
        actions: read.outcomes.iter().map(ActionLine::from).collect(),
        earned: life.trader().map(|trader| Earned::from(trader.ledger())),
        autopsy: records::dissect(death.cause.kind(), &read.grimoire, &read.episodes),
        testament: law::Testament {
            header: Header { golem: *life.id(), owner: kin.owner, lineage: kin.lineage, generation: kin.generation },
            stats,
            sections,
            narrative,
            last_words,
            arc: arc(&moods_met),
            settlement: records::settlement(
                &store.trades_since(Tick::new(0))?,
                death.tick,
                life.trader().and_then(Trader::sight),
            ),
            grimoire: GrimoireSummary::of(&read.grimoire),
            playbook: read.playbook_text,
            low_divergence: individuation.is_low_divergence(),
            emotion,
            recommendation: is_left(Bequeathed::Recommendation, death.mode, true).then_some(recommendation),
            mode: death.mode,
            death: DeathNotice { at: now, trigger_tick: death.tick, final_tick: last, death },
        },
        individuation,
        last_words: None,
        acceptance: acceptance(life, clade::is_told(store)?),
        measured: Some(measure(&read.grimoire, read.episodes.len(), read.heritage.as_ref())),
        suffering: felt::suffered(life, now).map(Box::new),
        hand: hand_file(life).map(keccak256),
        understanding: life.trader().map(|trader| *trader.understanding.learnt()).filter(|learnt| !learnt.is_empty()),
    })
}

/// Writes the file beside the store and notes what the chain shall record of it. Whole or not at all.
pub(crate) fn write<S: Memory>(
    life: &Life,
    store: &mut S,
    dir: &Path,
    kin: &Kin,
    knows_by: &GrimoireLaw,
    now: UtcTime,
    last_words: Option<LastWords>,
) -> Result<PathBuf, RuntimeError> {
    // Written once: after a crash the one that was noted stays, or its hash on chain would name another file.
    let path = dir.join("testament.json");
    let known = noted(store)?;
    let is_it = |file: Vec<u8>| known.as_ref().is_some_and(|noted| noted.hash == keccak256(file));
    if std::fs::read(&path).is_ok_and(is_it) {
        return Ok(path);
    }
    let file = TestamentFile { last_words, ..compose(life, store, kin, knows_by, now)? };
    let text = json(&file);
    let genome = legacy::genome_text(&file, store)?;
    // The bytes are kept with their hash: another program might write the same entries otherwise.
    write_whole(&dir.join(legacy::GENOME_FILE), &genome)?;
    write_whole(&path, &text)?;
    write_whole(&dir.join("testament.md"), file.to_markdown().as_bytes())?;
    // The name has to be on disk before the hash is: a hash that names nothing helps nobody.
    let playbook = &file.testament.playbook;
    let testament = SettledTestament {
        hash: keccak256(&text),
        uri: String::new(),
        genome_root: keccak256(&genome),
        playbook_digest: if playbook.is_empty() { B256::ZERO } else { keccak256(playbook) },
        ticks_lived: file.testament.stats.ticks,
    };
    notes::keep(store, TESTAMENT_NOTE, &testament)?;
    Ok(path)
}
