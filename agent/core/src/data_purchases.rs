//! What a life knows of the data it may buy: what is offered, what is on its way, and what is left of the float.
//!
//! A life buys nothing until its owner names a source. When something is bought follows from what was recorded: the
//! source's interval stretched by the phase, the day's cap, and the budget of the data partition (M-028). What comes back
//! is a stranger's word: it is remembered and compared, and nothing is ever ordered, bounded or sent by it.

use std::time::Duration;

use arrayvec::ArrayVec;
use golem_mortality::economic::day_spend::{DAILY_SPEND_CAP, DaySpend};
use golem_mortality::economic::tier::Tier;
use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{EffectId, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use crate::influence::Lean;
use crate::pass::Pass;
use crate::record::{
    BalanceReading, EffectKind, Event, Missed, Offered, Offers, Outcome, OutcomeResult, Partition, Partitions,
    PurchaseMade, PurchaseOccasion, SOURCES, SourceName, Unbought,
};
use crate::trader::{Trader, errands};

/// Draws on their way at once: one that is wanted, and those a reorganisation took back.
const DRAWS: usize = 4;
/// After a purchase that brought nothing, and after a draw that was refused: not at once again.
const RETRY: Duration = Duration::from_secs(900);

/// Purchases of a life.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DataPurchases {
    pub offers: Offers,
    /// What is known of each source that was ever tried, by name.
    shelf: ArrayVec<Place, SOURCES>,
    /// V-006. What was ever drawn into the key's wallet for data, less what is gone from there and paid nothing.
    drawn: Usdc,
    /// What was ever paid of it.
    paid: Usdc,
    draws: ArrayVec<(EffectId, Usdc), DRAWS>,
    draws_from: UtcTime,
    /// The UTC day the next number is of.
    day: u64,
    /// What purchases have cost on it.
    spent: Usdc,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    name: SourceName,
    /// Not bought before this.
    next: UtcTime,
    /// What is on its way, and the most it costs.
    pending: Option<(EffectId, Usdc)>,
}

impl DataPurchases {
    /// The first word of a source begins them; later ones change what is offered and forget nothing that is
    /// on its way.
    pub(crate) fn furnish(room: &mut Option<Box<Self>>, offers: &Offers) {
        match room {
            Some(data_purchases) => {
                data_purchases.offers = offers.clone();
                let is_offered = |place: &Place| offers.sources.iter().any(|offered| offered.name == place.name);
                data_purchases.shelf.retain(|place| place.pending.is_some() || is_offered(place));
            }
            None => *room = Some(Box::new(Self { offers: offers.clone(), ..Self::default() })),
        }
    }

    /// V-006. What was drawn for data and is not paid.
    #[must_use]
    pub const fn float(&self) -> Usdc {
        self.drawn.saturating_sub(self.paid)
    }

    /// What was spent on the UTC day of the last purchase.
    #[must_use]
    pub const fn spent_today(&self) -> Usdc {
        self.spent
    }

    /// Whether a purchase is on its way.
    #[must_use]
    pub fn is_buying(&self) -> bool {
        self.shelf.iter().any(|place| place.pending.is_some())
    }

    /// V-006. The data partition is worth what the vault holds of it and its share of the float: a draw changes nothing,
    /// a purchase does. Where the vault is down to the floor the float keeps nobody alive (T-002).
    pub(crate) fn count_float(&self, balance: &mut BalanceReading, floor: Usdc) {
        let BalanceReading::Observed(credits) = balance else { return };
        let [llm, gas, data, legacy] = Partition::ALL.map(|part| credits.get(part));
        if llm.saturating_add(gas).saturating_add(data) > floor {
            *credits = Partitions::observed([llm, gas, data.saturating_add(self.float()), legacy]);
        }
    }

    /// An outcome came: what was bought, or not, is told, and what left the float leaves the balance.
    pub(crate) fn land(&mut self, outcome: &Outcome, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        let own = trader.and_then(Trader::sight).map(|sight| sight.market.price);
        let paid = self.book(outcome, own, pass);
        // The look of this tick counted the float as it was before.
        if let BalanceReading::Observed(credits) = &mut pass.desk.balance {
            let [llm, gas, data, legacy] = Partition::ALL.map(|part| credits.get(part));
            *credits = Partitions::observed([llm, gas, data.saturating_sub(paid), legacy]);
        }
    }

