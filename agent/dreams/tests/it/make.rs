//! What the tests are made of.

use golem_daimon::Pad;
use golem_dreams::clocks::Clocks;
use golem_dreams::dream::{Answer, Ask, AskKind, BatchClaim, Said, SaidIdea};
use golem_dreams::event::DreamEvent;
use golem_dreams::inputs::{Engine, KnownEntry, Trace};
use golem_dreams::market::{Path, Point, Position, SwapIn, Trade};
use golem_dreams::pool::PoolState;
use golem_dreams::rem::threat::Rehearsals;
use golem_dreams::schedule::Opening;
use golem_dreams::vector::Vector;
use golem_dreams::words::{DreamPhase, DreamTier, DreamTrigger};
use golem_dreams::{CycleId, Dream, DreamLaw, DreamReport, DreamStep, Frozen};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::emotion::EmotionalTag;
use golem_grimoire::episode::{Episode, EpisodeKind, EpisodeOutcome, Importance, Recorded};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::id::{EntryId, EpisodeId, Moment};
use golem_grimoire::kind::Kind;
use golem_grimoire::regime::Regime;
use golem_mortality::phase::Phase;
use golem_primitives::{GolemId, Ppm, Tick, U256, Usdc, UtcTime};

/// Noon on a day of 2026, so that quarters of the day are plain.
pub(crate) const BASE: u64 = 1_780_056_000;

pub(crate) fn golem() -> GolemId {
    GolemId::new("dreamer").expect("a name")
}

pub(crate) fn at(tick: u64) -> Moment {
    Moment::new(Tick::new(tick), UtcTime::from_seconds(BASE + tick * 40))
}

pub(crate) fn ppm(share: f64) -> Ppm {
    Ppm::round(share)
}

pub(crate) fn key() -> PatternKey {
    PatternKey { tool: "swap".into(), chain: 8_453, pair: "WETH/USDC".into() }
}

pub(crate) fn entry_id(name: &str) -> EntryId {
    EntryId::derive(UtcTime::from_seconds(BASE), &golem(), name.as_bytes())
}

/// An action at a tick that won a thousand of a hundred thousand micro-USDC in a rising market.
pub(crate) fn episode(tick: u64) -> Episode {
    Episode {
        id: EpisodeId::derive(at(tick).at, &golem(), &tick.to_be_bytes()),
        kind: EpisodeKind::Action,
        text: format!("swapped at {tick}"),
        key: key(),
        outcome: EpisodeOutcome::Positive,
        importance: Importance::Notable,
        happened: at(tick),
        recorded: at(tick),
        regime: Some(Regime::Bull),
        emotion: None,
        expected: Some(0.05),
        actual: Some(0.01),
        pnl_micros: Some(1_000),
        position: Usdc::from_micros(100_000),
        confidence: Confidence::CERTAIN,
        is_unfinished: false,
    }
}

pub(crate) fn trace(tick: u64) -> Trace {
    Trace { surprise: Some(ppm(0.8)), ..Trace::from(Recorded::from(episode(tick))) }
}

/// The same with a result in micro-USDC.
pub(crate) fn result(tick: u64, pnl: i64) -> Trace {
    let mut one = trace(tick);
    one.recorded.episode.pnl_micros = Some(pnl);
    one.recorded.episode.outcome = match pnl {
        0 => EpisodeOutcome::Neutral,
        pnl if pnl < 0 => EpisodeOutcome::Negative,
        _ => EpisodeOutcome::Positive,
    };
    one
}

pub(crate) fn in_regime(tick: u64, regime: Regime) -> Trace {
    let mut one = trace(tick);
    one.recorded.episode.regime = Some(regime);
    one
}

pub(crate) fn felt(tick: u64, pad: Pad) -> Trace {
    let mut one = trace(tick);
    one.recorded.episode.emotion = Some(EmotionalTag {
        primary: golem_daimon::Emotion::Fear,
        pad,
        mood: pad,
        intensity: ppm(0.8),
        phase: Phase::Stable,
        reactivations: 0,
        since: at(tick).at,
    });
    one
}

