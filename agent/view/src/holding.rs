//! What the owner's money would be worth had it bought the token and been left alone: what every profit is held against.

use golem_core::held_assets::HeldAssets;
use golem_core::ledger::Ledger;
use golem_core::record::{ChainLife, Inflows, MarketReading, Observation, Sight, TickInput};
use golem_primitives::{Tick, Usdc, UtcTime};

use crate::{Gain, Witness, picture};

picture! {
    /// What it made with its capital at the prices of now, and what holding the token would have made of the same money.
    pub struct HoldingPicture {
        since: Tick = "since tick",
        price_then: Usdc = "price then",
        price_now: Usdc = "price now",
        /// What its owner put in less what was taken out; what was harvested was taken out.
        put_in: Gain = "put in",
        equity: Usdc = "capital is worth",
        /// What the capital is worth less what was put in: what is still open counts at the price of now.
        marked: Gain = "made at the prices of now",
        /// The same less all gas and all upkeep, which are paid from credits.
        after_everything: Gain = "after everything",
        /// The token bought with what was put in, at the price it was put in at, without fee or gas.
        held_worth: Gain = "held it would be worth",
        held_made: Gain = "holding would have made",
        ahead: Gain = "ahead of holding",
    }
}

/// Money that bought the token when it was put in, told look by look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holding {
    begun: Option<Begun>,
    /// When the vault's log could not be read back.
    lost: Option<Tick>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Begun {
    since: Tick,
    price: Usdc,
    /// In the token's smallest unit; below zero where more was taken out than holding had.
    token: i128,
    put_in: i64,
    /// Put in or taken out so lately that the chain may take it back: still USDC.
    recent: i64,
    /// As the newest look at a vault that is not closed yet had it.
    equity: Usdc,
    market: MarketReading,
}

/// What one look showed, side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenWorth {
    pub equity: Usdc,
    /// What holding would have been worth, in micro-USDC, where that is known.
    pub held_micros: Option<i64>,
    pub price: Usdc,
    pub at: UtcTime,
}

impl Holding {
    /// Takes in what a pass saw: where the capital began, and what its owner and harvests did to it since. Answers what it saw
    /// the capital to be worth. A vault that is closed has paid everything out, which is no loss: it is not looked at.
    pub fn see(&mut self, input: &TickInput) -> Option<SeenWorth> {
        let mut sight: Option<&Sight> = None;
        let mut log: Option<&Inflows> = None;
        for observation in &input.observations {
            match observation {
                Observation::Sight(seen) => sight = Some(seen),
                Observation::Inflows(told) => log = Some(told),
                _ => {}
            }
        }
        let sight = sight.filter(|sight| !sight.market.price.is_zero())?;
        sight.vault.as_ref().filter(|vault| !matches!(vault.life, ChainLife::Dead { .. }))?;
        let equity = HeldAssets::seen(sight)?.equity(sight.market.price);
        // A death that is settled has paid its owner already, before the chain calls it dead.
        if equity.is_zero() && matches!(sight.vault.as_ref()?.life, ChainLife::Dying { .. }) {
            return None;
        }
        let market = sight.market;
        let [settled, recent] = log.map(|log| log.capital).unwrap_or_default();
        match &mut self.begun {
            None => {
                // What is too young to be certain is in the vault already and is told again when it is certain.
                let put_in = micros(equity).saturating_sub(recent);
                let token = bought(&market, put_in);
                let (since, price) = (input.tick, market.price);
                self.begun = Some(Begun { since, price, token, put_in, recent, equity, market });
            }
            Some(begun) => {
                if log.is_some_and(|log| log.after.is_none()) {
                    self.lost = Some(input.tick);
                }
                begun.put_in = begun.put_in.saturating_add(settled);
                begun.token = begun.token.saturating_add(bought(&market, settled));
                if log.is_some() {
                    begun.recent = recent;
                }
                (begun.equity, begun.market) = (equity, market);
            }
        }
        Some(SeenWorth { equity, held_micros: self.worth(), price: market.price, at: input.now })
    }

    /// Whether there was a look at the capital.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// What it would be worth at the newest look, in micro-USDC.
    fn worth(&self) -> Option<i64> {
        let begun = self.begun.filter(|_| self.lost.is_none())?;
        Some(worth(&begun.market, begun.token).saturating_add(begun.recent))
    }

    /// Held against what the capital is worth at the newest look, and what living cost.
    #[must_use]
    pub fn picture(&self, ledger: &Ledger) -> Witness<HoldingPicture> {
        if let Some(tick) = self.lost {
            return Witness::Fails(format!(
                "at tick {tick} the vault's log could not be read back, so that what was put in is not known"
            ));
        }
        let (Some(begun), Some(held_worth)) = (self.begun, self.worth()) else {
            return Witness::Fails("it has not looked at its capital yet".to_owned());
        };
        let equity = begun.equity;
        let put_in = begun.put_in.saturating_add(begun.recent);
        let marked = micros(equity).saturating_sub(put_in);
        let costs = micros(ledger.gas()).saturating_add(micros(ledger.upkeep));
        let (after_everything, held_made) = (marked.saturating_sub(costs), held_worth.saturating_sub(put_in));
        Witness::Tells(HoldingPicture {
            since: begun.since,
            price_then: begun.price,
            price_now: begun.market.price,
            put_in: Gain(put_in),
            equity,
            marked: Gain(marked),
            after_everything: Gain(after_everything),
            held_worth: Gain(held_worth),
            held_made: Gain(held_made),
            ahead: Gain(after_everything.saturating_sub(held_made)),
        })
    }
}

fn bought(market: &MarketReading, usdc_micros: i64) -> i128 {
    let token = market.token_price().buys(Usdc::from_micros(usdc_micros.unsigned_abs()));
    i128::try_from(token).unwrap_or(i128::MAX) * i128::from(usdc_micros.signum())
}

fn worth(market: &MarketReading, token: i128) -> i64 {
    micros(market.token_price().worth(token.unsigned_abs())).saturating_mul(token.signum() as i64)
}

fn micros(usdc: Usdc) -> i64 {
    i64::try_from(usdc.micros()).unwrap_or(i64::MAX)
}
