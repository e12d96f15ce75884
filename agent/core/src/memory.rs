//! What a pass lived, written once: the experience that knowledge is counted from.
//!
//! What counts as held, and why:
//!
//! - **A belief about the price** held when acting on it would have earned more than the pool's fee both ways. Its
//!   direction alone would not do: a belief is given up at twice its promise, so a blind one comes out right two times
//!   of three. What it earned per USDC stands beside it, and of a blind one that averages to less than nothing.
//! - **A belief of a rule that moves no money** is judged the same and told under a name of its own, without money: nobody
//!   could have earned it, so it bears insights and never a rule about the book.
//! - **A level** (volatility, gas) held when it is the one that came. It has no money in it, so it bears insights and
//!   never a rule.
//! - **Fees** held when a position earned at least what was said; that it earned anything at all proves nothing. They are
//!   the money of who provides liquidity, and never less than nothing: they can speak for it and not against it, for
//!   without a position nobody could refute what was said against one.
//! - **A sale or a withdrawal** ends a round trip: with a profit after everything it cost, by the ledger, it held; with a
//!   loss it did not.
//! - **A purchase or a provision** begins one. It always pays a fee and has not yet earned: it is no evidence. Neither is
//!   a transaction that reverted, which changed nothing, nor a sale that the phase or death forced.
//!
//! Everything is told under the regime in which it was *said or ordered*: by the time a belief has failed, the market
//! that made it fail has given the regime its name, and counting by that would prove whatever happened. What was said
//! in a regime nobody knew, or so long ago that it is forgotten, carries no money: it bears no rule.

mod bought;
mod past;
mod voices;

use golem_grimoire::confidence::Confidence;
use golem_grimoire::episode::{
    Episode, EpisodeCircumstances, EpisodeKind, EpisodeOutcome, FlashbulbReading, Importance, is_encoded, is_flashbulb,
};
use golem_grimoire::finding::PatternKey;
use golem_grimoire::id::{EpisodeId, Moment};
use golem_grimoire::regime::Regime;
use golem_mortality::epistemic::window::Pair;
use golem_mortality::outcome::record::OutcomeVerification;
use golem_mortality::phase::Phase;
use golem_primitives::{EffectId, GolemId, Ppm, Tick, Usdc};

use crate::life::Life;
use crate::record::{
    Claim, EFFECTS_PER_STEP, EffectKind, Event, Observation, Order, OutcomeResult, Prediction, TickInput, Turn, Verdict,
};
use crate::trader::{BookName, Trader};

pub use crate::window::regime_of;
pub use bought::is_bought;
pub use past::Past;
pub use voices::Voices;

/// Where a Golem trades, as its knowledge names the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Venue {
    pub chain: u64,
    /// The pair, such as `WETH/USDC`.
    pub pair: String,
}

impl Venue {
    /// What is known of a tool here.
    #[must_use]
    pub fn key(&self, tool: &str) -> PatternKey {
        PatternKey { tool: tool.to_owned(), chain: self.chain, pair: self.pair.clone() }
    }
}

/// What must be remembered of a life from before a pass to tell what the pass lived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    trades: Vec<(EffectId, Order)>,
}

impl Before {
    /// A life as it stands before a pass.
    #[must_use]
    pub fn of(life: &Life) -> Self {
        let trades = |trader: &Trader| {
            let orders = trader.flights.iter().filter_map(|flight| match flight.kind {
                EffectKind::Trade(order) => Some((flight.effect, order)),
                _ => None,
            });
            orders.collect()
        };
        Self { trades: life.trader().map(trades).unwrap_or_default() }
    }

    fn order(&self, effect: EffectId) -> Option<Order> {
        self.trades.iter().find(|(known, _)| *known == effect).map(|(_, order)| *order)
    }
}

/// The tick in whose first half an effect was wanted, of those whose regime is still known. Its name is derived from the
/// tick, so whoever tries the few there are finds it; an outcome tells it only where a chain was asked.
#[must_use]
pub fn wanted_at(golem: &GolemId, effect: EffectId, now: Tick) -> Option<Tick> {
    let is_of = |tick: &Tick| {
        let ordinals = 0..u32::try_from(EFFECTS_PER_STEP).unwrap_or(u32::MAX);
        ordinals.into_iter().any(|nth| EffectId::derive(golem, *tick, Turn::Deciding as u8, nth) == effect)
    };
    (0..=Past::TICKS).filter_map(|back| now.get().checked_sub(back)).map(Tick::new).find(is_of)
}

/// A pass at which everything it lived is looked for.
struct Passing<'a> {
    venue: &'a Venue,
    past: &'a Past,
    before: &'a Before,
    life: &'a Life,
    trader: &'a Trader,
    input: &'a TickInput,
    events: &'a [Event],
}

