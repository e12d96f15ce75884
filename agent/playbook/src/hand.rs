//! The hand: every rule tried at every look, and what that makes of the capital.

mod living;

use std::cmp::Reverse;

use golem_mortality::cause::CauseKind;
use golem_primitives::{PoolName, Ppm, Usdc};

use crate::account::{Account, AccountSight};
use crate::book::{Book, RULES};
use crate::budget::{BudgetClaim, POOLS};
use crate::choice::{Bounds, Choice, Circumstances, Decision, Promise, Stand, Taker, Voice, Why, strongest};
use crate::confidence::RuleConfidence;
use crate::evidence::TripObservation;
use crate::guard::{GuardAccount, Wanted};
use crate::information::{Information, InformationReading};
use crate::links::{LinkChange, Links, rule_of};
use crate::look::Look;
use crate::observable::{Stance, WordSet};
use crate::phages::{Now, PhageReport, PhageTerms, Phages};
use crate::promotion::{DatedChange, Founding, Origin, Paper, RuleChange, Staged, Standing, Tried};
use crate::record::{Record, Row, RowsError};
use crate::rewriting::{Rewrite, imagined};
use crate::rule::{Action, Rule};
use crate::search::{SHORTEST, Searches};
use crate::staging::{BLOCK, Blocks, bound_of_a_loss, longest_holding, stop, whole_stake};
use crate::stains::{MarketStain, Stains};
use crate::threats::rehearse;
use crate::tuning::{TRIPS, findings};
use crate::watch::Watch;

/// P-034. What a guard in force took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuardCut {
    pub number: u64,
    /// What the book wanted to stand.
    pub wanted: Ppm,
    pub left: Ppm,
}

/// Why a hand cannot act by a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandError {
    /// There is nothing to live through.
    #[error("there are no looks to try the book over; give a file of prices with at least two rows")]
    NoLooks,
    #[error("the book has {rules} rules and at most {RULES} can be tried at once; take some out")]
    TooMany { rules: usize },
    /// P-057. More pools than a life may have.
    #[error("{pools} pools are given and at most {POOLS} can be traded in with one budget; take some out")]
    TooManyPools { pools: usize },
    /// P-057. Looks of several pools that are not of the same times.
    #[error("the looks of {pool} are not of the times of the first pool's; bring them to the same times")]
    Unaligned { pool: PoolName },
    /// The looks that were given are not those it has seen.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

/// What tries rules and chooses among them.
///
/// Serialised it is small: what a life's hash is made of. The looks it has seen are in it as their number and their digest; the
/// rows themselves ([`Hand::rows`]) are kept elsewhere and come back by [`Hand::take_up`], which everything else follows from.
/// Two hands are the same when their small forms and their rows are.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Hand {
    #[serde(skip)]
    watch: Watch,
    record: Record,
    searches: Searches,
    links: Links,
    information: Information,
    phages: Phages,
    stains: Stains,
    /// G-100. A death that is heard and was not told yet.
    surfaced: Option<MarketStain>,
    desk: Desk,
}

/// What the first half of a look came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeardRules {
    bounds: Bounds,
    /// What its leader asks of the budget; nothing where nobody leads.
    pub claim: Option<BudgetClaim>,
}

/// The rules with their accounts.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct Desk {
    /// In the order of their numbers.
    tried: Vec<Tried>,
    blocks: Blocks,
    stands: Stand,
    wanted_before: Ppm,
    /// Who led at the last look, by number: places move when one makes room.
    led: Option<u64>,
    /// P-040. Somebody was refuted at the last look and leaves at the next: the reasons of the last still name it by its place.
    has_refuted: bool,
    events: Vec<DatedChange>,
    #[serde(skip)]
    why: Why,
}

impl PartialEq for Hand {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record
            && self.searches == other.searches
            && self.links == other.links
            && self.information == other.information
            && self.phages == other.phages
            && self.stains == other.stains
            && self.surfaced == other.surfaced
            && self.desk == other.desk
    }
}

