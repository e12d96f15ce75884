//! How much goes out in an hour: fixed windows of wall time, queues that lose nothing (I-090, I-093 to I-097). What comes in the store
//! counts (I-091).

use std::collections::{BTreeMap, VecDeque};

use golem_grimoire::share::PUSH_PER_HOUR;
use golem_primitives::words;
use golem_primitives::{GolemId, UtcTime};

/// I-094. Seconds of a window, whatever a tick lasts.
pub const WINDOW_SECONDS: u64 = 3_600;

words! {
    /// How urgent something is.
    Lane {
        /// It waits its turn.
        Ordinary = "ordinary",
        /// I-097. A regime's shift: at once, and it counts.
        RegimeShift = "regime_shift",
        /// I-093, I-097. A warning, a bloodstain's too: at once, and it does not count.
        Warning = "warning",
    }
}

/// A queue without room: whoever sends must keep the item and send it again. Nothing that was taken in is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the queue is full at {capacity}; keep the item and send it again")]
pub struct QueueFull {
    /// Its room.
    pub capacity: usize,
}

impl QueueFull {
    /// Working on what waits makes room.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        true
    }
}

const fn window(now: UtcTime) -> u64 {
    now.seconds() / WINDOW_SECONDS
}

/// I-090, I-096. What goes out: 100 an hour to each destination, the rest held in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outflow<T> {
    window: u64,
    lines: BTreeMap<GolemId, Line<T>>,
    capacity: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line<T> {
    sent: u32,
    urgent: VecDeque<T>,
    held: VecDeque<T>,
}

impl<T> Outflow<T> {
    /// An empty outflow with room for `capacity` items to each destination that wait, and as many that are urgent.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self { window: 0, lines: BTreeMap::new(), capacity }
    }

    /// How many are held for a destination.
    #[must_use]
    pub fn held(&self, to: &GolemId) -> usize {
        self.lines.get(to).map_or(0, |line| line.held.len())
    }

    fn turn(&mut self, now: UtcTime) {
        if window(now) > self.window {
            self.window = window(now);
            self.lines.values_mut().for_each(|line| line.sent = 0);
        }
    }

    /// Puts something up for a destination.
    ///
    /// # Errors
    /// [`QueueFull`] when there is no room.
    pub fn push(&mut self, to: GolemId, lane: Lane, item: T, now: UtcTime) -> Result<(), QueueFull> {
        self.turn(now);
        let capacity = self.capacity;
        let line = self.lines.entry(to).or_insert(Line { sent: 0, urgent: VecDeque::new(), held: VecDeque::new() });
        let used = if lane == Lane::Ordinary { line.held.len() } else { line.urgent.len() };
        if used >= capacity {
            return Err(QueueFull { capacity });
        }
        match lane {
            Lane::Warning => line.urgent.push_back(item),
            Lane::RegimeShift => {
                line.sent = line.sent.saturating_add(1);
                line.urgent.push_back(item);
            }
            Lane::Ordinary => line.held.push_back(item),
        }
        Ok(())
    }

    /// The next item for a destination; `None` until the next window.
    pub fn take(&mut self, to: &GolemId, now: UtcTime) -> Option<T> {
        self.turn(now);
        let line = self.lines.get_mut(to)?;
        if let Some(urgent) = line.urgent.pop_front() {
            return Some(urgent);
        }
        if line.sent >= PUSH_PER_HOUR {
            return None;
        }
        let item = line.held.pop_front()?;
        line.sent += 1;
        Some(item)
    }
}

/// C-15. Warnings a minute from one source that go one to a frame.
const FRAMES_PER_MINUTE: usize = 10;

/// C-15. Frames for that many warnings of one minute: none is ever dropped, above ten they share one frame.
#[must_use]
pub const fn frames(warnings: usize) -> usize {
    if warnings > FRAMES_PER_MINUTE { 1 } else { warnings }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    fn at(window: u64) -> UtcTime {
        UtcTime::from_seconds(window * WINDOW_SECONDS + 17)
    }

    /// G-173, I-090, I-093, I-096: W-29.
    #[test]
    fn i_090_w_29_pushes_are_held_and_warnings_are_not() {
        let mut outflow = Outflow::new(1_000);
        let to = golem("sibling");
        for _ in 0..130 {
            outflow.push(to, Lane::Ordinary, Lane::Ordinary, at(3)).expect("room");
        }
        for _ in 0..10 {
            outflow.push(to, Lane::Warning, Lane::Warning, at(3)).expect("room");
        }
        let sent = std::iter::from_fn(|| outflow.take(&to, at(3))).collect::<Vec<_>>();
        assert!(sent[..10].iter().all(|lane| *lane == Lane::Warning), "I-093: at once");
        assert_eq!((sent.len(), outflow.held(&to)), (110, 30), "W-29");
        assert_eq!(std::iter::from_fn(|| outflow.take(&to, at(4))).count(), 30, "I-096");
        assert_eq!(outflow.take(&golem("other"), at(4)), None);
        assert_eq!(frames(10), 10, "C-15");
        assert_eq!(frames(11), 1, "C-15: coalesced, none dropped");
    }
}
