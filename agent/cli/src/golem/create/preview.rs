//! What a birth would do, shown before it does any of it.

use golem_chain::Deployment;
use golem_primitives::{Address, Usdc};
use golem_view::{BirthToBe, Picture as _, Wei, WouldSend, table_of};

use super::super::book::BookText;
use super::CreateArguments;
use crate::screen;

/// A birth as it was asked for.
pub(super) struct Preview<'a> {
    pub(super) asked: &'a CreateArguments,
    pub(super) name: &'a str,
    pub(super) suite: &'a Deployment,
    pub(super) owner: Address,
    pub(super) book: &'a BookText,
    pub(super) credits: Usdc,
    pub(super) pool: Address,
}

impl Preview<'_> {
    /// In the order they are sent.
    fn transactions(&self) -> Vec<WouldSend> {
        let Self { asked, name, suite, credits, .. } = self;
        let total = credits.saturating_add(asked.capital);
        let gives_birth = format!(
            "give birth to {name}: its identity, its vault, {credits} of credits and {} of capital",
            asked.capital
        );
        let mut all = vec![
            (suite.usdc.to_string(), format!("let Birth ({}) take {total}, unless it may already", suite.birth)),
            (suite.birth.to_string(), gives_birth),
        ];
        if asked.gas > 0 {
            all.push(("its key".to_owned(), format!("send {} for its gas", screen::ether(asked.gas))));
        }
        all.push((suite.identity.to_string(), "link its key as its wallet".to_owned()));
        if !asked.no_epitaph {
            let may_write = format!("let Epitaph ({}) say one day that it is dead", suite.epitaph);
            all.push((suite.identity.to_string(), may_write));
        }
        all.into_iter().map(|(to, what)| WouldSend { to, what }).collect()
    }

    fn picture(&self) -> BirthToBe {
        BirthToBe {
            name: self.name.to_owned(),
            chain_id: self.suite.chain_id,
            owner: self.owner,
            book: self.book.name.to_string(),
            rules: self.book.book.rules.len(),
            pool: self.pool,
            credits: self.credits,
            capital: self.asked.capital,
            gas: Wei(self.asked.gas),
            guardian: self.asked.guardian,
            host: self.asked.host,
            transactions: self.transactions(),
        }
    }

    pub(super) fn show(&self) {
        screen::draw_by(self.asked.json, &self.picture(), |picture| {
            screen::show(&picture.table(&format!("{} on chain {}", self.name, self.suite.chain_id)));
            let heading = "Transactions in this order, each tried against the contracts before it is signed";
            screen::show(&table_of(heading, &picture.transactions));
            println!();
        });
    }
}
