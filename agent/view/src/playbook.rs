//! The rules a Golem acts by, what each has shown, and what its Curator counsels.

use golem_core::trader::Trader;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::playbook::{Playbook, WrittenRule, WrittenRuleChange};
use golem_playbook::choice::Why;
use golem_playbook::hand::Hand;
use golem_playbook::print::number;
use golem_playbook::promotion::{Founding, Origin, Standing, Tried};
use golem_playbook::{Book, Difference, Document, Mistake, Remark, Rule, Word};
use golem_primitives::{B256, PoolName, Ppm, Tick, UtcTime};

use crate::shown::shown;
use crate::{AsKept, Number, picture};

/// A return in parts per million, with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReturnPpm(pub i64);

impl ReturnPpm {
    /// Of a share; what is too large is held at the range of the type.
    #[must_use]
    pub fn of(share: f64) -> Self {
        Self((share * 1e6).round() as i64)
    }
}

shown! {
    ReturnPpm as share: {
        let sign = if share.0 < 0 { "-" } else { "+" };
        // Of a percent.
        let hundredths = (share.0.unsigned_abs() + 50) / 100;
        format!("{sign}{}.{:02}%", hundredths / 100, hundredths % 100)
    } => share.0, Ppm::UNIT;
}

picture! {
    /// P-050. One rule of a Golem's book, and what it has shown.
    pub struct TriedRule {
        name: String = "rule",
        /// P-057. Where it is tried.
        pool: String = "pool",
        number: u64,
        from: &'static str = "from",
        standing: &'static str = "may move",
        /// From its `when` to its `until`, at the newest look.
        awake: bool = "awake",
        /// P-040. Of a candidate: from 0.7 on, with five trips for it, evidence alone decides; below 0.1 it leaves.
        confidence: Option<Number> = "believed",
        /// Imaginary wealth that began at 1.
        evidence: Number = "evidence",
        trips: u64 = "trips",
        mean_return_recent: Option<ReturnPpm> = "mean",
        bound_of_a_loss: Number,
        says: String,
        text: String,
    }
}

impl TriedRule {
    /// Every rule of the hands of a life, pool by pool.
    #[must_use]
    pub fn all(trader: &Trader) -> Vec<Self> {
        let rules = |(pool, hand): (PoolName, &Hand)| {
            hand.tried().iter().map(|tried| Self::of(pool, tried, hand.why())).collect::<Vec<_>>()
        };
        trader.hands().flat_map(rules).collect()
    }

    /// A rule as it is tried in a pool.
    fn of(pool: PoolName, tried: &Tried, why: &Why) -> Self {
        Self {
            name: tried.rule.name.clone(),
            pool: pool.to_string(),
            number: tried.number(),
            from: match tried.origin() {
                Origin::Founding(Founding::Trial) => "founding, on trial",
                Origin::Founding(Founding::Paper) => "founding, on paper",
                Origin::Founding(Founding::Trust) => "founding, trusted",
                Origin::Candidate => "candidate",
            },
            standing: match tried.standing() {
                Standing::Whole if tried.rule.action.is_guard() => "obeyed",
                Standing::Rest => "rest",
                Standing::Paper => "paper",
                Standing::Trial => "trial, a quarter",
                Standing::Whole => "whole",
            },
            awake: why.awake.iter().any(|voice| voice.number == tried.number()),
            confidence: tried.confidence().map(|confidence| Number(f64::from(confidence.hundredths()) / 100.0)),
            evidence: Number(tried.evidence()),
            trips: tried.trips(),
            mean_return_recent: (tried.trips() > 0).then(|| ReturnPpm::of(tried.recent_mean())),
            bound_of_a_loss: Number(tried.bound_of_a_loss()),
            says: tried.rule.in_words(),
            text: tried.rule.to_string(),
        }
    }
}

picture! {
    /// The book a Golem acts by.
    pub struct TriedBook { golem: String, book: String, tick: Tick, rules: Vec<TriedRule> }

    /// P-055. Why it decided as it did.
    pub struct WhyPicture { golem: String, tick: Tick, book: String, pools: Vec<WhyInPool> }

    /// P-057. Why it decided as it did in one of its pools.
    pub struct WhyInPool { pool: String, why: AsKept, words: Vec<String> }
}

