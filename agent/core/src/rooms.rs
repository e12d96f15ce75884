//! What a life may have beyond a body and a hand, each from the moment it is first told of it.
//!
//! A room that nobody furnished takes no part in what a life does.

use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

use crate::affect::Affect;
use crate::books::Books;
use crate::dreams::Dreams;
use crate::larder::Larder;
use crate::mind::Mind;
use crate::pass::Pass;
use crate::precedents::Precedents;
use crate::record::{BalanceReading, Observation, Outcome, Partition, Partitions};
use crate::strain::Strain;
use crate::study::Study;
use crate::trader::Trader;

/// The furnished rooms of a life.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Rooms {
    /// The models it may ask.
    pub(crate) mind: Option<Box<Mind>>,
    /// What models advised before.
    pub(crate) precedents: Option<Box<Precedents>>,
    /// The data it may buy.
    pub(crate) larder: Option<Box<Larder>>,
    /// Its own books of the vault's credits.
    pub(crate) books: Option<Box<Books>>,
    /// What it may have thought for it beside its ticks.
    pub(crate) study: Option<Box<Study>>,
    /// What moves it.
    pub(crate) affect: Option<Box<Affect>>,
    /// S-001. What presses on it.
    pub(crate) suffering: Option<Box<Strain>>,
    /// D-001. Its dreaming.
    pub(crate) dreams: Option<Box<Dreams>>,
}

impl Rooms {
    /// An outcome came that somebody waited for.
    pub(crate) fn land(&mut self, outcome: &Outcome, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        if let Some(larder) = &mut self.larder {
            let own = trader.and_then(Trader::sight).map(|sight| sight.market.price);
            let paid = larder.land(outcome, own, pass);
            // The look of this tick counted the float as it was before.
            if let BalanceReading::Observed(credits) = &mut pass.desk.balance {
                let parts = Partition::ALL.map(|part| match part {
                    Partition::Data => credits.get(part).saturating_sub(paid),
                    _ => credits.get(part),
                });
                *credits = Partitions::observed(parts);
            }
        }
        if let Some(books) = &mut self.books {
            books.land(outcome);
        }
    }

    /// Something that landed is taken back; told twice it is taken back once.
    pub(crate) fn take_back(&mut self, seen: &Observation, pass: &Pass<'_>) {
        let Observation::Withdrawn { effect, kind, was_refused } = seen else { return };
        if pass.desk.holds.awaits(*effect) {
            return;
        }
        if let Some(larder) = &mut self.larder {
            larder.take_back(*effect, kind, *was_refused);
        }
        if let Some(books) = &mut self.books {
            books.take_back(*effect, kind, *was_refused);
        }
        if let Some(strain) = &mut self.suffering {
            strain.take_back(*effect);
        }
    }

    /// What was seen, for the rooms it concerns.
    pub(crate) fn absorb(&mut self, seen: &Observation, trader: Option<&Trader>, floor: Usdc, pass: &mut Pass<'_>) {
        match seen {
            Observation::Offers(offers) => Larder::furnish(&mut self.larder, offers),
            Observation::Inflows(log) => self.books.get_or_insert_default().compare(log, trader, pass),
            Observation::Sight(_) => {
                if let Some(larder) = &self.larder {
                    larder.count_float(&mut pass.desk.balance, floor);
                }
            }
            _ => {}
        }
    }
}