impl PartialEq for Desk {
    /// All but the reasons of the newest decision, which steer nothing.
    fn eq(&self, other: &Self) -> bool {
        let Self { tried, blocks, stands, wanted_before, led, has_refuted, events, why: _ } = self;
        *tried == other.tried
            && *blocks == other.blocks
            && *stands == other.stands
            && *wanted_before == other.wanted_before
            && *led == other.led
            && *has_refuted == other.has_refuted
            && *events == other.events
    }
}

impl Hand {
    /// Founds a hand on an owner's book. `look` is what is known at birth: costs, and nothing of the past.
    ///
    /// # Errors
    /// [`HandError`] for a book that cannot be tried.
    pub fn found(book: &Book, founding: Founding, look: &Look, capital: Usdc) -> Result<Self, HandError> {
        if book.rules.len() > RULES {
            return Err(HandError::TooMany { rules: book.rules.len() });
        }
        let mut hand = Self::new();
        for rule in &book.rules {
            hand.stage(rule.clone(), Origin::Founding(founding), look, capital);
        }
        Ok(hand)
    }

    /// P-046. The hand of an heir: the record, the numbers and the blocks are the line's; of each account half the evidence.
    #[must_use]
    pub fn heir(&self) -> Self {
        let stays = self.desk.tried.iter().filter(|tried| !tried.is_refuted());
        let tried = stays.map(Tried::inherited).collect();
        let desk = Desk { tried, blocks: self.desk.blocks.clone(), ..Desk::new() };
        let (watch, record, searches) = (self.watch.clone(), self.record.clone(), self.searches.clone());
        let (links, information, phages) = (self.links.inherited(), Information::default(), Phages::default());
        let stains = self.stains.inherited();
        Self { watch, record, searches, links, information, phages, stains, surfaced: None, desk }
    }

    /// Gives a rule a number, an account and what it may move. Where there is no room, the least promising candidate on
    /// paper makes some; the event says who, or that the new one was refused.
    pub fn stage(&mut self, rule: Rule, origin: Origin, look: &Look, capital: Usdc) {
        let confidence = (origin == Origin::Candidate).then_some(RuleConfidence::PROPOSED);
        self.stage_at(confidence, rule, origin, look, capital);
        self.catch_up();
    }

    fn stage_at(&mut self, confidence: Option<RuleConfidence>, rule: Rule, origin: Origin, look: &Look, capital: Usdc) {
        let paper = Account::of(&rule.action).map_or_else(|| Paper::Guards(GuardAccount::default()), Paper::Holds);
        let holding = stop(&rule).is_none().then(|| longest_holding(&rule));
        let falls = self.record.worst_falls(holding);
        let bound_of_a_loss = bound_of_a_loss(&rule, &falls, look, capital);
        let cost = whole_stake(&rule, capital).round_trip_ppm(look) as f64 / 1e6;
        self.desk.stage(Staged { rule, paper, origin, confidence, bound_of_a_loss, cost }, look.time);
    }

    /// Tries a rule that was made here; whether there is one.
    fn stage_made(
        &mut self,
        made: Option<Rule>,
        confidence: RuleConfidence,
        look: &Look,
        capital: Usdc,
        pool: Option<PoolName>,
    ) -> bool {
        let Some(rule) = made else { return false };
        let rule = Rule { pool: pool.or(rule.pool), ..rule };
        self.stage_at(Some(confidence), rule, Origin::Candidate, look, capital);
        self.catch_up();
        true
    }

    /// P-070. Looks since the record was last searched: before the first time as many as there can be, and none while it is too
    /// short to be searched.
    #[must_use]
    pub fn looks_since_search(&self) -> u64 {
        let looks = self.record.pushed();
        if looks < SHORTEST as u64 { 0 } else { self.searches.looks_since(looks) }
    }

    /// P-070. Searches the record and stages what it found, `most` rules; how many that were. What is found in the record of one
    /// pool among several speaks of that one (P-057).
    pub fn search(&mut self, look: &Look, capital: Usdc, pool: Option<PoolName>, most: usize) -> usize {
        let look_number = self.record.pushed();
        let found = self.searches.search(self.record.in_one_piece(), look_number, most);
        let mut staged = 0;
        for rule in found {
            let rule = Rule { pool, ..rule };
            if self.desk.is_new(&rule) {
                self.stage_at(Some(RuleConfidence::FOUND), rule, Origin::Candidate, look, capital);
                staged += 1;
            }
        }
        self.catch_up();
        staged
    }

