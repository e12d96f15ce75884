//! P-079, M-243 to M-249. Phages: small lives on paper that try one hypothesis each and die at their end.
//!
//! A hypothesis is a rule with one thing changed: another stop, another end, another width, another number, or the same only
//! while the market is calm or wild. Its phage trades it by itself over the looks that follow, beside the rule as it is and
//! with all costs, and answers whether the change did better. Nothing of it is evidence: what two lives confirmed is tried as a
//! candidate. A replicant is the same with a longer life and a larger change, for an owner who wants them (I-192).
//!
//! A phage keeps no account: the looks it lived are in the record, so at its end both rules are traded over them.

use arrayvec::ArrayVec;
use golem_mortality::fractal::{FailureTally, PhageHealth, PhageLaw, PhageRemedy};
use golem_primitives::words;

use crate::account::{Account, AccountSight};
use crate::observable::{Observable, Span, Stance, WordSet};
use crate::record::Row;
use crate::rewriting::{self, Rewrite};
use crate::rule::{Action, COMPARISONS, Comparison, Condition, Join, Relation, Rule};
use crate::tuning::{Mean, named};
use crate::watch::{MEMORY, Watch};

/// Looks from one phage to the next, and to the next search for a hypothesis where there was none.
const BETWEEN: u64 = 16;
const NOTHING_FOUND: u64 = 200;
/// Looks that must have been seen before one is sent: a word over many looks has no value sooner.
const FEWEST_LOOKS: usize = 1_024;
/// How sure a difference must be, either way, to decide a hypothesis: a single look that differs is one standard error.
const SURE: f64 = 1.5;
/// The newest answers, of which health is read.
const RECENT: usize = 20;
/// Phages that live at a time: more would be sent than the record can tell apart.
const AT_ONCE: usize = 8;
/// Hypotheses that one life confirmed and that wait for another.
const WAITING: usize = 16;
const SECONDS_A_DAY: u64 = 86_400;

words! {
    /// What of a rule is changed.
    Changed {
        /// Where it admits a loss.
        Stop = "stop",
        Holding = "holding",
        Width = "width",
        /// The number it waits for.
        Number = "number",
        /// Only while the market is calm, or while it is wild.
        Regime = "regime",
        /// All of it: a replicant's.
        Rewritten = "rewritten",
    }
}

words! {
    /// M-244. What became of a hypothesis.
    PhageAnswer {
        Confirmed = "confirmed",
        Falsified = "falsified",
        /// Too little differed to say.
        Open = "open",
    }
}

words! {
    /// M-245. What a hypothesis fell by.
    FellBy {
        Costs = "costs",
        /// It held while the price fell.
        Direction = "direction",
        /// It stood aside while the rule earned.
        Absence = "absence",
    }
}

/// One that lives.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Phage {
    changed: Changed,
    rule: Rule,
    other: Rule,
    /// How many looks there had been when it was sent.
    born: u64,
    life: u64,
    /// A life before this one confirmed the same.
    is_second: bool,
}

impl Phage {
    /// One that was not sent yet.
    fn new(changed: Changed, rule: &Rule, other: Rule) -> Self {
        Self { changed, rule: rule.clone(), other, born: 0, life: 0, is_second: false }
    }

    /// What it tries, by the name of the changed rule.
    #[must_use]
    pub fn hypothesis(&self) -> &str {
        &self.other.name
    }

    /// I-192. Whether it is a replicant.
    #[must_use]
    pub fn is_replicant(&self) -> bool {
        self.changed == Changed::Rewritten
    }

    const fn is_over(&self, looks: u64) -> bool {
        looks.saturating_sub(self.born) >= self.life
    }
}

/// M-216, M-244. What one answers at its end, to its parent and nobody else.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PhageReport {
    pub rule: String,
    /// The changed rule.
    pub hypothesis: String,
    pub changed: Changed,
    pub answer: PhageAnswer,
    pub fell_by: Option<FellBy>,
    /// What the changed rule brought over its looks, in millionths of the stake.
    pub brought_ppm: i64,
    pub rule_brought_ppm: i64,
    pub looks: u64,
    /// G-164. It was confirmed twice, and the changed rule is tried as a candidate.
    pub is_staged: bool,
    /// M-245, M-246. With it too many fell by the same: the Curator goes over the rules at the next look.
    pub is_alarming: bool,
}

