//! P-057. What is said of one pool among several: `NAME=...`, or of the only one.

use std::str::FromStr;

use eyre::{Result, bail, ensure};
use golem_playbook::Book;
use golem_playbook::budget::POOLS;
use golem_playbook::prices::Prices;
use golem_primitives::{PoolName, Ppm};

/// The fee of a pool that nobody told the fee of.
const USUAL_FEE: Ppm = Ppm::of(500);

/// Something said of a pool, or of all of them.
#[derive(Debug, Clone)]
pub(crate) struct OfPool<T> {
    /// Which; nothing for all.
    pub(crate) pool: Option<PoolName>,
    /// What.
    pub(crate) said: T,
}

impl<T: FromStr> FromStr for OfPool<T> {
    type Err = T::Err;

    /// A name before the sign is a pool's; anything else there belongs to what is said, such as a file's name.
    fn from_str(text: &str) -> Result<Self, T::Err> {
        let named = text.split_once('=').and_then(|(name, said)| Some((name.parse::<PoolName>().ok()?, said)));
        match named {
            Some((pool, said)) => Ok(Self { pool: Some(pool), said: said.parse()? }),
            None => Ok(Self { pool: None, said: text.parse()? }),
        }
    }
}

/// The fee of a pool: its own, that of all, or the usual one.
pub(crate) fn fee_of(pool: Option<PoolName>, fees: &[OfPool<Ppm>]) -> Ppm {
    let own = fees.iter().find(|fee| fee.pool.is_some() && fee.pool == pool);
    own.or_else(|| fees.iter().find(|fee| fee.pool.is_none())).map_or(USUAL_FEE, |fee| fee.said)
}

/// Pools must have a name each where there are several, and no two the same.
pub(crate) fn require_names<T>(given: &[OfPool<T>], word: &str) -> Result<()> {
    if given.len() < 2 {
        return Ok(());
    }
    ensure!(given.len() <= POOLS, "{} pools are given; at most {POOLS} can be traded in with one budget", given.len());
    for (at, one) in given.iter().enumerate() {
        let Some(pool) = one.pool else {
            bail!("several pools are given: each needs a name, {word} NAME=..., the home pool first");
        };
        ensure!(!given[..at].iter().any(|other| other.pool == Some(pool)), "the pool {pool} is given twice");
    }
    Ok(())
}

/// A pool of the past.
#[derive(Debug)]
pub(super) struct Past {
    pub(super) pool: Option<PoolName>,
    pub(super) prices: Prices,
}

/// A rule must speak of a pool that is given, or nothing would come of it and nobody would know why.
pub(super) fn require_pools(book: &Book, pasts: &[Past]) -> Result<()> {
    let named: Vec<PoolName> = pasts.iter().filter_map(|past| past.pool).collect();
    let is_there = |pool: &PoolName| named.is_empty() || named.contains(pool);
    for rule in &book.rules {
        if let Some(pool) = rule.pool.filter(|pool| !is_there(pool)) {
            let there: Vec<&str> = named.iter().map(PoolName::as_str).collect();
            bail!(
                "the rule {} speaks of the pool {pool}, and there are prices of {}; give its prices too, or change its `in`",
                rule.name,
                there.join(", ")
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// P-057: what is named is of its pool, a file whose name has the sign is a file, and several pools are all named.
    #[test]
    fn p_057_what_is_said_of_a_pool_is_of_that_pool() {
        let read = |text: &str| text.parse::<OfPool<PathBuf>>().expect("a path");
        let (named, plain, odd) = (read("ember=a.csv"), read("a.csv"), read("Data/x=1.csv"));
        assert_eq!(named.pool.map(|pool| pool.to_string()).as_deref(), Some("ember"));
        assert_eq!(named.said, PathBuf::from("a.csv"));
        assert_eq!((plain.pool, odd.pool, odd.said.clone()), (None, None, PathBuf::from("Data/x=1.csv")));
        let fees: Vec<OfPool<Ppm>> = ["0.1%", "ember=0.3%"].iter().map(|text| text.parse().expect("a fee")).collect();
        assert_eq!(fee_of(named.pool, &fees), Ppm::of(3_000));
        assert_eq!(fee_of(None, &fees), Ppm::of(1_000));
        assert_eq!(fee_of(named.pool, &[]), USUAL_FEE);
        require_names(std::slice::from_ref(&plain), "--prices").expect("one needs none");
        assert!(require_names(&[plain, named.clone()], "--prices").expect_err("two").to_string().contains("NAME="));
        assert!(require_names(&[named.clone(), named], "--prices").expect_err("twice").to_string().contains("twice"));
    }
}
