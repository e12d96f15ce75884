//! The hand in a life: founded on what its line left and its owner wrote, told what to try, asked what changed.

use golem_primitives::{PoolName, Usdc};

use super::{Desk, Hand};
use crate::book::Book;
use crate::information::Information;
use crate::links::Links;
use crate::look::Look;
use crate::observable::WordSet;
use crate::phages::Phages;
use crate::promotion::{DatedChange, Founding, Origin, Tried};
use crate::record::Record;
use crate::rule::Rule;
use crate::search::Searches;
use crate::stains::Stains;
use crate::watch::Watch;

impl Default for Hand {
    fn default() -> Self {
        Self::new()
    }
}

impl Hand {
    /// A hand that tries nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            watch: Watch::of(WordSet::NONE),
            record: Record::default(),
            searches: Searches::default(),
            links: Links::default(),
            information: Information::default(),
            phages: Phages::default(),
            stains: Stains::default(),
            surfaced: None,
            desk: Desk::new(),
        }
    }

    /// P-009, P-047. Lets an owner's book stand in it. A rule that its line already tried keeps number and account and has the
    /// owner's word from now on; one of the same name that means something else makes room for it.
    pub fn found_on(&mut self, book: &Book, founding: Founding, look: &Look, capital: Usdc) {
        for rule in &book.rules {
            let known = self.desk.tried.iter().position(|tried| tried.rule.name == rule.name);
            if let Some(place) = known {
                if self.desk.tried[place].rule.means(rule) {
                    self.desk.tried[place].found(founding);
                    continue;
                }
                self.desk.tried.remove(place);
            }
            self.stage(rule.clone(), Origin::Founding(founding), look, capital);
        }
    }

    /// P-057. Lets go of rules that speak of another pool.
    pub fn keep_to(&mut self, pool: PoolName) {
        self.desk.tried.retain(|tried| tried.rule.speaks_of(pool));
    }

    /// Tries a rule as a candidate; one whose name is known already stays as it is.
    pub fn propose(&mut self, rule: &Rule, look: &Look, capital: Usdc) {
        if self.desk.is_new(rule) {
            self.stage(rule.clone(), Origin::Candidate, look, capital);
        }
    }

    /// P-074, P-075. Tries what a stranger proposes as a candidate, unless what means the same is tried under any name: an owner
    /// may want a small difference, a stranger's is none.
    pub fn hear_proposal(&mut self, rule: &Rule, look: &Look, capital: Usdc) {
        if !self.desk.tried.iter().any(|tried| tried.rule.means(rule)) {
            self.propose(rule, look, capital);
        }
    }

    /// The oldest change that was not asked for yet.
    pub fn next_event(&mut self) -> Option<DatedChange> {
        (!self.desk.events.is_empty()).then(|| self.desk.events.remove(0))
    }

    /// Who led at the last look.
    #[must_use]
    pub fn leader(&self) -> Option<&Tried> {
        let led = self.desk.led?;
        self.desk.tried.iter().find(|tried| tried.number() == led)
    }
}
