//! One line on one market: lives one after another, or one that never ends.

use std::collections::{BTreeMap, BTreeSet};

use golem_dreams::law::DreamLaw;
use golem_grimoire::finding::PatternKey;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::Kind;
use golem_inheritance::baldwin::propose;
use golem_inheritance::birth::adopt_all;
use golem_inheritance::bottleneck::BottleneckLaw;
use golem_inheritance::dissection::{dissect, moods_behind};
use golem_inheritance::genome::{Afterword, Bequest, bequeath};
use golem_inheritance::heir::{Adoption, Heir};
use golem_inheritance::novelty::Space;
use golem_inheritance::weismann::WeismannLaw;
use golem_mortality::cause::CauseKind;
use golem_mortality::vitals::BirthError;
use golem_primitives::{LineageId, Tick, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use super::learner::{Learner, Ticked, Trade};
use super::library::Turn;
use super::measure::Measure;
use super::settings::{BOOK, TrialSettings, time_of};
use super::terrain::Ground;
use super::truth::Truth;

/// What sets an arm apart. Everything else is the same for all: market, luck, capital, strategy, law.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// As a report says it.
    pub name: &'static str,
    /// Whether its lives end.
    pub is_mortal: bool,
    /// I-130, I-362. Whether an heir takes over what its predecessor left, as candidates.
    pub inherits: bool,
    /// D-014. By which numbers it dreams; `None` for a life that was never told of dreams.
    pub dreams: Option<DreamLaw>,
}

/// One line of one arm on one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineRecord {
    /// The market and the luck.
    pub seed: u64,
    /// What was measured. What there was no occasion for is not in it.
    pub measures: BTreeMap<Measure, f64>,
    /// Capital at equal distances, as a share of what the line began with.
    pub capital: Vec<f64>,
}

/// Points of a curve.
pub(crate) const POINTS: usize = 120;
/// The share of fitness before a switch at which it counts as recovered.
const RECOVERED: f64 = 0.9;

/// What is counted while a line is lived.
#[derive(Debug, Default)]
struct Count {
    lives: u32,
    senescent: u32,
    bought: u32,
    inherited: u32,
    confirmed: u32,
    disproved: u32,
    baldwin: BTreeSet<EntryId>,
    promoted: u32,
    refuted: u32,
    /// Promotions that can be judged, and the false ones among them: all claims, and rules alone.
    judged: [[u32; 2]; 2],
    held_rightly: u32,
    held_wrongly: u32,
    bought_wrongly: u32,
    dreams: u32,
    imagined: u32,
    dreamt: u32,
    capital: Vec<u64>,
    fitness: Vec<f64>,
}

/// A line being lived.
pub(crate) struct Line<'a> {
    settings: &'a TrialSettings,
    arm: &'a Arm,
    truth: &'a Truth,
    trade: Trade,
    key: PatternKey,
    count: Count,
}

impl<'a> Line<'a> {
    pub(crate) fn new(settings: &'a TrialSettings, arm: &'a Arm, truth: &'a Truth, seed: u64) -> Self {
        let trade = Trade::new(settings, seed);
        let key = trade.venue.key(BOOK);
        Self { settings, arm, truth, trade, key, count: Count::default() }
    }

    /// Lives it to the end of the path.
    pub(crate) fn live(mut self, path: &[Ground]) -> Result<LineRecord, BirthError> {
        let mut life = self.born(self.settings.capital, None, time_of(0))?;
        for (at, ground) in (1..).zip(path) {
            let now = time_of(at);
            let (lived, ticked) = life.tick(ground.price, now);
            life = lived;
            self.note(&life, ground, &ticked);
            if !life.life.is_alive() {
                let dead = life.die(ground.price, now);
                self.bury(&dead);
                let left = self.arm.inherits.then(|| bequest(&dead));
                life = self.born(dead.capital(ground.price), left.as_ref(), now)?;
            }
        }
        self.bury(&life);
        Ok(self.record(path))
    }

    /// The next life of the line. It has the luck of its place in it, whatever arm it lives in.
    fn born(&mut self, capital: Usdc, left: Option<&Bequest>, now: UtcTime) -> Result<Learner, BirthError> {
        let generation = self.count.lives;
        self.count.lives += 1;
        let law = self.settings.law_of(self.arm.is_mortal);
        let mut heir = Learner::born(&self.trade, law, &format!("line-{generation}"), capital, now)?;
        if let Some(law) = &self.arm.dreams {
            heir = heir.dreaming(law);
        }
        if let Some(left) = left {
            let who = Heir { golem: *heir.life.id(), lineage: LineageId(self.trade.seed), generation };
            let now = Moment::new(Tick::ZERO, now);
            let judged = adopt_all(&left.entries, &who, &WeismannLaw::default(), &Space::default(), now);
            let candidates = judged.into_iter().filter_map(|(.., adoption)| match adoption {
                Adoption::Judged(Admission::Admitted(candidate)) => Some(*candidate),
                _ => None,
            });
            self.count.inherited += heir.library.adopt(candidates, now);
        }
        Ok(heir)
    }

