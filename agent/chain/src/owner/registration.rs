//! A Golem as others meet it by ERC-8004: the file that describes it, the wallet it is linked with, and the one word that
//! may be changed there after its death (L-012, L-013, L-014).

use alloy::primitives::Address;
use golem_primitives::AgentId;

use super::desk::OwnerDesk;
use super::error::DeskError;
use super::send::{ActReceipt, DeskListener, Wanted};
use crate::bindings::{IBirth, IEpitaph, IErc721, IIdentityRegistry};

/// What the contract says of a Golem whose owner said nothing.
const USUAL_DESCRIPTION: &str = "A Golem: a mortal DeFi agent. Its vault, lineage and death are on chain.";
/// How the picture begins that the contract draws: colours, eyes and number follow.
const DRAWN: &str = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5NiA5NiI+PHJlY3Qgd2lkdGg9Ijk2IiBoZWlnaHQ9Ijk2IiBmaWxsPSIjMTQxMTBmIi8+";

/// A way to reach a Golem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its kind, as the standard spells it.
    pub name: String,
    pub endpoint: String,
    /// Of the protocol; empty for none.
    pub version: String,
}

/// What an owner says of his Golem in the registration file; what the chain knows is added there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegistrationProfile {
    pub name: String,
    /// Empty for a sentence that fits every Golem.
    pub description: String,
    /// Empty for the picture that the contract draws, which ages with the Golem.
    pub image: String,
    pub services: Vec<Service>,
    pub x402: bool,
}

