//! P-057. What is said of one pool among several: `NAME=...`, or of the only one.

use std::path::PathBuf;
use std::str::FromStr;

use eyre::{Result, WrapErr as _, bail, ensure};
use golem_playbook::Book;
use golem_playbook::budget::POOLS;
use golem_playbook::prices::{self, Prices, Terms};
use golem_primitives::{PoolName, Ppm};

/// The fee of a pool that nobody told the fee of.
const USUAL_FEE: Ppm = Ppm::of(500);

/// Something said of a pool, or of all of them.
#[derive(Debug, Clone)]
pub(crate) struct OfPool<T> {
    /// Which; nothing for all.
    pub(crate) pool: Option<PoolName>,
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
pub(crate) struct Past {
    pub(crate) pool: Option<PoolName>,
    pub(crate) prices: Prices,
}

impl Past {
    /// P-083. The files that are given, each by the terms of its pool.
    pub(crate) fn read(given: &[OfPool<PathBuf>], terms: impl Fn(Option<PoolName>) -> Terms) -> Result<Vec<Self>> {
        require_names(given, "--prices")?;
        let read = given.iter().map(|OfPool { pool, said: path }| {
            let text = std::fs::read_to_string(path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
            let prices = prices::read(&text, &terms(*pool));
            let prices = prices.wrap_err_with(|| format!("{} cannot be used", path.display()))?;
            Ok(Self { pool: *pool, prices })
        });
        read.collect()
    }

    /// P-057. The same at the times that all of them have. A fee that is told of none of them is a mistake in a name.
    pub(crate) fn align(pasts: Vec<Self>, fees: &[OfPool<Ppm>]) -> Result<Vec<Self>> {
        let names: Vec<Option<PoolName>> = pasts.iter().map(|past| past.pool).collect();
        if let Some(pool) = fees.iter().filter_map(|fee| fee.pool).find(|pool| !names.contains(&Some(*pool))) {
            let there: Vec<&str> = names.iter().flatten().map(PoolName::as_str).collect();
            let there = if there.is_empty() { "a pool without a name".to_owned() } else { there.join(", ") };
            bail!(
                "--fee tells of the pool {pool}, and what is given is of {there}; give it one of those names, or none"
            );
        }
        let mut prices: Vec<Prices> = pasts.into_iter().map(|past| past.prices).collect();
        prices::align(&mut prices)?;
        Ok(names.into_iter().zip(prices).map(|(pool, prices)| Self { pool, prices }).collect())
    }

    /// What a reader should know of its prices, with its name where it has one.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = String> {
        self.prices.remarks.iter().map(|remark| self.remark(remark))
    }

    /// A remark on its prices.
    pub(crate) fn remark(&self, remark: &str) -> String {
        self.pool.map_or_else(|| remark.to_owned(), |pool| format!("{pool}: {remark}"))
    }
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
        let past = |pool| Past {
            pool,
            prices: Prices { looks: Vec::new(), sides: Vec::new(), remarks: Vec::new(), has_volume: false },
        };
        let told = Past::align(vec![past(plain.pool)], &fees).expect_err("nobody has that name").to_string();
        assert!(told.contains("the pool ember") && told.contains("without a name"), "{told}");
        let known = Past::align(vec![past(named.pool)], &fees).expect_err("it has no prices").to_string();
        assert!(!known.contains("--fee"), "{known}");
        require_names(std::slice::from_ref(&plain), "--prices").expect("one needs none");
        assert!(require_names(&[plain, named.clone()], "--prices").expect_err("two").to_string().contains("NAME="));
        assert!(require_names(&[named.clone(), named], "--prices").expect_err("twice").to_string().contains("twice"));
    }
}
