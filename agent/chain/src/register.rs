//! Who is who, for whoever carries words between Golems (I-102, R-042).

use std::collections::BTreeMap;
use std::sync::Mutex;

use alloy::primitives::Address;
use golem_ports::{Blindness, Enrolled, Register, RegisterAnswer, Vital};
use golem_primitives::AgentId;

use crate::batch::Batch;
use crate::bindings::{IErc721, ILineageRegistry, IVault};
use crate::deployment::Deployment;
use crate::endpoints::Endpoints;
use crate::node::{At, Node};
use crate::on_chain::lock;

/// Numbers of vaults that are remembered; a vault keeps its own for ever.
const KNOWN: usize = 100_000;

/// The registers of the suite.
#[derive(Debug)]
pub struct OnChainRegister {
    node: Node,
    deployment: Deployment,
    agents: Mutex<BTreeMap<Address, AgentId>>,
}

impl OnChainRegister {
    /// The registers of a deployment, read through these endpoints.
    #[must_use]
    pub fn new(endpoints: Endpoints, deployment: Deployment) -> Self {
        Self { node: Node::new(endpoints), deployment, agents: Mutex::default() }
    }

    async fn read(&self, vault: Address) -> Result<Option<Enrolled>, Blindness> {
        let at = At::from(self.node.head().await?);
        let known = lock(&self.agents).get(&vault).copied();
        let agent = match known {
            Some(agent) => agent,
            None => match self.claimed(vault, &at).await? {
                Some(agent) => agent,
                None => return Ok(None),
            },
        };
        let mut batch = Batch::default();
        let registered = batch.add(self.deployment.lineage, &ILineageRegistry::vaultOfCall { agentId: agent.0 });
        let vital = batch.add(self.deployment.lineage, &ILineageRegistry::vitalOfCall { agentId: agent.0 });
        let owner = batch.add(self.deployment.identity, &IErc721::ownerOfCall { tokenId: agent.0 });
        let bound = batch.add(vault, &IVault::boundOwnerCall {});
        let answers = batch.ask(&self.node, self.deployment.multicall3, &at).await?;
        // Any contract can say that it is the vault of somebody; the registry knows which one is.
        if answers.maybe(registered)? != Some(vault) {
            return Ok(None);
        }
        let said = answers.get(vital)?;
        let vital = match said.life {
            1 => Vital::Alive,
            2 => Vital::Dying,
            3 => Vital::Dead,
            _ => return Ok(None),
        };
        let mut agents = lock(&self.agents);
        if agents.len() >= KNOWN {
            agents.clear();
        }
        agents.insert(vault, agent);
        let (owner, bound_owner) = (answers.get(owner)?, answers.get(bound)?);
        Ok(Some(Enrolled { agent, owner, bound_owner, key: said.key, vital }))
    }

    /// The number that stands at an address, if anything there has one.
    async fn claimed(&self, vault: Address, at: &At) -> Result<Option<AgentId>, Blindness> {
        let mut batch = Batch::default();
        let agent = batch.add(vault, &IVault::agentIdCall {});
        let answers = batch.ask(&self.node, self.deployment.multicall3, at).await?;
        // An address without code answers nothing at all: that is no blindness.
        Ok(answers.maybe(agent).ok().flatten().map(AgentId))
    }
}

impl Register for OnChainRegister {
    fn block(&self) -> RegisterAnswer<'_, u64> {
        Box::pin(async { Ok(self.node.head().await?.number) })
    }

    fn enrolled(&self, vault: Address) -> RegisterAnswer<'_, Option<Enrolled>> {
        Box::pin(self.read(vault))
    }
}
