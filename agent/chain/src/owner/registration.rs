//! The registration file of a Golem as the identity registry keeps it (L-012).

use golem_primitives::AgentId;

use super::send::Wanted;
use super::{DeskError, OwnerDesk, Receipt, Report};
use crate::bindings::{IErc721, IIdentityRegistry};

impl OwnerDesk {
    /// Where the registration file of a Golem is, or the file itself when it is carried in its own address.
    ///
    /// # Errors
    /// [`DeskError::Refused`] when the identity registry does not know the id.
    pub async fn agent_uri(&self, agent: AgentId) -> Result<String, DeskError> {
        self.read(self.deployment.identity, IErc721::tokenURICall { tokenId: agent.0 }).await
    }

    /// Puts another registration file in its place. The owner's.
    ///
    /// # Errors
    /// The registry's refusal.
    pub async fn set_agent_uri(&self, agent: AgentId, uri: String, report: Report<'_>) -> Result<Receipt, DeskError> {
        let call = IIdentityRegistry::setAgentURICall { agentId: agent.0, newURI: uri };
        self.act(Wanted::call("changing the registration file", self.deployment.identity, &call), report).await
    }
}
