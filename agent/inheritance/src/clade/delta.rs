//! Deltas that wait for whoever is away (I-108, I-109, I-115).

use std::collections::VecDeque;
use std::time::Duration;

use golem_primitives::{GolemId, UtcTime};

use super::member::UserId;

/// I-108. How long a delta waits.
pub const TTL: Duration = Duration::from_secs(7 * UtcTime::DAY_SECONDS);

/// I-109. What a relay keeps of a delta for one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta<T> {
    /// For whom.
    pub target: GolemId,
    /// From whom.
    pub source: GolemId,
    /// Of whose Clade.
    pub user: UserId,
    /// What.
    pub entries: Vec<T>,
    /// Since when.
    pub created: UtcTime,
    delivered: Option<UtcTime>,
}

impl<T> Delta<T> {
    /// A delta that waits.
    #[must_use]
    pub const fn new(target: GolemId, source: GolemId, user: UserId, entries: Vec<T>, created: UtcTime) -> Self {
        Self { target, source, user, entries, created, delivered: None }
    }

    /// I-109. When it is too late.
    #[must_use]
    pub const fn expires(&self) -> UtcTime {
        self.created.plus(TTL)
    }

    /// When it was delivered, if it was.
    #[must_use]
    pub const fn delivered(&self) -> Option<UtcTime> {
        self.delivered
    }

    /// I-108. Whether it can still be delivered.
    #[must_use]
    pub fn is_pending(&self, now: UtcTime) -> bool {
        self.delivered.is_none() && now <= self.expires()
    }
}

/// I-108, I-109. The deltas of a relay, in the order in which they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox<T> {
    deltas: VecDeque<Delta<T>>,
    capacity: usize,
}

impl<T: Clone> Mailbox<T> {
    /// An empty mailbox with room for that many deltas.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self { deltas: VecDeque::new(), capacity }
    }

    /// Keeps a delta.
    ///
    /// # Errors
    /// [`crate::window::QueueFull`] when there is no room: the sender keeps it.
    pub fn keep(&mut self, delta: Delta<T>, now: UtcTime) -> Result<(), crate::window::QueueFull> {
        self.sweep(now);
        if self.deltas.len() >= self.capacity {
            return Err(crate::window::QueueFull { capacity: self.capacity });
        }
        self.deltas.push_back(delta);
        Ok(())
    }

    /// I-108, I-109. What waits for a target of that owner, in order; it counts as delivered.
    pub fn deliver(&mut self, target: &GolemId, user: UserId, now: UtcTime) -> Vec<Delta<T>> {
        let mine = |delta: &&mut Delta<T>| delta.target == *target && delta.user == user && delta.is_pending(now);
        let due = self.deltas.iter_mut().filter(mine);
        let delivered = due.map(|delta| {
            delta.delivered = Some(now);
            delta.clone()
        });
        delivered.collect()
    }

    /// Forgets what was delivered or is too late.
    pub fn sweep(&mut self, now: UtcTime) {
        self.deltas.retain(|delta| delta.is_pending(now));
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.deltas.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.deltas.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::{Address, AgentId, U256};

    use super::super::member::Registration;
    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    fn user(byte: u8) -> UserId {
        let owner = Address::repeat_byte(byte);
        UserId::of(&Registration { agent: AgentId(U256::ZERO), owner, key: owner })
    }

    const DAY: u64 = 86_400;

    /// I-108, I-109: W-31.
    #[test]
    fn i_108_w_31_deltas_wait_seven_days() {
        let at = UtcTime::from_seconds;
        let delta = Delta::new(golem("d"), golem("a"), user(1), vec![1], at(0));
        assert_eq!(delta.expires(), at(7 * DAY), "I-109");
        assert!(delta.is_pending(at(6 * DAY + 23 * 3_600)) && !delta.is_pending(at(7 * DAY + 1)), "W-31");
    }

    /// I-115, I-366: what A left reaches a D that is born later, in order, once, and no stranger.
    #[test]
    fn i_115_what_one_shared_survives_in_the_others() {
        let at = UtcTime::from_seconds;
        let mut mailbox = Mailbox::new(3);
        for (n, source) in ["a", "b"].into_iter().enumerate() {
            let delta = Delta::new(golem("d"), golem(source), user(1), vec![n], at(n as u64));
            mailbox.keep(delta, at(n as u64)).expect("room");
        }
        mailbox.keep(Delta::new(golem("d"), golem("x"), user(2), vec![9], at(2)), at(2)).expect("room");
        let refused = mailbox.keep(Delta::new(golem("d"), golem("b"), user(1), vec![3], at(3)), at(3));
        assert!(refused.is_err_and(|full| full.may_retry()));
        let delivered = mailbox.deliver(&golem("d"), user(1), at(DAY));
        let entries: Vec<usize> = delivered.iter().flat_map(|delta| delta.entries.clone()).collect();
        assert_eq!(entries, [0, 1], "I-109: in order");
        assert_eq!(delivered[0].delivered(), Some(at(DAY)));
        assert!(mailbox.deliver(&golem("d"), user(1), at(DAY)).is_empty(), "once");
        mailbox.sweep(at(DAY));
        assert_eq!(mailbox.len(), 1, "the stranger's waits for its own");
        mailbox.sweep(at(8 * DAY));
        assert!(mailbox.is_empty());
    }
}