    /// Answers what left the float.
    fn book(&mut self, outcome: &Outcome, own: Option<Usdc>, pass: &mut Pass<'_>) -> Usdc {
        let now = pass.now();
        if let Some(at) = self.draws.iter().position(|(effect, _)| *effect == outcome.effect) {
            let (_, amount) = self.draws.remove(at);
            match outcome.result {
                OutcomeResult::Refused { .. } => self.draws_from = now.plus(RETRY),
                _ => self.drawn = self.drawn.saturating_add(amount),
            }
            return Usdc::ZERO;
        }
        let is_it = |place: &&mut Place| place.pending.is_some_and(|(effect, _)| effect == outcome.effect);
        let Some(place) = self.shelf.iter_mut().find(is_it) else { return Usdc::ZERO };
        let most = place.pending.take().map_or(Usdc::ZERO, |(_, most)| most);
        let cost = outcome.cost.map_or(Usdc::ZERO, |(_, cost)| cost);
        let (name, before) = (place.name, self.float());
        self.paid = self.paid.saturating_add(cost);
        self.turn_day(now);
        self.spent = self.spent.saturating_add(cost);
        match &outcome.result {
            OutcomeResult::Bought(bought) => {
                let own = own.filter(|_| bought.reading.is_some());
                pass.say(Event::Bought(Box::new(PurchaseMade { bought: (**bought).clone(), cost, own })));
            }
            OutcomeResult::Unbought(why) => {
                if let Unbought::FloatShort { short } = why {
                    self.lose(*short, most);
                }
                self.miss(name, why.clone(), cost, pass);
            }
            _ => self.miss(name, Unbought::Refused, cost, pass),
        }
        before.saturating_sub(self.float())
    }

    /// V-006. The wallet lacked this much for a price of at most `most`: beside what is promised it holds no more than the
    /// rest of that price. What is missing is no float, or nothing would ever be drawn in its place.
    fn lose(&mut self, short: Usdc, most: Usdc) {
        let held = self.promised().saturating_add(most.saturating_sub(short));
        let float = self.float().saturating_sub(short).min(held);
        self.drawn = self.drawn.min(self.paid.saturating_add(float));
    }

    /// A purchase brought nothing: whose fault it is says how long nothing more is tried.
    fn miss(&mut self, name: SourceName, why: Unbought, cost: Usdc, pass: &mut Pass<'_>) {
        let now = pass.now();
        let host = self.offers.sources.iter().find(|offered| offered.name == name).map(|offered| offered.host.clone());
        let host = host.unwrap_or_default();
        match &why {
            Unbought::Cheated { until } | Unbought::Barred { until } => {
                for offered in self.offers.sources.clone().iter().filter(|offered| offered.host == host) {
                    self.put_off(offered.name, *until);
                }
            }
            // Money is gone that nobody here gave away: nothing more is put where it was until the day is over.
            Unbought::FloatShort { .. } => {
                self.draws_from = end_of_day(now);
                for offered in self.offers.sources.clone() {
                    self.put_off(offered.name, end_of_day(now));
                }
            }
            Unbought::Unknown | Unbought::Refused | Unbought::Unaffordable | Unbought::Suffering(_) => {
                self.put_off(name, now.plus(RETRY));
            }
        }
        pass.say(Event::Unbought(Box::new(Missed { source: name, host, cost, why })));
    }

    /// A draw that had landed has not; what it brought is not there until it lands again.
    pub(crate) fn take_back(&mut self, effect: EffectId, kind: &EffectKind, was_refused: bool) {
        if let EffectKind::DrawFloat { amount, .. } = kind
            && !self.draws.iter().any(|(known, _)| *known == effect)
        {
            if !was_refused {
                self.drawn = self.drawn.saturating_sub(*amount);
            }
            // Where there is no room to wait for it, it is never counted again: money too many harms nobody.
            let _ = self.draws.try_push((effect, *amount));
        }
    }

    fn place(&mut self, name: SourceName) -> Option<&mut Place> {
        if !self.shelf.iter().any(|place| place.name == name) {
            let _ = self.shelf.try_push(Place { name, next: UtcTime::EPOCH, pending: None });
        }
        self.shelf.iter_mut().find(|place| place.name == name)
    }

    fn put_off(&mut self, name: SourceName, until: UtcTime) {
        if let Some(place) = self.place(name) {
            place.next = place.next.max(until);
        }
    }

    fn turn_day(&mut self, now: UtcTime) {
        // A clock that runs backwards opens no new day: yesterday's cap is not spent twice.
        if now.day() > self.day {
            (self.day, self.spent) = (now.day(), Usdc::ZERO);
        }
    }

    /// What purchases on their way may still cost.
    fn promised(&self) -> Usdc {
        self.shelf.iter().filter_map(|place| place.pending).map(|(_, most)| most).sum()
    }

    fn left_today(&self) -> Usdc {
        self.offers.per_day.saturating_sub(self.spent).saturating_sub(self.promised())
    }

    /// The source whose time has come and that fits, the longest overdue first, then in the owner's order.
    fn due(&self, trader: &Trader, now: UtcTime, fits: impl Fn(&Offered) -> bool) -> Option<Offered> {
        let is_worth = |offered: &&Offered| match offered.when {
            PurchaseOccasion::Always => true,
            PurchaseOccasion::Exposed => trader.open_positions() > 0,
            PurchaseOccasion::Volatile => trader.regime_name() == "volatile",
        };
        let since = |offered: &Offered| match self.shelf.iter().find(|place| place.name == offered.name) {
            Some(place) if place.pending.is_some() || place.next > now => None,
            Some(place) => Some(place.next),
            None => Some(UtcTime::EPOCH),
        };
        let due = self.offers.sources.iter().filter(is_worth).filter(|offered| fits(offered));
        let due = due.filter_map(|offered| Some((since(offered)?, offered)));
        due.min_by_key(|(since, _)| *since).map(|(_, offered)| offered.clone())
    }
}

