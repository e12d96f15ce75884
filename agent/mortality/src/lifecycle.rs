//! The life of a Golem as types: what a state cannot do does not compile.
//!
//! `Provisioning -> Active <-> Dreaming`, `Active | Dreaming -> Dying -> Dead`, and nothing else (M-284). The dying of
//! this cycle is not the Terminal phase, which a living Golem may still leave (M-286, C-21).
//!
//! A living Golem ticks:
//! ```
//! use golem_mortality::event::LawEvents;
//! use golem_mortality::law::Law;
//! use golem_mortality::lifecycle::{Active, Fate, Golem};
//! use golem_mortality::vitals::TickFacts;
//! use golem_primitives::{GolemId, Tick, Usdc, UtcTime};
//!
//! let id = GolemId::new("golem-0001").expect("a name");
//! let golem = Golem::provision(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded").give_birth();
//! let facts = TickFacts { tick: Tick::new(1), ..TickFacts::default() };
//! let mut events = LawEvents::new();
//! let (fate, record) = golem.tick(&facts, &mut events).expect("in order");
//! assert!(matches!(fate, Fate::Lives(_)) && record.posture.is_some());
//! ```
//! A dead one does not (M-285):
//! ```compile_fail,E0599
//! use golem_mortality::event::LawEvents;
//! use golem_mortality::lifecycle::{Dead, Golem};
//! use golem_mortality::vitals::TickFacts;
//!
//! fn revive(golem: Golem<Dead>, facts: &TickFacts<'_>, events: &mut LawEvents) {
//!     let _ = golem.tick(facts, events);
//! }
//! ```
//! Neither does one whose death has begun; it can also not be killed again, nor dream:
//! ```compile_fail,E0599
//! use golem_mortality::event::LawEvents;
//! use golem_mortality::lifecycle::{Dying, Golem};
//! use golem_mortality::vitals::TickFacts;
//!
//! fn cling(golem: Golem<Dying>, facts: &TickFacts<'_>, events: &mut LawEvents) {
//!     let _ = golem.tick(facts, events);
//! }
//! ```
//! ```compile_fail,E0599
//! use golem_mortality::lifecycle::{Dying, Golem};
//!
//! fn drift(golem: Golem<Dying>) {
//!     let _ = golem.fall_asleep();
//! }
//! ```
//! ```compile_fail,E0599
//! use golem_mortality::cause::KillOrder;
//! use golem_mortality::event::LawEvents;
//! use golem_mortality::lifecycle::{Dead, Golem};
//!
//! fn twice(golem: Golem<Dead>, order: KillOrder, events: &mut LawEvents) {
//!     let _ = golem.kill(order, events);
//! }
//! ```
//! And a Golem that was ticked is gone into its fate; the old one cannot be ticked again:
//! ```compile_fail,E0382
//! use golem_mortality::event::LawEvents;
//! use golem_mortality::lifecycle::{Active, Golem};
//! use golem_mortality::vitals::TickFacts;
//!
//! fn fork(golem: Golem<Active>, facts: &TickFacts<'_>, events: &mut LawEvents) {
//!     let _ = golem.tick(facts, events);
//!     let _ = golem.tick(facts, events);
//! }
//! ```

use golem_primitives::{GolemId, Tick, Usdc, UtcTime};

use crate::cause::{Death, DeathCause, KillOrder};
use crate::event::{LawEvent, LawEvents};
use crate::law::Law;
use crate::vitals::{BirthError, TickError, TickFacts, TickRecord, Vitals};

/// A Golem in a state. The body is boxed once at birth, so that moving through states moves a pointer.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Golem<S> {
    vitals: Box<Vitals>,
    state: S,
}

/// Made, not yet alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Provisioning;

/// Alive and awake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Active;

/// Alive and dreaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Dreaming {
    pub since: Tick,
}

/// Its death has begun and cannot be undone (M-303).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Dying {
    death: Box<Death>,
}

/// Gone. What persists is what it left (M-008).
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Dead {
    death: Box<Death>,
    ended: UtcTime,
}

mod sealed {
    /// Of this file alone.
    pub trait Ticking {}
    impl Ticking for super::Active {}
    impl Ticking for super::Dreaming {}
}

/// The states in which a Golem ticks: awake or dreaming. No other can be added from outside.
pub trait Living: sealed::Ticking {}
impl Living for Active {}
impl Living for Dreaming {}

