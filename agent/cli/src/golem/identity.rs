//! A Golem as others meet it by ERC-8004: the wallet it is linked with (`wallet`), what its registration file says
//! (`profile`), and the word that is changed there when it is dead.

mod picture;
pub(crate) mod profile;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_chain::{DeskProgress, ExternalSigner, Keystore, OwnerDesk, RegistrationProfile, Service, Signer};
use golem_primitives::{Address, AgentId};
use golem_view::{AsKept, BirthPicture, LinkPicture, WalletPicture};

use super::connect::{Connected, unlock};
use super::home::{BirthCertificate, Folder};
use super::subject::{Act, Acting};
use crate::screen;

pub(crate) use profile::ProfileArguments;

/// L-013. The registry takes the key's proof for five minutes of its own time: on a local L2 whose blocks are further apart
/// nothing that was signed can land in time.
const LONGEST_BLOCK_SECONDS: u64 = 240;

/// What the epitaph may do, in one line.
const EPITAPH: &str =
    "The contract Epitaph may change one word of its registration file, once it is dead, and nothing else.";
#[derive(Debug, Args)]
pub(crate) struct WalletArguments {
    #[command(flatten)]
    act: Act,
    /// Link its key: the key signs, the owner sends.
    #[arg(long, conflicts_with = "unlink")]
    link: bool,
    /// Take the link away.
    #[arg(long)]
    unlink: bool,
    /// The sealed key, when it is not in the Golem's folder.
    #[arg(long, value_name = "FILE", requires = "link", conflicts_with = "key_signer")]
    key_file: Option<PathBuf>,
    /// An external signer (web3signer, clef) that holds the Golem's key.
    #[arg(long, env = "BARDO_KEY_SIGNER", hide_env_values = true, value_name = "URL")]
    key_signer: Option<String>,
    /// A file whose first line is the password of the Golem's key; asked for when left out.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
}

impl WalletArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        if self.link {
            return self.link().await;
        }
        if self.unlink {
            return self.unlink().await;
        }
        let subject = self.act.which.find().await?;
        let desk = subject.chain.onlooker()?;
        let (wallet, key) = (desk.agent_wallet(subject.agent).await?, desk.golem(subject.agent).await?.key);
        let words = match wallet {
            Some(wallet) if wallet == key => format!("{} is linked with its key {key}.", subject.name),
            Some(wallet) => format!(
                "{} is linked with {wallet}, and its key is {key}.\nLink its key: bardo owner wallet {0} --link",
                subject.name
            ),
            None => {
                format!("{} is linked with no wallet.\nLink its key: bardo owner wallet {0} --link", subject.name)
            }
        };
        let linked = wallet == Some(key);
        let picture = WalletPicture { golem: subject.name, agent: subject.agent, wallet, key, linked };
        Ok(screen::done(self.act.json, &picture, &words))
    }

    async fn link(&self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let key = acting.desk.golem(acting.subject.agent).await?.key;
        ensure!(!key.is_zero(), "{} has no key; give it one with `bardo owner rotate-key` first", acting.subject.name);
        let signer = self.signer(&acting, key).await?;
        ensure!(
            signer.address() == key,
            "the key given is {}, and {} has the key {key}; name its own with --key-file",
            signer.address(),
            acting.subject.name
        );
        ensure!(can_link(&acting.subject.chain), "{}", too_slow());
        let receipt = acting.desk.link_wallet(acting.subject.agent, &signer, &mut acting.report()).await?;
        Ok(acting.done(
            &receipt,
            &format!("{} is linked with its key {key}.", acting.subject.name),
            &LinkPicture { wallet: Some(key), linked: true },
        ))
    }

    async fn signer(&self, acting: &Acting, key: Address) -> Result<Signer> {
        if let Some(url) = &self.key_signer {
            return Ok(Signer::External(ExternalSigner::connect(url, key).await?));
        }
        let path = match &self.key_file {
            Some(path) => path.clone(),
            None => {
                let (folder, _) = acting.subject.folder().wrap_err("its key is needed; name it with --key-file")?;
                folder.key()
            }
        };
        Ok(Signer::Local(unlock(&path, self.key_password_file.as_ref(), "the Golem's key")?))
    }

    async fn unlink(&self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let Some(wallet) = acting.desk.agent_wallet(acting.subject.agent).await? else {
            eyre::bail!("{} is linked with no wallet", acting.subject.name)
        };
        let receipt = acting.desk.unlink_wallet(acting.subject.agent, &mut acting.report()).await?;
        Ok(acting.done(
            &receipt,
            &format!("{} is no longer linked with {wallet}.", acting.subject.name),
            &LinkPicture { wallet: None, linked: false },
        ))
    }
}