    /// P-071. Rehearses threats with the rules that move money and stages the guard they lack most; whether there is one. A guard
    /// of the name that is tried already stays as it is.
    pub fn rehearse(&mut self, look: &Look, capital: Usdc, pool: Option<PoolName>) -> bool {
        let in_force = self.desk.tried.iter().filter(|tried| tried.standing() > Standing::Paper);
        let rules: Vec<Rule> = in_force.map(|tried| tried.rule.clone()).collect();
        let number = self.record.pushed();
        let guard = rehearse(self.record.in_one_piece(), &rules, number);
        let guard = guard.filter(|guard| self.desk.is_new(guard));
        self.stage_made(guard, RuleConfidence::FOUND, look, capital, pool)
    }

    /// P-072. Rewrites the rules that traded most in these ways and stages the surest that the record speaks for; whether there is
    /// one.
    pub fn imagine(&mut self, look: &Look, capital: Usdc, pool: Option<PoolName>, ways: &[Rewrite]) -> bool {
        let rules = self.desk.most_traded(0);
        let imagined = imagined(self.record.in_one_piece(), &rules, ways, |rule| self.desk.is_new(rule));
        self.stage_made(imagined, RuleConfidence::PROPOSED, look, capital, pool)
    }

    /// D-171. What was staged from this number on is of a dream.
    pub fn mark_dreamt(&mut self, from: u64) {
        self.desk.tried.iter_mut().filter(|tried| tried.number() >= from).for_each(Tried::mark_dreamt);
    }

    /// D-162. The owner's word about a candidate of this name; whether there is one it says something new of.
    pub fn judge(&mut self, name: &str, is_wanted: bool, time: u64) -> bool {
        let Some(tried) = self.desk.tried.iter_mut().find(|tried| tried.rule.name == name) else { return false };
        let (is_heard, change) =
            if is_wanted { (tried.approve(), RuleChange::Approved) } else { (tried.reject(), RuleChange::Rejected) };
        if is_heard {
            self.desk.has_refuted |= !is_wanted;
            self.desk.events.push(DatedChange { time, number: tried.number(), change });
        }
        is_heard
    }

    /// P-073. What the Curator makes of the trips of the rules that traded most: one finding becomes one candidate; whether there
    /// is one.
    pub fn tune(&mut self, look: &Look, capital: Usdc, pool: Option<PoolName>) -> bool {
        self.searches.tune(self.record.pushed());
        let rules = self.desk.most_traded(TRIPS as u64);
        let rows = self.record.in_one_piece();
        let of_trips = rules.iter().find_map(|rule| findings(rows, rule).find(|found| self.desk.is_new(found)));
        let found = of_trips.or_else(|| {
            let of_links = self.links.known().iter().filter_map(|link| rule_of(link, rows));
            of_links.into_iter().find(|found| self.desk.is_new(found))
        });
        self.stage_made(found, RuleConfidence::FOUND, look, capital, pool)
    }

    /// G-015, G-132. Counts what is known to follow what, and searches the record for more, where enough was seen since it was
    /// last done; what that changed.
    pub fn count_links(&mut self) -> Vec<LinkChange> {
        let look = self.record.pushed();
        if !self.links.is_due(look) {
            return Vec::new();
        }
        self.links.count(self.record.in_one_piece(), look)
    }

    /// M-264. Reads how much what is seen tells of what comes, where it is time. Rules that were made of what no longer holds are
    /// gone over at once (M-270).
    pub fn read_information(&mut self) -> Option<InformationReading> {
        let look = self.record.pushed();
        let reading = self.information.read(self.record.in_one_piece(), look)?;
        if reading.is_overfit() {
            self.searches.tune_at_once();
        }
        Some(reading)
    }

