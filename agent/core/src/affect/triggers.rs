//! What of a pass can move a mood, each with a metric behind it.

use golem_daimon::mortal::{Credits, MortalFacts, UnderstandingTrend};
use golem_daimon::pulse::Pulse;
use golem_daimon::trigger::MortalReason;
use golem_daimon::{Emotion, Trigger};
use golem_mortality::epistemic::domain::Matches;
use golem_mortality::event::LawEvent;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Bps, Ppm, Usdc};

use crate::record::{Claim, EffectKind, Event, Grasp, Order, Outcome, OutcomeResult, Verdict};
use crate::trader::Trader;
use crate::window::return_ppm;

/// A-062, W-13. Hazards at which dread becomes moderate, and at which it is as strong as it gets.
const DREADS: [f64; 2] = [2e-4, 4e-4];
/// A wrong level of volatility or gas: half an error.
const WRONG_LEVEL: Ppm = Ppm::of(500_000);
/// The unrealised return at which a held position is as welcome, or as unwelcome, as can be.
const WHOLE_RETURN_PPM: i64 = 50_000;

/// M-269. Vitality above which a life that learns nothing any more is alarmed by that: below it, other things alarm.
const SOUND: Ppm = Ppm::of(500_000);

/// What an outcome is of, read before the hand lets go of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landing {
    /// What was wanted, when the hand still knew.
    pub(crate) kind: Option<EffectKind>,
}

impl Landing {
    pub(crate) fn of(trader: Option<&Trader>, outcome: &Outcome) -> Self {
        let flights = || trader.into_iter().flat_map(|trader| &trader.flights);
        Self { kind: flights().find(|flight| flight.effect == outcome.effect).map(|flight| flight.kind) }
    }

    pub(crate) const fn order(&self) -> Option<Order> {
        match self.kind {
            Some(EffectKind::Trade(order)) => Some(order),
            _ => None,
        }
    }

    /// What a round trip earned that this closed, and what was at stake.
    fn gain(&self, trader: Option<&Trader>, outcome: &Outcome) -> Option<(i64, Usdc)> {
        self.order()?;
        let closed = trader?.ledger.line(outcome.effect)?.closed?;
        (!closed.cost.is_zero()).then_some((closed.net_micros(), closed.cost))
    }

    /// What a trade lost; `None` when it lost nothing.
    pub(crate) fn loss(&self, trader: Option<&Trader>, outcome: &Outcome) -> Option<Usdc> {
        let (gain, _) = self.gain(trader, outcome)?;
        (gain < 0).then(|| Usdc::from_micros(gain.unsigned_abs()))
    }

    /// What the outcome of a trade may move. A purchase has not earned yet; a sale is a profit or a loss; what reverted or
    /// was refused does not fit.
    pub(crate) fn trigger(&self, trader: Option<&Trader>, outcome: &Outcome) -> Option<Trigger> {
        self.order()?;
        match &outcome.result {
            OutcomeResult::Refused { .. } => return Some(Trigger::Anomaly),
            OutcomeResult::Verified(record) if !record.receipt.success => return Some(Trigger::Anomaly),
            _ => {}
        }
        let (gain, stake) = self.gain(trader, outcome)?;
        let share = u128::from(gain.unsigned_abs()) * 10_000 / u128::from(stake.micros());
        let share = Bps::saturating(i128::try_from(share).unwrap_or(i128::MAX));
        match gain.signum() {
            1 => Some(Trigger::TradeProfit { gain: share }),
            -1 => Some(Trigger::TradeLoss { loss: share }),
            _ => None,
        }
    }
}

/// What an event of the pass may move.
pub(super) fn of_event(event: &Event, vitals: &Vitals, mut note: impl FnMut(Trigger)) {
    match event {
        Event::PredictionResolved { prediction, verdict } => of_verdict(&prediction.claim, *verdict, vitals, note),
        Event::Curated(curated) => {
            note(Trigger::CuratorCycle);
            if curated.promoted > 0 {
                note(Trigger::KnowledgeValidated);
            }
            if curated.demoted > 0 || curated.burned > 0 {
                note(Trigger::KnowledgeContradicted);
            }
        }
        // D-229. What was dreamt came to move money, or its own trips refuted it.
        Event::Rule(told) => {
            if let Some(validated) = told.dream_outcome() {
                note(Trigger::DreamOutcome { validated });
            }
        }
        Event::WentBlind => note(Trigger::Anomaly),
        // M-269. It stands well by its clocks, and what it sees stopped telling it anything.
        Event::InformationRead { reading, .. }
            if reading.grasp == Some(Grasp::Lost) && vitals.vitality().composite > SOUND =>
        {
            note(Trigger::RegimeShift);
        }
        // G-100. It is where one of its line died.
        Event::DeathRecalled { .. } => note(Trigger::Anomaly),
        // M-246. What it tries keeps falling by the same.
        Event::PhageEnded { report, .. } if report.is_alarming => note(Trigger::RegimeShift),
        Event::Suffering(told) => told.appraisal().into_iter().for_each(note),
        Event::Mortality(LawEvent::PhaseTransition { .. }) => note(mortal(MortalReason::PhaseChange, vitals)),
        Event::Mortality(
            LawEvent::EconomicCritical { .. } | LawEvent::CreditMilestone { .. } | LawEvent::Funded { .. },
        ) => note(mortal(MortalReason::CreditCrossing, vitals)),
        _ => {}
    }
}

