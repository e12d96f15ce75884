//! How much comes and goes in an hour: fixed windows of wall time, queues that lose nothing (I-090 to I-098).

use std::collections::{BTreeMap, VecDeque};

use golem_grimoire::share::{INGEST_PER_HOUR, INGEST_PER_SOURCE, PUSH_PER_HOUR};
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

/// I-091 to I-095. Arrivals from siblings: 200 an hour and 100 from one, the rest first in, first out, later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inflow<T> {
    window: u64,
    taken: u32,
    by_source: BTreeMap<GolemId, u32>,
    queues: BTreeMap<GolemId, VecDeque<(u64, T)>>,
    urgent: VecDeque<(GolemId, T)>,
    arrivals: u64,
    waiting: usize,
    capacity: usize,
}

impl<T> Inflow<T> {
    /// An empty inflow with room for `capacity` arrivals that wait, and as many that are urgent.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            window: 0,
            taken: 0,
            by_source: BTreeMap::new(),
            queues: BTreeMap::new(),
            urgent: VecDeque::new(),
            arrivals: 0,
            waiting: 0,
            capacity,
        }
    }

    /// How many wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.waiting
    }

    fn turn(&mut self, now: UtcTime) {
        // A clock that runs backwards opens no window.
        if window(now) > self.window {
            self.window = window(now);
            self.taken = 0;
            self.by_source.clear();
        }
    }

    fn count(&mut self, source: GolemId) {
        let own = self.by_source.entry(source).or_default();
        *own = own.saturating_add(1);
        self.taken = self.taken.saturating_add(1);
    }

    /// Takes an arrival in. What is urgent never waits for a window.
    ///
    /// # Errors
    /// [`QueueFull`] when there is no room, so that a flood cannot fill memory; the sender keeps the item, and room for
    /// what is urgent comes with the next look, not with the next window.
    pub fn receive(&mut self, source: GolemId, lane: Lane, item: T, now: UtcTime) -> Result<(), QueueFull> {
        self.turn(now);
        let used = if lane == Lane::Ordinary { self.waiting } else { self.urgent.len() };
        if used >= self.capacity {
            return Err(QueueFull { capacity: self.capacity });
        }
        match lane {
            Lane::Warning => self.urgent.push_back((source, item)),
            Lane::RegimeShift => {
                self.count(source);
                self.urgent.push_back((source, item));
            }
            Lane::Ordinary => {
                self.queues.entry(source).or_default().push_back((self.arrivals, item));
                self.arrivals += 1;
                self.waiting += 1;
            }
        }
        Ok(())
    }

    /// The next to be worked on: what is urgent, then the earliest arrival whose source has not used up its share
    /// (I-095); `None` until the next window.
    pub fn take(&mut self, now: UtcTime) -> Option<(GolemId, T)> {
        self.turn(now);
        if let Some(urgent) = self.urgent.pop_front() {
            return Some(urgent);
        }
        if self.taken >= INGEST_PER_HOUR {
            return None;
        }
        let may = |source: &GolemId| self.by_source.get(source).is_none_or(|count| *count < INGEST_PER_SOURCE);
        let heads = self.queues.iter().filter(|(source, _)| may(source));
        let (_, source) = heads.filter_map(|(source, queue)| Some((queue.front()?.0, *source))).min()?;
        let (_, item) = self.queues.get_mut(&source)?.pop_front()?;
        self.queues.retain(|_, queue| !queue.is_empty());
        self.waiting -= 1;
        self.count(source);
        Some((source, item))
    }
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
    use proptest::prelude::*;

    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    fn at(window: u64) -> UtcTime {
        UtcTime::from_seconds(window * WINDOW_SECONDS + 17)
    }

    /// Counts by source of what one window takes.
    fn taken(inflow: &mut Inflow<Lane>, window: u64) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        while let Some((source, _)) = inflow.take(at(window)) {
            *counts.entry(source.to_string()).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    fn sends(arrivals: &[(&str, Lane, usize)], interleaved: bool) -> Inflow<Lane> {
        let mut inflow = Inflow::new(10_000);
        let mut receive = |name: &str, lane| inflow.receive(golem(name), lane, lane, at(0)).expect("room");
        if interleaved {
            for n in 0..arrivals.iter().map(|(_, _, count)| *count).max().unwrap_or(0) {
                arrivals.iter().filter(|(_, _, count)| n < *count).for_each(|(name, lane, _)| receive(name, *lane));
            }
        } else {
            arrivals.iter().for_each(|(name, lane, count)| (0..*count).for_each(|_| receive(name, *lane)));
        }
        inflow
    }

    type Windows<'a> = &'a [&'a [(&'a str, usize)]];

    fn check(name: &str, mut inflow: Inflow<Lane>, windows: Windows<'_>) {
        for (window, expected) in windows.iter().enumerate() {
            let expected: Vec<(String, usize)> = expected.iter().map(|(s, n)| ((*s).to_owned(), *n)).collect();
            assert_eq!(taken(&mut inflow, window as u64), expected, "{name} window {window}");
        }
        assert_eq!(inflow.waiting(), 0, "{name}: nothing is lost");
    }

    /// G-174, I-091, I-092, I-094, I-095, I-085: W-24, W-25, W-26, W-27, W-28, W-30.
    #[test]
    fn i_091_w_24_to_w_30_arrivals_wait_for_their_window() {
        let o = Lane::Ordinary;
        check("W-24", sends(&[("a", o, 250)], false), &[&[("a", 100)], &[("a", 100)], &[("a", 50)]]);
        check(
            "W-25",
            sends(&[("a", o, 90), ("b", o, 90), ("c", o, 90)], false),
            &[&[("a", 90), ("b", 90), ("c", 20)], &[("c", 70)]],
        );
        check("W-26", sends(&[("a", o, 150), ("b", o, 60)], false), &[&[("a", 100), ("b", 60)], &[("a", 50)]]);
        check(
            "W-27",
            sends(&[("a", o, 150), ("b", o, 150), ("c", o, 150)], true),
            &[
                &[("a", 67), ("b", 67), ("c", 66)],
                &[("a", 67), ("b", 66), ("c", 67)],
                &[("a", 16), ("b", 17), ("c", 17)],
            ],
        );
        check("W-28", sends(&[("a", o, 120), ("a", Lane::Warning, 30)], false), &[&[("a", 130)], &[("a", 20)]]);
        let five = [("a", o, 200), ("b", o, 200), ("c", o, 200), ("d", o, 200), ("e", o, 200)];
        let forty: &[(&str, usize)] = &[("a", 40), ("b", 40), ("c", 40), ("d", 40), ("e", 40)];
        check("W-30", sends(&five, true), &[forty; 5]);
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

    /// I-097: a regime's shift goes at once and counts; every queue has its limit.
    #[test]
    fn i_097_regime_shifts_are_immediate_and_count() {
        let mut inflow = Inflow::new(150);
        let a = golem("a");
        for _ in 0..150 {
            inflow.receive(a, Lane::RegimeShift, Lane::RegimeShift, at(0)).expect("room");
        }
        inflow.receive(a, Lane::Ordinary, Lane::Ordinary, at(0)).expect("room of its own");
        let flood = inflow.receive(a, Lane::Warning, Lane::Warning, at(0));
        assert!(flood.is_err_and(|full| full.may_retry()), "a flood fills no memory");
        assert_eq!(taken(&mut inflow, 0), [("a".to_owned(), 150)], "the ordinary one waits");
        assert_eq!(taken(&mut inflow, 1), [("a".to_owned(), 1)]);
        assert_eq!(inflow.take(at(0)), None, "a clock that runs backwards opens nothing");
    }

    proptest! {
        /// I-363, I-364: in any window at most 200 and 100 a source, none lost, order of each source kept, and no
        /// warning ever waits.
        #[test]
        fn i_363_windows_hold_and_nothing_is_lost(
            arrivals in prop::collection::vec((0u8..4, 0u8..10), 0..900),
        ) {
            let mut inflow = Inflow::new(10_000);
            let mut warnings = 0;
            for (n, (source, lane)) in arrivals.iter().enumerate() {
                let lane = if *lane == 0 { Lane::Warning } else { Lane::Ordinary };
                warnings += usize::from(lane == Lane::Warning);
                inflow.receive(golem(&format!("g{source}")), lane, (lane, n), at(0)).expect("room");
            }
            let (mut total, mut seen) = (0, BTreeMap::<GolemId, usize>::new());
            for window in 0..10 {
                let (mut all, mut by_source) = (0, BTreeMap::<GolemId, usize>::new());
                while let Some((source, (lane, n))) = inflow.take(at(window)) {
                    total += 1;
                    if lane == Lane::Warning {
                        prop_assert_eq!(window, 0, "I-364");
                        continue;
                    }
                    all += 1;
                    *by_source.entry(source).or_default() += 1;
                    let before = seen.insert(source, n);
                    prop_assert!(before.is_none_or(|before| before < n), "order of a source");
                }
                prop_assert!(all <= 200 && by_source.values().all(|count| *count <= 100));
            }
            prop_assert_eq!((total, inflow.waiting()), (arrivals.len(), 0));
            prop_assert!(warnings <= total);
        }
    }
}
