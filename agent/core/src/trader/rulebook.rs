//! P-009, P-050. What a life acts by: a book of rules, and the hand that tries them.

use arrayvec::{ArrayString, ArrayVec};
use golem_mortality::cause::CauseKind;
use golem_playbook::Book;
use golem_playbook::account::ForgoneEntry;
use golem_playbook::choice::{Circumstances, Decision, Stand};
use golem_playbook::hand::{GuardCut, Hand, HeardRules};
use golem_playbook::information::InformationReading;
use golem_playbook::links::LinkChange;
use golem_playbook::look::Look;
use golem_playbook::phages::{PhageReport, PhageTerms};
use golem_playbook::promotion::{Founding, Paper, Standing, Tried};
use golem_playbook::rewriting::Rewrite;
use golem_playbook::rule::{Action, Rule};
use golem_playbook::search::{EVERY, STAGED};
use golem_playbook::staging::{guarded_fall_ppm, stop};
use golem_playbook::stains::MarketStain;
use golem_primitives::{PoolName, Ppm, Usdc};
use serde::{Deserialize, Serialize};

use crate::pass::Pass;
use crate::record::{BookWord, ELSEWHERE, Event, RuleChanged};
use crate::trader::TriedIn;

const NAME: usize = 32;

/// What a book is called: small letters, digits and dashes. It keys what is remembered of acting by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BookName(ArrayString<NAME>);

/// Not a name of a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} cannot name a book; use 1 to {NAME} small letters, digits and dashes")]
pub struct BookNameError(pub String);

impl BookName {
    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name that a title comes nearest to.
    pub fn of_title(title: &str) -> Result<Self, BookNameError> {
        let words = title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut name: String = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
        name.truncate(NAME);
        name.trim_end_matches('-').parse().map_err(|_| BookNameError(title.to_owned()))
    }
}

impl std::str::FromStr for BookName {
    type Err = BookNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        let refused = || BookNameError(text.to_owned());
        if text.is_empty() || !text.chars().all(is_plain) {
            return Err(refused());
        }
        ArrayString::from(text).map(Self).map_err(|_| refused())
    }
}

impl std::fmt::Display for BookName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// P-009. What a life is founded on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Foundation {
    pub name: BookName,
    /// The owner's book.
    pub book: Book,
    /// P-047. What he said about its rules.
    pub founding: Founding,
    /// P-046. What its line tried before it, its home pool first.
    pub line: Vec<TriedIn>,
    /// P-057. What its home pool is called.
    pub home: PoolName,
    /// P-057. The other pools it may trade in.
    pub elsewhere: ArrayVec<PoolName, ELSEWHERE>,
}

impl Foundation {
    /// A book and the owner's word about it, for a first life with one pool.
    #[must_use]
    pub const fn new(name: BookName, book: Book, founding: Founding) -> Self {
        Self { name, book, founding, line: Vec::new(), home: PoolName::HOME, elsewhere: ArrayVec::new_const() }
    }

    /// P-008. A founding book as it ships, at a quarter of its stake.
    #[must_use]
    pub fn shipped(name: &str) -> Option<Self> {
        let (book, name) = (Book::founding(name)?, name.parse().ok()?);
        Some(Self::new(name, book, Founding::Trial))
    }
}

/// A rule's word about the price at the look it wakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// The return expected, in millionths; more than nothing.
    pub(crate) return_ppm: i64,
    /// The return at which it was wrong.
    pub(crate) stop_ppm: i64,
    /// Looks within which it should come.
    pub(crate) within: u64,
    pub(crate) moves_money: bool,
}

