//! The hand of a Golem: what it saw, what it wants, what is on its way, what it said of the future.

mod bars;
pub(crate) mod decide;
mod deliberate;
pub(crate) mod errands;
mod foresight;
mod pools;
mod rulebook;
pub(crate) mod setting;
mod swap_gas;
mod toward;

use arrayvec::ArrayVec;
use golem_daimon::modulation::youth;
use golem_grimoire::regime::Regime;
use golem_mortality::epistemic::domain::MarketState;
use golem_playbook::Book;
use golem_playbook::rule::Rule;
use golem_playbook::understanding::Understanding;
use golem_primitives::{EffectId, PoolName, Ppm, Tick, Usdc};
use serde::{Deserialize, Serialize};

use crate::death::progress::Dying;
use crate::ledger::{Ledger, LedgerLine, OrderTerms};
use crate::record::{
    Bar, CauseKind, ChainLife, CladeNews, DreamTier, EffectKind, KillOrder, MOST_RULES, MOST_SIBLING_RULES,
    MarketStain, Order, Outcome, OutcomeResult, Partition, Partitions, Prediction, Reason, Received, Searcher, Sight,
    VaultReading,
};
use crate::window::{PriceWindow, regime_in, regime_name};

pub use errands::ALLOCATE_LEAST;
pub(crate) use pools::PoolHand;
pub use pools::TriedIn;
pub use rulebook::{BookName, BookNameError, Foundation};
pub(crate) use rulebook::{Outlook, Restraint, Rulebook};
pub use swap_gas::SWAP_GAS;
use swap_gas::SwapGas;

/// Predictions that can be open at once.
pub const OPEN_PREDICTIONS: usize = 32;
/// Errands that can be on their way at once: one of each kind, and a trade in each pool.
const FLIGHTS: usize = 16;

/// Ticks after which an entry that was refused is tried again, and an exit.
const REFUSED_TICKS: u64 = 10;
const EXIT_TICKS: u64 = 2;

/// Ticks after which a belief about the price is judged at the latest, wherever it stands.
pub const HORIZON_TICKS: u64 = 200;

/// What is worth less is dust.
const DUST: Usdc = Usdc::from_micros(10_000);

/// What an owner chose for the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraderSettings {
    /// The share of capital its book may use; the vault bounds each trade again (V-011).
    pub stake: Ppm,
    /// What the machine costs a tick.
    pub host_per_tick: Usdc,
}

impl Default for TraderSettings {
    fn default() -> Self {
        Self { stake: Ppm::of(50_000), host_per_tick: Usdc::from_micros(100) }
    }
}

/// The state of the hand; part of the life, and so of its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trader {
    pub settings: TraderSettings,
    /// P-050. The pool that its regime, understanding and forecasts are of, and what it acts by there.
    pub(crate) home: PoolHand,
    /// P-057. The other pools its owner listed.
    pub(crate) elsewhere: Vec<PoolHand>,
    /// P-009, P-057. What it is founded on, also in a pool that it takes up later.
    pub(crate) foundation: Box<Foundation>,
    /// I-007. It goes on for a line that tried rules before it.
    is_heir: bool,
    pub(crate) window: PriceWindow,
    pub(crate) sight: Option<Box<Sight>>,
    pub(crate) is_blind: bool,
    /// P-070, P-071. A dream of this tier is over and was not followed in the record yet.
    pub(crate) dreamt: Option<DreamTier>,
    /// P-073. The Curator was here and counted trips were not gone over yet.
    pub(crate) is_curated: bool,
    /// P-074, P-075. What models and siblings proposed and was not taken to the book yet.
    pub(crate) proposed: Vec<Proposal>,
    pub(crate) forecast: Option<MarketState>,
    pub(crate) usual_base_fee: u64,
    /// P-020. What its own swaps used of gas.
    swap_gas: SwapGas,
    /// P-060, P-062. What it believes of its market, what it claimed and what came.
    pub understanding: Box<Understanding>,
    pub predictions: ArrayVec<Prediction, OPEN_PREDICTIONS>,
    pub(crate) next_number: u64,
    pub(crate) flights: ArrayVec<Flight, FLIGHTS>,
    /// What the host is owed.
    pub owed: Usdc,
    /// V-009. Whether the chain has not yet got the split that Declining asks for.
    pub(crate) owes_split: bool,
    /// Before this tick nothing is entered; exits go on (P-053).
    pub(crate) rests_until: Tick,
    pub(crate) ledger: Ledger,
    pub(crate) dying: Option<Dying>,
    /// T-004. What its owner received of it.
    received: Option<Box<Received>>,
}