/// Prices by tick.
pub(crate) fn path(asset: &str, prices: &[(u64, u64, Regime)]) -> Path {
    let point = |(tick, price, regime): &(u64, u64, Regime)| Point {
        tick: Tick::new(*tick),
        at: at(*tick).at,
        price: *price,
        regime: Some(*regime),
    };
    Path { asset: asset.to_owned(), points: prices.iter().map(point).collect() }
}

/// One unit of each for the other, much of it, at half a permille.
pub(crate) fn pool() -> PoolState {
    let price = U256::from(1) << 96;
    PoolState::new(price, 0, 1_000_000_000_000, 500, (-60_000, 60_000), Vec::new()).expect("a pool")
}

/// A trade from one tick to another, with everything recorded.
pub(crate) fn trade(entry: u64, exit: u64) -> Trade {
    Trade {
        position: format!("position-{entry}"),
        asset: "WETH".into(),
        spent: Usdc::from_micros(100_000),
        received: Some(Usdc::from_micros(101_000)),
        entry: Tick::new(entry),
        exit: Some(Tick::new(exit)),
        gas: Some(Usdc::from_micros(20)),
        pool: Some(pool()),
        swap: Some(SwapIn { amount: U256::from(100_000_000u64), zero_for_one: true }),
    }
}

pub(crate) fn traded(entry: u64, exit: u64, pnl: i64) -> Trace {
    Trace { trade: Some(trade(entry, exit)), ..result(entry, pnl) }
}

pub(crate) fn position(asset: &str, stop: Option<u64>) -> Position {
    Position {
        id: format!("held-{asset}"),
        asset: asset.to_owned(),
        value: Usdc::whole(100),
        price: 3_000_000_000,
        stop,
        pool: None,
        exit: None,
    }
}

pub(crate) fn known(name: &str, confidence: f64) -> KnownEntry {
    KnownEntry {
        id: entry_id(name),
        kind: Kind::Insight,
        text: name.to_owned(),
        confidence: Confidence::round(confidence),
        remaining: ppm(confidence),
        retrievals: 0,
        sign: 0,
        vector: None,
        last_tried: None,
        is_in_playbook: false,
    }
}

pub(crate) fn vector(parts: &[f32]) -> Vector {
    Vector { model: "test-1".to_owned(), parts: parts.to_vec() }
}

pub(crate) fn opening(tier: DreamTier, trigger: DreamTrigger) -> Opening {
    Opening { trigger, score: Ppm::ONE, tier, grant: Usdc::from_micros(500_000), is_emotional: false }
}

pub(crate) const SOUND: Clocks = Clocks {
    projected_ticks: Some(100_000),
    accuracy: Ppm::of(600_000),
    tick: Tick::new(3_000),
    reference_lifespan: 200_000,
};

/// A stable Golem at tick 3,000 with a calm mind and nothing in it.
pub(crate) fn frozen(tier: DreamTier) -> Frozen {
    Frozen {
        golem: golem(),
        cycle: CycleId(17),
        opened: at(3_000),
        opening: opening(tier, if tier == DreamTier::Core { DreamTrigger::Interval } else { DreamTrigger::Window }),
        phase: Phase::Stable,
        vitality: ppm(0.6),
        mood: Some(Pad::NEUTRAL),
        regime: Some(Regime::Bull),
        volatility: 3,
        is_thin: false,
        market: None,
        clocks: SOUND,
        traces: Vec::new(),
        known: Vec::new(),
        edges: Vec::new(),
        positions: Vec::new(),
        paths: Vec::new(),
        guards: Vec::new(),
        rehearsals: Rehearsals::default(),
        pheromones: Vec::new(),
        threads: Vec::new(),
        held: Vec::new(),
        heirlooms: Vec::new(),
        supposed: Vec::new(),
        observer_bias: 1.0,
        engine: Engine::Rules,
    }
}