    /// How much what is seen told of what comes.
    #[must_use]
    pub const fn information(&self) -> &Information {
        &self.information
    }

    /// P-079. Hears the phages whose life is over and sends what may be sent; what was answered. Where too many fall by the same,
    /// counted trips are gone over as soon as the Curator comes (M-246).
    pub fn tend_phages(
        &mut self,
        look: &Look,
        capital: Usdc,
        pool: Option<PoolName>,
        terms: &PhageTerms,
    ) -> Vec<PhageReport> {
        let now = Now { looks: self.record.pushed(), time: look.time };
        if capital.is_zero() || self.phages.is_idle(now.looks, now.time, terms) {
            return Vec::new();
        }
        let mut reports = Vec::new();
        for (mut report, found) in self.phages.end(self.record.in_one_piece(), now.looks) {
            if report.is_alarming {
                self.searches.tune_at_once();
            }
            let found = found.filter(|found| self.desk.is_new(found));
            let staged = self.desk.blocks.staged();
            self.stage_made(found, RuleConfidence::FOUND, look, capital, pool);
            report.is_staged = self.desk.blocks.staged() > staged;
            reports.push(report);
        }
        let rules = self.desk.most_traded(0);
        let is_new =
            |rule: &Rule| self.desk.is_new(rule) && !self.desk.tried.iter().any(|tried| tried.rule.means(rule));
        self.phages.send(self.record.in_one_piece(), &rules, &now, terms, is_new);
        self.catch_up();
        reports
    }

    /// P-079. Its phages.
    #[must_use]
    pub const fn phages(&self) -> &Phages {
        &self.phages
    }

    /// What is known to follow what.
    #[must_use]
    pub const fn links(&self) -> &Links {
        &self.links
    }

    /// P-073. Looks since counted trips were last gone over; before the first time as many as there can be.
    #[must_use]
    pub fn looks_since_tuning(&self) -> u64 {
        self.searches.looks_since_tuning(self.record.pushed())
    }

    /// G-100. Remembers that somebody died of its market at the end of this record.
    pub fn remember_death(&mut self, died_of: CauseKind) {
        self.stains.remember(died_of, self.record.in_one_piece());
        self.catch_up();
    }

    /// I-340. The mark its market would leave if it died of this now: what siblings are told.
    #[must_use]
    pub fn market_stain(&mut self, died_of: CauseKind) -> Option<MarketStain> {
        MarketStain::of(died_of, self.record.in_one_piece())
    }

    /// I-340. Remembers what a sibling says of its death.
    pub fn hear_of_death(&mut self, stain: &MarketStain) {
        self.stains.remember_siblings(stain);
        self.catch_up();
    }

    /// G-100. The death that is heard since this was last asked.
    pub const fn take_surfaced(&mut self) -> Option<MarketStain> {
        self.surfaced.take()
    }

    /// G-100. The markets its line died of.
    #[must_use]
    pub const fn stains(&self) -> &Stains {
        &self.stains
    }

    /// The words of the market that are asked.
    fn asked(&self) -> WordSet {
        self.desk.words().with(self.stains.words())
    }

    /// Where a rule asks words that the watch does not keep yet, one that does sees the record again.
    fn catch_up(&mut self) {
        let asked = self.asked().with(self.watch.asked());
        if asked != self.watch.asked() {
            self.watch = Watch::resume(asked, self.record.rows());
        }
    }

    /// Lives through one look in the only pool there is.
    pub fn look(&mut self, look: &Look, now: &Circumstances) -> Decision {
        let heard = self.hear(look, now);
        self.choose(&heard, look, now, Ppm::ONE)
    }

    /// P-057. The first half of a look: every rule lives through it, and it is known who leads and how much he wants. Several
    /// hands share one budget, so none can decide before all were heard.
    pub fn hear(&mut self, look: &Look, now: &Circumstances) -> HeardRules {
        let seen = self.watch.look(look, now.capital);
        self.surfaced = self.stains.look(seen, look, self.record.pushed()).or(self.surfaced.take());
        self.record.push(Row { look: *look, capital: now.capital });
        self.desk.hear(&AccountSight { look, seen, capital: now.capital }, now)
    }