impl WhyInPool {
    /// What the hand of a pool says of its newest decision.
    #[must_use]
    pub fn of(pool: PoolName, hand: &Hand) -> Self {
        let words = golem_playbook::why::say(hand.why(), hand.tried());
        Self { pool: pool.to_string(), why: AsKept::of(hand.why()), words }
    }
}

picture! {
    /// A rule as it is written.
    pub struct RulePicture {
        name: String,
        when: String,
        r#do: String,
        until: Option<String>,
        expects: Option<String>,
        because: Option<String>,
        asks: Option<String>,
        guard: bool,
        words: String,
    }
}

impl From<&Rule> for RulePicture {
    fn from(rule: &Rule) -> Self {
        Self {
            name: rule.name.clone(),
            when: rule.when.to_string(),
            r#do: rule.action.to_string(),
            until: rule.until.as_ref().map(ToString::to_string),
            expects: rule.expects.map(|expects| expects.to_string()),
            because: rule.because.clone(),
            asks: rule.asks.clone(),
            guard: rule.action.is_guard(),
            words: rule.in_words(),
        }
    }
}

picture! {
    /// A mistake in a book.
    pub struct MistakePicture { line: usize, column: usize, problem: String }

    /// What is to be said of a rule that is no mistake.
    pub struct RemarkPicture { line: usize, rule: String, problem: String }
}

impl From<&Mistake> for MistakePicture {
    fn from(mistake: &Mistake) -> Self {
        Self { line: mistake.line, column: mistake.column, problem: mistake.problem.to_string() }
    }
}

impl From<&Remark> for RemarkPicture {
    fn from(remark: &Remark) -> Self {
        let problem = format!("rule `{}` {}", remark.rule, remark.kind);
        Self { line: remark.line, rule: remark.rule.clone(), problem }
    }
}

picture! {
    /// P-005. A file that was looked through.
    #[derive(Default)]
    pub struct BookCheck {
        file: String,
        valid: bool,
        title: Option<String>,
        rules: Option<usize>,
        mistakes: Vec<MistakePicture>,
        warnings: Vec<RemarkPicture>,
        error: Option<String>,
    }
}

impl BookCheck {
    /// A book that can be read.
    #[must_use]
    pub fn sound(file: &str, document: &Document) -> Self {
        Self {
            file: file.to_owned(),
            valid: true,
            title: Some(document.book.title.clone()),
            rules: Some(document.book.rules.len()),
            warnings: document.remarks.iter().map(RemarkPicture::from).collect(),
            ..Self::default()
        }
    }

    /// One with mistakes.
    #[must_use]
    pub fn broken(file: &str, mistakes: &[Mistake]) -> Self {
        Self { file: file.to_owned(), mistakes: mistakes.iter().map(MistakePicture::from).collect(), ..Self::default() }
    }
}

picture! {
    /// A book.
    pub struct BookPicture { title: String, rules: Vec<RulePicture>, warnings: Vec<RemarkPicture> }
}

impl From<&Document> for BookPicture {
    fn from(document: &Document) -> Self {
        let Book { title, rules, .. } = &document.book;
        Self {
            title: title.clone(),
            rules: rules.iter().map(RulePicture::from).collect(),
            warnings: document.remarks.iter().map(RemarkPicture::from).collect(),
        }
    }
}

picture! {
    /// A rule that two books have.
    pub struct SharedRule { first: String, second: String }

    /// P-070. How two books differ in what they mean.
    pub struct BookDifference {
        distance: Ppm,
        same: Vec<SharedRule>,
        only_first: Vec<RulePicture>,
        only_second: Vec<RulePicture>,
    }
}

impl From<&Difference<'_>> for BookDifference {
    fn from(difference: &Difference<'_>) -> Self {
        let rules = |rules: &[&Rule]| rules.iter().map(|rule| RulePicture::from(*rule)).collect();
        let same = difference.same.iter();
        Self {
            distance: difference.distance(),
            same: same.map(|(one, other)| SharedRule { first: one.name.clone(), second: other.name.clone() }).collect(),
            only_first: rules(&difference.only_first),
            only_second: rules(&difference.only_second),
        }
    }
}