/// Prices that rise by a permille every tick from 2,900 on.
pub(crate) fn rising() -> Path {
    let points: Vec<(u64, u64, Regime)> =
        (0..200).map(|step| (2_850 + step, 3_000_000_000 + step * 3_000_000, Regime::Bull)).collect();
    path("WETH", &points)
}

/// A life in which there is something to dream of: forty trades, some of them felt.
pub(crate) fn lived(tier: DreamTier) -> Frozen {
    let mut all: Vec<Trace> = (0..40).map(|at| traded(2_860 + at * 3, 2_865 + at * 3, 900 + at as i64)).collect();
    for (at, one) in all.iter_mut().enumerate() {
        one.recorded.episode.emotion =
            felt(0, Pad::thousandths(-500, if at % 7 == 0 { 900 } else { 100 }, -200)).recorded.episode.emotion;
    }
    Frozen {
        traces: all,
        paths: vec![rising()],
        positions: vec![position("WETH", Some(2_000_000_000))],
        ..frozen(tier)
    }
}

pub(crate) const PRICED: Engine =
    Engine::Model { t0: Usdc::from_micros(100), t1: Usdc::from_micros(1_000), t2: Some(Usdc::from_micros(5_000)) };

pub(crate) fn law(tier: DreamTier) -> DreamLaw {
    DreamLaw { enabled: true, tier, ..DreamLaw::default() }
}

/// What a model that always has an answer says.
pub(crate) fn said(ask: &Ask) -> Said {
    let number = ask.id;
    let direction = vector(&[1.0, number as f32, 0.5]);
    match ask.kind {
        AskKind::Induction | AskKind::DaliPartial { .. } => {
            Said::Fragment { text: format!("fragment {number}"), tokens: 40, vector: Some(direction) }
        }
        AskKind::Observe => Said::Judged { relevance: ppm(0.8), coherence: ppm(0.9) },
        AskKind::ReplayBatch | AskKind::OppositeMarket => Said::Claims(vec![BatchClaim {
            text: format!("claim {number}"),
            criterion: format!("condition {number}"),
            failure: "otherwise".into(),
            vector: None,
        }]),
        AskKind::Creative(_) => Said::Idea(SaidIdea {
            scenario: format!("scenario {number}"),
            strategy: format!("strategy {number}"),
            failure: "a crash".into(),
            test: format!("test {number}"),
            rule: None,
            vector: None,
        }),
        AskKind::Threat(kind) => Said::Narrative(format!("how {kind} goes")),
    }
}

pub(crate) fn answer(ask: &Ask) -> Answer {
    Answer { ask: ask.id, said: Some(said(ask)), cost: ask.ceiling }
}

/// A dream from beginning to end.
pub(crate) struct Dreamt {
    pub(crate) report: DreamReport,
    pub(crate) phases: Vec<DreamPhase>,
    pub(crate) asks: Vec<Ask>,
    pub(crate) events: Vec<DreamEvent>,
}

pub(crate) fn dream_with(frozen: Frozen, law: &DreamLaw, reply: impl Fn(&Ask) -> Answer) -> Dreamt {
    let mut dream = Dream::open(frozen, law, None).expect("a law");
    let (mut phases, mut asks) = (Vec::new(), Vec::new());
    loop {
        match dream.step() {
            DreamStep::Phase(phase) => phases.push(phase),
            DreamStep::Ask(ask) => {
                dream.answer(reply(&ask)).expect("an answer to it");
                asks.push(ask);
            }
            DreamStep::Finished(report) => {
                return Dreamt { report: *report, phases, asks, events: dream.take_events() };
            }
        }
    }
}

pub(crate) fn dream(frozen: Frozen, law: &DreamLaw) -> Dreamt {
    dream_with(frozen, law, answer)
}