/// What a tick made of a Golem.
#[derive(Debug)]
pub enum Fate<S> {
    Lives(Golem<S>),
    Dies(Golem<Dying>),
}

/// A tick that was not lived: the Golem comes back unchanged.
#[derive(Debug, thiserror::Error)]
#[error("the tick was refused")]
pub struct RefusedTick<S> {
    pub golem: Golem<S>,
    #[source]
    pub error: TickError,
}

impl<S> Golem<S> {
    /// The body.
    #[must_use]
    pub const fn vitals(&self) -> &Vitals {
        &self.vitals
    }

    fn become_state<T>(self, state: T) -> Golem<T> {
        Golem { vitals: self.vitals, state }
    }
}

impl Golem<Provisioning> {
    /// A Golem that is not yet alive.
    ///
    /// # Errors
    /// [`BirthError`] when it would have nothing to live on, or the law is none.
    pub fn provision(
        id: GolemId,
        law: Law,
        initial: Usdc,
        open_positions: u32,
        now: UtcTime,
    ) -> Result<Self, BirthError> {
        let vitals = Box::new(Vitals::provision(id, law, initial, open_positions, now)?);
        Ok(Self { vitals, state: Provisioning })
    }

    /// M-284. It lives.
    #[must_use]
    pub fn give_birth(self) -> Golem<Active> {
        self.become_state(Active)
    }
}

impl Golem<Active> {
    /// M-284. It dreams.
    #[must_use]
    pub fn fall_asleep(self) -> Golem<Dreaming> {
        let since = self.vitals.tick();
        self.become_state(Dreaming { since })
    }
}

impl Golem<Dreaming> {
    /// M-284. It wakes.
    #[must_use]
    pub fn wake(self) -> Golem<Active> {
        self.become_state(Active)
    }
}

impl<S: Living> Golem<S> {
    /// M-146..M-157. One tick of the law. Events of the tick are added to `events`.
    ///
    /// # Errors
    /// [`RefusedTick`] gives the Golem back when the tick does not follow the last one.
    pub fn tick(
        mut self,
        facts: &TickFacts<'_>,
        events: &mut LawEvents,
    ) -> Result<(Fate<S>, TickRecord), RefusedTick<S>> {
        match self.vitals.advance(facts, events) {
            Err(error) => Err(RefusedTick { golem: self, error }),
            Ok((record, None)) => Ok((Fate::Lives(self), record)),
            Ok((record, Some(cause))) => {
                let golem = self.begin_death(cause, facts.seconds_since_snapshot, events);
                Ok((Fate::Dies(golem), record))
            }
        }
    }

    /// M-162, M-163. Ends the life at someone's word, in any living state.
    #[must_use]
    pub fn kill(self, order: KillOrder, events: &mut LawEvents) -> Golem<Dying> {
        self.begin_death(order.into(), None, events)
    }

    /// The body, for what happens between ticks: spending, re-splitting at the owner's word.
    pub const fn vitals_mut(&mut self) -> &mut Vitals {
        &mut self.vitals
    }

    /// M-169, M-176. `mortality.dead` is said once, here, because no state behind this one can come back here.
    fn begin_death(
        self,
        cause: DeathCause,
        seconds_since_snapshot: Option<u64>,
        events: &mut LawEvents,
    ) -> Golem<Dying> {
        let death = Box::new(self.vitals.certify(cause, seconds_since_snapshot));
        events.push(LawEvent::DeathTrigger { cause: death.cause.kind(), tick: death.tick });
        events.push(LawEvent::Dead(death.clone()));
        self.become_state(Dying { death })
    }
}

impl Golem<Dying> {
    /// The death that has begun.
    #[must_use]
    pub const fn death(&self) -> &Death {
        &self.state.death
    }

    /// The protocol is over, however it went (M-182).
    #[must_use]
    pub fn conclude(self, ended: UtcTime) -> Golem<Dead> {
        let Self { vitals, state } = self;
        Golem { vitals, state: Dead { death: state.death, ended } }
    }
}

impl Golem<Dead> {
    /// The death it died.
    #[must_use]
    pub const fn death(&self) -> &Death {
        &self.state.death
    }

    /// When its protocol ended.
    #[must_use]
    pub const fn ended(&self) -> UtcTime {
        self.state.ended
    }
}
