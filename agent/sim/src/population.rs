//! Two populations, place by place.

use golem_core::life::Life;
use golem_core::record::{Command, Effect, EffectKind, Event, Observation, Outcome, OutcomeResult, TickInput};
use golem_core::step::step;
use golem_mortality::cause::CauseKind;
use golem_mortality::economic::burn::CostSource;
use golem_mortality::economic::costs::{COST_PROFILES, GAS_TX};
use golem_mortality::epistemic::window::Pair;
use golem_mortality::event::LawEvent;
use golem_mortality::law::Law;
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_mortality::score::Score;
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::{BalanceReading, Chance};
use golem_primitives::{GolemId, Ppm, Tick, Usdc, UtcTime};
use rand_chacha::ChaCha8Rng;

use crate::cohort;
use crate::experiment::Dimension;
use crate::market::{MarketTick, Purpose, SeededMarket, SimulatedRegime, stream, unit};
use crate::mind::Mind;
use crate::report::{DimensionComparison, Population, PopulationFinding, Report};
use crate::settings::{SimulationProgress, SimulationSettings, SimulationSettingsError};
use crate::stats::{Lifetime, Summary, kaplan_meier};

/// What a full conviction stakes per tick, in micro-USDC.
const STAKE_MICROS: f64 = 150_000.0;
/// V-014. The owner's share of realised profit that becomes credits.
const HARVEST: Ppm = Ppm::of(500_000);
/// Points of a survival curve kept in a report.
const CURVE_POINTS: usize = 200;

/// Lives both populations and the cohort.
pub fn run(
    settings: &SimulationSettings,
    mut progress: impl FnMut(SimulationProgress),
) -> Result<Report, SimulationSettingsError> {
    settings.check()?;
    let path: Vec<MarketTick> = SeededMarket::new(settings.seed, settings.regime_ticks)
        .take(usize::try_from(settings.ticks).unwrap_or(usize::MAX))
        .collect();
    let total = u64::from(settings.golems) * 2;
    let unbound = Law { mode: Mode::Immortal, ..settings.law };
    let mut arms = [(settings.law, Vec::new()), (unbound, Vec::new())];
    let mut done = 0;
    for (law, places) in &mut arms {
        for member in 0..settings.golems {
            places.push(live_place(settings, *law, member, &path)?);
            done += 1;
            progress(SimulationProgress { done, total });
        }
    }
    let [(_, mortal), (_, immortal)] = arms;
    let dimensions = dimensions(&mortal, &immortal, settings.seed);
    Ok(Report {
        settings: settings.clone(),
        finding: PopulationFinding::of(&dimensions, settings.ticks),
        dimensions,
        mortal: summarise(&mortal),
        immortal: summarise(&immortal),
        cohort: cohort::live(&settings.law.hazard, Score::HALF, settings.cohort, settings.seed),
    })
}

/// What became of one place and everyone who lived in it.
#[derive(Debug, Default)]
struct PlaceRecord {
    lifetimes: Vec<Lifetime>,
    causes: Vec<CauseKind>,
    would_have_died: u64,
    occupancy: [u64; 5],
    fitness: Vec<f64>,
    slopes: Vec<f64>,
    health: Vec<f64>,
    adaptation: Vec<f64>,
    profits: Profits,
    novel: u64,
    ticks: u64,
}

/// Running mean and spread of profit per tick.
#[derive(Debug, Default)]
struct Profits {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Profits {
    fn note(&mut self, profit: f64) {
        self.count += 1.0;
        let from = profit - self.mean;
        self.mean += from / self.count;
        self.squares += from * (profit - self.mean);
    }