/// A prediction that was judged, and how far it missed.
fn of_verdict(claim: &Claim, verdict: Verdict, vitals: &Vitals, mut note: impl FnMut(Trigger)) {
    if let Some(is_near) = claim.is_near(verdict) {
        if !is_near {
            note(Trigger::PredictionMiss { error: WRONG_LEVEL });
        }
        return;
    }
    match verdict {
        Verdict::Measured { predicted_ppm, actual_ppm } => {
            let better = predicted_ppm.signum().saturating_mul(actual_ppm.saturating_sub(predicted_ppm));
            let share = i128::from(better) * 1_000_000 / i128::from(predicted_ppm.unsigned_abs().max(1));
            let surprise_ppm = i32::try_from(share.clamp(-1_000_000, 1_000_000)).unwrap_or(0);
            note(Trigger::PredictionResolved { surprise_ppm, accuracy_trend_ppm: trend_ppm(vitals) });
            if surprise_ppm < 0 {
                note(Trigger::PredictionMiss { error: Ppm::saturating(u64::from(surprise_ppm.unsigned_abs())) });
            }
        }
        Verdict::Moot => {}
    }
}

fn trend_ppm(vitals: &Vitals) -> i32 {
    let trend = vitals.epistemic().trend().unwrap_or(0.0).clamp(-1.0, 1.0);
    libm::round(trend * 1e6) as i32
}

/// What is known of one's own end; clocks that do not hold are left out.
pub(super) fn mortal_facts(vitals: &Vitals) -> MortalFacts {
    let (mode, economic) = (vitals.law().mode, vitals.economic());
    let credits =
        Credits { balance: economic.balance(), initial: economic.initial(), burn_per_day: economic.burn().per_day() };
    let understanding =
        UnderstandingTrend { fitness: vitals.epistemic().fitness().ppm(), trend_ppm: trend_ppm(vitals) };
    MortalFacts {
        vitality: vitals.vitality().composite,
        economic: mode.counts_credits().then_some(credits),
        epistemic: Some(understanding),
        hazard: mode.is_mortal().then_some(vitals.stochastic().hazard),
    }
}

fn mortal(why: MortalReason, vitals: &Vitals) -> Trigger {
    Trigger::Mortality { why, facts: mortal_facts(vitals) }
}

/// M-184, A-064. What one's own end feels like.
pub(crate) fn felt_end(vitals: &Vitals) -> Emotion {
    mortal_facts(vitals).feeling().primary
}

/// An ordinary look at one's own end.
pub(super) fn of_look(vitals: &Vitals) -> Trigger {
    mortal(MortalReason::Look, vitals)
}

/// The hazard passed a limit.
pub(super) fn of_crossing(vitals: &Vitals) -> Trigger {
    mortal(MortalReason::HazardCrossing, vitals)
}

/// How many limits the hazard has passed.
pub(super) fn dread(vitals: &Vitals) -> u8 {
    let hazard = vitals.stochastic().hazard.get();
    DREADS.iter().map(|limit| u8::from(hazard >= *limit)).sum()
}

/// The tick in numbers: what is held and how it stands, how wrong one was of it (M-057), how alive one is, how well
/// one understands.
pub(super) fn pulse(vitals: &Vitals, trader: Option<&Trader>, matches: Option<Matches>) -> Pulse {
    let stands = trader.and_then(|trader| {
        let (sight, holdings) = (trader.sight()?, trader.holdings()?);
        (holdings.held > 0).then(|| return_ppm(holdings.held_cost, sight.market.token_price().worth(holdings.held)))
    });
    let stands = stands.unwrap_or(0).clamp(-WHOLE_RETURN_PPM, WHOLE_RETURN_PPM);
    let fitness = i64::from(vitals.epistemic().fitness().ppm().get());
    Pulse {
        desirability_ppm: i32::try_from(stands * 1_000_000 / WHOLE_RETURN_PPM).unwrap_or(0),
        pnl_sign: i8::try_from(stands.signum()).unwrap_or(0),
        anomalies: u32::from(trader.is_some_and(Trader::is_blind)),
        prediction_error: matches.map_or(Ppm::ZERO, |matches| matches.accuracy().complement()),
        coping_ppm: i32::try_from(2 * fitness - 1_000_000).unwrap_or(0),
        vitality: vitals.vitality().composite,
    }
}