/// Whether a proof can land in time.
fn can_link(chain: &Connected) -> bool {
    chain.devnet.as_ref().is_none_or(|devnet| devnet.block_seconds < LONGEST_BLOCK_SECONDS)
}

fn too_slow() -> String {
    format!(
        "the registry takes a key's proof for five minutes, and the blocks of this local L2 are further apart; build one \
         with --block-seconds below {LONGEST_BLOCK_SECONDS}"
    )
}

impl BirthCertificate {
    /// For a face, with how it stands before others; what of that cannot be seen is left out.
    pub(crate) async fn picture(&self, folder: &Folder, desk: &OwnerDesk) -> BirthPicture {
        BirthPicture {
            name: self.name.clone(),
            agent: self.agent,
            vault: self.vault,
            key: self.key,
            key_file: folder.key(),
            owner: self.owner,
            lineage: self.lineage,
            generation: self.generation,
            chain_id: self.deployment.chain_id,
            pool: self.pool,
            host: self.host,
            born: self.born,
            block: self.block,
            credits: self.credits,
            capital: self.capital,
            wallet: desk.agent_wallet(self.agent).await.ok().flatten(),
            epitaph: desk.lets_epitaph(self.agent).await.unwrap_or_default(),
            deployment: AsKept::of(&self.deployment),
        }
    }
}

/// L-013, L-014. Links the key and, where the owner wants it, lets the epitaph be written. A Golem lives without either:
/// what fails is told with the command that does it later. Done twice it sends nothing.
pub(super) async fn introduce(
    desk: &OwnerDesk,
    chain: &Connected,
    birth: &BirthCertificate,
    key: &Signer,
    wants_epitaph: bool,
    report: &mut (dyn FnMut(DeskProgress) + Send),
) {
    let name = &birth.name;
    if let Err(error) = link(desk, chain, birth.agent, key, report).await {
        let next = format!("{name} is born, but not linked with its key; `bardo owner wallet {name} --link` does it");
        screen::complain(&error.wrap_err(next));
    }
    if wants_epitaph && let Err(error) = let_epitaph(desk, birth.agent, report).await {
        let next = format!(
            "its file will not say by itself that {name} is dead; `bardo owner profile {name} --epitaph` does it"
        );
        screen::complain(&error.wrap_err(next));
    }
}

/// Links `key` unless it is linked.
async fn link(
    desk: &OwnerDesk,
    chain: &Connected,
    agent: AgentId,
    key: &Signer,
    report: &mut (dyn FnMut(DeskProgress) + Send),
) -> Result<()> {
    if desk.agent_wallet(agent).await? != Some(key.address()) {
        ensure!(can_link(chain), "{}", too_slow());
        desk.link_wallet(agent, key, report).await?;
    }
    Ok(())
}

async fn let_epitaph(desk: &OwnerDesk, agent: AgentId, report: &mut (dyn FnMut(DeskProgress) + Send)) -> Result<()> {
    if !desk.lets_epitaph(agent).await? {
        desk.let_epitaph(agent, true, report).await?;
    }
    Ok(())
}