    /// P-057. The second half: what shall stand, with no more of the budget than `part` left to it.
    pub fn choose(&mut self, heard: &HeardRules, look: &Look, now: &Circumstances, part: Ppm) -> Decision {
        self.desk.choose(heard, look, now, part)
    }

    /// The looks it has seen and still keeps, the oldest first: what [`Hand::take_up`] wants back.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.record.rows()
    }

    /// The record: how many looks there were, their digest, and whether its rows are here.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// P-056, P-076. Puts the rows back after the small form was read, the oldest first. From here on it decides as if it had
    /// never been put away; before, its words know nothing of the past.
    ///
    /// # Errors
    /// [`HandError::Rows`] for rows that are not those it has seen; the hand is then as it was.
    pub fn take_up(&mut self, rows: Vec<Row>) -> Result<(), HandError> {
        self.record.take_up(rows)?;
        self.watch = Watch::resume(self.asked(), self.record.rows());
        Ok(())
    }

    /// What is meant to stand since the last order.
    #[must_use]
    pub const fn stands(&self) -> Stand {
        self.desk.stands
    }

    /// Says that something else stands than was ordered: who carries orders out was refused, waits or is forbidden to. The
    /// next look decides anew from there.
    pub const fn put_back(&mut self, stands: Stand) {
        self.desk.stands = stands;
    }

    /// Why the newest decision is what it is.
    #[must_use]
    pub const fn why(&self) -> &Why {
        &self.desk.why
    }

    /// What changed since this was last asked.
    pub fn events(&mut self) -> impl Iterator<Item = DatedChange> {
        self.desk.events.drain(..)
    }

    /// P-034. What a guard in force took away at the newest look.
    #[must_use]
    pub fn guard_cut(&self) -> Option<GuardCut> {
        let Why { wanted, cuts, tightened_by, .. } = &self.desk.why;
        let cut = cuts.iter().find_map(|cut| match cut.by {
            Taker::Guard(number) => Some(GuardCut { number, wanted: *wanted, left: cut.to }),
            _ => None,
        });
        let told = tightened_by.map(|number| GuardCut { number, wanted: self.desk.wanted_before, left: *wanted });
        cut.or(told.filter(|told| told.left < told.wanted))
    }

    /// The rules with what each has shown.
    #[must_use]
    pub fn tried(&self) -> &[Tried] {
        &self.desk.tried
    }

    /// How many were staged, and promoted in each block.
    #[must_use]
    pub const fn blocks(&self) -> &Blocks {
        &self.desk.blocks
    }
}

impl Desk {
    /// The rules of which rewrites and findings are made: those that traded most, of so many trips at least.
    fn most_traded(&self, trips: u64) -> Vec<Rule> {
        const RULES: usize = 4;
        let has_traded = |tried: &&Tried| !tried.rule.action.is_guard() && tried.trips() >= trips;
        let mut most: Vec<&Tried> = self.tried.iter().filter(has_traded).collect();
        most.sort_by_key(|tried| Reverse(tried.trips()));
        most.into_iter().take(RULES).map(|tried| tried.rule.clone()).collect()
    }

    fn new() -> Self {
        Self {
            tried: Vec::with_capacity(RULES),
            blocks: Blocks::default(),
            stands: Stand::default(),
            wanted_before: Ppm::ZERO,
            led: None,
            has_refuted: false,
            events: Vec::with_capacity(2 * RULES),
            why: Why { awake: Vec::with_capacity(RULES), ..Why::default() },
        }
    }

    /// The words of the market its rules ask.
    fn words(&self) -> WordSet {
        self.tried.iter().map(|tried| tried.rule.words()).fold(WordSet::NONE, WordSet::with)
    }

    /// Whether no rule of this name is tried.
    fn is_new(&self, rule: &Rule) -> bool {
        self.tried.iter().all(|tried| tried.rule.name != rule.name)
    }