impl PhageReport {
    /// For a person.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { rule, hypothesis, looks, .. } = self;
        let percent = |ppm: i64| format!("{:+.2}%", ppm as f64 / 1e4);
        let figures = format!("{} against {}", percent(self.brought_ppm), percent(self.rule_brought_ppm));
        let what = match (self.answer, self.fell_by) {
            (PhageAnswer::Falsified, Some(by)) => format!("worse, by {by}"),
            (PhageAnswer::Falsified, None) => "worse".to_owned(),
            (PhageAnswer::Confirmed, _) => "better".to_owned(),
            (PhageAnswer::Open, _) => "not told apart".to_owned(),
        };
        let then = if self.is_staged { "; it is tried as a candidate" } else { "" };
        format!("{hypothesis} beside {rule} over {looks} looks: {what} ({figures}){then}")
    }
}

/// What decides whether one is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhageTerms {
    pub law: PhageLaw,
    /// How many may be sent today, in all pools.
    pub allowed: u32,
    /// How many were sent today in other pools.
    pub elsewhere: u32,
    /// M-127. Whether the phase lets replicants be sent.
    pub may_replicate: bool,
}

/// Those of one hand.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Phages {
    living: Vec<Phage>,
    /// Confirmed by one life.
    waiting: Vec<Phage>,
    /// How the newest ended, where that was decided: what it fell by, or that it held.
    recent: ArrayVec<Option<FellBy>, RECENT>,
    /// M-245. What they say together, read when one is added: it is asked at every look.
    health: PhageHealth,
    sent: u64,
    /// The day of which `today` is the count.
    day: u64,
    today: u32,
    /// When the last replicant was sent.
    replicated: Option<u64>,
    /// The look before which nothing is looked for to be sent.
    next: u64,
}

impl Phages {
    /// Those that live.
    #[must_use]
    pub fn living(&self) -> &[Phage] {
        &self.living
    }

    /// How many were ever sent.
    #[must_use]
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// How many were sent on the day of this time.
    #[must_use]
    pub const fn sent_on(&self, time: u64) -> u32 {
        if time / SECONDS_A_DAY == self.day { self.today } else { 0 }
    }

    /// M-245. Adds how one ended to the newest answers and reads what they say together.
    fn take_in(&mut self, fell_by: Option<FellBy>) {
        if self.recent.is_full() {
            self.recent.remove(0);
        }
        self.recent.push(fell_by);
        let mut tally = FailureTally::default();
        for ended in &self.recent {
            match ended {
                Some(by) => tally.record_death(by.name()),
                None => tally.record_survival(),
            }
        }
        self.health = tally.health();
    }

    /// Whether the next look has nothing to do here: the short way of nearly every look.
    #[must_use]
    pub fn is_idle(&self, looks: u64, time: u64, terms: &PhageTerms) -> bool {
        let is_over = self.living.iter().any(|phage| phage.is_over(looks));
        !is_over && !self.is_due(looks, time, terms)
    }

    fn is_due(&self, looks: u64, time: u64, terms: &PhageTerms) -> bool {
        looks >= self.next && (self.may_send(time, terms) || self.may_replicate(time, terms))
    }

    fn may_send(&self, time: u64, terms: &PhageTerms) -> bool {
        let sent = self.sent_on(time).saturating_add(terms.elsewhere);
        // M-246. Where few fall, one more is sent; none where none may be.
        let is_easy = terms.allowed > 0 && self.health.remedy() == PhageRemedy::MoreVaried;
        self.living.len() < AT_ONCE && sent < terms.allowed.saturating_add(u32::from(is_easy))
    }

    /// I-192. One an hour, five at a time.
    fn may_replicate(&self, time: u64, terms: &PhageTerms) -> bool {
        let of_parent = self.living.iter().filter(|phage| phage.is_replicant()).count();
        terms.may_replicate
            && self.living.len() < AT_ONCE
            && of_parent < PhageLaw::REPLICANTS
            && self.replicated.is_none_or(|last| time.saturating_sub(last) >= PhageLaw::REPLICANT_SECONDS)
    }

    /// The answer of everyone whose life is over at this look, with the changed rule where it was confirmed twice.
    pub(crate) fn end(&mut self, rows: &[Row], looks: u64) -> Vec<(PhageReport, Option<Rule>)> {
        let (over, living) = self.living.drain(..).partition(|phage| phage.is_over(looks));
        self.living = living;
        let over: Vec<Phage> = over;
        over.into_iter().map(|phage| self.answer(phage, rows, looks)).collect()
    }