/// The part of a step that mood, suffering and warnings leave. It is what it was when the capital was last wholly idle: a
/// mood moves at every tick, and what follows every move of a mood pays for it in fees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Restraint {
    pub(crate) lean: Ppm,
    pub(crate) warnings: Ppm,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rulebook {
    pub(crate) name: BookName,
    /// What it is founded on, until its first look tells what a round trip costs.
    foundation: Option<Box<Foundation>>,
    hand: Option<Box<Hand>>,
    /// What stood before the newest look.
    before: Stand,
    /// What stood before the order that is on its way.
    stood: Stand,
    pub(crate) restraint: Restraint,
    /// The rule whose entry could not pay at the look before.
    forgone: Option<u64>,
    /// The guard that took away at the last look, so that it is told once.
    guarded: Option<u64>,
    /// The rule that leads and whose entry was advised against: until another leads, or none.
    declined: Option<u64>,
}

impl Rulebook {
    pub(crate) fn new(foundation: Foundation) -> Self {
        Self {
            name: foundation.name,
            foundation: Some(Box::new(foundation)),
            hand: None,
            before: Stand::default(),
            stood: Stand::default(),
            restraint: Restraint { lean: Ppm::ONE, warnings: Ppm::ONE },
            forgone: None,
            guarded: None,
            declined: None,
        }
    }

    pub(crate) fn hand(&self) -> Option<&Hand> {
        let line = self.foundation.as_ref().and_then(|foundation| foundation.line.first()).map(|tried| &tried.hand);
        self.hand.as_deref().or(line)
    }

    /// Its own hand, and nothing of what its line left.
    pub(crate) fn own_hand(&self) -> Option<&Hand> {
        self.hand.as_deref()
    }

    /// G-100. Of what whoever tried all this died, where this life dies of `died_of`: a life that never looked leaves what its line
    /// left it.
    pub(crate) fn died_of(&self, died_of: CauseKind) -> CauseKind {
        let line = self.foundation.as_ref().and_then(|foundation| foundation.line.first());
        line.filter(|_| self.hand.is_none()).map_or(died_of, |tried| tried.died_of)
    }

    pub(crate) fn hand_mut(&mut self) -> Option<&mut Hand> {
        let line = self.foundation.as_mut().and_then(|foundation| foundation.line.first_mut());
        let line = line.map(|tried| &mut tried.hand);
        self.hand.as_deref_mut().or(line)
    }

