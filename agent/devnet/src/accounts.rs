//! Who lives on a devnet. The keys are derived from names anyone can read: they are worthless by construction.

use alloy::primitives::{Address, B256, keccak256};
use alloy::signers::local::PrivateKeySigner;
use serde::Serialize;

/// How many accounts without a role there are.
pub const STRANGERS: usize = 5;

/// A funded account of the devnet.
#[derive(Debug, Clone, Serialize)]
pub struct FundedAccount {
    pub role: String,
    pub address: Address,
    /// Its private key. Public knowledge, and refused by every other chain for want of funds.
    pub key: B256,
    #[serde(skip)]
    signer: PrivateKeySigner,
}

impl FundedAccount {
    pub(crate) fn derive(role: &str) -> Self {
        let key = keccak256(format!("bardo devnet account: {role}"));
        let signer = PrivateKeySigner::from_bytes(&key).expect("these few fixed hashes are valid scalars");
        Self { role: role.to_owned(), address: signer.address(), key, signer }
    }

    /// The account as a signer.
    #[must_use]
    pub fn signer(&self) -> PrivateKeySigner {
        self.signer.clone()
    }
}

/// All accounts of the devnet.
#[derive(Debug, Clone, Serialize)]
pub struct Accounts {
    /// Deploys the world; its nonces give every contract the same address on every devnet.
    pub deployer: FundedAccount,
    /// Stands for Circle: mints, pauses and blocks USDC.
    pub issuer: FundedAccount,
    pub owner: FundedAccount,
    /// May trip a kill switch.
    pub guardian: FundedAccount,
    /// Makes and moves the price.
    pub market: FundedAccount,
    pub strangers: Vec<FundedAccount>,
}

impl Default for Accounts {
    fn default() -> Self {
        Self {
            deployer: FundedAccount::derive("deployer"),
            issuer: FundedAccount::derive("issuer"),
            owner: FundedAccount::derive("owner"),
            guardian: FundedAccount::derive("guardian"),
            market: FundedAccount::derive("market"),
            strangers: (1..=STRANGERS).map(|n| FundedAccount::derive(&format!("stranger {n}"))).collect(),
        }
    }
}

impl Accounts {
    /// Every account, the roles first.
    pub fn all(&self) -> impl Iterator<Item = &FundedAccount> {
        [&self.deployer, &self.issuer, &self.owner, &self.guardian, &self.market].into_iter().chain(&self.strangers)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn accounts_are_distinct_and_the_same_every_time() {
        let accounts = Accounts::default();
        let addresses: BTreeSet<_> = accounts.all().map(|a| a.address).collect();
        assert_eq!(addresses.len(), 5 + STRANGERS);
        let again: BTreeSet<_> = Accounts::default().all().map(|a| a.address).collect();
        assert_eq!(addresses, again);
    }
}