    fn risk_adjusted(&self) -> f64 {
        let deviation = libm::sqrt(self.squares / (self.count - 1.0).max(1.0));
        if deviation > 0.0 { self.mean / deviation } else { 0.0 }
    }
}

/// Someone living in a place.
struct Tenant {
    life: Life,
    mind: Mind,
    answers: Vec<Outcome>,
    profit_micros: f64,
    high_water: f64,
}

impl Tenant {
    fn born(
        settings: &SimulationSettings,
        law: Law,
        member: u32,
        generation: u32,
        mind: Mind,
        now: UtcTime,
    ) -> Result<Self, SimulationSettingsError> {
        let name = format!("{}-{member}-{generation}", law.mode.name());
        let id = GolemId::new(&name).expect("a short printable name");
        let life = Life::birth(id, law, settings.funding, 0, now)?;
        Ok(Self { life, mind, answers: Vec::new(), profit_micros: 0.0, high_water: 0.0 })
    }
}

/// Lives one place to the end of the simulation.
fn live_place(
    settings: &SimulationSettings,
    law: Law,
    member: u32,
    path: &[MarketTick],
) -> Result<PlaceRecord, SimulationSettingsError> {
    let mut record = PlaceRecord::default();
    let mut now = UtcTime::from_seconds(1_794_700_800);
    let stream_of = |generation: u32| u64::from(member) << 24 | u64::from(generation);
    let mut faults = stream(settings.seed, Purpose::Sight, u64::MAX >> 2 ^ u64::from(member));
    let mut generation = 0;
    let mind = Mind::new(settings.seed, stream_of(0), law.mode.is_mortal());
    let mut tenant = Tenant::born(settings, law, member, generation, mind, now)?;
    let mut skill = Skill::default();
    let every = (settings.ticks / 200).max(100);
    for (tick, market) in (1..).zip(path) {
        let multiplier = tenant.life.vitals().posture().tick_multiplier;
        now = now.plus(std::time::Duration::from_secs(Tick::NOMINAL_SECONDS * u64::from(multiplier)));
        tenant = live_tick(settings, tenant, market, now, &mut faults, &mut record, &mut skill);
        if tick % every == 0 {
            record.fitness.push(tenant.life.vitals().epistemic().fitness().get());
            record.slopes.push(tenant.mind.slope());
            record.health.extend(tenant.mind.health(market));
        }
        if let Some(death) = tenant.life.death() {
            record.lifetimes.push(Lifetime { ticks: death.ticks_alive, ended: true });
            record.causes.push(death.cause.kind());
            record.novel += tenant.mind.novel;
            generation += 1;
            let mind = tenant.mind.inherit(settings.seed, stream_of(generation));
            tenant = Tenant::born(settings, law, member, generation, mind, now)?;
        }
    }
    record.lifetimes.push(Lifetime { ticks: tenant.life.tick().get(), ended: false });
    record.novel += tenant.mind.novel;
    record.ticks = path.len() as u64;
    record.adaptation = skill.adapted;
    Ok(record)
}

/// One tick of one tenant.
fn live_tick(
    settings: &SimulationSettings,
    mut tenant: Tenant,
    market: &MarketTick,
    now: UtcTime,
    faults: &mut ChaCha8Rng,
    record: &mut PlaceRecord,
    skill: &mut Skill,
) -> Tenant {
    let phase = tenant.life.vitals().phase();
    let age = tenant.life.tick().next();
    let predicted = tenant.mind.live(market, age.get(), phase >= Phase::Declining);
    skill.note(market, predicted);

    let mut input = TickInput::quiet(age, now, Chance::Named(Salt::Seed(settings.seed)));
    input.outcomes = std::mem::take(&mut tenant.answers);
    input.observations = costs(phase, market.regime);
    // M-108: who watches less learns less of what came of its predictions.
    let watches_every = match phase {
        Phase::Thriving | Phase::Stable => 1,
        Phase::Conservation => 2,
        Phase::Declining => 4,
        Phase::Terminal => 8,
    };
    if age.is_every(watches_every) {
        let pair = Pair::new(predicted, market.return_).expect("returns of this market are small");
        input.observations.push(Observation::Resolved { pair });
    }
    if Ppm::round(unit(faults)) < settings.blindness {
        input.observations.push(Observation::Balance(BalanceReading::Blind));
    }
    trade(&mut tenant, predicted, market, phase, &mut input, record);

    let next = step(tenant.life, &input);
    tenant.answers = next.effects.iter().filter_map(answer).collect();
    let would_have = |event: &&Event| matches!(event, Event::Mortality(LawEvent::ImmortalWouldHaveDied { .. }));
    record.would_have_died += next.events.iter().filter(would_have).count() as u64;
    record.occupancy[next.life.vitals().phase().index()] += 1;
    tenant.life = next.life;
    if tenant.life.death().is_some() {
        let conclude =
            TickInput { commands: vec![Command::Conclude], ..TickInput::quiet(age.next(), now, Chance::default()) };
        tenant.life = step(tenant.life, &conclude).life;
    }
    tenant
}

/// M-130, M-136. Trades as far as the phase allows, and harvests once a day what is above the high-water mark.
fn trade(
    tenant: &mut Tenant,
    predicted: f64,
    market: &MarketTick,
    phase: Phase,
    input: &mut TickInput,
    record: &mut PlaceRecord,
) {
    let position = if phase >= Phase::Stable { (predicted / 0.01).clamp(-1.0, 1.0) } else { 0.0 };
    let profit = position * market.return_;
    record.profits.note(profit);
    tenant.profit_micros += profit * STAKE_MICROS;
    if input.tick.is_every(Tick::PER_DAY) && tenant.profit_micros > tenant.high_water {
        let above = Usdc::from_micros((tenant.profit_micros - tenant.high_water) as u64);
        tenant.high_water = tenant.profit_micros;
        input.observations.push(Observation::Revenue { amount: above.share_down(HARVEST) });
    }
}

/// M-022. What a tick costs in a phase and a regime: the machine, and thinking.
fn costs(phase: Phase, regime: SimulatedRegime) -> Vec<Observation> {
    let profile = match (phase, regime) {
        (Phase::Terminal | Phase::Declining, _) => &COST_PROFILES[4],
        (Phase::Conservation, _) => &COST_PROFILES[3],
        (_, SimulatedRegime::Storm) => &COST_PROFILES[1],
        (_, SimulatedRegime::Reversal) => &COST_PROFILES[2],
        _ => &COST_PROFILES[0],
    };
    let per_tick = Usdc::from_micros(profile.per_day.micros() / Tick::PER_DAY);
    let machine = per_tick.min(Usdc::from_micros(78));
    vec![
        Observation::Upkeep { source: CostSource::Compute, cost: machine },
        Observation::Upkeep { source: CostSource::Inference, cost: per_tick.saturating_sub(machine) },
    ]
}

/// The world does what it is asked, at the price allowed; a transaction at M-020's price, far below what it may cost.
pub(crate) fn answer(effect: &Effect) -> Option<Outcome> {
    let (source, result) = match effect.kind {
        EffectKind::Declare { .. } => return None,
        EffectKind::TakeInsuranceSnapshot => (CostSource::Insurance, OutcomeResult::Done),
        EffectKind::TakeDeathSnapshot => (CostSource::Legacy, OutcomeResult::Done),
        EffectKind::Reflect { .. } => (CostSource::Inference, OutcomeResult::Reflected { improved: false }),
        _ => (CostSource::Gas, OutcomeResult::Done),
    };
    let cost = match effect.kind {
        EffectKind::MoveCredits { .. } | EffectKind::RaiseReserve { .. } => GAS_TX.low,
        EffectKind::ResplitCredits { .. } => Usdc::ZERO,
        _ => effect.budget,
    };
    Some(Outcome { effect: effect.id, cost: Some((source, cost)), result })
}

/// M-238. How fast skill comes back to 90% after a change of regime.
#[derive(Debug, Default)]
struct Skill {
    level: f64,
    before: f64,
    waiting: Option<u64>,
    adapted: Vec<f64>,
}

impl Skill {
    fn note(&mut self, market: &MarketTick, predicted: f64) {
        if market.is_new {
            self.adapted.extend(self.waiting.map(|ticks| ticks as f64));
            self.before = self.level;
            self.waiting = Some(0);
        }
        let right = predicted * market.slope * market.signal > 0.0;
        self.level += 0.05 * (f64::from(u8::from(right)) - self.level);
        if let Some(ticks) = self.waiting {
            // Skill itself needs some ticks to show in its average.
            let is_back = ticks >= 20 && self.level >= 0.9 * self.before;
            self.adapted.extend(is_back.then_some(ticks as f64));
            self.waiting = (!is_back).then_some(ticks + 1);
        }
    }
}

fn summarise(places: &[PlaceRecord]) -> Population {
    let lifetimes: Vec<Lifetime> = places.iter().flat_map(|place| place.lifetimes.iter().copied()).collect();
    let curve = kaplan_meier(&lifetimes);
    let ticks: u64 = places.iter().map(|place| place.ticks).sum();
    let mut population = Population {
        births: lifetimes.len() as u64,
        would_have_died: places.iter().map(|place| place.would_have_died).sum(),
        median_life: curve.iter().find(|(_, alive)| *alive <= 0.5).map(|(tick, _)| *tick),
        ticks,
        ..Population::default()
    };
    for cause in places.iter().flat_map(|place| &place.causes) {
        *population.deaths.entry(*cause).or_insert(0) += 1;
    }
    for (at, share) in population.occupancy.iter_mut().enumerate() {
        let in_phase: u64 = places.iter().map(|place| place.occupancy[at]).sum();
        *share = Ppm::saturating((u128::from(in_phase) * 1_000_000 / u128::from(ticks.max(1))) as u64);
    }
    let stride = curve.len().div_ceil(CURVE_POINTS).max(1);
    let last = curve.last().copied();
    population.survival = curve.into_iter().step_by(stride).collect();
    if population.survival.last() != last.as_ref() {
        population.survival.extend(last);
    }
    population
}

fn dimensions(mortal: &[PlaceRecord], immortal: &[PlaceRecord], seed: u64) -> [DimensionComparison; 6] {
    Dimension::ALL.map(|name| DimensionComparison::of(name, sample(name, mortal), sample(name, immortal), seed))
}

/// One number for each place; places without one are left out.
fn sample(name: Dimension, places: &[PlaceRecord]) -> Vec<f64> {
    let mean = |numbers: &[f64]| (!numbers.is_empty()).then(|| Summary::of(numbers).mean);
    if name == Dimension::StrategyDiversity {
        return diversity(places);
    }
    let of = |place: &PlaceRecord| match name {
        Dimension::EpistemicFitness => mean(&place.fitness),
        Dimension::StrategyDiversity => None,
        Dimension::NovelInsightRate => Some(place.novel as f64 * 1_000.0 / place.ticks.max(1) as f64),
        Dimension::RiskAdjustedReturn => Some(place.profits.risk_adjusted()),
        Dimension::GrimoireHealth => mean(&place.health),
        Dimension::RegimeAdaptation => mean(&place.adaptation),
    };
    places.iter().filter_map(of).collect()
}

/// How far each place's belief lies from the mean belief, on average over time, in hundredths of a return.
fn diversity(places: &[PlaceRecord]) -> Vec<f64> {
    let moments = places.iter().map(|place| place.slopes.len()).min().unwrap_or(0);
    let mut apart = vec![0.0; places.len()];
    for moment in 0..moments {
        let beliefs: Vec<f64> = places.iter().map(|place| place.slopes[moment]).collect();
        let mean = Summary::of(&beliefs).mean;
        for (sum, belief) in apart.iter_mut().zip(beliefs) {
            *sum += (belief - mean).abs() * 100.0 / moments as f64;
        }
    }
    apart
}
