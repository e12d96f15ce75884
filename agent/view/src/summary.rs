//! A life in a few words: what it has, what it made, what it costs, how long that lasts, and what it waits for.

use golem_core::books::Books;
use golem_core::held_assets::HeldAssets;
use golem_core::ledger::Ledger;
use golem_core::life::{Body, Life};
use golem_core::record::Bar;
use golem_core::trader::Trader;
use golem_mortality::behaviour::{ActionKind, Behaviour};
use golem_primitives::{Tick, Usdc};

use crate::standing;
use crate::words::{money, signed, span, token};

/// A life that is told of.
#[derive(Debug, Clone, Copy)]
pub struct LifeSummary<'a>(pub &'a Life);

impl LifeSummary<'_> {
    /// Where it stands, as the first line of a screen says it.
    #[must_use]
    pub fn standing(&self) -> String {
        let life = self.0;
        let vitals = life.vitals();
        match life.death() {
            Some(death) => format!("{} of {}, tick {}", standing(life), death.cause.kind().name(), life.tick()),
            None => format!(
                "{}, {} (vitality {}), tick {}",
                standing(life),
                vitals.phase(),
                vitals.vitality().composite,
                life.tick()
            ),
        }
    }

    /// What its capital is, and what its credits are.
    #[must_use]
    pub fn has(&self) -> Vec<String> {
        let economic = self.0.vitals().economic();
        let credits = format!(
            "{} of credits, and {} locked for its death",
            money(economic.spendable()),
            money(economic.reserve())
        );
        self.capital().into_iter().chain([credits]).collect()
    }

    fn capital(&self) -> Option<String> {
        let trader = self.0.trader()?;
        let (held, market) = (HeldAssets::of(trader)?, &trader.sight()?.market);
        let (amount, price) = (held.token.saturating_add(held.pooled), market.price);
        let equity = money(held.equity(price));
        let at_home = (amount > 0).then(|| {
            let worth = money(market.token_price().worth(amount));
            format!(", {} worth {worth} at {}", token(amount, market.denomination), money(price))
        });
        let elsewhere =
            (!held.elsewhere.is_zero()).then(|| format!(", {} in tokens of other pools", money(held.elsewhere)));
        let tokens: String = at_home.into_iter().chain(elsewhere).collect();
        Some(if tokens.is_empty() {
            format!("{equity} of capital, all of it in USDC")
        } else {
            format!("{equity} of capital: {} in USDC{tokens}", money(held.usdc))
        })
    }

    /// What it made: of round trips that closed, and after everything that living cost.
    #[must_use]
    pub fn made(&self) -> Option<String> {
        let ledger = self.0.trader()?.ledger();
        let earned = ledger.earned();
        let trips = match earned.closed {
            0 => "nothing closed yet".to_owned(),
            closed => format!("{} of {closed} round trips won, {}", earned.won, signed(earned.net_micros)),
        };
        Some(format!("{trips}; after everything living cost {}", signed(ledger.net_micros())))
    }

    /// What a day costs and how long its credits last at that.
    #[must_use]
    pub fn costs(&self) -> String {
        let economic = self.0.vitals().economic();
        let per_day = economic.burn().per_day();
        if per_day.is_zero() {
            return "nothing yet".to_owned();
        }
        let even = self.0.trader().and_then(|trader| {
            let days = self.0.tick().get() as f64 * Tick::NOMINAL_SECONDS as f64 / 86_400.0;
            break_even(trader.ledger(), trader.vault()?.capital, per_day, days)
        });
        let even = even.map(|capital| format!("; {} of capital would earn that at its rate so far", money(capital)));
        format!("{per_day} a day; its credits last {}{}", span(economic.ttl_ticks()), even.unwrap_or_default())
    }

    /// What it waits for, and why.
    #[must_use]
    pub fn waits(&self, name: &str) -> String {
        let life = self.0;
        match life.body() {
            Body::Dead(_) => return "for nothing any more".to_owned(),
            Body::Dying(_) => return "for its death to be settled on chain".to_owned(),
            Body::Dreaming(_) => return "for its dream to end; what it holds is watched".to_owned(),
            Body::Active(_) => {}
        }
        let Some(trader) = life.trader() else { return "for nothing: it has no hand".to_owned() };
        if life.books().is_some_and(Books::is_apart) {
            return "for its books to agree with the vault; until then nobody is paid and nothing entered".to_owned();
        }
        let open = match life.open_effects() {
            0 => None,
            1 => Some("for an outcome that is on its way".to_owned()),
            count => Some(format!("for {count} outcomes that are on their way")),
        };
        halt(trader).or(open).unwrap_or_else(|| self.chance(trader, name))
    }

    /// Nothing is in its way.
    fn chance(&self, trader: &Trader, name: &str) -> String {
        if trader.vault().is_some_and(|vault| vault.capital.is_zero()) {
            return format!("for capital to trade with: bardo golem fund {name} --capital --amount 100");
        }
        let phase = self.0.vitals().phase();
        if !Behaviour::of(phase).permits(ActionKind::RaiseExposure) {
            return format!("for a chance to get out of what it holds: in {phase} it enters nothing");
        }
        let said = match trader.predictions.len() {
            0 => String::new(),
            1 => "; one thing it said of the future is open".to_owned(),
            count => format!("; {count} things it said of the future are open"),
        };
        let (book, regime) = (trader.book_name(), trader.regime_name());
        format!("for a rule of its book to wake ({book}, the market: {regime}){said}")
    }

    /// All of it in a line, as a life tells of itself now and then.
    #[must_use]
    pub fn line(&self, name: &str) -> String {
        let life = self.0;
        let economic = life.vitals().economic();
        let capital = life.trader().and_then(|trader| Some((HeldAssets::of(trader)?, trader.sight()?.market.price)));
        let words = [
            Some(format!("{} (vitality {})", life.vitals().phase(), life.vitals().vitality().composite)),
            capital.map(|(held, price)| format!("{} of capital", money(held.equity(price)))),
            life.trader().map(|trader| format!("made {}", signed(trader.ledger().net_micros()))),
            Some(format!("{} of credits for {}", money(economic.spendable()), span(economic.ttl_ticks()))),
            Some(format!("waits {}", self.waits(name))),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What stops a hand that could act otherwise.
fn halt(trader: &Trader) -> Option<String> {
    if trader.is_blind() {
        return Some("for the chain, which it cannot see".to_owned());
    }
    let Some(sight) = trader.sight() else { return Some("for its first look at the chain".to_owned()) };
    let bar = sight.vault.as_ref().and_then(|vault| vault.barred).map(|bar| match bar {
        Bar::OwnerChanged => "for its new owner, who has not accepted it",
        Bar::Hibernating => "for the end of the sleep its owner sent it to",
        Bar::KeyRotated => "for its new key: the one this process holds was replaced",
        Bar::EndUnconfirmed => "for the block that ended it to be confirmed",
    });
    let forgetful = sight.market.twap.is_none().then_some("for its pool to remember as far back as the policy asks");
    bar.or(forgetful).map(str::to_owned)
}

/// P-023. The capital from which a life would pay this much a day, earning as it has so far; `None` while it has earned
/// nothing.
#[must_use]
pub fn break_even(ledger: &Ledger, capital: Usdc, daily: Usdc, days: f64) -> Option<Usdc> {
    let earned = ledger.earned().net_micros;
    if earned <= 0 || capital.is_zero() || days <= 0.0 {
        return None;
    }
    let share_a_day = earned as f64 / capital.micros() as f64 / days;
    // `as` keeps what is too large within the range.
    (share_a_day > 0.0).then(|| Usdc::from_micros((daily.micros() as f64 / share_a_day) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_023_nothing_earned_is_nothing_said() {
        assert_eq!(break_even(&Ledger::default(), Usdc::whole(1_000), Usdc::whole(1), 3.0), None);
    }
}