    fn answer(&mut self, phage: Phage, rows: &[Row], looks: u64) -> (PhageReport, Option<Rule>) {
        let outcome = lived(rows, looks, &phage);
        let (answer, fell_by) = outcome.judged();
        let was_alarming = self.health.warns_of_senescence();
        if answer != PhageAnswer::Open {
            self.take_in(fell_by);
        }
        let ppm = |grown: f64| libm::round((grown - 1.0) * 1e6) as i64;
        let mut report = PhageReport {
            rule: phage.rule.name.clone(),
            hypothesis: phage.other.name.clone(),
            changed: phage.changed,
            answer,
            fell_by,
            brought_ppm: ppm(outcome.other.grown),
            rule_brought_ppm: ppm(outcome.rule.grown),
            looks: outcome.differences.len() as u64,
            is_staged: false,
            is_alarming: self.health.warns_of_senescence() && !was_alarming,
        };
        let found = match (answer, phage.is_second) {
            (PhageAnswer::Confirmed, true) => {
                report.is_staged = true;
                Some(phage.other)
            }
            (PhageAnswer::Confirmed, false) => {
                if self.waiting.len() < WAITING {
                    self.waiting.push(phage);
                }
                None
            }
            _ => None,
        };
        (report, found)
    }

    /// Sends what may be sent: what one life confirmed before anything new. Only what nothing is tried for yet is sent (I-197).
    pub(crate) fn send(
        &mut self,
        rows: &[Row],
        rules: &[Rule],
        now: &Now,
        terms: &PhageTerms,
        is_new: impl Fn(&Rule) -> bool,
    ) {
        if !self.is_due(now.looks, now.time, terms) {
            return;
        }
        self.next = now.looks.saturating_add(NOTHING_FOUND);
        if rules.is_empty() || rows.len() < FEWEST_LOOKS {
            return;
        }
        let sent = self.sent;
        if self.day != now.time / SECONDS_A_DAY {
            (self.day, self.today) = (now.time / SECONDS_A_DAY, 0);
        }
        self.waiting.retain(|phage| is_new(&phage.other) && rules.iter().any(|rule| rule.means(&phage.rule)));
        if self.may_send(now.time, terms) {
            let known = || {
                let median = median_vol(rows);
                rules.iter().flat_map(|rule| hypotheses(rule, median)).collect()
            };
            if let Some(phage) = self.ready(false, known, &is_new) {
                self.today += 1;
                self.living.push(Phage { born: now.looks, life: terms.law.lifetime, ..phage });
            }
        }
        if self.may_replicate(now.time, terms)
            && let Some(phage) = self.ready(true, || rewritten(rules), &is_new)
        {
            self.replicated = Some(now.time);
            self.living.push(Phage { born: now.looks, life: PhageLaw::REPLICANT_LIFE, ..phage });
        }
        if self.sent > sent {
            self.next = now.looks.saturating_add(BETWEEN);
        }
    }

    /// The next that is sent: one that waits for its second life, or one of the known of which nothing is tried yet.
    fn ready(
        &mut self,
        is_replicant: bool,
        known: impl FnOnce() -> Vec<Phage>,
        is_new: impl Fn(&Rule) -> bool,
    ) -> Option<Phage> {
        let phage = match self.waiting.iter().position(|phage| phage.is_replicant() == is_replicant) {
            Some(place) => Phage { is_second: true, ..self.waiting.remove(place) },
            None => {
                let is_free = |other: &Rule| {
                    is_new(other) && self.living.iter().chain(&self.waiting).all(|one| one.other.name != other.name)
                };
                self.chosen(known().into_iter().filter(|phage| is_free(&phage.other)).collect())?
            }
        };
        self.sent += 1;
        Some(phage)
    }

    /// One of those that can be sent. In turn by what is changed; where hypotheses stopped falling, any of them (M-246).
    fn chosen(&self, known: Vec<Phage>) -> Option<Phage> {
        let place = match self.health.remedy() {
            PhageRemedy::RandomHypotheses => self.sent.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32),
            PhageRemedy::MoreVaried => {
                // What is changed takes turns, whatever there is more of; what no rule here has is passed over.
                let turn = usize::try_from(self.sent % Changed::ALL.len() as u64).unwrap_or(0);
                let by_turn = Changed::ALL.iter().cycle().skip(turn).take(Changed::ALL.len());
                let place =
                    by_turn.filter_map(|changed| known.iter().position(|phage| phage.changed == *changed)).next()?;
                return known.into_iter().nth(place);
            }
            PhageRemedy::None | PhageRemedy::CuratorAndArousal => self.sent,
        };
        let place = place.checked_rem(known.len() as u64)?;
        known.into_iter().nth(usize::try_from(place).unwrap_or(0))
    }
}

