//! The hand: every rule tried at every look, and what that makes of the capital.

use golem_primitives::{Ppm, Usdc};

use crate::account::{Account, Sight};
use crate::book::{Book, RULES};
use crate::choice::{Bounds, Choice, Circumstances, Decision, Promise, Voice, Why, strongest};
use crate::cost::Swap;
use crate::evidence::Observation;
use crate::guard::{GuardAccount, Wanted};
use crate::look::Look;
use crate::observable::Stance;
use crate::promotion::{Change, Event, Founding, Origin, Paper, Staged, Standing, Tried};
use crate::record::{Record, Row};
use crate::rule::{Action, Rule};
use crate::search::Searches;
use crate::staging::{BLOCK, Blocks, bound_of_a_loss, longest_holding, stop};
use crate::watch::Watch;

/// Why a hand cannot act by a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandError {
    /// Range liquidity has no account on paper.
    #[error(
        "`{rule}` provides liquidity, which has no account on paper yet; try the book without it, or let it `hold`"
    )]
    Provides {
        /// The rule.
        rule: String,
    },
    /// There is nothing to live through.
    #[error("there are no looks to try the book over; give a file of prices with at least two rows")]
    NoLooks,
    /// More rules than a book may have.
    #[error("the book has {rules} rules and at most {RULES} can be tried at once; take some out")]
    TooMany {
        /// How many it has.
        rules: usize,
    },
}

/// What tries rules and chooses among them.
#[derive(Debug, Clone)]
pub struct Hand {
    watch: Watch,
    record: Record,
    searches: Searches,
    desk: Desk,
}

