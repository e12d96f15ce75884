//! P-003. The table of words: what parser, printer, help and screens know of each. A new word is one row here and one
//! value in [`crate::watch`].

use crate::observable::{Observable, Span, Unit};

/// What a row makes a word of.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    Plain(Observable),
    Over(fn(Span) -> Observable),
}

/// How a comparison with a word is said. `{w}` stands for the looks of its span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saying {
    /// `the volatility of 64 looks` is at most so much.
    Is(&'static str),
    /// `the price stands` so much above or below `its mean of 64 looks`.
    Stands { subject: &'static str, mark: &'static str },
}

/// One row: all there is to know of a word.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub name: &'static str,
    pub unit: Unit,
    /// The least threshold that makes sense, in the unit's whole numbers.
    pub least: i64,
    pub most: i64,
    pub make: Make,
    /// What follows a number in words: `deviations`, `looks`.
    pub counted: &'static str,
    pub saying: Saying,
    pub meaning: &'static str,
    /// What people write for it elsewhere.
    pub also: &'static [&'static str],
}

const ONE: i64 = 1_000_000;

/// A row of the table below.
macro_rules! word {
    ($name:literal, $unit:ident, $least:expr => $most:expr, $make:ident $(($observable:ident))?, $counted:literal,
     $saying:expr, $meaning:literal, $also:expr) => {
        Word {
            name: $name,
            unit: Unit::$unit,
            least: $least,
            most: $most,
            make: word!(@ $make $($observable)?),
            counted: $counted,
            saying: $saying,
            meaning: $meaning,
            also: &$also,
        }
    };
    (@ Over $observable:ident) => { Make::Over(Observable::$observable) };
    (@ Plain $observable:ident) => { Make::Plain(Observable::$observable) };
}

use Saying::{Is, Stands};

/// Every word there is.
#[rustfmt::skip]
pub const WORDS: [Word; 18] = [
    word!("z", Deviations, -32 * ONE => 32 * ONE, Over(Z), "deviations",
        Stands { subject: "the price stands", mark: "its mean of {w} looks" },
        "distance of the price from its mean, in standard deviations", ["zscore", "deviation", "bollinger"]),
    word!("move", Percent, -ONE => 10 * ONE, Over(Move), "",
        Stands { subject: "the price stands", mark: "where the last {w} looks began" },
        "return from the first to the last look of the span", ["return", "change", "momentum", "roc"]),
    word!("vol", Percent, 0 => ONE, Over(Vol), "",
        Is("the volatility of {w} looks"),
        "standard deviation of the returns from look to look", ["volatility", "sigma", "stdev", "atr"]),
    word!("range", Percent, 0 => 10 * ONE, Over(Range), "",
        Is("the range of the last {w} looks"),
        "highest less lowest price, by the price now", ["width", "spread", "highlow"]),
    word!("trend", Deviations, -1_000 * ONE => 1_000 * ONE, Over(Trend), "standard errors",
        Is("the slope of the last {w} looks"),
        "slope of the price, in its own standard errors", ["slope", "direction", "sma", "ema"]),
    word!("volrank", Ratio, 0 => ONE, Over(VolRank), "",
        Is("the rank of the volatility of {w} looks among its last values"),
        "share of its last values (of four spans) that vol stands above, 0 to 1", ["rank", "percentile"]),
    word!("fees", Percent, 0 => ONE, Over(Fees), "",
        Is("what liquidity over all prices earned in {w} looks"),
        "fees earned by liquidity over all prices, by its worth", ["yield", "apr", "earned"]),
    word!("gap", Percent, -ONE => 10 * ONE, Plain(Gap), "",
        Stands { subject: "the price stands", mark: "the vault's mean price" },
        "distance of the price from the vault's mean price", ["twap", "premium"]),
    word!("depth", Percent, 0 => ONE, Plain(Depth), "",
        Is("what swapping the stake loses to the pool"),
        "what swapping the stake one way loses to the pool, beside its fee", ["impact", "slippage", "liquidity"]),
    word!("cost", Percent, 0 => ONE, Plain(Cost), "",
        Is("the cost of a round trip"),
        "what a round trip costs: fee, impact and gas, both ways", ["fee", "costs", "roundtrip"]),
    word!("gas", Ratio, 0 => 1_000 * ONE, Plain(Gas), "times its median",
        Is("gas"),
        "gas against the median of its last 255 looks; 1 is usual", ["gasprice"]),
    word!("held", Percent, 0 => ONE, Plain(Held), "",
        Is("what is held"),
        "own exposure, by the capital a trade may use", ["exposure", "position", "holding"]),
    word!("since", Count, 0 => ONE, Plain(Since), "looks",
        Is("the time since the entry"),
        "looks since the entry", ["age", "bars", "time", "after"]),
    word!("gain", Percent, -ONE => 10 * ONE, Plain(Gain), "",
        Stands { subject: "the position stands", mark: "its entry" },
        "return since the entry; a stop is `gain <= -1.5%`", ["profit", "pnl", "loss", "stop"]),
    word!("fall", Percent, -ONE => 0, Plain(Fall), "",
        Stands { subject: "the position stands", mark: "its best since the entry" },
        "fall from the best since the entry, never above 0%", ["drawdown", "trailing"]),
    word!("hour", Count, 0 => 23, Plain(Hour), "",
        Is("the hour (UTC)"),
        "hour of the day, UTC", ["time", "hours"]),
    word!("weekday", Count, 1 => 7, Plain(Weekday), "",
        Is("the weekday (1 is Monday)"),
        "day of the week, 1 is Monday, UTC", ["day"]),
    word!("regime", Count, 1 => 5, Plain(Regime), "",
        Is("the volatility of the regime (1 to 5)"),
        "volatility of the regime, 1 calm to 5 wild", ["market", "mode"]),
];

