//! P-030 to P-036, P-044, P-046. What a rule has shown: wealth that was bet on its round trips.
//!
//! Against somebody who says "it earns nothing after costs", a wealth that bets a share fixed beforehand cannot grow on
//! average. Its value may be read after every trip: the chance that it ever reaches `1/a` is at most `a` (Ville).

/// Bets an account makes side by side: 1, 1/2, 1/4, 1/8 and 1/16 over the bound of a loss.
const BETS: usize = 5;
/// Gains count up to so many bounds of a loss; losses count whole.
const CLIP: f64 = 4.0;
/// P-045. What of the wealth that waits a rested rule bets from each trip on.
const JOINING: f64 = 0.01;
/// Where a wealth is held, far from the end of what a number can say.
const CEILING: f64 = 1e280;

/// Five wealths side by side, the boldest first, each from 1. Their mean is kept beside them: it changes with a trip and is
/// asked at every look.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(from = "[f64; BETS]", into = "[f64; BETS]")]
pub(crate) struct Wealths {
    pub(crate) each: [f64; BETS],
    mean: f64,
}

impl From<[f64; BETS]> for Wealths {
    fn from(each: [f64; BETS]) -> Self {
        Self { each, mean: each.iter().sum::<f64>() / BETS as f64 }
    }
}

impl From<Wealths> for [f64; BETS] {
    fn from(wealths: Wealths) -> Self {
        wealths.each
    }
}

impl Wealths {
    const fn new() -> Self {
        Self { each: [1.0; BETS], mean: 1.0 }
    }

    /// Each has so much more to bet with.
    fn join(&mut self, more: f64) {
        *self = Self::from(self.each.map(|wealth| wealth + more));
    }

    /// Each bets its share on `units` and counts for `least` at least before it does.
    fn bet(&mut self, units: f64, least: f64) {
        let mut bet = 1.0;
        let each = self.each.map(|wealth| {
            let after = (wealth.max(least) * (1.0 + bet * units).max(0.0)).min(CEILING);
            bet *= 0.5;
            after
        });
        *self = Self::from(each);
    }
}

/// P-032. Wealth that was bet on a rule's trips.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Evidence {
    bound: f64,
    pub(crate) wealths: Wealths,
    /// What was not bet yet; it counts as it is.
    waiting: f64,
}

impl Evidence {
    /// Nothing shown yet. `bound` is what one trip can lose, as a share of the stake, and is never changed.
    #[must_use]
    pub const fn new(bound: f64) -> Self {
        Self { bound, wealths: Wealths::new(), waiting: 0.0 }
    }

    /// P-045. Nothing shown since it rests. Its market may return at once or late, and who bets everything at once has lost it
    /// when it returns late: so half of the wealth is bet from the first trip on, and half waits and joins the bets trip by
    /// trip. No wealth is made by that, so Ville's bound holds.
    #[must_use]
    pub fn resting(bound: f64) -> Self {
        Self { bound, wealths: Wealths::from([0.5; BETS]), waiting: 0.5 }
    }

    /// Bets on one finished trip that brought `net` of what was at stake.
    pub fn observe(&mut self, net: f64) {
        self.observe_within(net, 1.0);
    }

    /// The same where a trip can lose so many times the bound; known before the trip, or it would be no bet.
    fn observe_within(&mut self, net: f64, bounds: f64) {
        let joins = self.waiting * JOINING;
        self.waiting -= joins;
        self.wealths.join(joins);
        self.wealths.bet(in_bounds(net, bounds * self.bound), 0.0);
    }

    /// E: the mean of the five, with what waits.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.wealths.mean + self.waiting
    }

    /// P-046. Where an heir begins: each wealth half way between nothing shown and what the line showed, so that together they
    /// are `(1 + E) / 2`. Of a rule that rests the new half waits too.
    #[must_use]
    pub fn inherited(&self) -> Self {
        let fresh = if self.waiting > 0.0 { Self::resting(self.bound) } else { Self::new(self.bound) };
        let half_way = |own: f64, line: f64| (own + line) / 2.0;
        let [own, line] = [&fresh, self].map(|one| one.wealths.each);
        let each: [f64; BETS] = std::array::from_fn(|bet| half_way(own[bet], line[bet]));
        Self { bound: self.bound, wealths: Wealths::from(each), waiting: half_way(fresh.waiting, self.waiting) }
    }
}

/// What one finished trip says to both accounts.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TripObservation {
    /// Net return on what was at stake.
    pub net: f64,
    /// What standing at the rule's mean exposure earned since the exit before.
    pub passive: f64,
    /// That mean exposure, 0 to 1, as it stood at the exit before.
    pub exposure: f64,
}

/// P-033. A rule's evidence: against cash, and against standing at its own mean exposure. The smaller counts, so neither the
/// market's rise nor a lucky exposure passes for timing.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Proof {
    pub(crate) cash: Evidence,
    pub(crate) passive: Evidence,
}

impl Proof {
    /// Nothing shown yet.
    #[must_use]
    pub const fn new(bound: f64) -> Self {
        Self { cash: Evidence::new(bound), passive: Evidence::new(bound) }
    }

    /// P-045. Of a rule that rests.
    #[must_use]
    pub fn resting(bound: f64) -> Self {
        Self { cash: Evidence::resting(bound), passive: Evidence::resting(bound) }
    }

    /// Counts one finished trip in both accounts. In the second two returns can disappoint at once, so a trip can lose more by
    /// the part of a bound that standing can earn: for who stands all the time twice, for who seldom does little more than once.
    /// Twice for all would halve every bet, and a rule that is awake a tenth of the time needs half as many trips again.
    pub fn observe(&mut self, seen: TripObservation) {
        self.cash.observe(seen.net);
        self.passive.observe_within(seen.net - seen.passive, 1.0 + seen.exposure);
    }

    /// The smaller of the two.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.cash.value().min(self.passive.value())
    }

    /// P-046. What an heir begins with.
    #[must_use]
    pub fn inherited(&self) -> Self {
        Self { cash: self.cash.inherited(), passive: self.passive.inherited() }
    }
}

/// P-044. Watches a rule that moves money: grows while its trips bring less than `wanted`, and forgets what was good before.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Detector {
    bound: f64,
    wanted: f64,
    wealths: Wealths,
}

impl Detector {
    /// A detector of trips that bring less than `wanted`.
    #[must_use]
    pub const fn new(bound: f64, wanted: f64) -> Self {
        Self { bound, wanted, wealths: Wealths::new() }
    }

    /// Counts one finished trip.
    pub fn observe(&mut self, net: f64) {
        self.wealths.bet(self.wanted / self.bound - in_bounds(net, self.bound), 1.0);
    }

    /// M: the mean of the five.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.wealths.mean
    }

    /// What a trip should bring.
    #[must_use]
    pub const fn wanted(&self) -> f64 {
        self.wanted
    }
}

fn in_bounds(net: f64, bound: f64) -> f64 {
    (net / bound).min(CLIP)
}

#[cfg(test)]
#[path = "tests/evidence.rs"]
mod tests;