/// The rules with their accounts.
#[derive(Debug, Clone)]
struct Desk {
    tried: Vec<Tried>,
    blocks: Blocks,
    stands: Ppm,
    wanted_before: Ppm,
    events: Vec<Event>,
    why: Why,
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
        let mut hand =
            Self { watch: Watch::new(), record: Record::new(), searches: Searches::default(), desk: Desk::new() };
        for rule in &book.rules {
            hand.stage(rule.clone(), Origin::Founding(founding), look, capital)?;
        }
        Ok(hand)
    }

    /// P-046. The hand of an heir: the record, the numbers and the blocks are the line's; of each account half the evidence.
    #[must_use]
    pub fn heir(&self) -> Self {
        let tried = self.desk.tried.iter().map(Tried::inherited).collect();
        let desk = Desk { tried, blocks: self.desk.blocks.clone(), ..Desk::new() };
        let (watch, record, searches) = (self.watch.clone(), self.record.clone(), self.searches.clone());
        Self { watch, record, searches, desk }
    }

    /// Gives a rule a number, an account and what it may move. Where there is no room, the least promising candidate on
    /// paper makes some; the event says who, or that the new one was refused.
    ///
    /// # Errors
    /// [`HandError::Provides`] for what has no account on paper.
    pub fn stage(&mut self, rule: Rule, origin: Origin, look: &Look, capital: Usdc) -> Result<(), HandError> {
        let paper = match &rule.action {
            Action::Hold { share } => Paper::Holds(Account::new(*share)),
            Action::Provide { .. } => return Err(HandError::Provides { rule: rule.name }),
            _ => Paper::Guards(GuardAccount::new()),
        };
        let holding = stop(&rule).is_none().then(|| longest_holding(&rule));
        let falls = self.record.worst_falls(holding);
        let bound_of_a_loss = bound_of_a_loss(&rule, &falls, look, capital);
        let cost = Swap { amount: capital, capital }.round_trip_ppm(look) as f64 / 1e6;
        self.desk.stage(Staged { rule, paper, origin, bound_of_a_loss, cost }, look.time);
        Ok(())
    }

    /// P-070. Searches the record and stages what it found; how many that were.
    pub fn search(&mut self, look: &Look, capital: Usdc) -> usize {
        let found = self.searches.search(self.record.in_one_piece(), self.watch.looks());
        let mut staged = 0;
        for rule in found {
            let is_known = self.desk.tried.iter().any(|tried| tried.rule.name == rule.name);
            if !is_known && self.stage(rule, Origin::Candidate, look, capital).is_ok() {
                staged += 1;
            }
        }
        staged
    }

    /// Lives through one look.
    pub fn look(&mut self, look: &Look, now: &Circumstances) -> Decision {
        let seen = self.watch.look(look, now.capital);
        self.record.push(Row { look: *look, capital: now.capital });
        self.desk.look(&Sight { look, seen, capital: now.capital }, now)
    }

    /// Why the newest decision is what it is.
    #[must_use]
    pub const fn why(&self) -> &Why {
        &self.desk.why
    }

    /// What changed since this was last asked.
    pub fn events(&mut self) -> impl Iterator<Item = Event> {
        self.desk.events.drain(..)
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
    fn new() -> Self {
        Self {
            tried: Vec::with_capacity(RULES),
            blocks: Blocks::default(),
            stands: Ppm::ZERO,
            wanted_before: Ppm::ZERO,
            events: Vec::with_capacity(2 * RULES),
            why: Why { awake: Vec::with_capacity(RULES), ..Why::default() },
        }
    }

    fn stage(&mut self, staged: Staged, time: u64) {
        if self.tried.len() >= RULES && !self.make_room(time) {
            let number = self.blocks.staged();
            self.events.push(Event { time, number, change: Change::Refused { tried: self.tried.len() } });
            return;
        }
        let tried = Tried::stage(staged, &mut self.blocks);
        let (block, bound_of_a_loss) = (tried.number() / BLOCK, tried.bound_of_a_loss());
        let change = Change::Staged { block, bound_of_a_loss, standing: tried.standing() };
        self.events.push(Event { time, number: tried.number(), change });
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
        let change = Change::MadeRoom { evidence: gone.evidence() };
        self.events.push(Event { time, number: gone.number(), change });
        true
    }

    fn look(&mut self, sight: &Sight<'_>, now: &Circumstances) -> Decision {
        if now.held.is_zero() {
            self.stands = Ppm::ZERO;
        }
        let own = self.leaders_stance(sight);
        self.why.begin(sight.look.time);
        self.try_on_paper(sight);
        let mut bounds = Bounds::default();
        self.hear_guards(sight, &own, &mut bounds);
        self.why.leader = self.leader();
        self.why.wanted = self.why.leader.map_or(Ppm::ZERO, |leader| leader.share);
        let choice = Choice { look: sight.look, now, stands: self.stands, bounds };
        let promise = self.why.leader.map(|leader| &self.tried[leader.place]);
        let promise = promise.map(|tried| Promise { rule: &tried.rule, number: tried.number() });
        let decision = choice.decide(promise.as_ref(), &mut self.why);
        self.stands = decision.target;
        decision
    }

    /// What the words of an account say to a guard: the stance of who led at the look before.
    fn leaders_stance(&self, sight: &Sight<'_>) -> Stance {
        let leader = self.why.leader.and_then(|leader| self.tried.get(leader.place));
        match leader.map(|tried| &tried.paper) {
            Some(Paper::Holds(account)) => account.stance(sight.look.price),
            _ => Stance::default(),
        }
    }

    /// P-030. Every account lives through the look.
    fn try_on_paper(&mut self, sight: &Sight<'_>) {
        for (place, tried) in self.tried.iter_mut().enumerate() {
            let Paper::Holds(account) = &mut tried.paper else { continue };
            let turn = account.look(&tried.rule, sight);
            let is_awake = account.is_awake();
            let share = account.share();
            if let Some(trip) = turn.trip
                && let Some(change) = tried.observe(trip.observation, &mut self.blocks)
            {
                self.events.push(Event { time: sight.look.time, number: tried.number(), change });
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
    fn hear_guards(&mut self, sight: &Sight<'_>, own: &Stance, bounds: &mut Bounds) {
        let wanted_now = self.unguarded_leader().map_or(Ppm::ZERO, |leader| leader.share);
        let wanted_before = std::mem::replace(&mut self.wanted_before, wanted_now);
        for place in 0..self.tried.len() {
            let Paper::Guards(mut guard) = self.tried[place].paper else { continue };
            let tried = &self.tried[place];
            let binds = guard.look(&tried.rule, sight, own);
            let is_tightened = match &tried.rule.action {
                Action::Tighten { until } => binds && until.holds(sight.seen, own),
                _ => false,
            };
            let wanted = Wanted { now: wanted_now, before: wanted_before, is_tightened };
            let saved = guard.follow(&tried.rule, sight, &wanted);
            if binds && tried.standing() > Standing::Paper {
                self.obey(place, sight, bounds);
            }
            let tried = &mut self.tried[place];
            tried.paper = Paper::Guards(guard);
            if let Some(net) = saved
                && let Some(change) = tried.observe(Observation { net, passive: 0.0 }, &mut self.blocks)
            {
                self.events.push(Event { time: sight.look.time, number: tried.number(), change });
            }
        }
    }

    fn obey(&mut self, place: usize, sight: &Sight<'_>, bounds: &mut Bounds) {
        let number = self.tried[place].number();
        match self.tried[place].rule.action.clone() {
            Action::AtMost { share } => bounds.cap(share, number),
            Action::Wait { .. } | Action::NoEntries => bounds.no_entries = bounds.no_entries.or(Some(number)),
            Action::Tighten { until } => {
                for voice in &self.why.awake {
                    let tried = &mut self.tried[voice.place];
                    let Paper::Holds(account) = &tried.paper else { continue };
                    let stance = account.stance(sight.look.price);
                    tried.is_tightened |= stance.held > 0 && until.holds(sight.seen, &stance);
                }
            }
            Action::Hold { .. } | Action::Provide { .. } => {}
        }
    }

    /// P-050. Who leads, without those a guard told to leave.
    fn leader(&self) -> Option<Voice> {
        let free = self.why.awake.iter().filter(|voice| !self.tried[voice.place].is_tightened);
        strongest(free, |place| &self.tried[place].rule.name)
    }

    /// Who would lead if nobody had been told to leave: what a guard is held against.
    fn unguarded_leader(&self) -> Option<Voice> {
        strongest(self.why.awake.iter(), |place| &self.tried[place].rule.name)
    }
}

#[cfg(test)]
#[path = "tests/hand.rs"]
mod tests;