impl Word {
    /// The row of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        WORDS.iter().find(|row| row.name == name)
    }

    /// Whether it is written with a span.
    #[must_use]
    pub const fn has_span(&self) -> bool {
        matches!(self.make, Make::Over(_))
    }

    /// The span this row's word has in `word`, if that is a word of this row.
    fn matching(&self, word: Observable) -> Option<Option<Span>> {
        match self.make {
            Make::Plain(plain) => (plain == word).then_some(None),
            Make::Over(make) => Span::ALL.into_iter().find(|span| make(*span) == word).map(Some),
        }
    }
}

impl Observable {
    /// The row of a word, and its span.
    ///
    /// # Panics
    /// Never: a test holds that every word has its row.
    #[must_use]
    pub fn row(self) -> (&'static Word, Option<Span>) {
        let found = WORDS.iter().find_map(|row| row.matching(self).map(|span| (row, span)));
        found.expect("every word has a row")
    }

    /// Every word there is, with every span.
    pub fn all() -> impl Iterator<Item = Self> {
        WORDS.iter().flat_map(|row| {
            let words: Vec<Self> = match row.make {
                Make::Plain(word) => vec![word],
                Make::Over(make) => Span::ALL.map(make).to_vec(),
            };
            words
        })
    }
}

/// Bytes of what may be a slip of the pen.
pub(crate) const LONG: usize = 40;

/// The candidate nearest to what was written, if one is near at all.
pub(crate) fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Nobody meant a word of ours by one so long, and comparing takes its time.
    if written.len() > LONG {
        return None;
    }
    let written = written.to_lowercase();
    let far = (written.chars().count() / 2).max(2);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&written, candidate), candidate))
        .filter(|(distance, candidate)| *distance < far.min(candidate.chars().count()).max(1) + 1)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The word a person meant: one of another name for it, or one that is spelled nearly so.
pub(crate) fn meant(written: &str) -> Option<&'static str> {
    let lower = written.to_lowercase();
    let by_other_name = WORDS.iter().find(|row| row.also.contains(&lower.as_str())).map(|row| row.name);
    by_other_name.or_else(|| nearest(written, WORDS.iter().map(|row| row.name)))
}
