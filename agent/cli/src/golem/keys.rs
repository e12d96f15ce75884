//! Who holds the hot key: `rotate-key`, `accept`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_chain::{Keystore, LocalKey, PasswordStrength, Secret, Signer, Takeover};
use golem_primitives::{Address, B256};
use golem_view::{KeyPicture, TakeoverPicture};

use super::connect::key_password;
use super::create::parse_ether;
use super::home::{BirthCertificate, Folder};
use super::identity;
use super::rules::{Nobody, parse_nobody};
use super::subject::{Act, Acting};
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct RotateArguments {
    #[command(flatten)]
    act: Act,
    /// A file whose first line is the password of the new key; asked for when left out.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Native coin for the new key's gas, in ether.
    #[arg(long, default_value = "0.002", value_name = "ETH", value_parser = parse_ether)]
    gas: u128,
    /// Rotate to a key that is held elsewhere; no file is touched.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "revoke")]
    to: Option<Address>,
    /// No new key: the Golem can do nothing until it is given one.
    #[arg(long)]
    revoke: bool,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("key_choice").args(["key", "keep_key", "no_key"])))]
pub(crate) struct AcceptArguments {
    #[command(flatten)]
    act: Act,
    /// The address of the key it shall have from now on, held elsewhere. Without this, --keep-key and --no-key a fresh key is
    /// made in its folder on this machine.
    #[arg(long, value_name = "ADDRESS")]
    key: Option<Address>,
    /// Keep the present key by naming it: whoever holds it can still spend within the policy.
    #[arg(long, value_name = "ADDRESS")]
    keep_key: Option<Address>,
    /// No key: it can do nothing until it is given one with `rotate-key`.
    #[arg(long)]
    no_key: bool,
    /// A file whose first line is the password of the fresh key; asked for when left out.
    #[arg(long, env = "BARDO_KEY_PASSWORD_FILE", value_name = "FILE")]
    key_password_file: Option<PathBuf>,
    /// Who may trip the kill switch.
    #[arg(long, default_value = "none", value_parser = parse_nobody, value_name = "ADDRESS")]
    guardian: Nobody,
    /// Keep the former owner's payees, pools and tokens; else the lists are empty.
    #[arg(long)]
    keep_lists: bool,
    /// Keep the present policy by naming its hash, as `policy show` prints it; else the default policy is in force.
    #[arg(long, value_name = "HASH")]
    keep_policy: Option<B256>,
    /// Let nobody but you say in its registration file that it is dead; see `bardo golem create --help`.
    #[arg(long)]
    no_epitaph: bool,
}

impl RotateArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let name = acting.subject.name.clone();
        if self.revoke || self.to.is_some() {
            acting.confirm("the present key is powerless from the next block on")?;
            let receipt = acting.desk.rotate_key(acting.vault(), self.to, &mut acting.report()).await?;
            let words =
                self.to.map_or_else(|| format!("{name} has no key."), |key| format!("The key of {name} is {key}."));
            // L-013: the key that was linked is powerless, and the new one is not here to sign.
            let link = relinked(&acting, None).await;
            let wallet = acting.desk.agent_wallet(acting.subject.agent).await?;
            let about = KeyPicture { key: self.to, old_key: None, old_file: None, wallet };
            return Ok(acting.done(&receipt, &format!("{words}\n{link}"), &about));
        }
        let (folder, birth) = acting.subject.folder()?;
        let next = folder.path().join("key.next.json");
        let secret = key_password(&next, self.key_password_file.as_ref(), "A password for the new key: ")?;
        let new_key = next_key(&next, &secret)?;
        let key = new_key.address();
        let on_chain = acting.desk.golem(acting.subject.agent).await?.key;
        // An earlier rotation may have landed and then been cut off before the files were moved.
        let receipt = if on_chain == key {
            None
        } else {
            Some(acting.desk.rotate_key(acting.vault(), Some(key), &mut acting.report()).await?)
        };
        let aside = swap_keys(folder, &next)?;
        folder.certify(&BirthCertificate { key, ..birth.clone() })?;
        if self.gas > 0 && acting.desk.purse(key).await?.wei < self.gas {
            acting.desk.send_gas(key, self.gas, &mut acting.report()).await?;
        }
        let old = aside.as_ref().map_or_else(
            || "There was no old key file.".to_owned(),
            |aside| format!("The old key lies in {}.", aside.display()),
        );
        let link = relinked(&acting, Some(&Signer::Local(new_key))).await;
        let wallet = acting.desk.agent_wallet(acting.subject.agent).await?;
        let words = format!(
            "The key of {name} is {key}; {} is powerless. {old} {link}\nA process that runs with the old key has to be started again.",
            birth.key
        );
        let about = KeyPicture { key: Some(key), old_key: Some(birth.key), old_file: aside, wallet };
        Ok(acting.told(receipt.as_ref(), &words, &about))
    }
}