    fn stage(&mut self, staged: Staged, time: u64) {
        if self.tried.len() >= RULES && !self.make_room(time) {
            let number = self.blocks.staged();
            self.events.push(DatedChange { time, number, change: RuleChange::Refused { tried: self.tried.len() } });
            return;
        }
        let tried = Tried::stage(staged, &mut self.blocks);
        let (block, bound_of_a_loss) = (tried.number() / BLOCK, tried.bound_of_a_loss());
        let change = RuleChange::Staged { block, bound_of_a_loss, standing: tried.standing() };
        self.events.push(DatedChange { time, number: tried.number(), change });
        self.tried.push(tried);
    }

    /// The least promising candidate that moves no money and never did leaves.
    fn make_room(&mut self, time: u64) -> bool {
        let may_go = |tried: &Tried| tried.standing() == Standing::Paper && tried.origin() == Origin::Candidate;
        let least = (0..self.tried.len())
            .filter(|place| may_go(&self.tried[*place]))
            .min_by(|left, right| self.tried[*left].evidence().total_cmp(&self.tried[*right].evidence()));
        let Some(place) = least else { return false };
        let gone = self.tried.remove(place);
        let change = RuleChange::MadeRoom { evidence: gone.evidence() };
        self.events.push(DatedChange { time, number: gone.number(), change });
        true
    }

    fn hear(&mut self, sight: &AccountSight<'_>, now: &Circumstances) -> HeardRules {
        if now.held.is_zero() {
            self.stands = Stand::default();
        }
        if std::mem::take(&mut self.has_refuted) {
            self.tried.retain(|tried| !tried.is_refuted());
        }
        let is_guarded = self.tried.iter().any(|tried| matches!(tried.paper, Paper::Guards(_)));
        let own = if is_guarded { self.leaders_stance(sight) } else { Stance::default() };
        self.why.begin(sight.look.time);
        self.try_on_paper(sight);
        let mut bounds = Bounds::default();
        let unguarded = self.unguarded_leader();
        let wanted_now = unguarded.map_or(Ppm::ZERO, |leader| leader.share);
        let wanted_before = std::mem::replace(&mut self.wanted_before, wanted_now);
        if is_guarded {
            let wanted = Wanted { now: wanted_now, before: wanted_before, is_tightened: false };
            self.hear_guards(sight, &own, &wanted, &mut bounds);
        }
        self.why.leader = self.leader(unguarded);
        // What a guard forbids is not asked for: another pool may have it.
        let most = bounds.at_most.map_or(Ppm::ONE, |(share, _)| share);
        let most = if bounds.no_entries.is_some() { most.min(self.stands.share) } else { most };
        let claim =
            self.why.leader.map(|leader| BudgetClaim { wanted: leader.share.min(most), evidence: leader.evidence });
        HeardRules { bounds, claim }
    }

    fn choose(&mut self, heard: &HeardRules, look: &Look, now: &Circumstances, part: Ppm) -> Decision {
        let wanted = self.why.leader.map_or(Ppm::ZERO, |leader| leader.share);
        let claimed = heard.claim.map_or(Ppm::ZERO, |claim| claim.wanted);
        let is_divided = part < claimed;
        self.why.wanted = if is_divided { part } else { wanted };
        self.why.divided = is_divided.then_some(wanted);
        let choice = Choice { look, now, stands: self.stands, bounds: heard.bounds };
        let promise = self.why.leader.map(|leader| &self.tried[leader.place]);
        let promise = promise.map(|tried| Promise { rule: &tried.rule, number: tried.number() });
        let decision = choice.decide(promise.as_ref(), &mut self.why);
        self.stands = Stand { share: decision.target, manner: decision.manner };
        self.led = promise.map(|promise| promise.number);
        decision
    }

    /// What the words of an account say to a guard: the stance of who led at the look before.
    fn leaders_stance(&self, sight: &AccountSight<'_>) -> Stance {
        let leader = self.led.and_then(|led| self.tried.binary_search_by_key(&led, Tried::number).ok());
        match leader.map(|place| &self.tried[place].paper) {
            Some(Paper::Holds(account)) => account.stance(sight.look.price),
            _ => Stance::default(),
        }
    }

