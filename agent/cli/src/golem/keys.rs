//! Who holds the hot key: `rotate-key`, `accept`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, ensure};
use golem_chain::{Keystore, Secret, Strength};
use golem_primitives::Address;
use serde_json::json;

use super::Folder;
use super::connect::password;
use super::create::parse_ether;
use super::rules::{Nobody, parse_nobody};
use super::subject::Act;

/// What `rotate-key` takes.
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

/// What `accept` takes.
#[derive(Debug, Args)]
pub(crate) struct AcceptArguments {
    #[command(flatten)]
    act: Act,
    /// The key it shall have from now on.
    #[arg(long, value_name = "ADDRESS", required_unless_present = "keep_key", conflicts_with = "keep_key")]
    key: Option<Address>,
    /// Keep the seller's key: whoever holds it can still spend within the policy.
    #[arg(long)]
    keep_key: bool,
    /// Who may trip the kill switch.
    #[arg(long, default_value = "none", value_parser = parse_nobody, value_name = "ADDRESS")]
    guardian: Nobody,
    /// Keep the seller's payees, pools and tokens.
    #[arg(long)]
    keep_lists: bool,
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
            acting.done(&receipt, &words, json!({ "key": self.to }));
            return Ok(ExitCode::SUCCESS);
        }
        let (folder, birth) = acting.subject.folder()?;
        let secret = password(self.key_password_file.as_ref(), "A password for the new key: ")?;
        let next = folder.path().join("key.next.json");
        let key = next_key(&next, &secret)?;
        let on_chain = acting.desk.golem(acting.subject.agent).await?.key;
        // An earlier rotation may have landed and then been cut off before the files were moved.
        let receipt = if on_chain == key {
            None
        } else {
            Some(acting.desk.rotate_key(acting.vault(), Some(key), &mut acting.report()).await?)
        };
        let aside = swap_keys(folder, &next)?;
        folder.certify(&super::BirthCertificate { key, ..birth.clone() })?;
        if self.gas > 0 && acting.desk.purse(key).await?.wei < self.gas {
            acting.desk.send_gas(key, self.gas, &mut acting.report()).await?;
        }
        let old = aside.as_ref().map_or_else(
            || "There was no old key file.".to_owned(),
            |aside| format!("The old key lies in {}.", aside.display()),
        );
        let words = format!(
            "The key of {name} is {key}; {} is powerless. {old}\nA process that runs with the old key has to be started again.",
            birth.key
        );
        match receipt {
            Some(receipt) => {
                acting.done(&receipt, &words, json!({ "key": key, "old_key": birth.key, "old_file": aside }))
            }
            None if self.act.json => {
                println!("{}", json!({ "golem": name, "key": key, "old_file": aside, "tx": null }))
            }
            None => println!("{words}"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The key to come: made now, or by an earlier try.
fn next_key(path: &std::path::Path, secret: &Secret) -> Result<Address> {
    let key = if path.exists() {
        Keystore::open(path)?.unlock(secret)?
    } else {
        Keystore::create(path, secret, Strength::default())?.1
    };
    Ok(key.address())
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
        let owner = acting.desk.owner_of(acting.subject.agent).await?;
        ensure!(
            owner == acting.desk.address(),
            "{} belongs to {owner}, this wallet is {}; use the wallet that bought it",
            acting.subject.name,
            acting.desk.address()
        );
        if self.keep_key {
            acting.confirm("the seller's key stays in power")?;
        }
        let Nobody(guardian) = self.guardian;
        let receipt =
            acting.desk.accept(acting.vault(), self.key, guardian, self.keep_lists, &mut acting.report()).await?;
        let lists =
            if self.keep_lists { "with the seller's lists" } else { "with empty lists: add its pool and payees" };
        let words = format!("{} is yours, {lists}.", acting.subject.name);
        acting.done(&receipt, &words, json!({ "key": self.key, "guardian": guardian, "lists_kept": self.keep_lists }));
        Ok(ExitCode::SUCCESS)
    }
}
