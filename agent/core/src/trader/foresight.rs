//! Predictions: said before, judged after, never changed between.

use golem_mortality::epistemic::domain::{Level, MarketState, Matches};
use golem_playbook::understanding::{Judged, Sighting};
use golem_primitives::{Tick, Usdc};

use crate::pass::Pass;
use crate::record::{Claim, Event, PositionReading, Prediction, Verdict};
use crate::trader::{HORIZON_TICKS, Outlook, Trader};
use crate::window::{gas_level, return_level, return_ppm};

/// Ticks between two predictions of what a position earns, and how far they look.
const FEES_EVERY: u64 = 20;

/// P-060. One look: what is due is judged, and who is awake claims again what the next looks will bring.
pub(crate) fn look(trader: &mut Trader, is_awake: bool, pass: &mut Pass<'_>) {
    let Some(market) = trader.sight().map(|sight| sight.market) else { return };
    resolve(trader, pass);
    let volume = std::mem::take(&mut trader.home.volume);
    // The looks of the other pools are their hands' alone.
    trader.elsewhere.iter_mut().for_each(|one| one.volume = Usdc::ZERO);
    let seen = Sighting { price: market.price, volume, gas_wei: market.base_fee_wei };
    let understanding = &mut trader.understanding;
    let looked = if is_awake { understanding.look(&seen) } else { understanding.look_asleep(&seen) };
    for judged in looked.judged {
        if let Some(pair) = judged.pair {
            pass.count(pair);
        }
        level_came(trader, judged, pass);
    }
    if let Some(said) = looked.said {
        let claim = Claim::Level { question: said.question, said_ppm: ppm(said.said) };
        say(trader, said.question.looks(), claim, pass);
    }
}

/// A question's claims come due in the order they were made.
fn level_came(trader: &mut Trader, judged: Judged, pass: &mut Pass<'_>) {
    let is_it =
        |one: &Prediction| matches!(one.claim, Claim::Level { question, .. } if question == judged.claim.question);
    let Some(at) = trader.predictions.iter().position(is_it) else { return };
    let prediction = trader.predictions.remove(at);
    let verdict = Verdict::Measured { predicted_ppm: ppm(judged.claim.said), actual_ppm: ppm(judged.came) };
    pass.say(Event::PredictionResolved { prediction, verdict });
}

/// A logarithm in whole millionths.
fn ppm(logarithm: f64) -> i64 {
    libm::round(logarithm * 1e6) as i64
}

/// Judges every belief of the book whose time has come. Of those about the price at most one in 48 looks counts (P-063).
fn resolve(trader: &mut Trader, pass: &mut Pass<'_>) {
    let mut at = 0;
    while at < trader.predictions.len() {
        let prediction = trader.predictions[at];
        let Some(verdict) = judge(trader, &prediction, pass.tick()) else {
            at += 1;
            continue;
        };
        trader.predictions.remove(at);
        if let (Claim::PriceMove { .. }, Verdict::Measured { predicted_ppm, actual_ppm }) = (prediction.claim, verdict)
            && let [said, came] = [predicted_ppm, actual_ppm].map(|ppm| ppm as f64 / 1e6)
            && let Some(pair) = trader.understanding.price(said, came, prediction.due.since(prediction.said))
        {
            pass.count(pair);
        }
        pass.say(Event::PredictionResolved { prediction, verdict });
    }
}

/// What came of it; `None` when it cannot be said yet.
fn judge(trader: &Trader, prediction: &Prediction, tick: Tick) -> Option<Verdict> {
    let sight = trader.sight()?;
    let is_due = prediction.due <= tick;
    match prediction.claim {
        // Its looks judge it.
        Claim::Level { .. } => None,
        Claim::PriceMove { from, return_ppm: predicted_ppm, stop_ppm, .. } => {
            let actual_ppm = return_ppm(from, sight.market.price);
            let side = predicted_ppm.signum();
            let is_over = side * actual_ppm >= side * predicted_ppm || side * actual_ppm <= side * stop_ppm;
            (is_over || is_due).then_some(Verdict::Measured { predicted_ppm, actual_ppm })
        }
        Claim::Fees { .. } if !is_due => None,
        Claim::Fees { position, from, earned, notional } => {
            let found = sight.vault.as_ref().and_then(|vault| vault.positions.iter().find(|one| one.id == position));
            Some(found.map_or(Verdict::Moot, |position| {
                let share = |fees: Usdc| {
                    let micros = u128::from(fees.micros()) * 1_000_000 / u128::from(notional.micros().max(1));
                    i64::try_from(micros).unwrap_or(i64::MAX)
                };
                Verdict::Measured {
                    predicted_ppm: share(earned),
                    actual_ppm: share(position.fees.saturating_sub(from)),
                }
            }))
        }
    }
}

/// Registers what the book believes: of the price, and at longer intervals of the fees that a position will earn.
pub(crate) fn register(trader: &mut Trader, outlook: Option<Outlook>, pass: &mut Pass<'_>) {
    let Some(sight) = trader.sight.clone() else { return };
    let waits = |trader: &Trader, name: &str| trader.predictions.iter().any(|one| one.claim.name() == name);
    // One belief about the price at a time: ten overlapping ones would be the same belief counted ten times.
    if let Some(Outlook { return_ppm, stop_ppm, within, moves_money }) = outlook
        && !waits(trader, "price_move")
    {
        let claim = Claim::PriceMove { from: sight.market.price, return_ppm, stop_ppm, moves_money };
        say(trader, within.clamp(1, HORIZON_TICKS), claim, pass);
    }
    if pass.tick().is_every(FEES_EVERY)
        && let Some(position) = sight.vault.as_ref().and_then(|vault| vault.positions.first())
        && !waits(trader, "fees")
    {
        let price = sight.market_of(position.pool).unwrap_or(&sight.market).token_price();
        let notional = position.usdc.saturating_add(price.worth(position.token));
        let earned = fees_expected(position, notional);
        let claim = Claim::Fees { position: position.id, from: position.fees, earned, notional };
        say(trader, FEES_EVERY, claim, pass);
    }
}

fn say(trader: &mut Trader, ahead: u64, claim: Claim, pass: &mut Pass<'_>) {
    let tick = pass.tick();
    let Some(due) = tick.checked_add(ahead) else { return };
    let prediction = Prediction { number: trader.next_number, said: tick, due, claim };
    if trader.predictions.try_push(prediction).is_ok() {
        trader.next_number += 1;
        pass.say(Event::PredictionRegistered(prediction));
    }
}

/// Persistence: a position goes on earning as it has earned; a new one earns a hundredth of a percent.
fn fees_expected(position: &PositionReading, notional: Usdc) -> Usdc {
    let floor = Usdc::from_micros(notional.micros() / 10_000);
    Usdc::from_micros(position.fees.micros() / 4).max(floor)
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
    let before = Usdc::from_micros((2.0 * mean) as u64).saturating_sub(newest);
    let price = return_level(return_ppm(before, newest));
    let volatility = trader.window.volatility_level(8).unwrap_or(Level::Middle);
    let gas = gas_level(sight.market.base_fee_wei, trader.usual_base_fee);
    let fees = trader.window.yield_level(8).unwrap_or(Level::Middle);
    // A pool that forgot its past or lost its liquidity is not what it was.
    let protocol = if sight.market.twap.is_some() && sight.market.liquidity > 0 { Level::Middle } else { Level::Low };
    Some(MarketState([price, volatility, fees, gas, protocol]))
}