    fn bury(&mut self, dead: &Learner) {
        let cause = dead.life.death().map(|death| death.cause.kind());
        self.count.senescent += u32::from(cause == Some(CauseKind::EpistemicSenescence));
        let at = Moment::new(dead.life.tick(), dead.life.vitals().vitality().last_computed);
        let lineage = LineageId(self.trade.seed);
        let proposed = dead.library.grimoire().living().filter_map(|entry| propose(entry, lineage, at));
        self.count.baldwin.extend(proposed.map(|proposal| proposal.entry));
    }

    fn note(&mut self, life: &Learner, ground: &Ground, ticked: &Ticked) {
        let count = &mut self.count;
        count.capital.push(life.capital(ground.price).micros());
        count.fitness.push(life.life.vitals().epistemic().fitness().get());
        let earns = self.truth.earns(ground.epoch, &self.key, ticked.regime);
        count.held_rightly += u32::from(ticked.held_back && earns == Some(false));
        count.held_wrongly += u32::from(ticked.held_back && earns == Some(true));
        count.bought += u32::from(ticked.bought);
        count.bought_wrongly += u32::from(ticked.bought && earns == Some(false));
        count.dreams += ticked.dreams;
        count.imagined += ticked.imagined;
        count.dreamt += ticked.dreamt;
        for turned in &ticked.turned {
            let is_inherited = turned.provenance.is_inherited();
            if turned.how != Turn::Promoted {
                count.refuted += 1;
                count.disproved += u32::from(is_inherited);
                continue;
            }
            count.promoted += 1;
            count.confirmed += u32::from(is_inherited);
            let verdict = turned.thesis.as_ref().and_then(|thesis| self.truth.verdict(ground.epoch, thesis));
            if let Some(is_true) = verdict {
                for (judged, is_meant) in count.judged.iter_mut().zip([true, turned.kind == Kind::Heuristic]) {
                    judged[0] += u32::from(is_meant);
                    judged[1] += u32::from(is_meant && !is_true);
                }
            }
        }
    }

    fn record(self, path: &[Ground]) -> LineRecord {
        let Count { capital, fitness, .. } = &self.count;
        let began = self.settings.capital.micros().max(1) as f64;
        let shares: Vec<f64> = capital.iter().map(|micros| *micros as f64 / began).collect();
        let mut measures = self.counted(path.len());
        let last = shares.last().copied().unwrap_or(1.0);
        measures.insert(Measure::Return, 100.0 * (last - 1.0));
        measures.insert(Measure::Drawdown, 100.0 * drawdown(&shares));
        measures.insert(Measure::Fitness, mean(fitness).unwrap_or(0.0));
        let spans = spans(path, self.settings.horizon);
        let in_loss = |&(from, to): &(usize, usize)| shares[from..to].iter().filter(|now| **now < shares[from]).count();
        let losses: Vec<f64> = spans.iter().map(|span| in_loss(span) as f64).collect();
        measures.extend(mean(&losses).map(|mean| (Measure::LossTicks, mean)));
        let late: Vec<f64> = spans.iter().map(|&(from, to)| recovery(&fitness[from..to]) as f64).collect();
        measures.extend(mean(&late).map(|mean| (Measure::FitnessTicks, mean)));
        let points = (0..=POINTS).map(|point| (shares.len().saturating_sub(1)) * point / POINTS);
        let capital = points.filter_map(|at| shares.get(at).copied()).collect();
        LineRecord { seed: self.trade.seed, measures, capital }
    }

    fn counted(&self, ticks: usize) -> BTreeMap<Measure, f64> {
        let count = &self.count;
        let thousands = (ticks.max(1) as f64) / 1_000.0;
        let mut measures = BTreeMap::from([
            (Measure::Lives, f64::from(count.lives)),
            (Measure::Senescent, f64::from(count.senescent)),
            (Measure::Bought, f64::from(count.bought) / thousands),
            (Measure::Inherited, f64::from(count.inherited)),
            (Measure::InheritedConfirmed, f64::from(count.confirmed)),
            (Measure::InheritedRefuted, f64::from(count.disproved)),
            (Measure::Baldwin, count.baldwin.len() as f64),
            (Measure::Promoted, f64::from(count.promoted)),
            (Measure::Refuted, f64::from(count.refuted)),
            (Measure::HeldRightly, f64::from(count.held_rightly) / thousands),
            (Measure::HeldWrongly, f64::from(count.held_wrongly) / thousands),
            (Measure::BoughtWrongly, f64::from(count.bought_wrongly) / thousands),
            (Measure::Dreams, f64::from(count.dreams)),
            (Measure::Imagined, f64::from(count.imagined)),
            (Measure::Dreamt, f64::from(count.dreamt)),
        ]);
        for ([judged, wrong], name) in count.judged.into_iter().zip([Measure::FalsePromotions, Measure::FalseRules]) {
            if judged > 0 {
                measures.insert(name, 100.0 * f64::from(wrong) / f64::from(judged));
            }
        }
        measures
    }
}