    /// The rules it acts by: those that are tried, or before its first look those it is founded on.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        let founded = self
            .foundation
            .iter()
            .flat_map(|foundation| foundation.book.rules.iter().filter(|rule| rule.speaks_of(foundation.home)));
        let tried = self.hand.iter().flat_map(|hand| hand.tried()).map(|tried| &tried.rule);
        founded.chain(tried)
    }

    /// The rules that move money or take away; before any does, all of them.
    pub(crate) fn acts_by(&self) -> Book {
        let acting = self.hand.iter().flat_map(|hand| hand.tried()).filter(|tried| tried.standing() > Standing::Paper);
        let acting: Vec<Rule> = acting.map(|tried| tried.rule.clone()).collect();
        let rules = if acting.is_empty() { self.rules().cloned().collect() } else { acting };
        Book { title: self.name.to_string(), rules }
    }

    /// The fall, in millionths of what was paid, at which the rule that moves money admits a loss.
    pub(crate) fn stop_ppm(&self) -> Option<u64> {
        let leader = self.hand.as_ref().and_then(|hand| hand.leader()).map(|tried| &tried.rule);
        let rule = leader.or_else(|| self.rules().find(|rule| !rule.action.is_guard()))?;
        stop(rule).map(|fall| libm::round(fall * 1e6) as u64)
    }

    /// D-134. The falls, in millionths, at which guards in force speak.
    pub(crate) fn guarded_falls_ppm(&self) -> Vec<u64> {
        let tried = self.hand.as_deref().map_or(&[][..], Hand::tried);
        let in_force = tried.iter().filter(|one| one.rule.action.is_guard() && one.standing() > Standing::Paper);
        in_force.filter_map(|one| guarded_fall_ppm(&one.rule)).collect()
    }

    /// The first half of a look: its rules live through it. Before there is capital to tell a cost by nothing is tried.
    pub(crate) fn hear(&mut self, pool: PoolName, look: &Look, now: &Circumstances) -> Option<HeardRules> {
        if let Some(foundation) = self.foundation.take_if(|_| !now.capital.is_zero()) {
            self.hand = Some(found(*foundation, pool, look, now.capital));
        }
        let hand = self.hand.as_deref_mut()?;
        self.before = hand.stands();
        Some(hand.hear(look, now))
    }

    /// P-057. The second half: what shall stand in this pool with its part of the budget.
    pub(crate) fn choose(&mut self, turn: &LookTurn<'_>, part: Ppm, pass: &mut Pass<'_>) -> Option<Decision> {
        let LookTurn { pool, heard, look, now } = *turn;
        let hand = self.hand.as_deref_mut()?;
        let decision = hand.choose(heard, look, now, part);
        tell_changes(hand, pool, pass);
        let forgone = hand.why().forgone;
        if let Some((number, ForgoneEntry { expected_ppm, cost_ppm, caution_ppm })) = forgone
            && self.forgone != Some(number)
            && let Some(tried) = find(hand, number)
        {
            let needed_ppm = cost_ppm.saturating_mul(i64::from(caution_ppm).max(1_000_000)) / 1_000_000;
            pass.say(Event::EntryForgone { pool, rule: tried.rule.name.clone(), expected_ppm, needed_ppm });
        }
        self.forgone = forgone.map(|(number, _)| number);
        let cut = hand.guard_cut();
        if let Some(GuardCut { number, wanted, left }) = cut
            && self.guarded != Some(number)
            && let Some(tried) = find(hand, number)
        {
            pass.say(Event::GuardCut { pool, rule: tried.rule.name.clone(), wanted, left });
        }
        self.guarded = cut.map(|cut| cut.number);
        let leader = hand.leader().map(Tried::number);
        self.declined = self.declined.filter(|declined| leader == Some(*declined));
        Some(decision)
    }

    /// An advice to stay is about the chance that was asked about: the rule that leads enters nothing before it woke anew.
    pub(crate) fn decline(&mut self) {
        self.declined = self.hand.as_ref().and_then(|hand| hand.leader()).map(Tried::number);
    }

    /// Whether the entry of who leads was advised against.
    pub(crate) const fn is_declined(&self) -> bool {
        self.declined.is_some()
    }

    /// What the newest look decided is not carried out: what stood before it stands.
    pub(crate) fn put_back(&mut self) {
        if let Some(hand) = self.hand.as_deref_mut() {
            hand.put_back(self.before);
        }
    }

    /// What the newest look decided is on its way.
    pub(crate) const fn sent(&mut self) {
        self.stood = self.before;
    }

    /// The order that was on its way came to nothing: what stood before it stands.
    pub(crate) fn refused(&mut self) {
        if let Some(hand) = self.hand.as_deref_mut() {
            hand.put_back(self.stood);
        }
    }

    /// What the strongest rule that woke at this look says of the price.
    pub(crate) fn outlook(&self, price: Usdc) -> Option<Outlook> {
        let hand = self.hand.as_deref()?;
        let woke = hand.why().awake.iter().filter_map(|voice| {
            let tried = hand.tried().get(voice.place)?;
            let (Paper::Holds(account), Action::Hold { .. }) = (&tried.paper, &tried.rule.action) else { return None };
            let expects = tried.rule.expects.filter(|expects| expects.return_ppm > 0)?;
            (account.stance(price).held == 0).then_some((voice, tried, expects))
        });
        let strength = |standing: Standing, evidence: f64| (standing > Standing::Paper, evidence);
        let (voice, tried, expects) = woke.max_by(|(left, ..), (right, ..)| {
            let [left, right] = [left, right].map(|voice| strength(voice.standing, voice.evidence));
            left.0.cmp(&right.0).then(left.1.total_cmp(&right.1))
        })?;
        let fall = stop(&tried.rule).map_or(2 * expects.return_ppm, |fall| libm::round(fall * 1e6) as i64);
        Some(Outlook {
            return_ppm: expects.return_ppm,
            stop_ppm: -fall,
            within: u64::from(expects.within),
            moves_money: voice.standing > Standing::Paper,
        })
    }

    /// P-009, P-070. What somebody asks of the book: a proposal is a candidate, a search stages what it finds. Answers how many
    /// rules it was about here; nothing where no rule is tried yet.
    pub(crate) fn obey(&mut self, word: &BookWord, at: &Told) -> Option<u32> {
        let Told { pool, look, capital, written } = *at;
        let hand = self.hand.as_deref_mut().filter(|_| !capital.is_zero())?;
        let count = match word {
            BookWord::Propose(rules) => {
                let of_here = || rules.iter().filter(|rule| rule.speaks_of(pool));
                of_here().for_each(|rule| hand.propose(rule, &look, capital));
                of_here().count()
            }
            BookWord::Search => hand.search(&look, capital, written, STAGED),
            BookWord::Judge { rule, is_wanted } => usize::from(hand.judge(rule, *is_wanted, look.time)),
        };
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// How many were staged in this pool.
    pub(crate) fn staged(&self) -> u64 {
        self.hand.as_deref().map_or(0, |hand| hand.blocks().staged())
    }

    /// D-171. What was staged from this number on is of a dream.
    pub(crate) fn mark_dreamt(&mut self, from: u64) {
        if let Some(hand) = self.hand.as_deref_mut() {
            hand.mark_dreamt(from);
        }
    }

    /// P-070. Looks since this pool's record was last searched.
    pub(crate) fn looks_since_search(&self) -> u64 {
        self.hand.as_deref().map_or(0, Hand::looks_since_search)
    }

    /// P-070. What a dream replays of this pool: its record is searched, and at most so many rules are staged. Nothing where a
    /// search would see what the last one saw.
    pub(crate) fn replay(&mut self, at: &Told, most: usize) -> Option<usize> {
        Some(self.due(at.capital)?.search(&at.look, at.capital, at.written, most))
    }

    /// P-071. Rehearses threats over this pool's record; whether a guard was staged. Nothing where the record says what it said
    /// when the last dream came through.
    pub(crate) fn rehearse(&mut self, at: &Told) -> Option<bool> {
        Some(self.due(at.capital)?.rehearse(&at.look, at.capital, at.written))
    }

    /// P-072. Rewrites rules in these ways; whether a rewrite was staged.
    pub(crate) fn imagine(&mut self, at: &Told, ways: &[Rewrite]) -> bool {
        self.due(at.capital).is_some_and(|hand| hand.imagine(&at.look, at.capital, at.written, ways))
    }

    /// P-073. Goes over counted trips, once in a thousand looks; whether a candidate was staged.
    pub(crate) fn tune(&mut self, at: &Told) -> bool {
        let is_due = |hand: &&mut Hand| !at.capital.is_zero() && hand.looks_since_tuning() >= EVERY;
        let hand = self.hand.as_deref_mut().filter(is_due);
        hand.is_some_and(|hand| hand.tune(&at.look, at.capital, at.written))
    }

    /// P-074. Tries what a stranger proposes; how many that were.
    pub(crate) fn take_proposals<'a>(&mut self, rules: impl Iterator<Item = &'a Rule>, at: &Told) -> u32 {
        let Some(hand) = self.hand.as_deref_mut().filter(|_| !at.capital.is_zero()) else { return 0 };
        let before = hand.blocks().staged();
        for rule in rules.filter(|rule| rule.speaks_of(at.pool)) {
            hand.hear_proposal(rule, &at.look, at.capital);
        }
        u32::try_from(hand.blocks().staged() - before).unwrap_or(u32::MAX)
    }

    /// G-132. Counts what follows what, where it is time; what that changed.
    pub(crate) fn count_links(&mut self) -> Vec<LinkChange> {
        self.hand.as_deref_mut().map(Hand::count_links).unwrap_or_default()
    }

    /// M-264. Reads how much what is seen tells, where it is time.
    pub(crate) fn read_information(&mut self) -> Option<InformationReading> {
        self.hand.as_deref_mut()?.read_information()
    }

    /// P-079. Hears the phages that are at their end and sends others; what was answered.
    pub(crate) fn tend_phages(&mut self, at: &Told, terms: &PhageTerms) -> Vec<PhageReport> {
        let hand = self.hand.as_deref_mut();
        hand.map(|hand| hand.tend_phages(&at.look, at.capital, at.written, terms)).unwrap_or_default()
    }

    /// P-079. Phages sent on the day of this time.
    pub(crate) fn phages_on(&self, time: u64) -> u32 {
        self.hand.as_deref().map_or(0, |hand| hand.phages().sent_on(time))
    }

    /// G-100. The death of its line that the market has come to look like, told once.
    pub(crate) fn take_surfaced(&mut self) -> Option<MarketStain> {
        self.hand.as_deref_mut().and_then(Hand::take_surfaced)
    }

    /// I-340. Remembers what a sibling says of its death.
    pub(crate) fn hear_of_death(&mut self, stain: &MarketStain) {
        if let Some(hand) = self.hand_mut() {
            hand.hear_of_death(stain);
        }
    }

    /// G-100. Whether the market looks like one its line died of.
    pub(crate) fn is_like_a_death(&self) -> bool {
        self.hand.as_deref().is_some_and(|hand| hand.stains().is_heard())
    }

    /// M-269. Whether what is seen has come to tell next to nothing.
    pub(crate) fn is_decoupled(&self) -> bool {
        self.hand.as_deref().and_then(|hand| hand.information().last()).is_some_and(InformationReading::is_lost)
    }

    /// The hand, if it has seen enough since its record was last searched: each search costs candidates (P-042).
    fn due(&mut self, capital: Usdc) -> Option<&mut Hand> {
        let is_due = |hand: &&mut Hand| !capital.is_zero() && hand.looks_since_search() >= EVERY;
        self.hand.as_deref_mut().filter(is_due)
    }

    /// P-048. Tells what changed since it was last told.
    pub(crate) fn tell(&mut self, pool: PoolName, pass: &mut Pass<'_>) {
        if let Some(hand) = self.hand.as_deref_mut() {
            tell_changes(hand, pool, pass);
        }
    }
}