/// When something is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub(crate) looks: u64,
    pub(crate) time: u64,
}

/// What one rule came to over a phage's life.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Came {
    /// Times its stake, as if it were ended at the last look.
    grown: f64,
    /// The same without costs.
    gross: f64,
    /// Looks at which it held.
    held: u32,
}

impl Came {
    const NOTHING: Self = Self { grown: 1.0, gross: 1.0, held: 0 };
}

#[derive(Debug, Clone, PartialEq)]
struct Outcome {
    rule: Came,
    other: Came,
    /// What the changed rule won on the other at each look.
    differences: Vec<f64>,
}

impl Outcome {
    fn judged(&self) -> (PhageAnswer, Option<FellBy>) {
        let t = Mean::of(self.differences.iter().copied()).t();
        // Who stands aside beats every rule that loses, and would never be refuted: what is confirmed paid.
        if t >= SURE && self.other.held > 0 && self.other.grown > 1.0 {
            return (PhageAnswer::Confirmed, None);
        }
        if t > -SURE {
            return (PhageAnswer::Open, None);
        }
        let by = if self.other.gross >= self.rule.gross {
            FellBy::Costs
        } else if self.other.held < self.rule.held {
            FellBy::Absence
        } else {
            FellBy::Direction
        };
        (PhageAnswer::Falsified, Some(by))
    }
}

/// Trades both rules over the looks of a phage's life, each from nothing; `looks` is how many there have been. Of a life that the
/// record no longer has nothing is left to tell.
fn lived(rows: &[Row], looks: u64, phage: &Phage) -> Outcome {
    let Phage { rule, other, born, life, .. } = phage;
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let born = rows.len().checked_sub(whole(looks.saturating_sub(*born))).unwrap_or(rows.len());
    let (rows, life) = (&rows[..rows.len().min(born.saturating_add(whole(*life)))], whole(*life));
    let mut watch = Watch::of(rule.words().with(other.words()));
    for Row { look, capital } in &rows[born.saturating_sub(MEMORY)..born] {
        watch.look(look, *capital);
    }
    let mut both = [rule, other].map(Trading::new);
    let mut differences = Vec::with_capacity(life.min(rows.len()));
    for Row { look, capital } in &rows[born..] {
        let sight = AccountSight { look, seen: watch.look(look, *capital), capital: *capital };
        let [of_rule, of_other] = both.each_mut().map(|trading| trading.look(&sight));
        differences.push(of_other - of_rule);
    }
    let [rule, other] = both.map(|trading| trading.came);
    Outcome { rule, other, differences }
}

/// A rule that is traded by itself from a phage's first look on.
struct Trading<'rule> {
    rule: &'rule Rule,
    account: Option<Account>,
    /// What ended trips made of the stake, and what they would have made of it without costs.
    ended: f64,
    ended_gross: f64,
    came: Came,
}

impl<'rule> Trading<'rule> {
    fn new(rule: &'rule Rule) -> Self {
        Self { rule, account: Account::of(&rule.action), ended: 1.0, ended_gross: 1.0, came: Came::NOTHING }
    }

    /// What the look did to what it would be worth if it were ended there.
    fn look(&mut self, sight: &AccountSight<'_>) -> f64 {
        let Some(account) = &mut self.account else { return 0.0 };
        if let Some(trip) = account.look(self.rule, sight).trip {
            // Where gas is more than what is at stake a trip loses more than all of it.
            self.ended *= (1.0 + trip.observation.net).max(0.0);
            self.ended_gross *= 1.0 + trip.gross;
        }
        let stance = account.stance(sight.look.price);
        let before = self.came.grown;
        self.came = Came {
            grown: self.ended * (1.0 + account.if_ended(sight)).max(0.0),
            gross: self.ended_gross * (1.0 + stance.gain as f64 / 1e6),
            held: self.came.held + u32::from(stance.held > 0),
        };
        self.came.grown - before
    }
}

