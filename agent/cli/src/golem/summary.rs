//! A life in a few words: what it has, what it made, what it costs, how long that lasts, and what it waits for.

use std::time::Duration;

use golem_core::books::Books;
use golem_core::life::{Body, Life};
use golem_core::record::Bar;
use golem_core::trade::usdc_for;
use golem_core::trader::Trader;
use golem_mortality::behaviour::{ActionKind, Behaviour};
use golem_primitives::{Tick, Usdc};
use golem_runtime::Held;

use super::{break_even, look};
use crate::screen;

/// A life that is told of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summary<'a>(pub(crate) &'a Life);

impl Summary<'_> {
    /// Where it stands, as the first line of a screen says it.
    pub(crate) fn standing(&self) -> String {
        let life = self.0;
        let vitals = life.vitals();
        match life.death() {
            Some(death) => format!("{} of {}, tick {}", look::standing(life), death.cause.kind().name(), life.tick()),
            None => format!(
                "{}, {} (vitality {}), tick {}",
                look::standing(life),
                vitals.phase(),
                vitals.vitality().composite,
                life.tick()
            ),
        }
    }

    /// What its capital is, and what its credits are.
    pub(crate) fn has(&self) -> Vec<String> {
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
        let (held, price) = (Held::of(trader)?, trader.sight()?.market.price);
        let token = held.token.saturating_add(held.pooled);
        let equity = money(held.equity(price));
        Some(match token {
            0 => format!("{equity} of capital, all of it in USDC"),
            _ => format!(
                "{equity} of capital: {} in USDC, {} worth {} at {}",
                money(held.usdc),
                screen::weth(token),
                money(usdc_for(price, token)),
                money(price)
            ),
        })
    }

    /// What it made: of round trips that closed, and after everything that living cost.
    pub(crate) fn made(&self) -> Option<String> {
        let ledger = self.0.trader()?.ledger();
        let earned = ledger.earned();
        let trips = match earned.closed {
            0 => "nothing closed yet".to_owned(),
            closed => format!("{} of {closed} round trips won, {}", earned.won, signed(earned.net_micros)),
        };
        Some(format!("{trips}; after everything living cost {}", signed(ledger.net_micros())))
    }

    /// What a day costs and how long its credits last at that.
    pub(crate) fn costs(&self) -> String {
        let economic = self.0.vitals().economic();
        let per_day = economic.burn().per_day();
        if per_day.is_zero() {
            return "nothing yet".to_owned();
        }
        let even = self.0.trader().and_then(|trader| {
            let days = self.0.tick().get() as f64 * Tick::NOMINAL_SECONDS as f64 / 86_400.0;
            break_even::lived(trader.ledger(), trader.vault()?.capital, per_day, days)
        });
        let even = even.map(|capital| format!("; {} of capital would earn that at its rate so far", money(capital)));
        format!("{per_day} a day; its credits last {}{}", span(economic.ttl_ticks()), even.unwrap_or_default())
    }

    /// What it waits for, and why.
    pub(crate) fn waits(&self, name: &str) -> String {
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
        let said = match trader.predictions().len() {
            0 => String::new(),
            1 => "; one thing it said of the future is open".to_owned(),
            count => format!("; {count} things it said of the future are open"),
        };
        let (book, regime) = (trader.book_name(), trader.regime_name());
        format!("for a rule of its book to wake ({book}, the market: {regime}){said}")
    }

    /// All of it in a line, as a life tells of itself now and then.
    pub(crate) fn line(&self, name: &str) -> String {
        let life = self.0;
        let economic = life.vitals().economic();
        let capital = life.trader().and_then(|trader| Some((Held::of(trader)?, trader.sight()?.market.price)));
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

/// USDC to the cent, as people speak; less than a cent is told whole.
pub(crate) fn money(usdc: Usdc) -> String {
    let cents = usdc.micros() / 10_000;
    if cents == 0 { usdc.to_string() } else { format!("{}.{:02} USDC", cents / 100, cents % 100) }
}

/// A gain or a loss, with its sign.
pub(crate) fn signed(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "+" };
    format!("{sign}{}", money(Usdc::from_micros(micros.unsigned_abs())))
}

/// A number of ticks as a span that people speak of.
pub(crate) fn span(ticks: u64) -> String {
    match ticks {
        u64::MAX => "as long as nothing burns".to_owned(),
        _ => lapse(Duration::from_secs(ticks.saturating_mul(86_400 / Tick::PER_DAY))),
    }
}

/// A span in its largest unit of which there are two.
pub(crate) fn lapse(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7_200 => format!("{} minutes", seconds / 60),
        7_200..172_800 => format!("{} hours", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o_004_amounts_and_spans_are_told_as_people_speak() {
        let told = [0, 1, 9_999, 10_000, 1_234_567_891].map(|micros| money(Usdc::from_micros(micros)));
        assert_eq!(told, ["0.00 USDC", "0.000001 USDC", "0.009999 USDC", "0.01 USDC", "1234.56 USDC"]);
        assert_eq!([signed(-340_000), signed(0)], ["-0.34 USDC", "+0.00 USDC"]);
        let day = Tick::PER_DAY;
        let spans = [day / 48, day / 4, day, 2 * day, 435 * day, u64::MAX].map(span);
        assert_eq!(spans, ["30 minutes", "6 hours", "24 hours", "2 days", "435 days", "as long as nothing burns"]);
    }
}
