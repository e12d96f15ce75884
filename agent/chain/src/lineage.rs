//! Who lived, from whom, how they were and how they ended, from the chain's logs alone (L-024), and whether it is true
//! (O-005).

mod fold;
mod record;
pub(crate) mod scan;
mod till;
mod verify;

use std::collections::BTreeMap;

use alloy::primitives::{Address, B256, U256};
use alloy::sol_types::SolEvent;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use golem_primitives::{AgentId, LineageId};
use serde::{Deserialize, Serialize};

use crate::bindings::{IErc721, IIdentityRegistry, ILineageRegistry};
use crate::deployment::Deployment;
use crate::endpoints::{EndpointError, Endpoints};
use crate::reorg::newest_at_depth;

pub use record::{
    Beat, Deal, DeathOnChain, DeathRoll, DyingOnChain, GolemOnChain, LoggedAt, RollRef, Stage, TestamentOnChain,
    Tombstone, TradeOnChain,
};
pub use till::Till;
pub use verify::{FileEvidence, LineageCheck, all_hold, verify};

use scan::{LARGEST_FILTER, Wanted};

/// The predecessor of a generation 0.
pub(crate) const NO_GOLEM: U256 = U256::MAX;

/// Everything the suite has ever said on one chain, up to a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chronicle {
    pub chain_id: u64,
    pub to: u64,
    /// Its hash: when it changes, the chronicle is read anew.
    pub to_hash: B256,
    pub golems: BTreeMap<AgentId, GolemOnChain>,
    /// Logs of the suite this version has no words for.
    pub not_understood: u64,
}

impl Chronicle {
    /// Reads all logs of the suite up to the confirmed head.
    pub async fn read(endpoints: &Endpoints, deployment: &Deployment) -> Result<Self, EndpointError> {
        let mut this = Self::empty(deployment);
        this.read_from(deployment.from_block, endpoints, deployment).await?;
        Ok(this)
    }

    /// Reads what came since, or everything again when the chain has changed behind us.
    pub fn update<'a>(
        &'a mut self,
        endpoints: &'a Endpoints,
        deployment: &'a Deployment,
    ) -> BoxFuture<'a, Result<(), EndpointError>> {
        async move {
            let there = endpoints.block(self.to).await?;
            if self.chain_id == deployment.chain_id && there.is_some_and(|header| header.hash == self.to_hash) {
                return self.read_from(self.to + 1, endpoints, deployment).await;
            }
            *self = Self::read(endpoints, deployment).await?;
            Ok(())
        }
        .boxed()
    }

    fn empty(deployment: &Deployment) -> Self {
        Self {
            chain_id: deployment.chain_id,
            to: deployment.from_block,
            to_hash: B256::ZERO,
            golems: BTreeMap::new(),
            not_understood: 0,
        }
    }

    async fn read_from(
        &mut self,
        from: u64,
        endpoints: &Endpoints,
        deployment: &Deployment,
    ) -> Result<(), EndpointError> {
        loop {
            let to = newest_at_depth(endpoints.head().await?.number, deployment.confirmations);
            if to < from {
                return Ok(());
            }
            let Some(before) = endpoints.block(to).await? else { continue };
            let mut next = self.clone();
            next.absorb(from, to, endpoints, deployment).await?;
            // A reorg while reading would mix two histories; the hash of the last block tells of it.
            let after = endpoints.block(to).await?;
            if after.is_some_and(|header| header.hash == before.hash) {
                (next.to, next.to_hash) = (to, before.hash);
                *self = next;
                return Ok(());
            }
        }
    }

    async fn absorb(
        &mut self,
        from: u64,
        to: u64,
        endpoints: &Endpoints,
        deployment: &Deployment,
    ) -> Result<(), EndpointError> {
        let registry = Wanted { addresses: vec![deployment.lineage], topics: vec![] };
        for entry in scan::logs(endpoints, &registry, from, to).await? {
            if !fold::lineage(&mut self.golems, &entry) {
                self.not_understood += 1;
            }
        }
        let ids: Vec<B256> = self.golems.keys().map(|agent| B256::from(agent.0)).collect();
        for ids in ids.chunks(LARGEST_FILTER) {
            for wanted in identity_filters(deployment.identity, ids) {
                for entry in scan::logs(endpoints, &wanted, from, to).await? {
                    fold::identity(&mut self.golems, &entry);
                }
            }
        }
        let agents: BTreeMap<Address, AgentId> = self.golems.values().map(|golem| (golem.vault, golem.agent)).collect();
        let vaults: Vec<Address> = agents.keys().copied().collect();
        for vaults in vaults.chunks(LARGEST_FILTER) {
            let wanted = Wanted { addresses: vaults.to_vec(), topics: vec![] };
            for entry in scan::logs(endpoints, &wanted, from, to).await? {
                let golem = agents.get(&entry.address).and_then(|agent| self.golems.get_mut(agent));
                if !golem.is_some_and(|golem| fold::vault(golem, &entry)) {
                    self.not_understood += 1;
                }
            }
        }
        Ok(())
    }

    /// A Golem by its id.
    #[must_use]
    pub fn golem(&self, agent: AgentId) -> Option<&GolemOnChain> {
        self.golems.get(&agent)
    }

    /// The members of a lineage by generation.
    #[must_use]
    pub fn lineage(&self, lineage: LineageId) -> Vec<&GolemOnChain> {
        let mut members: Vec<&GolemOnChain> = self.golems.values().filter(|golem| golem.lineage == lineage).collect();
        members.sort_by_key(|golem| (golem.generation, golem.agent));
        members
    }

    /// The dead, last first.
    #[must_use]
    pub fn graveyard(&self) -> Vec<Tombstone> {
        let mut graves: Vec<Tombstone> = self.golems.values().filter_map(tombstone).collect();
        graves.sort_by_key(|grave| (std::cmp::Reverse(grave.died), grave.agent));
        graves
    }
}

