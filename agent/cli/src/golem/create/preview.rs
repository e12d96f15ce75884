//! What a birth would do, shown before it does any of it.

use eyre::Result;
use golem_chain::Deployment;
use golem_primitives::{Address, Usdc};
use serde_json::{Value, json};

use super::super::BookText;
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

/// A transaction that the owner would sign.
struct Transaction {
    to: String,
    what: String,
}

impl Preview<'_> {
    /// In the order they are sent.
    fn transactions(&self) -> Vec<Transaction> {
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
        all.into_iter().map(|(to, what)| Transaction { to, what }).collect()
    }

    fn picture(&self) -> Value {
        let transactions: Vec<Value> =
            self.transactions().iter().map(|sent| json!({ "to": sent.to, "what": sent.what })).collect();
        json!({
            "name": self.name, "chain_id": self.suite.chain_id, "owner": self.owner,
            "book": self.book.name, "rules": self.book.book.rules.len(), "pool": self.pool,
            "credits_usdc_micros": self.credits.micros(), "capital_usdc_micros": self.asked.capital.micros(),
            "gas_wei": self.asked.gas.to_string(), "guardian": self.asked.guardian, "host": self.asked.host,
            "transactions": transactions,
        })
    }

    pub(super) fn show(&self) -> Result<()> {
        if self.asked.json {
            println!("{}", serde_json::to_string_pretty(&self.picture())?);
            return Ok(());
        }
        let shown = |who: Option<Address>| who.map_or_else(|| "nobody".to_owned(), |address| address.to_string());
        let rows = [
            ("owner, who pays", self.owner.to_string()),
            ("acts by", format!("{} ({} rules)", self.book.name, self.book.book.rules.len())),
            ("in the pool", self.pool.to_string()),
            ("credits to live on", self.credits.to_string()),
            ("capital to trade with", self.asked.capital.to_string()),
            ("guardian", shown(self.asked.guardian)),
            ("paid for the machine", shown(self.asked.host)),
        ];
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]).collect();
        screen::table(&format!("{} on chain {}", self.name, self.suite.chain_id), &rows);
        let numbered = self.transactions().into_iter().enumerate();
        let rows: Vec<Vec<String>> =
            numbered.map(|(place, sent)| vec![format!("{}.", place + 1), sent.to, sent.what]).collect();
        screen::table("Transactions, each tried against the contracts before it is signed", &rows);
        println!();
        Ok(())
    }
}