/// The rotation is done by now: what fails of the link is told, with the command that mends it.
async fn relinked(acting: &Acting, key: Option<&Signer>) -> String {
    match identity::relink(acting, key).await {
        Ok(words) => words,
        Err(error) => {
            screen::complain(&error.wrap_err("its linked wallet could not be looked after"));
            format!("Look after its linked wallet: bardo owner wallet {}", acting.subject.name)
        }
    }
}

/// The key to come: made now, or by an earlier try.
fn next_key(path: &std::path::Path, secret: &Secret) -> Result<LocalKey> {
    Ok(if path.exists() {
        Keystore::open(path)?.unlock(secret)?
    } else {
        Keystore::create(path, secret, PasswordStrength::default())?.1
    })
}

/// Puts the new key in its place and the old one aside.
fn swap_keys(folder: &Folder, next: &std::path::Path) -> Result<Option<PathBuf>> {
    let place = folder.key();
    let aside = (1..)
        .map(|number: u32| folder.path().join(format!("key.replaced-{number}.json")))
        .find(|path| !path.exists())
        .expect("fewer files than numbers");
    let had_key = place.exists();
    if had_key {
        std::fs::rename(&place, &aside).wrap_err_with(|| format!("cannot move {}", place.display()))?;
    }
    std::fs::rename(next, &place).wrap_err_with(|| {
        format!("the new key lies in {} and could not be moved to {}", next.display(), place.display())
    })?;
    Ok(had_key.then_some(aside))
}

impl AcceptArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let name = acting.subject.name.clone();
        let owner = acting.desk.owner_of(acting.subject.agent).await?;
        ensure!(
            owner == acting.desk.address(),
            "{name} belongs to {owner}, this wallet is {}; use the wallet that owns it now",
            acting.desk.address()
        );
        let fresh = self.fresh_key(&acting)?;
        let key = match (self.keep_key, &fresh) {
            (Some(kept), _) => {
                let present = acting.desk.golem(acting.subject.agent).await?.key;
                ensure!(kept == present, "the key of {name} is {present}, not {kept}; look again at who holds it");
                acting.confirm("the former owner's key stays in power")?;
                Some(kept)
            }
            (None, Some((_, fresh))) => Some(*fresh),
            (None, None) => self.key,
        };
        let Nobody(guardian) = self.guardian;
        let takeover = Takeover { key, guardian, keep_lists: self.keep_lists, keep_policy: self.keep_policy };
        let receipt = acting.desk.accept(acting.vault(), &takeover, &mut acting.report()).await?;
        if let Some((next, fresh)) = fresh {
            let (folder, birth) = acting.subject.folder()?;
            swap_keys(folder, &next)?;
            folder.certify(&BirthCertificate { key: fresh, ..birth.clone() })?;
        }
        let held = key.map_or_else(|| "without a key".to_owned(), |key| format!("with the key {key}"));
        let lists = if self.keep_lists { "its lists as they were" } else { "empty lists: add its pool and payees" };
        let policy = if self.keep_policy.is_some() { "its policy as it was" } else { "the default policy" };
        let mut words = format!("{name} is yours, {held}, {lists}, {policy}.");
        // L-013, L-014: a sale ends both; the takeover is done by now, so what fails is told and nothing more.
        match identity::reintroduce(&acting, key, self.key_password_file.as_ref(), !self.no_epitaph).await {
            Ok(told) => told.iter().for_each(|line| words.push_str(&format!("\n{line}"))),
            Err(error) => screen::complain(&error.wrap_err(format!(
                "its linked wallet and its epitaph could not be looked after; `bardo owner wallet {name} --link` and `bardo owner \
                 profile {name} --epitaph` do it"
            ))),
        }
        let about = TakeoverPicture {
            key,
            guardian,
            lists_kept: self.keep_lists,
            policy_kept: self.keep_policy,
            wallet: acting.desk.agent_wallet(acting.subject.agent).await?,
        };
        Ok(acting.done(&receipt, &words, &about))
    }

    /// The key to come, where nothing else was said: made in the Golem's folder, in its place once the chain knows it.
    fn fresh_key(&self, acting: &Acting) -> Result<Option<(PathBuf, Address)>> {
        if self.key.is_some() || self.keep_key.is_some() || self.no_key {
            return Ok(None);
        }
        let name = &acting.subject.name;
        let (folder, _) = acting.subject.local.as_ref().ok_or_else(|| {
            eyre::eyre!(
                "{name} has no folder on this machine to make a key in; name one with --key ADDRESS, or take it over with \
                 --no-key and give it one later"
            )
        })?;
        let next = folder.path().join("key.next.json");
        let secret = key_password(&next, self.key_password_file.as_ref(), "A password for the new key: ")?;
        let key = next_key(&next, &secret)?.address();
        Ok(Some((next, key)))
    }
}