/// The middle of how much the price wavered.
fn median_vol(rows: &[Row]) -> Option<i64> {
    const WORD: Observable = Observable::Vol(Span::L64);
    let mut watch = Watch::of(WordSet::of(WORD));
    let rows = &rows[rows.len().saturating_sub(MEMORY)..];
    let seen = rows.iter().filter_map(|row| watch.look(&row.look, row.capital).get(WORD, &Stance::default()));
    let mut seen: Vec<i64> = seen.collect();
    seen.sort_unstable();
    seen.get(seen.len() / 2).copied()
}

/// What of a rule might be otherwise.
fn hypotheses(rule: &Rule, median_vol: Option<i64>) -> Vec<Phage> {
    let mut found = Vec::new();
    let mut suppose = |changed: Changed, name: String, other: Rule, what: &str| {
        let because = format!("{} with {what}", rule.name);
        let other =
            named(format!("{}-{name}", rule.name), other, because, "does it hold beyond the looks two phages lived?");
        // I-197. A copy without a difference teaches nothing.
        found.extend(other.filter(|other| !other.means(rule)).map(|other| Phage::new(changed, rule, other)));
    };
    for (percent, side) in [(50, "half"), (200, "twice")] {
        let stop = ends_at(rule, percent, |end| {
            matches!(end.word, Observable::Gain | Observable::Fall)
                && matches!(end.relation, Relation::AtMost | Relation::Below)
        });
        suppose(Changed::Stop, format!("stop-{side}"), stop, &format!("{side} the loss it stands"));
        let holding = ends_at(rule, percent, |end| end.word == Observable::Since);
        suppose(Changed::Holding, format!("hold-{side}"), holding, &format!("{side} as long a holding"));
        if let Action::Provide { width, share } = rule.action {
            let scaled = u64::from(width.get()) * percent.unsigned_abs() / 100;
            let width = golem_primitives::Ppm::saturating(scaled);
            let wider = Rule { action: Action::Provide { width, share }, ..rule.clone() };
            suppose(Changed::Width, format!("width-{side}"), wider, &format!("{side} the width"));
        }
    }
    for percent in [75, 125] {
        let mut other = rule.clone();
        if let Some((_, first)) = other.when.parts.first_mut() {
            first.threshold = scaled(first.threshold, percent);
        }
        suppose(Changed::Number, format!("number-{percent}"), other, &format!("{percent}% of the number it waits for"));
    }
    let has_room = rule.when.is_plain() && rule.when.parts.len() < COMPARISONS;
    if let Some(threshold) = median_vol.filter(|_| has_room) {
        for (relation, side) in [(Relation::Below, "calm"), (Relation::AtLeast, "wild")] {
            let mut other = rule.clone();
            other.when.parts.push((Join::And, Comparison { word: Observable::Vol(Span::L64), relation, threshold }));
            suppose(Changed::Regime, side.to_owned(), other, &format!("entries only while the market is {side}"));
        }
    }
    found
}

/// A rule whose ends of one kind are at so many percent of what they are.
fn ends_at(rule: &Rule, percent: i64, is_end: impl Fn(&Comparison) -> bool) -> Rule {
    let scale = |(join, end): &(Join, Comparison)| {
        let threshold = if is_end(end) { scaled(end.threshold, percent) } else { end.threshold };
        (*join, Comparison { threshold, ..*end })
    };
    let until = rule.until.as_ref().map(|until| Condition { parts: until.parts.iter().map(scale).collect() });
    Rule { until, ..rule.clone() }
}

/// A number at so many percent, and as it is where that is no number any more.
fn scaled(number: i64, percent: i64) -> i64 {
    number.checked_mul(percent).map_or(number, |scaled| scaled / 100)
}

/// Rules changed as a whole, each beside the one it was made of.
fn rewritten(rules: &[Rule]) -> Vec<Phage> {
    let of_rule = |way: Rewrite, rule: &Rule| {
        let rewrites = rewriting::rewrites_of(rule, rules, way).into_iter();
        rewrites.map(|other| Phage::new(Changed::Rewritten, rule, other)).collect::<Vec<_>>()
    };
    Rewrite::ALL.iter().flat_map(|way| rules.iter().flat_map(|rule| of_rule(*way, rule))).collect()
}

#[cfg(test)]
#[path = "tests/phages.rs"]
mod tests;