/// P-074, P-075. Rules of each searcher that wait to be tried: those of one reflection and one dream, or of one tick's siblings.
const PROPOSED: usize = 2 * MOST_RULES;

/// A rule that somebody else proposes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Proposal {
    pub(crate) by: Searcher,
    pub(crate) rule: Rule,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flight {
    pub(crate) effect: EffectId,
    pub(crate) kind: EffectKind,
}

impl Flight {
    pub(crate) const fn order(&self) -> Option<Order> {
        match self.kind {
            EffectKind::Trade(order) => Some(order),
            _ => None,
        }
    }
}

impl Trader {
    /// A hand that has seen nothing yet.
    #[must_use]
    pub fn new(settings: TraderSettings, mut foundation: Foundation) -> Self {
        let elsewhere = foundation.elsewhere.iter().map(|pool| PoolHand::new(*pool, &foundation)).collect();
        let home = PoolHand::new(foundation.home, &foundation);
        // The hands have what the line tried.
        let is_heir = !std::mem::take(&mut foundation.line).is_empty();
        Self {
            settings,
            home,
            elsewhere,
            foundation: Box::new(foundation),
            is_heir,
            window: PriceWindow::default(),
            sight: None,
            is_blind: false,
            dreamt: None,
            is_curated: false,
            proposed: Vec::new(),
            forecast: None,
            usual_base_fee: 0,
            swap_gas: SwapGas::default(),
            understanding: Box::default(),
            predictions: ArrayVec::new(),
            next_number: 0,
            flights: ArrayVec::new(),
            owed: Usdc::ZERO,
            owes_split: false,
            rests_until: Tick::new(0),
            ledger: Ledger::default(),
            dying: None,
            received: None,
        }
    }