/// M-129, M-130, M-132. How much longer than a thriving Golem a phase lives on what it has: a stable one keeps its data
/// twice as long, each poorer one twice as long again, and in Terminal nothing is bought.
const fn stretch(phase: Phase) -> Option<u64> {
    match phase {
        Phase::Thriving => Some(1),
        Phase::Stable => Some(2),
        Phase::Conservation => Some(4),
        Phase::Declining => Some(8),
        Phase::Terminal => None,
    }
}

/// R-033, M-028. Wants at most one purchase, or the float for it.
pub(crate) fn provision(
    data_purchases: &mut DataPurchases,
    trader: &Trader,
    lean: &Lean<'_>,
    vitals: &Vitals,
    pass: &mut Pass<'_>,
) {
    let now = pass.now();
    data_purchases.turn_day(now);
    if pass.is_apart {
        return;
    }
    let Some(vault) = trader.vault().filter(|vault| vault.barred.is_none() && !trader.is_blind()) else { return };
    let Some(times) = stretch(vitals.phase()) else { return };
    let (credits, spendable) = (vault.credits.get(Partition::Data), vault.spendable_today[Partition::Data as usize]);
    // M-036. A day whose spending is over buys nothing either.
    let is_over = DaySpend::of(vitals.economic().purse().spent_today(), DAILY_SPEND_CAP).ceiling() == Tier::T0;
    if is_over {
        return;
    }
    let (left, free) = (data_purchases.left_today(), data_purchases.float().saturating_sub(data_purchases.promised()));
    // What the day no longer bears, or only a draw that cannot be made now, keeps nothing else waiting.
    let can_draw = data_purchases.draws.is_empty() && now >= data_purchases.draws_from && has_gas(trader);
    let bound = if can_draw { left } else { left.min(free) };
    let Some(due) = data_purchases.due(trader, now, |offered| offered.at_most <= bound) else { return };
    // Asked once something is due, so that each refusal is told once: neither the purchase nor the draw for it is wanted.
    if let Some(band) = lean.closes_purchases(trader) {
        data_purchases.miss(due.name, Unbought::Suffering(band), Usdc::ZERO, pass);
        return;
    }
    if free >= due.at_most {
        // A shelf full of what is still on its way takes nothing more.
        let Some(place) = data_purchases.place(due.name) else { return };
        let kind = EffectKind::Buy { source: due.name };
        match pass.ask_up_to(kind, due.at_most, vitals) {
            Some(effect) => {
                place.pending = Some((effect, due.at_most));
                place.next = now.plus(Duration::from_secs(due.every_seconds.saturating_mul(times)));
            }
            None => place.next = now.plus(RETRY),
        }
        return;
    }
    // A draw costs gas, so it fills the float for what the day may still cost, as far as the vault lets it.
    let short = due.at_most.saturating_sub(free);
    let room = data_purchases.offers.float_cap.saturating_sub(data_purchases.float());
    let most =
        credits.min(spendable).min(data_purchases.offers.call_cap).min(room).min(above_floor(&vault.credits, vitals));
    if short > most {
        data_purchases.miss(due.name, Unbought::Unaffordable, Usdc::ZERO, pass);
        return;
    }
    let amount = left.saturating_sub(free).max(short).min(most);
    let kind = EffectKind::DrawFloat { partition: Partition::Data, amount };
    match pass.ask(kind, vitals) {
        Some(effect) => data_purchases.draws.push((effect, amount)),
        None => data_purchases.draws_from = now.plus(RETRY),
    }
}

/// T-002. What may leave the partitions that pay for operation and leave them above the floor: where the vault is down to
/// it the float keeps nobody alive.
fn above_floor(credits: &Partitions, vitals: &Vitals) -> Usdc {
    let [llm, gas, data] = [Partition::Llm, Partition::Gas, Partition::Data].map(|part| credits.get(part));
    let kept = vitals.law().starvation_floor.saturating_add(Usdc::from_micros(1));
    llm.saturating_add(gas).saturating_add(data).saturating_sub(kept)
}

/// L-025. A draw never takes the gas of reports.
fn has_gas(trader: &Trader) -> bool {
    let kept = errands::beat_wei(trader).saturating_mul(errands::BEATS_KEPT);
    trader.vault().is_some_and(|vault| vault.key_wei > kept)
}

/// The end of a moment's UTC day.
fn end_of_day(now: UtcTime) -> UtcTime {
    UtcTime::from_seconds(now.day().saturating_add(1).saturating_mul(UtcTime::DAY_SECONDS))
}
