//! The agent's own books of the four partitions and of the capital, beside the vault's.
//!
//! What this life itself spent is known from its own outcomes; what others gave, moved or locked away is known from the
//! vault's log. The two together say, to the last unit, what the vault must hold whenever no own spending is open. A
//! difference is an alarm: somebody else spent with this key, an effect landed twice, or one of the two is wrong. Until it
//! is explained nothing more is paid: whoever pays by wrong books pays twice.

use arrayvec::ArrayVec;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

use crate::budget::OPEN_EFFECTS;
use crate::pass::Pass;
use crate::record::{
    Bar, ChainLife, Effect, EffectKind, Event, Inflows, Outcome, OutcomeResult, Partition, VaultReading,
};
use crate::trader::Trader;

/// The books of a life that has a vault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Books {
    /// The block up to which the vault's log is taken in for good.
    pub settled_to: Option<u64>,
    /// What each partition holds by these books, in micro-USDC and without what is too young to be certain; `None` until
    /// there was a look with nothing open.
    held: Option<[i64; 4]>,
    /// Own spending on its way.
    open: ArrayVec<(EffectId, EffectKind), OPEN_EFFECTS>,
    /// The differences at the last comparison: told when they stand at two looks, so that a node that answers the look and
    /// not yet the log alarms nobody.
    seen: [i64; 4],
    /// The differences already told, so that each is told once.
    told: [i64; 4],
    /// What the capital would be had no round trip closed, in micro-USDC; `None` until there was a look with no trade on
    /// its way.
    capital: Option<i64>,
    /// The difference between the ledger and the vault's books of the capital, at the last look and as it was told.
    capital_apart: Apart,
}

/// A difference at the last comparison, and the one that was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Apart {
    seen: i64,
    told: i64,
}

impl Books {
    /// Notes own spending that is wanted.
    pub(crate) fn watch(&mut self, effects: &[Effect]) {
        for effect in effects.iter().filter(|effect| moves(&effect.kind).is_some()) {
            self.await_again(effect.id, effect.kind);
        }
    }

    fn await_again(&mut self, effect: EffectId, kind: EffectKind) {
        if self.open.is_full() {
            self.open.remove(0);
        }
        self.open.push((effect, kind));
    }

    /// An outcome came: what was done is booked.
    pub(crate) fn land(&mut self, outcome: &Outcome) {
        let Some(at) = self.open.iter().position(|(effect, _)| *effect == outcome.effect) else { return };
        let (_, kind) = self.open.remove(at);
        if !matches!(outcome.result, OutcomeResult::Refused { .. }) {
            self.book(&kind, 1);
        }
    }

