//! What a Golem has, what it makes and how long it lasts, as numbers for dashboards.

use golem_core::held_assets::HeldAssets;
use golem_core::life::Life;
use golem_core::trader::Trader;
use golem_primitives::Tick;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

use super::{Level, Whose, series, usdc};

/// Whose, and which part of a profit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WhichPart {
    golem: String,
    part: &'static str,
}

const PROFIT: &str = "Profit: harvestable, in USDC above the high-water mark; unrealised, of the token held over its cost; realised, of round trips that closed, after gas; net, the same after everything else living cost";

/// M-014, V-014. What it has and how long that lasts.
#[derive(Debug)]
pub(super) struct Worth {
    price: Family<Whose, Level>,
    equity: Family<Whose, Level>,
    capital: Family<Whose, Level>,
    profit: Family<WhichPart, Level>,
    trips: Family<WhichPart, Level>,
    cost_per_day: Family<Whose, Level>,
    days_left: Family<Whose, Level>,
}

impl Worth {
    pub(super) fn new(registry: &mut Registry) -> Self {
        Self {
            price: series(registry, "price_usdc", "The token's price at the pool, in USDC"),
            equity: series(registry, "equity_usdc", "What its capital is worth at that price, in USDC"),
            capital: series(registry, "capital_usdc", "Its capital as the vault's bounds count it, in USDC"),
            profit: series(registry, "profit_usdc", PROFIT),
            trips: series(registry, "round_trips", "Round trips that closed: won, lost, even"),
            cost_per_day: series(registry, "cost_usdc_per_day", "What living costs a day, in USDC"),
            days_left: series(registry, "days_left", "Days its credits last at that; infinite when nothing burns"),
        }
    }

    pub(super) fn show(&self, whose: &Whose, life: &Life) {
        let economic = life.vitals().economic();
        self.cost_per_day.get_or_create(whose).set(usdc(economic.burn().per_day()));
        let ticks = economic.ttl_ticks();
        let days = if ticks == u64::MAX { f64::INFINITY } else { ticks as f64 / Tick::PER_DAY as f64 };
        self.days_left.get_or_create(whose).set(days);
        let part = |part| self.profit.get_or_create_owned(&WhichPart { golem: whose.golem.clone(), part });
        if let Some(ledger) = life.trader().map(Trader::ledger) {
            let trips = ledger.earned();
            part("realised").set(trips.net_micros as f64 / 1e6);
            part("net").set(ledger.net_micros() as f64 / 1e6);
            let even = trips.closed.saturating_sub(trips.won).saturating_sub(trips.lost);
            for (part, count) in [("won", trips.won), ("lost", trips.lost), ("even", even)] {
                let which = WhichPart { golem: whose.golem.clone(), part };
                self.trips.get_or_create_owned(&which).set(f64::from(count));
            }
        }
        let Some((trader, sight)) = life.trader().and_then(|trader| Some((trader, trader.sight()?))) else { return };
        let price = sight.market.price;
        self.price.get_or_create(whose).set(usdc(price));
        let Some(held) = HeldAssets::of(trader) else { return };
        self.equity.get_or_create(whose).set(usdc(held.equity(price)));
        self.capital.get_or_create(whose).set(usdc(held.capital));
        part("harvestable").set(usdc(held.harvestable));
        part("unrealised")
            .set(usdc(sight.market.token_price().worth(held.token).saturating_add(held.elsewhere)) - usdc(held.cost));
    }
}