/// Why a registration file cannot say so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    #[error("the {what} has {bytes} bytes; shorten it to {most}")]
    TooLong { what: &'static str, bytes: usize, most: usize },
    #[error("the {what} is {given:?}; it takes an address that begins with {takes}")]
    NotAnAddress { what: &'static str, given: String, takes: &'static str },
    /// Clients that know only the standard's kinds fail at others.
    #[error("{given:?} is no kind of service that the standard names; they are {}", RegistrationProfile::KINDS.join(", "))]
    UnknownKind { given: String },
    #[error("the {what} has a control character in it; leave it out")]
    Control { what: &'static str },
}

impl RegistrationProfile {
    /// The kinds of service that ERC-8004 names.
    pub const KINDS: [&str; 7] = ["web", "A2A", "MCP", "OASF", "ENS", "DID", "email"];
    /// Bytes of a name.
    pub const NAME_BYTES: usize = 64;
    /// Bytes of a description.
    pub const DESCRIPTION_BYTES: usize = 1_024;
    /// Bytes of an address.
    pub const ADDRESS_BYTES: usize = 256;
    /// Bytes of a picture that is carried in the file itself.
    pub const PICTURE_BYTES: usize = 4_096;

    /// A Golem of which only the name is told.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The same with what the contract writes by itself left to it again: its sentence, and its picture, which it draws
    /// anew for the dead.
    #[must_use]
    pub fn own_words(mut self) -> Self {
        if self.description == USUAL_DESCRIPTION {
            self.description.clear();
        }
        if self.image.starts_with(DRAWN) {
            self.image.clear();
        }
        self
    }

    /// Whether it can stand in a file that every client reads.
    pub fn check(&self) -> Result<(), ProfileError> {
        text("name", &self.name, Self::NAME_BYTES)?;
        text("description", &self.description, Self::DESCRIPTION_BYTES)?;
        let carried = self.image.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
        if let Some((_, carried)) = carried {
            // Four letters carry three bytes.
            let bytes = carried.len() / 4 * 3;
            if bytes > Self::PICTURE_BYTES + 2 {
                return Err(ProfileError::TooLong { what: "picture", bytes, most: Self::PICTURE_BYTES });
            }
        } else if !self.image.is_empty() {
            address("image", &self.image, &["https://", "http://", "ipfs://", "ar://"], "https://, ipfs:// or ar://")?;
        }
        for service in &self.services {
            let Some(what) = Self::KINDS.into_iter().find(|kind| *kind == service.name) else {
                return Err(ProfileError::UnknownKind { given: service.name.clone() });
            };
            text(what, &service.version, Self::NAME_BYTES)?;
            match what {
                "web" | "A2A" | "MCP" => address(what, &service.endpoint, &["https://", "http://"], "https://")?,
                _ => text(what, &service.endpoint, Self::ADDRESS_BYTES)?,
            }
        }
        Ok(())
    }

    /// Says where one kind of service is; an empty address takes it out.
    pub fn serve(&mut self, kind: &'static str, endpoint: &str) {
        let known = self.services.iter().position(|service| service.name == kind);
        match (known, endpoint.is_empty()) {
            (Some(at), true) => drop(self.services.remove(at)),
            (Some(at), false) => endpoint.clone_into(&mut self.services[at].endpoint),
            (None, true) => {}
            (None, false) => self.services.push(Service {
                name: kind.to_owned(),
                endpoint: endpoint.to_owned(),
                version: String::new(),
            }),
        }
    }
}

fn text(what: &'static str, given: &str, most: usize) -> Result<(), ProfileError> {
    if given.len() > most {
        return Err(ProfileError::TooLong { what, bytes: given.len(), most });
    }
    if given.chars().any(char::is_control) { Err(ProfileError::Control { what }) } else { Ok(()) }
}

fn address(what: &'static str, given: &str, begins: &[&str], takes: &'static str) -> Result<(), ProfileError> {
    text(what, given, RegistrationProfile::ADDRESS_BYTES)?;
    let rest = begins.iter().find_map(|begin| given.strip_prefix(begin));
    if rest.is_none_or(|rest| rest.is_empty() || rest.starts_with('/') || given.contains(char::is_whitespace)) {
        return Err(ProfileError::NotAnAddress { what, given: given.to_owned(), takes });
    }
    Ok(())
}

impl From<&RegistrationProfile> for IBirth::Profile {
    fn from(profile: &RegistrationProfile) -> Self {
        let service = |service: &Service| IBirth::Service {
            name: service.name.clone(),
            endpoint: service.endpoint.clone(),
            version: service.version.clone(),
        };
        Self {
            name: profile.name.clone(),
            description: profile.description.clone(),
            image: profile.image.clone(),
            services: profile.services.iter().map(service).collect(),
            x402: profile.x402,
        }
    }
}

impl OwnerDesk {
    /// Where the registration file of a Golem is, or the file itself when it is carried in its own address.
    pub async fn agent_uri(&self, agent: AgentId) -> Result<String, DeskError> {
        self.read(self.deployment.identity, IErc721::tokenURICall { tokenId: agent.0 }).await
    }

    /// Puts another registration file in its place. The owner's.
    pub async fn set_agent_uri(
        &self,
        agent: AgentId,
        uri: String,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let call = IIdentityRegistry::setAgentURICall { agentId: agent.0, newURI: uri };
        self.act(Wanted::call("changing the registration file", self.deployment.identity, &call), report).await
    }

    /// The registration file of a Golem as the contract builds it now, with what its owner says of it.
    pub async fn registration_file(&self, agent: AgentId, profile: &RegistrationProfile) -> Result<String, DeskError> {
        profile.check().map_err(|error| DeskError::Impossible(error.to_string()))?;
        let call = IBirth::registrationFileCall { agentId: agent.0, profile: profile.into() };
        self.read(self.deployment.birth, call).await
    }

    /// Says in the registration file of a dead Golem that it is no longer active, and why (L-014).
    pub async fn retire(
        &self,
        agent: AgentId,
        profile: &RegistrationProfile,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let life = self.golem(agent).await?.life;
        if life != "dead" {
            return Err(DeskError::Impossible(format!(
                "Golem {agent} is {life}; its file says `active: false` only once it is dead"
            )));
        }
        let new_uri = self.registration_file(agent, profile).await?;
        let identity = self.deployment.identity;
        let call = IIdentityRegistry::setAgentURICall { agentId: agent.0, newURI: new_uri.clone() };
        let receipt = self.act(Wanted::call("retiring the registration file", identity, &call), report).await?;
        self.read_back(receipt, identity, IErc721::tokenURICall { tokenId: agent.0 }, |uri| *uri == new_uri).await
    }

    /// The wallet that the identity is linked with (L-013).
    pub async fn agent_wallet(&self, agent: AgentId) -> Result<Option<Address>, DeskError> {
        let call = IIdentityRegistry::getAgentWalletCall { agentId: agent.0 };
        Ok(Some(self.read(self.deployment.identity, call).await?).filter(|wallet| !wallet.is_zero()))
    }

    /// Takes the link away. The owner's.
    pub async fn unlink_wallet(&self, agent: AgentId, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let call = IIdentityRegistry::unsetAgentWalletCall { agentId: agent.0 };
        self.act(Wanted::call("unlinking the wallet", self.deployment.identity, &call), report).await
    }

    /// Whether [`OwnerDesk::write_epitaph`] will be let in once the Golem is dead.
    pub async fn lets_epitaph(&self, agent: AgentId) -> Result<bool, DeskError> {
        let call = IIdentityRegistry::isAuthorizedOrOwnerCall { spender: self.deployment.epitaph, agentId: agent.0 };
        self.read(self.deployment.identity, call).await
    }

    /// Lets anybody have the file of this Golem say that it is dead, once it is; or lets nobody. All that the approved
    /// contract can do is change that one word (L-014). The owner's; a sale ends it.
    pub async fn let_epitaph(
        &self,
        agent: AgentId,
        may: bool,
        report: DeskListener<'_>,
    ) -> Result<ActReceipt, DeskError> {
        let to = if may { self.deployment.epitaph } else { Address::ZERO };
        let call = IErc721::approveCall { to, tokenId: agent.0 };
        self.act(Wanted::call("approving the epitaph", self.deployment.identity, &call), report).await
    }

    /// Whether [`OwnerDesk::write_epitaph`] would change something now.
    pub async fn can_write_epitaph(&self, agent: AgentId) -> Result<bool, DeskError> {
        self.read(self.deployment.epitaph, IEpitaph::canWriteCall { agentId: agent.0 }).await
    }

    /// Has the file of a dead Golem say that it is no longer active. Anyone may, where its owner let it.
    pub async fn write_epitaph(&self, agent: AgentId, report: DeskListener<'_>) -> Result<ActReceipt, DeskError> {
        let call = IEpitaph::writeCall { agentId: agent.0 };
        self.act(Wanted::call("writing the epitaph", self.deployment.epitaph, &call), report).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut RegistrationProfile)) -> Result<(), ProfileError> {
        let mut profile = RegistrationProfile::named("ada");
        change(&mut profile);
        profile.check()
    }

    /// L-012: what cannot stand in a file that every client reads is refused by part, with its bound.
    #[test]
    fn l_012_a_profile_is_bounded_and_of_the_standards_kinds() {
        assert_eq!(with(|_| {}), Ok(()));
        let long = |bytes: usize| "x".repeat(bytes);
        let too_long = |what, bytes, most| Err(ProfileError::TooLong { what, bytes, most });
        assert_eq!(with(|profile| profile.description = long(1_024)), Ok(()));
        assert_eq!(with(|profile| profile.description = long(1_025)), too_long("description", 1_025, 1_024));
        assert_eq!(with(|profile| profile.name = long(65)), too_long("name", 65, 64));
        assert_eq!(
            with(|profile| profile.description = "a\u{7}".into()),
            Err(ProfileError::Control { what: "description" })
        );
        let web = |at: &str| with(|profile| profile.serve("web", at));
        assert_eq!(web("https://golem.example/ada"), Ok(()));
        assert_eq!(web(&format!("https://{}", long(249))), too_long("web", 257, 256));
        for at in ["golem.example", "https://", "https:///x", "javascript:alert(1)", "https://a b"] {
            assert!(matches!(web(at), Err(ProfileError::NotAnAddress { what: "web", .. })), "{at}");
        }
        let vault = Service { name: "vault".into(), endpoint: "eip155:1:0x00".into(), version: String::new() };
        let error = with(|profile| profile.services.push(vault)).expect_err("no kind of the standard");
        assert!(error.to_string().contains("web, A2A, MCP"), "{error}");
        let picture = |bytes: usize| format!("data:image/png;base64,{}", long(bytes.div_ceil(3) * 4));
        assert_eq!(with(|profile| profile.image = picture(4_096)), Ok(()));
        assert!(with(|profile| profile.image = picture(4_200)).is_err());
        assert_eq!(with(|profile| profile.image = "ipfs://bafy/ada.png".into()), Ok(()));
        assert!(with(|profile| profile.image = "ada.png".into()).is_err());
    }

    #[test]
    fn l_012_a_service_is_said_once_and_taken_out_by_nothing() {
        let mut profile = RegistrationProfile::named("ada");
        for at in ["https://one.example", "https://two.example"] {
            profile.serve("MCP", at);
        }
        profile.serve("web", "");
        assert_eq!(profile.services.len(), 1);
        assert_eq!(profile.services[0].endpoint, "https://two.example");
        profile.serve("MCP", "");
        assert_eq!(profile, RegistrationProfile::named("ada"));
    }
}