/// One look of one pool between its two halves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LookTurn<'a> {
    pub(crate) pool: PoolName,
    pub(crate) heard: &'a HeardRules,
    pub(crate) look: &'a Look,
    pub(crate) now: &'a Circumstances,
}

/// Where a word about the book is heard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) pool: PoolName,
    pub(crate) look: Look,
    pub(crate) capital: Usdc,
    /// The pool that what is found here is to be written with; none where there is no other.
    pub(crate) written: Option<PoolName>,
}

/// P-046, P-057. The hand of a newborn in a pool: what its line tried, and what the owner's book says of that pool on it.
fn found(foundation: Foundation, pool: PoolName, look: &Look, capital: Usdc) -> Box<Hand> {
    let Foundation { mut book, founding, line, .. } = foundation;
    let hand = line.first().map_or_else(Hand::new, |tried| {
        let mut hand = tried.hand.heir();
        hand.remember_death(tried.died_of);
        hand
    });
    let mut hand = Box::new(hand);
    hand.keep_to(pool);
    book.rules.retain(|rule| rule.speaks_of(pool));
    hand.found_on(&book, founding, look, capital);
    hand
}

fn find(hand: &Hand, number: u64) -> Option<&Tried> {
    hand.tried().iter().find(|tried| tried.number() == number)
}

/// P-048. What changed is told, with the numbers that decided.
fn tell_changes(hand: &mut Hand, pool: PoolName, pass: &mut Pass<'_>) {
    while let Some(event) = hand.next_event() {
        let tried = find(hand, event.number);
        let rule = tried.map_or_else(|| format!("rule number {}", event.number), |tried| tried.rule.name.clone());
        let is_dreamt = tried.is_some_and(Tried::is_dreamt);
        let changed = RuleChanged { pool, rule, number: event.number, is_dreamt, change: event.change };
        pass.say(Event::Rule(Box::new(changed)));
    }
}