/// G-116 to G-127. The episodes of a pass: outcomes and judged predictions first, then what was seen. The same journal
/// gives the same episodes, so a pass that is lived again after a crash writes nothing new.
///
/// `past` knows the input already.
#[must_use]
pub fn episodes(
    venue: &Venue,
    past: &Past,
    before: &Before,
    life: &Life,
    input: &TickInput,
    events: &[Event],
) -> Vec<Episode> {
    let Some(trader) = life.trader() else { return Vec::new() };
    if events.iter().any(|event| matches!(event, Event::InputRefused { .. })) {
        return Vec::new();
    }
    let passing = Passing { venue, past, before, life, trader, input, events };
    let mut lived = passing.acted();
    lived.extend(passing.judged());
    lived.extend(passing.looked());
    lived
}

impl Passing<'_> {
    fn here(&self, tool: &str, regime: Option<Regime>) -> EpisodeCircumstances {
        EpisodeCircumstances {
            golem: *self.life.id(),
            now: Moment::new(self.input.tick, self.input.now),
            key: self.venue.key(tool),
            regime,
            emotion: self.life.affect().and_then(|affect| affect.tag(self.input.tick, self.life.vitals().phase())),
        }
    }

    fn book(&self) -> BookName {
        self.trader.book_name()
    }

    /// G-122. Whether this phase still writes such a thing down. The tick in which it dies is the last that is; a death has
    /// passes and no ticks.
    fn is_written(&self, was_decided: bool, was_acted: bool) -> bool {
        let is_tick = self.life.is_alive() || self.input.tick == self.life.tick();
        is_tick && is_encoded(self.life.vitals().phase(), was_decided, was_acted)
    }

    /// Whether a way out was taken because nothing may be held on to any more.
    fn is_forced(&self) -> bool {
        !self.life.is_alive() || self.life.vitals().phase() <= Phase::Declining
    }

    /// G-124 to G-126. What came of trades.
    fn acted(&self) -> Vec<Episode> {
        let unknown = |effect: EffectId| {
            self.events.iter().any(|event| matches!(event, Event::OutcomeUnknown { effect: known } if *known == effect))
        };
        let mut lived = Vec::new();
        for outcome in self.input.outcomes.iter().filter(|outcome| !unknown(outcome.effect)) {
            let order = self.before.order(outcome.effect);
            match &outcome.result {
                OutcomeResult::Verified(record) => lived.extend(self.verified(record, order)),
                OutcomeResult::Bought(bought) => lived.push(self.bought(outcome, bought)),
                _ => {}
            }
        }
        // What broke a law is written down in every phase (G-126).
        lived.retain(|episode| match episode.kind {
            EpisodeKind::SafetyIncident => true,
            _ if is_bought(episode) => self.is_written(true, false),
            _ => self.is_written(true, true),
        });
        lived
    }

    /// What the round trip netted that this closed.
    fn netted(&self, effect: EffectId) -> Option<i64> {
        Some(self.trader.ledger().line(effect)?.closed?.net_micros())
    }

    fn verified(&self, record: &OutcomeVerification, order: Option<Order>) -> Vec<Episode> {
        let tool = format!("{}/{}", self.book(), order.map_or("trade", |order| order.name()));
        let mut lived =
            self.here(&tool, self.past.regime_at(record.tick)).verified(record, self.netted(record.action_id));
        let is_broken = lived.len() > 1;
        let is_way_out = order.is_some_and(|order| !order.raises_exposure());
        if let Some(action) = lived.first_mut() {
            if !record.receipt.success || !is_way_out || self.is_forced() {
                action.outcome = EpisodeOutcome::Neutral;
            }
            if let Some(order) = order.filter(|order| order.pool() != self.trader.home.pool) {
                action.text.push_str(&format!(", in the pool {}", order.pool()));
            }
            self.burn_in(action, is_broken);
        }
        lived
    }

    /// G-123, A-105. What burns itself in is kept whole. The day's count is not known to a pass; two aroused ticks, a
    /// twentieth of all capital and a broken law are rare enough without one.
    fn burn_in(&self, action: &mut Episode, is_broken: bool) {
        let capital = self.trader.vault().map_or(Usdc::ZERO, |vault| vault.capital).micros().max(1);
        let pnl = action.pnl_micros.unwrap_or(0).unsigned_abs();
        let reading = FlashbulbReading {
            pnl_of_nav: Ppm::saturating(
                u64::try_from(u128::from(pnl) * 1_000_000 / u128::from(capital)).unwrap_or(u64::MAX),
            ),
            ticks_since_regime: Some(0),
            probe_is_high: is_broken,
            aroused_twice: self.life.affect().is_some_and(|affect| affect.is_flashbulb),
            ..FlashbulbReading::default()
        };
        if is_flashbulb(&reading) {
            action.importance = Importance::Critical;
            action.text.push_str(&format!("; {}", self.scene()));
        }
    }

    /// R-012, G-124. What came of predictions.
    fn judged(&self) -> Vec<Episode> {
        let resolved = self.events.iter().filter_map(|event| match event {
            Event::PredictionResolved { prediction, verdict } => self.resolved(prediction, *verdict),
            _ => None,
        });
        if self.is_written(true, true) { resolved.collect() } else { Vec::new() }
    }

    fn resolved(&self, prediction: &Prediction, verdict: Verdict) -> Option<Episode> {
        let book = self.book();
        let is_acted_on = prediction.claim.moves_money();
        let tool = match prediction.claim {
            _ if is_acted_on => book.to_string(),
            Claim::PriceMove { .. } => format!("{book}/untried"),
            claim => claim.name().to_owned(),
        };
        let here = self.here(&tool, self.past.regime_at(prediction.said));
        let ordinal = u32::try_from(prediction.number).unwrap_or(u32::MAX);
        match verdict {
            Verdict::Measured { predicted_ppm, actual_ppm } => {
                if let Some(is_near) = prediction.claim.is_near(verdict) {
                    return Some(self.level_came(&here, prediction, actual_ppm, is_near));
                }
                let pair = Pair::new(predicted_ppm as f64 / 1e6, actual_ppm as f64 / 1e6).ok()?;
                let fee_ppm = self.trader.sight().map_or(0, |sight| sight.market.fee_ppm);
                // A millionth of a USDC is a micro-USDC.
                let earned = prediction.claim.earned_ppm(verdict, fee_ppm)?;
                let mut episode = here.resolved(pair, ordinal);
                episode.outcome = prediction.claim.held(verdict, fee_ppm).map_or(EpisodeOutcome::Neutral, held);
                // Of a regime nobody knew nothing is said to hold: a rule without a regime would speak in all of them.
                if is_acted_on && episode.regime.is_some() {
                    (episode.pnl_micros, episode.position) = (Some(earned), Usdc::whole(1));
                    episode.text.push_str(&format!(", worth {earned} micro-USDC for each USDC"));
                }
                Some(episode)
            }
            // What it spoke of is gone: nothing was learned.
            Verdict::Moot => None,
        }
    }

    /// P-061. What came of a claim about a level, in times of what was said.
    fn level_came(
        &self,
        here: &EpisodeCircumstances,
        prediction: &Prediction,
        actual_ppm: i64,
        is_near: bool,
    ) -> Episode {
        let Claim::Level { question, said_ppm } = prediction.claim else { return here.observed("nothing was said") };
        let times = libm::exp(actual_ppm.saturating_sub(said_ppm) as f64 / 1e6);
        let text = format!("{}: the {} came {times:.2} times as it was said", here.key, question.words());
        let name = [here.key.to_string().as_bytes(), &prediction.number.to_be_bytes()].concat();
        Episode {
            id: EpisodeId::derive(self.input.now, self.life.id(), &name),
            outcome: held(is_near),
            confidence: Confidence::CERTAIN,
            ..here.observed(&text)
        }
    }

    /// G-116. What the tick saw, and whether the market became another.
    fn looked(&self) -> Vec<Episode> {
        let looks = self.input.observations.iter().find_map(|seen| match seen {
            Observation::Sight(_) => Some(false),
            Observation::Blind => Some(true),
            _ => None,
        });
        let Some(is_blind) = looks.filter(|_| self.input.turn == Turn::Deciding) else { return Vec::new() };
        let regime = self.past.regime_at(self.input.tick);
        let decided = |event: &Event| matches!(event, Event::PredictionRegistered(_) | Event::TradeForgone { .. });
        let acted =
            self.trader.flights.iter().any(|flight| {
                matches!(flight.kind, EffectKind::Trade(_)) && self.before.order(flight.effect).is_none()
            });
        let mut lived = Vec::new();
        if self.is_written(self.events.iter().any(decided) || acted, acted) {
            let text = if is_blind { "the chain could not be seen".to_owned() } else { self.scene() };
            lived.push(self.here(self.book().as_str(), regime).observed(&text));
        }
        let was = self.past.regime_before(self.input.tick);
        if let (Some(was), Some(is)) = (was, regime)
            && was != is
            && self.is_written(false, false)
        {
            let shift =
                self.here(self.book().as_str(), regime).observed(&format!("the regime turned from {was} to {is}"));
            lived.push(Episode { kind: EpisodeKind::RegimeShift, importance: Importance::Notable, ..shift });
        }
        lived
    }

    /// What is seen and held, in one line.
    fn scene(&self) -> String {
        let Some(sight) = self.trader.sight() else { return "nothing was seen yet".to_owned() };
        let (market, vitals) = (&sight.market, self.life.vitals());
        let place = self.trader.window.shape().map_or(0.0, |shape| shape.z);
        let held = self.trader.holdings().map_or(0, |holdings| holdings.held);
        format!(
            "{} at {}, {place:.2} deviations from its mean, base fee {} wei, {held} of the token held, {} at vitality {}",
            self.venue.pair,
            market.price,
            market.base_fee_wei,
            vitals.phase(),
            vitals.vitality().composite
        )
    }
}

const fn held(right: bool) -> EpisodeOutcome {
    if right { EpisodeOutcome::Positive } else { EpisodeOutcome::Negative }
}