    /// P-030. Every account lives through the look, but for those of guards, which follow what the others want.
    fn try_on_paper(&mut self, sight: &AccountSight<'_>) {
        for (place, tried) in self.tried.iter_mut().enumerate() {
            let Paper::Holds(account) = &mut tried.paper else { continue };
            let turn = account.look(&tried.rule, sight);
            let is_awake = account.is_awake();
            let share = account.share();
            if let Some(trip) = turn.trip
                && let Some(change) = tried.observe(trip.observation, &mut self.blocks)
            {
                self.has_refuted |= tried.is_refuted();
                self.events.push(DatedChange { time: sight.look.time, number: tried.number(), change });
            }
            if let Some(forgone) = turn.forgone
                && tried.standing() > Standing::Paper
                && self.why.forgone.is_none()
            {
                self.why.forgone = Some((tried.number(), forgone));
            }
            if is_awake {
                let standing = tried.standing();
                self.why.awake.push(Voice {
                    number: tried.number(),
                    place,
                    evidence: tried.evidence(),
                    standing,
                    share: share.times_down(standing.stake()),
                });
            } else {
                tried.is_tightened = false;
            }
        }
    }

    /// P-034, P-051. Guards that bind bound the choice; all of them, obeyed or not, are followed on paper.
    fn hear_guards(&mut self, sight: &AccountSight<'_>, own: &Stance, wanted: &Wanted, bounds: &mut Bounds) {
        for place in 0..self.tried.len() {
            let Paper::Guards(mut guard) = self.tried[place].paper else { continue };
            let tried = &self.tried[place];
            let binds = guard.look(&tried.rule, sight, own);
            let is_tightened = match &tried.rule.action {
                Action::Tighten { until } => binds && until.holds(sight.seen, own),
                _ => false,
            };
            let saved = guard.follow(&tried.rule, sight, &Wanted { is_tightened, ..*wanted });
            if binds && tried.standing() > Standing::Paper {
                self.obey(place, sight, bounds);
            }
            let tried = &mut self.tried[place];
            tried.paper = Paper::Guards(guard);
            if let Some(net) = saved
                && let Some(change) =
                    tried.observe(TripObservation { net, passive: 0.0, exposure: 0.0 }, &mut self.blocks)
            {
                self.has_refuted |= tried.is_refuted();
                self.events.push(DatedChange { time: sight.look.time, number: tried.number(), change });
            }
        }
    }

    fn obey(&mut self, place: usize, sight: &AccountSight<'_>, bounds: &mut Bounds) {
        let number = self.tried[place].number();
        match self.tried[place].rule.action.clone() {
            Action::AtMost { share } => bounds.cap(share, number),
            Action::Wait { .. } | Action::NoEntries => bounds.no_entries = bounds.no_entries.or(Some(number)),
            Action::Tighten { until } => {
                for voice in &self.why.awake {
                    let tried = &mut self.tried[voice.place];
                    let Paper::Holds(account) = &tried.paper else { continue };
                    let stance = account.stance(sight.look.price);
                    let is_told = stance.held > 0 && until.holds(sight.seen, &stance);
                    tried.is_tightened |= is_told;
                    if is_told {
                        self.why.tightened_by = self.why.tightened_by.or(Some(number));
                    }
                }
            }
            Action::Hold { .. } | Action::Provide { .. } => {}
        }
    }

    /// P-050. Who leads, without those a guard told to leave.
    fn leader(&self, unguarded: Option<Voice>) -> Option<Voice> {
        let is_free = |voice: &&Voice| !self.tried[voice.place].is_tightened;
        if self.why.awake.iter().all(|voice| is_free(&voice)) {
            return unguarded;
        }
        strongest(self.why.awake.iter().filter(is_free), |place| &self.tried[place].rule.name)
    }

    /// Who would lead if nobody had been told to leave: what a guard is held against.
    fn unguarded_leader(&self) -> Option<Voice> {
        strongest(self.why.awake.iter(), |place| &self.tried[place].rule.name)
    }
}

#[cfg(test)]
#[path = "tests/hand.rs"]
mod tests;

#[cfg(test)]
#[path = "tests/small_form.rs"]
mod small_form;