    /// P-074. What was proposed waits for the next look. Who cannot look for long has the newest of each: a list that only grows
    /// would take a block of places when he sees again.
    pub(crate) fn propose<'a>(&mut self, by: Searcher, rules: impl IntoIterator<Item = &'a Rule>) {
        self.proposed.extend(rules.into_iter().map(|rule| Proposal { by, rule: rule.clone() }));
        let mut surplus = self.proposed.iter().filter(|one| one.by == by).count().saturating_sub(PROPOSED);
        self.proposed.retain(|one| {
            let is_surplus = one.by == by && surplus > 0;
            surplus -= usize::from(is_surplus);
            !is_surplus
        });
    }

    /// P-075, I-340. What siblings act by waits to be tried as a model's proposals do; the markets they died of are remembered
    /// where this life trades in the same pool.
    pub(crate) fn hear_siblings(&mut self, news: &CladeNews) {
        self.propose(Searcher::Sibling, news.rules.iter().take(MOST_SIBLING_RULES).map(|told| &told.rule));
        for told in &news.stains {
            if let Some(hand) = self.pools_mut().find(|one| one.pool == told.pool) {
                hand.rulebook.hear_of_death(&told.stain);
            }
        }
    }

    /// I-340. The marks its markets would leave if it died of this now.
    #[must_use]
    pub fn market_stains(&self, died_of: CauseKind) -> Vec<(PoolName, MarketStain)> {
        let stain = |one: &PoolHand| Some((one.pool, one.rulebook.own_hand()?.clone().market_stain(died_of)?));
        self.pools().filter_map(stain).collect()
    }

    /// What its book is called.
    #[must_use]
    pub const fn book_name(&self) -> BookName {
        self.home.rulebook.name
    }

    /// The rules it acts by, those it is founded on before its first look. A rule of several pools is among them for each.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.pools().flat_map(|one| one.rulebook.rules())
    }

    /// P-001. What it acts by now: the rules that move money or take away, and before any does those it is founded on. What
    /// acts in one pool among several is written with its pool; names stay unique by it (P-006).
    #[must_use]
    pub fn acts_by(&self) -> Book {
        let mut book = self.home.rulebook.acts_by();
        for one in &self.elsewhere {
            for rule in one.rulebook.acts_by().rules {
                if book.rules.iter().any(|known| known.name == rule.name && known.means(&rule)) {
                    continue;
                }
                let is_taken = book.rules.iter().any(|known| known.name == rule.name);
                let name = if is_taken { format!("{}-{}", rule.name, one.pool) } else { rule.name };
                book.rules.push(Rule { name, pool: rule.pool.or(Some(one.pool)), ..rule });
            }
        }
        book
    }

    /// P-020. Units of gas that a swap of this life uses, by its own receipts.
    #[must_use]
    pub const fn swap_gas(&self) -> u64 {
        self.swap_gas.units()
    }

    /// I-007. How much more it explores at that tick than it will later: the young of a line do.
    pub(crate) const fn youth(&self, tick: Tick) -> Ppm {
        if self.is_heir { youth(tick) } else { Ppm::ZERO }
    }

    /// The last look at the chain.
    #[must_use]
    pub fn sight(&self) -> Option<&Sight> {
        self.sight.as_deref()
    }

    /// The vault at the last look.
    #[must_use]
    pub fn vault(&self) -> Option<&VaultReading> {
        self.sight.as_ref()?.vault.as_ref()
    }

    /// Whether the chain cannot be seen now.
    #[must_use]
    pub const fn is_blind(&self) -> bool {
        self.is_blind
    }

    /// What its round trips came to.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// T-004. What its owner received of it, once its death is settled by its own act.
    #[must_use]
    pub fn received(&self) -> Option<&Received> {
        self.received.as_deref()
    }

    /// M-191. Why the last trade of its settlement was refused, while nothing was sold since.
    #[must_use]
    pub fn why_in_kind(&self) -> Option<&str> {
        self.dying.as_ref()?.why.as_deref()
    }

    /// T-007. The regime its market is in, in one word.
    #[must_use]
    pub fn regime_name(&self) -> &'static str {
        regime_name(&self.window)
    }

    /// G-135. The same in the Grimoire's words.
    #[must_use]
    pub fn regime(&self) -> Option<Regime> {
        regime_in(&self.window)
    }

    pub(crate) fn capital(&self) -> Option<Usdc> {
        self.vault().map(|vault| vault.capital)
    }

    /// Takes in a look; answers the credits as the economic clock shall know them.
    pub(crate) fn see(&mut self, sight: &Sight, floor: Usdc) -> Option<Partitions> {
        self.window.push(sight.market.price);
        self.usual_base_fee = match self.usual_base_fee {
            0 => sight.market.base_fee_wei,
            // A slow mean in integers: a fiftieth of the way at each look.
            usual => usual - usual / 50 + sight.market.base_fee_wei / 50,
        };
        self.count_volumes(sight);
        self.sight = Some(Box::new(sight.clone()));
        let vault = sight.vault.as_ref()?;
        Some(self.operating(vault, floor))
    }

    /// T-002. Legacy pays for no operation (M-032): once the three partitions that do are down to the floor and the host
    /// cannot be paid out of them, legacy keeps nobody alive.
    fn operating(&self, vault: &VaultReading, floor: Usdc) -> Partitions {
        let credits = &vault.credits;
        let [llm, gas, data] = [Partition::Llm, Partition::Gas, Partition::Data].map(|part| credits.get(part));
        let left = llm.saturating_add(gas).saturating_add(data);
        let starves = left <= floor && self.owed > left;
        let legacy = if starves { Usdc::ZERO } else { credits.get(Partition::Legacy) };
        Partitions::observed([llm, gas, data, legacy])
    }

    /// Who wants this Golem dead, as the chain tells it: a kill needs no message but the transaction (T-001).
    pub(crate) fn ordered_to_die(&self) -> Option<KillOrder> {
        let elsewhere = || {
            Reason::new("declared on chain by somebody else with its key").map(KillOrder::Switch).expect("it is short")
        };
        match &self.vault()?.life {
            ChainLife::Alive => None,
            ChainLife::Dying { order, .. } | ChainLife::Dead { order } => Some(order.clone().unwrap_or_else(elsewhere)),
        }
    }

    /// Why the vault takes nothing from this key.
    pub(crate) fn bar(&self) -> Option<Bar> {
        self.vault()?.barred
    }

    pub(crate) fn owe(&mut self, amount: Usdc) {
        self.owed = self.owed.saturating_add(amount);
    }

    pub(crate) fn fly(&mut self, effect: EffectId, kind: EffectKind) {
        if self.flights.is_full() {
            self.flights.remove(0);
        }
        self.flights.push(Flight { effect, kind });
    }

    /// What was told is not so: it is on its way again, and what it had paid is owed again.
    pub(crate) fn take_back(&mut self, effect: EffectId, kind: EffectKind, was_refused: bool) {
        if let (EffectKind::PayHost { amount, .. }, false) = (kind, was_refused) {
            self.owed = self.owed.saturating_add(amount);
        }
        self.ledger.take_back(effect);
        if !self.flights.iter().any(|flight| flight.effect == effect) {
            self.fly(effect, kind);
        }
    }

    /// P-053. Whether the hand may move. A rest after a refusal, a counsel or a model's word holds entries alone; an exit waits
    /// for a trade on its way in its own pool, and a moment after it was itself refused. Entries wait for all of them: there
    /// is one budget (P-057).
    pub(crate) fn is_free(&self, order: Option<&Order>, tick: Tick) -> bool {
        match order {
            Some(order) if !order.raises_exposure() => {
                let pool = order.pool();
                let flies = |kind: &EffectKind| matches!(kind, EffectKind::Trade(trade) if trade.pool() == pool);
                tick >= self.hand_in(pool).exits_from && !self.flies(flies)
            }
            _ => tick >= self.rests_until && !self.flies(|kind| matches!(kind, EffectKind::Trade(_))),
        }
    }

    /// Rests after an order came to nothing.
    pub(crate) fn rest(&mut self, order: &Order, ticks: u64, tick: Tick) {
        if order.raises_exposure() {
            self.rests_until = tick.saturating_add(ticks);
        } else {
            self.hand_in_mut(order.pool()).exits_from = tick.saturating_add(ticks.min(EXIT_TICKS));
        }
    }

    /// Whether an errand like this is on its way.
    pub(crate) fn flies(&self, like: impl Fn(&EffectKind) -> bool) -> bool {
        self.flights.iter().any(|flight| like(&flight.kind))
    }

    /// A trade as the ledger takes it.
    fn deal(&self, order: Order) -> OrderTerms {
        let market = self.sight().and_then(|sight| sight.market_of(order.pool()));
        OrderTerms {
            order,
            fee_ppm: market.map_or(0, |market| market.fee_ppm),
            token: market.map_or(0, |market| market.token),
        }
    }

    /// An outcome came: what was on its way is no longer. Answers what a trade that landed is in the ledger.
    pub(crate) fn land(&mut self, outcome: &Outcome, tick: Tick) -> Option<(Order, LedgerLine)> {
        let known = self.flights.iter().position(|flight| flight.effect == outcome.effect);
        let flight = known.map(|at| self.flights.remove(at));
        let order = flight.and_then(|flight| flight.order());
        let deal = order.map(|order| self.deal(order));
        let line = self.ledger.land(deal, outcome, tick);
        let flight = flight?;
        let refused = matches!(outcome.result, OutcomeResult::Refused { .. });
        let failed = match &outcome.result {
            OutcomeResult::Refused { reason } => Some(reason.as_str()),
            OutcomeResult::Verified(record) if !record.receipt.success => Some("it reverted on chain"),
            _ => None,
        };
        match flight.kind {
            EffectKind::Trade(order) => {
                if let (Order::Buy { .. } | Order::Sell { .. }, OutcomeResult::Verified(record)) =
                    (order, &outcome.result)
                    && record.receipt.success
                {
                    self.swap_gas.learn(record.receipt.gas_used);
                }
                if failed.is_some() {
                    self.hand_in_mut(order.pool()).rulebook.refused();
                }
                // A refused trade is not tried again at once: what the venue or the vault refused it will refuse again.
                if refused {
                    self.rest(&order, REFUSED_TICKS, tick);
                } else {
                    self.rests_until = tick.next();
                    self.hand_in_mut(order.pool()).exits_from = tick.next();
                }
            }
            // Once: what the vault refuses now the next phase asks for anew.
            EffectKind::ResplitCredits { .. } => self.owes_split = false,
            EffectKind::PayHost { amount, .. } if !refused => self.owed = self.owed.saturating_sub(amount),
            _ => {}
        }
        if let Some(dying) = &mut self.dying {
            dying.land(flight.kind, failed);
        }
        if let OutcomeResult::Settled(received) = &outcome.result {
            let why = self.why_in_kind().filter(|_| received.is_in_kind()).map(str::to_owned);
            self.received = Some(Box::new(Received { why_in_kind: why, ..(**received).clone() }));
        }
        order.zip(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P-074, P-075: what models and siblings proposed to one who cannot look is kept as far as a reflection and a dream go, the
    /// newest, and neither pushes out the other's.
    #[test]
    fn p_074_what_waits_to_be_tried_is_bounded() {
        let foundation = Foundation::shipped("mean-reversion").expect("it ships");
        let rule = foundation.book.rules[0].clone();
        let mut trader = Trader::new(TraderSettings::default(), foundation);
        let named = |name: u32| Rule { name: format!("model-{name}"), ..rule.clone() };
        for turn in 0..5 {
            trader.propose(Searcher::Model, &[named(3 * turn), named(3 * turn + 1), named(3 * turn + 2)]);
            trader.propose(Searcher::Sibling, &[named(1_000 + turn)]);
        }
        let names = |by| {
            let theirs = trader.proposed.iter().filter(|one| one.by == by);
            theirs.map(|one| one.rule.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(names(Searcher::Model), ["model-11", "model-12", "model-13", "model-14"]);
        assert_eq!(names(Searcher::Sibling), ["model-1001", "model-1002", "model-1003", "model-1004"]);
    }
}
