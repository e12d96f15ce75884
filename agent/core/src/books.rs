//! The agent's own books of the four partitions, beside the vault's.
//!
//! What this life itself spent is known from its own outcomes; what others gave, moved or locked away is known from the
//! vault's log. The two together say, to the last unit, what the vault must hold whenever no own spending is open. A
//! difference is an alarm: somebody else spent with this key, an effect landed twice, or one of the two is wrong. Until it
//! is explained nothing more is paid: whoever pays by wrong books pays twice.

use arrayvec::ArrayVec;
use golem_primitives::{EffectId, Usdc};
use serde::{Deserialize, Serialize};

use crate::budget::OPEN_EFFECTS;
use crate::life::Desk;
use crate::record::{
    Bar, ChainLife, Effect, EffectKind, Event, Inflows, Outcome, OutcomeResult, Partition, VaultReading,
};
use crate::step::Out;
use crate::trader::Trader;

/// The books of a life that has a vault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Books {
    /// The block up to which the vault's log is taken in for good.
    settled_to: Option<u64>,
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
}

impl Books {
    /// The block up to which the vault's log was taken in.
    #[must_use]
    pub const fn settled_to(&self) -> Option<u64> {
        self.settled_to
    }

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
    pub(crate) fn is_apart(&self) -> bool {
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
    pub(crate) fn compare(&mut self, log: &Inflows, trader: Option<&Trader>, desk: &mut Desk, out: &mut Out<'_>) {
        let was_apart = self.is_apart();
        self.take_in(log, trader, desk, out);
        match (was_apart, self.is_apart()) {
            (false, true) => out.say(Event::PaymentsPaused),
            (true, false) => out.say(Event::PaymentsResumed),
            _ => {}
        }
    }

    fn take_in(&mut self, log: &Inflows, trader: Option<&Trader>, desk: &mut Desk, out: &mut Out<'_>) {
        let Some(sight) = trader.and_then(Trader::sight).filter(|sight| sight.block.number == log.at) else { return };
        let Some(vault) = sight.vault.as_ref() else { return };
        match log.after {
            // Nobody can read back that far any more: the books begin again.
            None => self.held = None,
            after if after != self.settled_to => return,
            // M-046, M-047. What is settled is told once: the next log begins behind it.
            Some(_) => {
                desk.funded = desk.funded.saturating_add(log.funded);
                desk.revenue = desk.revenue.saturating_add(log.earned);
            }
        }
        self.settled_to = Some(log.settled_to);
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
                self.tell(ours, vault, out);
            }
            // What was wanted before there were books may still land, and nobody here would know of it.
            None if !desk.holds.is_empty() => {}
            None => {
                let mut held = holds(vault);
                log.recent.iter().zip(&mut held).for_each(|(young, held)| *held = held.saturating_sub(*young));
                (self.held, self.seen, self.told) = (Some(held), [0; 4], [0; 4]);
            }
        }
    }

    fn tell(&mut self, ours: [i64; 4], vault: &VaultReading, out: &mut Out<'_>) {
        let chain = holds(vault);
        for partition in Partition::ALL {
            let place = partition as usize;
            let apart = chain[place].saturating_sub(ours[place]);
            let was = std::mem::replace(&mut self.seen[place], apart);
            if apart != was {
                continue;
            }
            if apart != 0 && apart != self.told[place] {
                let usdc = |micros: i64| Usdc::from_micros(u64::try_from(micros).unwrap_or(0));
                out.say(Event::LedgerDiffers { partition, ours: usdc(ours[place]), chain: usdc(chain[place]) });
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
    Partition::ALL.map(|partition| i64::try_from(vault.credits.get(partition).micros()).unwrap_or(i64::MAX))
}

fn add(to: &mut [i64; 4], change: &[i64; 4]) {
    to.iter_mut().zip(change).for_each(|(to, change)| *to = to.saturating_add(*change));
}