    /// Whether the last comparison found a difference, or the one before did and nobody has confirmed that it is gone.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.held.is_some() && (self.seen != [0; 4] || self.told != [0; 4])
    }

    /// What was told is not so. What was paid comes back until it lands again; a refusal had taken nothing.
    pub(crate) fn take_back(&mut self, effect: EffectId, kind: &EffectKind, was_refused: bool) {
        if moves(kind).is_some() && !self.open.iter().any(|(known, _)| *known == effect) {
            if !was_refused {
                self.book(kind, -1);
            }
            self.await_again(effect, *kind);
        }
    }

    fn book(&mut self, kind: &EffectKind, sign: i64) {
        let (Some(held), Some(change)) = (&mut self.held, moves(kind)) else { return };
        for (held, change) in held.iter_mut().zip(change) {
            *held = held.saturating_add(sign * change);
        }
    }

    /// V-003. Takes in what the vault's log says since the last look and, when no own spending is open, compares.
    pub(crate) fn compare(&mut self, log: &Inflows, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        let was_apart = self.is_apart();
        if let Some(vault) = self.is_due(log, trader) {
            self.settled_to = Some(log.settled_to);
            self.take_in(log, vault, pass);
            self.weigh(log, vault, trader, pass);
        }
        match (was_apart, self.is_apart()) {
            (false, true) => pass.say(Event::PaymentsPaused),
            (true, false) => pass.say(Event::PaymentsResumed),
            _ => {}
        }
    }

    /// Whether this log goes on where the last one ended; then the vault it is of.
    fn is_due<'a>(&mut self, log: &Inflows, trader: Option<&'a Trader>) -> Option<&'a VaultReading> {
        let sight = trader.and_then(Trader::sight).filter(|sight| sight.block.number == log.at)?;
        let vault = sight.vault.as_ref()?;
        match log.after {
            // Nobody can read back that far any more: the books begin again.
            None => (self.held, self.capital) = (None, None),
            after if after != self.settled_to => return None,
            Some(_) => {}
        }
        Some(vault)
    }

    /// V-014. The capital by the vault's books against what was put in and what round trips gained by the ledger. A
    /// difference is told and stops nobody: exits need no books.
    fn weigh(&mut self, log: &Inflows, vault: &VaultReading, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        let Some(trader) = trader else { return };
        if let Some(capital) = &mut self.capital {
            *capital = capital.saturating_add(log.capital[0]);
        }
        let is_comparable = vault.life == ChainLife::Alive && vault.barred != Some(Bar::KeyRotated);
        if !is_comparable {
            self.capital = None;
        }
        if !is_comparable || log.at < log.settled_to || trader.flies(|kind| matches!(kind, EffectKind::Trade(_))) {
            return;
        }
        let booked =
            vault.positions.iter().map(|position| position.book).fold(vault.tokens_cost(), Usdc::saturating_add);
        let chain = micros(vault.idle.saturating_add(booked));
        let gained = trader.ledger().earned().gain_micros.saturating_add(log.capital[1]);
        let Some(capital) = self.capital else {
            (self.capital, self.capital_apart) = (Some(chain.saturating_sub(gained)), Apart::default());
            return;
        };
        let ours = capital.saturating_add(gained);
        let apart = chain.saturating_sub(ours);
        let was = std::mem::replace(&mut self.capital_apart.seen, apart);
        if apart == was && apart != self.capital_apart.told {
            if apart != 0 {
                pass.say(Event::CapitalDiffers { ours: usdc(ours), chain: usdc(chain) });
            }
            self.capital_apart.told = apart;
        }
    }

    fn take_in(&mut self, log: &Inflows, vault: &VaultReading, pass: &mut Pass<'_>) {
        // M-046, M-047. What is settled is told once: the next log begins behind it.
        if log.after.is_some() {
            pass.desk.funded = pass.desk.funded.saturating_add(log.funded);
            pass.desk.revenue = pass.desk.revenue.saturating_add(log.earned);
        }
        let is_cut_anew = log.is_resplit[0];
        if let Some(held) = &mut self.held {
            add(held, &log.settled);
        }
        let is_comparable = vault.life == ChainLife::Alive && vault.barred != Some(Bar::KeyRotated);
        // A look from before what is settled is an old node's.
        let is_old = log.at < log.settled_to;
        if !is_comparable || is_cut_anew {
            // Splitting anew moves between partitions by the vault's own arithmetic: the books begin again behind it.
            self.held = None;
        }
        // Whatever else is open moves no credits, or the log tells what it moved.
        if !is_comparable || is_old || log.is_resplit[1] || !self.open.is_empty() {
            return;
        }
        match self.held {
            Some(mut ours) => {
                add(&mut ours, &log.recent);
                self.tell(ours, vault, pass);
            }
            // What was wanted before there were books may still land, and nobody here would know of it.
            None if !pass.desk.holds.is_empty() => {}
            None => {
                let mut held = holds(vault);
                log.recent.iter().zip(&mut held).for_each(|(young, held)| *held = held.saturating_sub(*young));
                (self.held, self.seen, self.told) = (Some(held), [0; 4], [0; 4]);
            }
        }
    }

    fn tell(&mut self, ours: [i64; 4], vault: &VaultReading, pass: &mut Pass<'_>) {
        let chain = holds(vault);
        for partition in Partition::ALL {
            let place = partition as usize;
            let apart = chain[place].saturating_sub(ours[place]);
            let was = std::mem::replace(&mut self.seen[place], apart);
            if apart != was {
                continue;
            }
            if apart != 0 && apart != self.told[place] {
                pass.say(Event::LedgerDiffers { partition, ours: usdc(ours[place]), chain: usdc(chain[place]) });
            }
            self.told[place] = apart;
        }
    }
}

/// What an effect takes from each partition when it lands; `None` for what the vault's log is asked for, and for what
/// moves no credits. The sign is that of the change.
fn moves(kind: &EffectKind) -> Option<[i64; 4]> {
    let mut change = [0; 4];
    let mut add = |partition: Partition, sign: i64, amount: Usdc| {
        change[partition as usize] += sign * i64::try_from(amount.micros()).unwrap_or(i64::MAX);
    };
    match kind {
        EffectKind::PayHost { partition, amount } | EffectKind::DrawFloat { partition, amount } => {
            add(*partition, -1, *amount);
        }
        EffectKind::Refuel { amount } => add(Partition::Gas, -1, *amount),
        EffectKind::MoveCredits { source, destination, amount } => {
            add(*source, -1, *amount);
            add(*destination, 1, *amount);
        }
        _ => return None,
    }
    Some(change)
}

fn holds(vault: &VaultReading) -> [i64; 4] {
    Partition::ALL.map(|partition| micros(vault.credits.get(partition)))
}

fn micros(usdc: Usdc) -> i64 {
    i64::try_from(usdc.micros()).unwrap_or(i64::MAX)
}

fn usdc(micros: i64) -> Usdc {
    Usdc::from_micros(u64::try_from(micros).unwrap_or(0))
}

fn add(to: &mut [i64; 4], change: &[i64; 4]) {
    to.iter_mut().zip(change).for_each(|(to, change)| *to = to.saturating_add(*change));
}
