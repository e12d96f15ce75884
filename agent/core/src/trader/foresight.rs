//! Predictions: said before, judged after, never changed between.

use golem_mortality::epistemic::domain::{Level, MarketState, Matches};
use golem_mortality::epistemic::window::Pair;
use golem_primitives::Tick;

use crate::life::Desk;
use crate::record::{Claim, Event, Prediction, Verdict};
use crate::step::{Out, absorb_pair};
use crate::strategy::{HORIZON_TICKS, Outlook, usdc_for};
use crate::trader::Trader;
use crate::window::{gas_level, return_level, return_ppm};

/// Ticks between two predictions of volatility and of gas, and how far they look.
const SLOW_EVERY: u64 = 20;

/// Judges every prediction whose time has come.
pub(crate) fn resolve(trader: &mut Trader, tick: Tick, desk: &mut Desk, out: &mut Out<'_>) {
    let mut at = 0;
    while at < trader.predictions.len() {
        let prediction = trader.predictions[at];
        let Some(verdict) = judge(trader, &prediction, tick) else {
            at += 1;
            continue;
        };
        trader.predictions.remove(at);
        if let Verdict::Measured { predicted_ppm, actual_ppm } = verdict
            && let Ok(pair) = Pair::new(predicted_ppm as f64 / 1e6, actual_ppm as f64 / 1e6)
        {
            absorb_pair(desk, pair, out);
        }
        out.say(Event::PredictionResolved { prediction, verdict });
    }
}

/// What came of it; `None` when it cannot be said yet.
fn judge(trader: &Trader, prediction: &Prediction, tick: Tick) -> Option<Verdict> {
    let sight = trader.sight()?;
    let may_end_early = matches!(prediction.claim, Claim::PriceMove { .. });
    if prediction.due > tick && !may_end_early {
        return None;
    }
    Some(match prediction.claim {
        Claim::PriceMove { from, return_ppm: predicted_ppm, stop_ppm } => {
            let actual_ppm = return_ppm(from, sight.market.price);
            let side = predicted_ppm.signum();
            let is_over = side * actual_ppm >= side * predicted_ppm || side * actual_ppm <= side * stop_ppm;
            if !is_over && prediction.due > tick {
                return None;
            }
            Verdict::Measured { predicted_ppm, actual_ppm }
        }
        Claim::Volatility { level } => {
            let span = usize::try_from(SLOW_EVERY).expect("twenty");
            Verdict::Matched { right: trader.window.volatility_level(span)? == level }
        }
        Claim::Gas { level } => {
            Verdict::Matched { right: gas_level(sight.market.base_fee_wei, trader.usual_base_fee) == level }
        }
        Claim::Fees { position, from, earned, notional } => {
            let found = sight.vault.as_ref().and_then(|vault| vault.positions.iter().find(|one| one.id == position));
            match found {
                None => Verdict::Moot,
                Some(position) => {
                    let share = |fees: golem_primitives::Usdc| {
                        let micros = u128::from(fees.micros()) * 1_000_000 / u128::from(notional.micros().max(1));
                        i64::try_from(micros).unwrap_or(i64::MAX)
                    };
                    Verdict::Measured {
                        predicted_ppm: share(earned),
                        actual_ppm: share(position.fees.saturating_sub(from)),
                    }
                }
            }
        }
    })
}

/// Registers what the strategy believes of the price, and at longer intervals what persistence says of the rest.
pub(crate) fn register(trader: &mut Trader, tick: Tick, outlook: Option<Outlook>, out: &mut Out<'_>) {
    let Some(sight) = trader.sight.clone() else { return };
    let waits = |trader: &Trader, name: &str| trader.predictions.iter().any(|one| one.claim.name() == name);
    // One belief about the price at a time: ten overlapping ones would be the same belief counted ten times.
    if let Some(Outlook { return_ppm, stop_ppm }) = outlook
        && !waits(trader, "price_move")
    {
        let claim = Claim::PriceMove { from: sight.market.price, return_ppm, stop_ppm };
        say(trader, tick, HORIZON_TICKS, claim, out);
    }
    if !tick.is_every(SLOW_EVERY) {
        return;
    }
    if let Some(level) = trader.window.volatility_level(usize::try_from(SLOW_EVERY).expect("twenty"))
        && !waits(trader, "volatility")
    {
        say(trader, tick, SLOW_EVERY, Claim::Volatility { level }, out);
    }
    if !waits(trader, "gas") {
        let level = gas_level(sight.market.base_fee_wei, trader.usual_base_fee);
        say(trader, tick, SLOW_EVERY, Claim::Gas { level }, out);
    }
    if let Some(position) = sight.vault.as_ref().and_then(|vault| vault.positions.first())
        && !waits(trader, "fees")
    {
        let notional = position.usdc.saturating_add(usdc_for(sight.market.price, position.token));
        let earned = trader.fees_expected(position, notional);
        let claim = Claim::Fees { position: position.id, from: position.fees, earned, notional };
        say(trader, tick, SLOW_EVERY, claim, out);
    }
}

fn say(trader: &mut Trader, tick: Tick, ahead: u64, claim: Claim, out: &mut Out<'_>) {
    let Some(due) = tick.checked_add(ahead) else { return };
    let prediction = Prediction { number: trader.next_number, said: tick, due, claim };
    if trader.predictions.try_push(prediction).is_ok() {
        trader.next_number += 1;
        out.say(Event::PredictionRegistered(prediction));
    }
}

impl Trader {
    /// Persistence: a position goes on earning as it has earned; a new one earns a hundredth of a percent.
    fn fees_expected(
        &self,
        position: &crate::record::PositionReading,
        notional: golem_primitives::Usdc,
    ) -> golem_primitives::Usdc {
        let floor = golem_primitives::Usdc::from_micros(notional.micros() / 10_000);
        golem_primitives::Usdc::from_micros(position.fees.micros() / 4).max(floor)
    }
}

/// M-057. Compares what was said of this tick with what it is, and says what the next one will be.
pub(crate) fn compare(trader: &mut Trader, outlook: Option<Outlook>) -> Option<Matches> {
    let observed = observe(trader)?;
    let matches = trader.forecast.map(|forecast| Matches::between(&forecast, &observed));
    // A belief takes its time; of the next tick it says a tenth.
    let price = outlook.map_or(Level::Middle, |outlook| return_level(outlook.return_ppm / 10));
    let MarketState([_, volatility, fees, gas, protocol]) = observed;
    trader.forecast = Some(MarketState([price, volatility, fees, gas, protocol]));
    matches
}

/// M-058. The market in the words of the catalogue.
fn observe(trader: &Trader) -> Option<MarketState> {
    let sight = trader.sight()?;
    let newest = trader.window.newest()?;
    let mean = trader.window.mean_of(2)?;
    let before = golem_primitives::Usdc::from_micros((2.0 * mean) as u64).saturating_sub(newest);
    let price = return_level(return_ppm(before, newest));
    let volatility = trader.window.volatility_level(8).unwrap_or(Level::Middle);
    let gas = gas_level(sight.market.base_fee_wei, trader.usual_base_fee);
    let fees = trader.window.yield_level(8).unwrap_or(Level::Middle);
    // A pool that forgot its past or lost its liquidity is not what it was.
    let protocol = if sight.market.twap.is_some() && sight.market.liquidity > 0 { Level::Middle } else { Level::Low };
    Some(MarketState([price, volatility, fees, gas, protocol]))
}