fn tombstone(golem: &GolemOnChain) -> Option<Tombstone> {
    let death = golem.death.as_ref()?;
    Some(Tombstone {
        agent: golem.agent,
        lineage: golem.lineage,
        generation: golem.generation,
        born: golem.born.time,
        died: death.place.time,
        cause: death.cause,
        ticks: golem.ticks(),
        successor: golem.successor,
        testament: golem.testament.as_ref().map(|testament| testament.hash).filter(|hash| !hash.is_zero()),
        testament_uri: golem.testament.as_ref().map(|testament| testament.uri.clone()).unwrap_or_default(),
        reason: golem.dying.as_ref().map(|dying| dying.reason.clone()).unwrap_or_default(),
    })
}

/// A canonical registry serves many besides us, so only logs of our own ids are asked for.
fn identity_filters(identity: Address, ids: &[B256]) -> [Wanted; 2] {
    let named = vec![
        IIdentityRegistry::Registered::SIGNATURE_HASH,
        IIdentityRegistry::MetadataSet::SIGNATURE_HASH,
        IIdentityRegistry::URIUpdated::SIGNATURE_HASH,
    ];
    let moved = vec![IErc721::Transfer::SIGNATURE_HASH];
    [
        Wanted { addresses: vec![identity], topics: vec![named, ids.to_vec()] },
        Wanted { addresses: vec![identity], topics: vec![moved, vec![], vec![], ids.to_vec()] },
    ]
}

/// The transaction in which a Golem was born, looked for from the newest block back; `None` when no log tells of it.
pub(crate) async fn birth_of(
    endpoints: &Endpoints,
    deployment: &Deployment,
    agent: AgentId,
) -> Result<Option<B256>, EndpointError> {
    /// Blocks looked through before older ones are: who asks was mostly born a moment ago.
    const PIECE: u64 = 50_000;
    let topics = vec![vec![ILineageRegistry::Born::SIGNATURE_HASH], vec![B256::from(agent.0)]];
    let wanted = Wanted { addresses: vec![deployment.lineage], topics };
    let mut to = endpoints.head().await?.number;
    loop {
        let from = to.saturating_sub(PIECE).max(deployment.from_block);
        if let Some(born) = scan::logs(endpoints, &wanted, from, to).await?.pop() {
            return Ok(Some(born.tx));
        }
        if from <= deployment.from_block {
            return Ok(None);
        }
        to = from - 1;
    }
}