/// L-013. After a rotation: a key that is powerless stays nobody's wallet. The new one takes its place where it is at hand
/// and the old one was linked; otherwise the link is taken away. Answers what there is to tell.
pub(super) async fn relink(acting: &Acting, new_key: Option<&Signer>) -> Result<String> {
    let (desk, agent, name) = (&acting.desk, acting.subject.agent, &acting.subject.name);
    let how = format!("bardo owner wallet {name} --link");
    let Some(linked) = desk.agent_wallet(agent).await? else {
        return Ok(format!("It is linked with no wallet; {how} links its key."));
    };
    if new_key.is_some_and(|key| key.address() == linked) {
        return Ok(format!("It is linked with {linked}."));
    }
    if let Some(key) = new_key.filter(|_| can_link(&acting.subject.chain)) {
        desk.link_wallet(agent, key, &mut acting.report()).await?;
        return Ok(format!("It is linked with {} instead of {linked}.", key.address()));
    }
    desk.unlink_wallet(agent, &mut acting.report()).await?;
    Ok(format!("It is no longer linked with {linked}; {how}, where its new key is, links that."))
}

/// L-013, L-014. After a sale, which ended both: links the key if it is the one in the Golem's folder here, and lets the
/// epitaph be written if that is wanted. Answers what there is to tell.
pub(super) async fn reintroduce(
    acting: &Acting,
    key: Option<Address>,
    key_password_file: Option<&PathBuf>,
    wants_epitaph: bool,
) -> Result<Vec<String>> {
    let (desk, agent, name) = (&acting.desk, acting.subject.agent, &acting.subject.name);
    let mut words = Vec::new();
    if wants_epitaph {
        let_epitaph(desk, agent, &mut acting.report()).await?;
        words.push(EPITAPH.to_owned());
    }
    let here = acting.subject.local.as_ref().map(|(folder, _)| folder.key()).filter(|path| path.exists());
    let here = here.filter(|path| Keystore::open(path).ok().and_then(|sealed| sealed.address()) == key);
    match (key, here) {
        (Some(_), Some(path)) if can_link(&acting.subject.chain) => {
            let signer = Signer::Local(unlock(&path, key_password_file, "the Golem's key")?);
            link(desk, &acting.subject.chain, agent, &signer, &mut acting.report()).await?;
            words.push(format!("It is linked with its key {}.", signer.address()));
        }
        (Some(_), _) => words.push(format!(
            "The sale ended its link with a wallet; where its key is: bardo owner wallet {name} --link --key-file FILE"
        )),
        (None, _) => {}
    }
    Ok(words)
}

/// L-014. Leaves the file of one that is dead saying so, where its owner let that be. Answers whether it was written.
pub(super) async fn write_epitaph(
    desk: &OwnerDesk,
    agent: AgentId,
    report: &mut (dyn FnMut(DeskProgress) + Send),
) -> Result<bool> {
    if !desk.can_write_epitaph(agent).await? {
        return Ok(false);
    }
    desk.write_epitaph(agent, report).await?;
    Ok(true)
}

/// What an owner says of his Golem, as its file has it now, and what that file has besides.
pub(super) async fn present(desk: &OwnerDesk, agent: AgentId) -> Result<(RegistrationProfile, Vec<String>)> {
    let told = golem_x402::described(&desk.agent_uri(agent).await?)?;
    let (standard, other): (Vec<_>, Vec<_>) =
        told.services.into_iter().partition(|service| RegistrationProfile::KINDS.contains(&service.name.as_str()));
    let mut besides = told.besides;
    besides.extend(other.into_iter().map(|service| format!("services/{}", service.name)));
    let service =
        |told: golem_x402::ServiceTold| Service { name: told.name, endpoint: told.endpoint, version: told.version };
    let profile = RegistrationProfile {
        name: told.name,
        description: told.description,
        image: told.image,
        services: standard.into_iter().map(service).collect(),
        x402: told.x402,
    };
    Ok((profile.own_words(), besides))
}

/// L-014. What the file of one that is dead goes on saying: what its owner said, without a stall.
pub(super) async fn epitaph_of(desk: &OwnerDesk, agent: AgentId, name: String) -> RegistrationProfile {
    let said = present(desk, agent).await.map(|(profile, _)| profile).unwrap_or_default();
    RegistrationProfile { name, x402: false, ..said }
}
