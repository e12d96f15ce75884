//! P-003. What a rule may speak of: a closed vocabulary, one row a word.

/// How many looks a word looks back over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Span {
    L16,
    L32,
    L64,
    L128,
    L256,
    L512,
    L1024,
}

impl Span {
    /// All of them, the shortest first.
    pub const ALL: [Self; 7] = [Self::L16, Self::L32, Self::L64, Self::L128, Self::L256, Self::L512, Self::L1024];

    /// The number of looks.
    #[must_use]
    pub const fn looks(self) -> usize {
        16 << self as usize
    }
}

/// What a threshold is written in. Inside, all are whole numbers of millionths, but for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Standard deviations, kept in millionths of one.
    Deviations,
    /// A share of a price or of the capital, written in percent and kept in millionths.
    Percent,
    /// A plain ratio, kept in millionths.
    Ratio,
    /// Looks, hours, days or levels, kept as they are.
    Count,
}

impl Unit {
    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deviations => "deviations",
            Self::Percent => "percent",
            Self::Ratio => "ratio",
            Self::Count => "count",
        }
    }
}

/// A word of the vocabulary; what each means stands in [`WORDS`](crate::WORDS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Observable {
    Z(Span),
    Move(Span),
    Vol(Span),
    Range(Span),
    Trend(Span),
    VolRank(Span),
    Gap,
    Depth,
    Cost,
    Gas,
    Fees(Span),
    Held,
    Since,
    Gain,
    Fall,
    Hour,
    Weekday,
    /// M-085. Which fifth of its own past the volatility of the last 64 looks stands in, 1 to 5.
    Regime,
}

/// How many values a look has: six words of seven spans, `fees` of seven, and seven words that have none.
pub const SEEN: usize = 7 * 7 + 7;

/// The value of every word of the market at one look; a word whose span is not full yet has none, and no comparison with it
/// holds. What a rule's own account says (`held`, `since`, `gain`, `fall`) is in [`Stance`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    values: [i64; SEEN],
}

/// Some words of the market: those that somebody asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WordSet(u64);

impl WordSet {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self((1 << SEEN) - 1);

    /// One word, with those its value is made from; of a word of the account nothing.
    pub(crate) const fn of(word: Observable) -> Self {
        let Some(place) = word.place() else { return Self::NONE };
        let made_from = match word {
            Observable::Regime => Self::of(Observable::VolRank(Span::L64)),
            Observable::VolRank(span) => Self::of(Observable::Vol(span)),
            _ => Self::NONE,
        };
        made_from.with(Self(1 << place))
    }

    /// All words over one span.
    pub(crate) const fn over(span: Span) -> Self {
        const SPANS: usize = Span::ALL.len();
        // Seven words have a span, and they stand first.
        const SHORTEST: u64 = {
            let (mut words, mut word) = (0, 0);
            while word < 7 {
                words |= 1 << (word * SPANS);
                word += 1;
            }
            words
        };
        Self(SHORTEST << span as usize)
    }

    /// A word that has a span, over every span.
    pub(crate) const fn over_every_span(word: Observable) -> Self {
        const ROW: u64 = (1 << Span::ALL.len()) - 1;
        Self(ROW << word.first())
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn has_all_of(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn has_any_of(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What a rule's own account says, for the words that ask it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stance {
    /// Millionths of the capital a trade may use.
    pub held: i64,
    /// Looks since the entry.
    pub since: i64,
    /// Millionths.
    pub gain: i64,
    /// Millionths, never above nothing.
    pub fall: i64,
}

impl Stance {
    fn value(&self, word: Observable) -> i64 {
        match word {
            Observable::Held => self.held,
            Observable::Since => self.since,
            Observable::Gain => self.gain,
            Observable::Fall => self.fall,
            _ => NOTHING,
        }
    }
}

/// What stands where a word has no value yet.
pub(crate) const NOTHING: i64 = i64::MIN;

impl Default for Seen {
    fn default() -> Self {
        Self { values: [NOTHING; SEEN] }
    }
}

impl Seen {
    /// The value of a word, in its unit's whole numbers.
    #[must_use]
    pub fn get(&self, word: Observable, own: &Stance) -> Option<i64> {
        let value = self.value(word, own);
        (value != NOTHING).then_some(value)
    }

    /// The same, with [`NOTHING`] where there is no value: what every comparison of every rule asks at every look.
    #[inline]
    pub(crate) fn value(&self, word: Observable, own: &Stance) -> i64 {
        match self.values.get(word.first() + word.column()) {
            Some(value) => *value,
            None => own.value(word),
        }
    }

    /// Sets the value of a word of the market.
    pub fn set(&mut self, word: Observable, value: i64) {
        if let Some(place) = word.place() {
            self.values[place] = value;
        }
    }

    /// Sets the value of a word of the market, or says that it has none.
    pub fn put(&mut self, word: Observable, value: Option<i64>) {
        self.set(word, value.unwrap_or(NOTHING));
    }
}

impl Observable {
    /// Where a word of the market stands in [`Seen`]; a word of the account stands nowhere there.
    #[must_use]
    pub const fn place(self) -> Option<usize> {
        let place = self.first() + self.column();
        if place < SEEN { Some(place) } else { None }
    }

    /// Where the values of a word begin in [`Seen`]; behind its end for a word of the account. Apart from the column, because
    /// both are then read from a table and nothing is branched on.
    const fn first(self) -> usize {
        const SPANS: usize = Span::ALL.len();
        match self {
            Self::Z(_) => 0,
            Self::Move(_) => SPANS,
            Self::Vol(_) => 2 * SPANS,
            Self::Range(_) => 3 * SPANS,
            Self::Trend(_) => 4 * SPANS,
            Self::VolRank(_) => 5 * SPANS,
            Self::Fees(_) => 6 * SPANS,
            Self::Gap => 7 * SPANS,
            Self::Depth => 7 * SPANS + 1,
            Self::Cost => 7 * SPANS + 2,
            Self::Gas => 7 * SPANS + 3,
            Self::Hour => 7 * SPANS + 4,
            Self::Weekday => 7 * SPANS + 5,
            Self::Regime => 7 * SPANS + 6,
            Self::Held | Self::Since | Self::Gain | Self::Fall => SEEN,
        }
    }

    /// Which of a word's values is meant.
    const fn column(self) -> usize {
        match self.span() {
            Some(span) => span as usize,
            None => 0,
        }
    }

    /// The stretch it is taken over, where it is over one.
    pub(crate) const fn span(self) -> Option<Span> {
        match self {
            Self::Z(span)
            | Self::Move(span)
            | Self::Vol(span)
            | Self::Range(span)
            | Self::Trend(span)
            | Self::VolRank(span)
            | Self::Fees(span) => Some(span),
            _ => None,
        }
    }

    /// The same over another stretch.
    pub(crate) const fn over(self, span: Span) -> Self {
        match self {
            Self::Z(_) => Self::Z(span),
            Self::Move(_) => Self::Move(span),
            Self::Vol(_) => Self::Vol(span),
            Self::Range(_) => Self::Range(span),
            Self::Trend(_) => Self::Trend(span),
            Self::VolRank(_) => Self::VolRank(span),
            Self::Fees(_) => Self::Fees(span),
            word => word,
        }
    }
}