picture! {
    /// A founding book to start from.
    pub struct FoundingText { name: String, text: &'static str }

    /// P-010. A word that a rule may use.
    pub struct WordPicture {
        word: &'static str,
        written: String = "word",
        spans: bool,
        unit: &'static str = "unit",
        range: String = "range",
        meaning: &'static str = "meaning",
    }
}

impl From<&Word> for WordPicture {
    fn from(word: &Word) -> Self {
        Self {
            word: word.name,
            written: if word.has_span() { format!("{}(w)", word.name) } else { word.name.to_owned() },
            spans: word.has_span(),
            unit: word.unit.name(),
            range: format!("{} to {}", number(word.unit, word.least), number(word.unit, word.most)),
            meaning: word.meaning,
        }
    }
}

picture! {
    /// A rule of the counsel.
    pub struct CounselRule {
        id: EntryId,
        when: String,
        r#do: String,
        because: String,
        confidence: Confidence,
        regime: Option<&'static str>,
        evidence: usize,
        open_question: Option<String>,
    }
}

impl From<&WrittenRule> for CounselRule {
    fn from(rule: &WrittenRule) -> Self {
        Self {
            id: rule.id,
            when: rule.when.clone(),
            r#do: rule.act.clone(),
            because: rule.because.clone(),
            confidence: rule.confidence,
            regime: rule.regime.map(|regime| regime.name()),
            evidence: rule.evidence.len(),
            open_question: rule.open_question.clone(),
        }
    }
}

picture! {
    /// G-159. PLAYBOOK.md: what its Curator counted of its book and holds it back by. Version 0 was never written.
    pub struct CounselPicture {
        golem: String,
        version: u64,
        cycle: Option<String>,
        tick: Option<Tick>,
        hash: Option<B256>,
        rules: Vec<CounselRule>,
    }

    /// A version of it.
    pub struct CounselVersion {
        version: u64 = "version",
        tick: Tick = "tick",
        at: UtcTime,
        rules: u32 = "rules",
        cycle: String = "written by",
        hash: B256 = "hash",
    }

    /// A rule that differs between two versions.
    pub struct CounselChange {
        change: &'static str,
        id: EntryId,
        when: Option<String>,
        r#do: Option<String>,
        confidence_before: Option<Confidence>,
        confidence: Option<Confidence>,
    }

    /// What changed between two versions.
    pub struct CounselDiff { golem: String, from: u64, to: u64, divergence: Ppm, changes: Vec<CounselChange> }
}

impl CounselDiff {
    /// From one document to another.
    #[must_use]
    pub fn between(golem: &str, old: &Playbook, new: &Playbook) -> Self {
        let change = |change: WrittenRuleChange| {
            let (change, id, rule) = match change {
                WrittenRuleChange::Struck(id) => ("struck", id, old.rule(id)),
                WrittenRuleChange::Written(id) => ("written", id, new.rule(id)),
                WrittenRuleChange::Rewritten(id) => ("rewritten", id, new.rule(id)),
            };
            CounselChange {
                change,
                id,
                when: rule.map(|rule| rule.when.clone()),
                r#do: rule.map(|rule| rule.act.clone()),
                confidence_before: old.rule(id).map(|rule| rule.confidence),
                confidence: rule.map(|rule| rule.confidence),
            }
        };
        Self {
            golem: golem.to_owned(),
            from: old.version(),
            to: new.version(),
            divergence: new.divergence(old),
            changes: new.changes_since(old).into_iter().map(change).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shown as _;

    /// O-002: a return keeps its sign and its digits, for a person and for a program.
    #[test]
    fn o_002_a_return_keeps_its_sign() {
        let told = [-0.001_249, 0.0, 0.5].map(|share| (ReturnPpm::of(share).json(), ReturnPpm::of(share).words()));
        let expected = [(-1_249, "-0.12%"), (0, "+0.00%"), (500_000, "+50.00%")];
        assert_eq!(told, expected.map(|(ppm, words)| (ppm.into(), words.to_owned())));
    }
}