/// I-130. What a life hands down. Its testament's own words are not carried here, only what was counted.
fn bequest(dead: &Learner) -> Bequest {
    let (grimoire, episodes) = (dead.library.grimoire(), dead.library.episodes());
    let autopsy = dead.life.death().and_then(|death| dissect(death.cause.kind(), grimoire, episodes));
    let afterword = Afterword { autopsy, moods: moods_behind(grimoire, episodes), ..Afterword::default() };
    bequeath(grimoire, &BottleneckLaw::default(), &afterword)
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// From each switch to the horizon behind it; none that the path or the next switch cuts short, so that all are alike.
fn spans(path: &[Ground], horizon: u64) -> Vec<(usize, usize)> {
    let horizon = usize::try_from(horizon).unwrap_or(usize::MAX);
    let switches: Vec<usize> = (0..path.len()).filter(|at| path[*at].is_switch).collect();
    let ends = switches.iter().skip(1).copied().chain([path.len()]);
    let spans = switches.iter().copied().zip(ends).filter(|(from, end)| end - from >= horizon);
    spans.map(|(from, _)| (from, from.saturating_add(horizon))).collect()
}

/// The last tick, counted from the first, at which fitness was below nine tenths of what it was then.
fn recovery(fitness: &[f64]) -> usize {
    let before = fitness.first().copied().unwrap_or(0.0);
    fitness.iter().rposition(|now| *now < RECOVERED * before).map_or(0, |last| last + 1)
}

/// The deepest fall below an earlier height, as a share of it.
fn drawdown(shares: &[f64]) -> f64 {
    let (mut height, mut deepest) = (f64::MIN_POSITIVE, 0.0f64);
    for now in shares {
        height = height.max(*now);
        deepest = deepest.max(1.0 - now / height);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::terrain::{Pace, Terrain};

    #[test]
    fn spans_are_whole_and_begin_at_switches() {
        let pace = Pace { epoch_ticks: 500, weather_ticks: 100 };
        let path: Vec<Ground> = Terrain::new(4, pace).take(5_000).collect();
        let all = spans(&path, 200);
        assert!(!all.is_empty());
        for (from, to) in all {
            assert!(path[from].is_switch && to - from == 200 && to <= path.len());
            assert!(path[from + 1..to].iter().all(|tick| !tick.is_switch));
        }
        assert_eq!(spans(&path, 900), [], "no epoch lasts so long");
    }

    #[test]
    fn recovery_is_for_good_and_a_fall_is_from_the_height() {
        assert_eq!(recovery(&[0.5, 0.44, 0.5, 0.44, 0.46, 0.47]), 4);
        assert_eq!((recovery(&[0.5, 0.46]), recovery(&[])), (0, 0));
        assert!((drawdown(&[1.0, 2.0, 1.5, 1.8, 1.0, 3.0]) - 0.5).abs() < 1e-12);
    }

    /// I-362, I-130: what a dead one knew arrives as candidates and as nothing else, and no episode with it.
    #[test]
    fn i_362_an_heir_of_a_line_begins_with_candidates_alone() {
        let settings = TrialSettings { truth_ticks: 1, ..TrialSettings::default() };
        let (arm, truth) = (Arm { name: "one", is_mortal: true, inherits: true, dreams: None }, Truth::default());
        let mut line = Line::new(&settings, &arm, &truth, 5);
        let mut life = line.born(settings.capital, None, time_of(0)).expect("enough to live on");
        assert_eq!(life.library.grimoire().entries().count(), 0);
        for (at, ground) in
            (1..).zip(Terrain::still(5, settings.pace, crate::trial::terrain::Epoch::ALL[3]).take(1_200))
        {
            life = life.tick(ground.price, time_of(at)).0;
        }
        let active = life.library.grimoire().active_count();
        assert!(active > 0, "a thousand ticks teach something");
        let left = bequest(&life);
        let heir = line.born(settings.capital, Some(&left), time_of(2_000)).expect("enough to live on");
        let known = heir.library.grimoire();
        assert_eq!((known.active_count(), heir.library.episodes().len()), (0, 0));
        assert_eq!(known.candidates().count(), line.count.inherited as usize);
        assert!(known.candidates().count() >= active, "{} of {active}", known.candidates().count());
        assert!(known.candidates().all(|one| one.knowledge().draft.source.provenance.is_inherited()));
    }
}
