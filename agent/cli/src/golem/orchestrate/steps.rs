//! What each step of a succession does. All of it is safe to repeat.

use super::super::founding::Inherited;
use std::collections::BTreeMap;

use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{DeskError, Keystore, Secret, Succeeding};
use golem_inheritance::succession::compile::compile;
use golem_inheritance::succession::machine::{SuccessionOutcome, SuccessionStep};
use golem_primitives::{AgentId, GolemId, U256, Usdc};

use super::{Failed, Founded, Orchestration, Standing};
use crate::golem::birth::{BirthRequest, Newborn, finish_birth, fuel, own_key, strength};
use crate::golem::book::{BookChoice, BookText};
use crate::golem::bundle::layers::against_chain;
use crate::golem::connect::password;
use crate::golem::founding::{Prepared, found, place_of, prepare};
use crate::golem::heirship::{Heirship, distance, poisoned};
use crate::golem::home::{Folder, write_whole};
use crate::golem::mandate;
use crate::golem::settings::Settings;
use crate::golem::subject::report;
use crate::golem::successor::left_by;

/// I-282. Keys of golem.toml that a testament's advice may reach.
const OPEN_TO_ADVICE: [&str; 2] = ["golem.playbook", "golem.stake"];

/// Native coin that bringing a birth about may itself cost.
const OWN_GAS_WEI: u128 = 500_000_000_000_000;

/// T-021. What a contract refuses a birth for and may allow later: somebody was quicker, a day has not passed, the escrow
/// can be filled.
const PASSING: [&str; 3] = ["AlreadySucceeded", "TooSoon", "EscrowTooLow"];

/// Whether a contract says no before anything is sent, for a reason that time does not change: a life too short does not
/// grow after its death. What was sent and came to nothing is looked at again, because it may have come to something.
fn is_final(error: &DeskError) -> bool {
    match error {
        DeskError::Refused { refusal, .. } => !PASSING.contains(&refusal.word()),
        DeskError::OtherChain { .. }
        | DeskError::Unborn { .. }
        | DeskError::NoCode { .. }
        | DeskError::NotAVault { .. }
        | DeskError::Impossible(_) => true,
        _ => false,
    }
}

fn for_now(error: impl Into<eyre::Report>) -> Failed {
    Failed::ForNow(error.into())
}

fn for_good(error: impl Into<eyre::Report>) -> Failed {
    Failed::ForGood(error.into())
}

impl Orchestration<'_> {
    pub(super) async fn perform(
        &self,
        step: SuccessionStep,
        standing: &mut Standing,
    ) -> Result<SuccessionOutcome, Failed> {
        match step {
            SuccessionStep::Export => {
                let left = left_by(&self.arguments.which, self.subject, None).map_err(for_good)?;
                // A chain that cannot be asked is asked again; only what it says otherwise is final.
                let layers = against_chain(&left, &self.subject.chain).await.map_err(for_now)?;
                match layers.into_iter().find(|layer| !layer.ok.0) {
                    Some(failed) => Err(for_good(eyre::eyre!("layer {}: {}", failed.what, failed.detail))),
                    None => Ok(SuccessionOutcome::Succeeded),
                }
            }
            SuccessionStep::Compile => {
                self.prepared(standing).map_err(for_good)?;
                Ok(SuccessionOutcome::Succeeded)
            }
            SuccessionStep::Compare => {
                standing.founded = None;
                let prepared = self.prepared(standing).map_err(for_good)?;
                let distance = distance(&prepared.book.book, &prepared.before, &prepared.settings).await;
                // I-365: what is born later is what was compared here, whatever golem.toml says by then.
                standing.founded = Some(Founded {
                    config: prepared.config,
                    book: prepared.book.text,
                    takes_genome: self.settings.succession.law.inherit_grimoire,
                });
                Ok(SuccessionOutcome::Compared(distance))
            }
            SuccessionStep::CheckFunds => {
                let known = self.desk.standing_of(standing.mandate).await.map_err(for_now)?;
                let Some(known) = known else { return Err(for_good(eyre::eyre!("the mandate is not on this chain"))) };
                Ok(SuccessionOutcome::FundsMissing(self.terms.plan.budget.saturating_sub(known.escrow)))
            }
            SuccessionStep::Provision => {
                let prepared = self.prepared(standing).map_err(for_good)?;
                let folder = self.folder(standing).map_err(for_good)?;
                found(&folder, &prepared.config, &prepared.book).map_err(for_now)?;
                self.key(&folder, standing).await.map_err(for_now)?;
                Ok(SuccessionOutcome::Succeeded)
            }
            SuccessionStep::Fund => {
                // The escrow is the fund and moves with the birth; what the executor itself pays is gas.
                let purse = self.desk.purse(self.desk.address()).await.map_err(for_now)?;
                if purse.wei <= self.arguments.gas.saturating_add(OWN_GAS_WEI) {
                    return Err(for_now(eyre::eyre!("the executor's wallet cannot pay gas; send it some native coin")));
                }
                Ok(SuccessionOutcome::Succeeded)
            }
            SuccessionStep::Register => self.register(standing).await,
            SuccessionStep::Boot => self.boot(standing).await,
        }
    }

    /// I-282. The predecessor's settings with what its testament advises, where the owner lets advice reach.
    pub(super) fn prepared(&self, standing: &mut Standing) -> Result<Prepared> {
        let left = left_by(&self.arguments.which, self.subject, None)?;
        let trader = &self.settings.trader;
        let before = BTreeMap::from([
            ("golem.playbook".to_owned(), self.settings.playbook.to_string()),
            ("golem.stake".to_owned(), trader.stake.as_f64().to_string()),
        ]);
        let hints = left.testament.testament.recommendation.as_ref().map(|advice| advice.config_hints.clone());
        let compiled = compile(&before, &hints.unwrap_or_default(), &OPEN_TO_ADVICE.map(str::to_owned).into());
        let followed = |key: &str| compiled.followed.contains(key).then(|| compiled.settings[key].clone());
        let changed: Vec<_> = followed("golem.stake").map(|stake| ("stake", stake)).into_iter().collect();
        // A testament may advise a founding book; a file it cannot name.
        let playbook = followed("golem.playbook").and_then(|name| name.parse().ok());
        let playbook = playbook.filter(|choice| matches!(choice, BookChoice::Shipped(_)));
        standing.followed.clone_from(&compiled.followed);
        let prepared = prepare(self.subject, Some(left), standing.name.clone(), &changed, playbook.as_ref())?;
        let Some(founded) = &standing.founded else { return Ok(prepared) };
        Ok(Prepared {
            settings: Settings::read(&founded.config)?,
            config: founded.config.clone(),
            book: BookText::parse(founded.book.clone(), "succession.json")?,
            ..prepared
        })
    }

    fn takes_genome(&self, standing: &Standing) -> bool {
        let law = self.settings.succession.law.inherit_grimoire;
        standing.founded.as_ref().map_or(law, |founded| founded.takes_genome)
    }

    fn folder(&self, standing: &Standing) -> Result<Folder> {
        self.arguments.which.home.new_folder(&standing.name)
    }

    /// The successor's key: the mandate's next, kept sealed since the mandate was made, or one drawn now for which the
    /// owner signs.
    async fn key(&self, folder: &Folder, standing: &Standing) -> Result<(golem_primitives::Address, Vec<u8>)> {
        let secret = password(self.arguments.key_password_file.as_ref(), "The password of the successor's key: ")?;
        let born = self.desk.standing_of(standing.mandate).await?.map_or(0, |known| known.born);
        if let Some(key) = usize::try_from(born).ok().and_then(|at| self.terms.plan.keys.get(at)).copied() {
            if !folder.key().exists() {
                let kept = mandate::key_file(&self.arguments.which.home, key);
                let sealed = std::fs::read(&kept).wrap_err_with(|| {
                    format!("the mandate names the key {key}, and {} is not on this machine", kept.display())
                })?;
                write_whole(&folder.key(), &sealed)?;
            }
            let opened = Keystore::open(&folder.key())?.unlock(&secret)?;
            ensure!(opened.address() == key, "{} is not the key {key} that the mandate names", folder.key().display());
            return Ok((key, Vec::new()));
        }
        ensure!(
            self.desk.address() == self.terms.committer,
            "the mandate names no key, so only its owner {} can sign for one; commit it with --prepare-keys",
            self.terms.committer
        );
        let drawn = own_key(folder, None, &secret, strength(&self.subject.chain))?.address();
        let signature = self.desk.sign_successor_key(standing.mandate, self.subject.agent, drawn).await?;
        Ok((drawn, signature))
    }

    fn request(&self, standing: &Standing, book: BookText, key_password: golem_chain::Secret) -> Result<BirthRequest> {
        let Inherited { pool, elsewhere, host } = place_of(self.subject)?;
        Ok(BirthRequest {
            name: standing.name.clone(),
            credits: self.terms.plan.budget,
            capital: Usdc::ZERO,
            guardian: self.terms.plan.guardian,
            pool,
            elsewhere,
            host,
            gas_wei: self.arguments.gas,
            key_password,
            strength: strength(&self.subject.chain),
            key: None,
            heir: None,
            book,
            // The owner is not here to let it.
            epitaph: false,
        })
    }

    /// L-005. The identity, vault and credits in one transaction; one that landed before a crash is found, not repeated.
    async fn register(&self, standing: &mut Standing) -> Result<SuccessionOutcome, Failed> {
        if standing.born.is_some() {
            return Ok(SuccessionOutcome::Succeeded);
        }
        let prepared = self.prepared(standing).map_err(for_good)?;
        let folder = self.folder(standing).map_err(for_good)?;
        let known = self.desk.golem(self.subject.agent).await.map_err(for_now)?;
        if known.successor != U256::MAX {
            self.subject.chain.bury().await.map_err(for_now)?;
            standing.born = Some(self.newborn_of(AgentId(known.successor)).await.map_err(for_now)?);
            return Ok(SuccessionOutcome::Succeeded);
        }
        let (key, signature) = self.key(&folder, standing).await.map_err(for_now)?;
        let succeeding = Succeeding {
            predecessor: self.subject.agent,
            key,
            key_signature: signature.into(),
            playbook_digest: prepared.book.digest(&standing.name, Some(self.subject.agent)),
            nonce: U256::ZERO,
            name: standing.name.clone(),
            agent_uri: None,
        };
        let mut report = report(self.arguments.json);
        let born = self.desk.succeed(self.terms.committer, &self.terms.plan, &succeeding, &mut report).await;
        let born = born.map_err(|error| if is_final(&error) { for_good(error) } else { for_now(error) })?;
        standing.born = Some(Newborn::of(&born));
        Ok(SuccessionOutcome::Succeeded)
    }

    async fn newborn_of(&self, agent: AgentId) -> Result<Newborn> {
        let chain = &self.subject.chain;
        let chronicle = golem_chain::lineage::Chronicle::read(&chain.endpoints, &chain.deployment).await?;
        let Some(golem) = chronicle.golem(agent) else { bail!("the birth of agent {agent} is not confirmed yet") };
        Ok(Newborn {
            agent,
            lineage: golem.lineage,
            generation: golem.generation,
            vault: golem.vault,
            key: golem.key,
            owner: golem.owner,
            credits: self.terms.plan.budget,
            capital: Usdc::ZERO,
            block: golem.born.block,
        })
    }

    /// The successor the chain shows, and whether its key is the one in the folder.
    async fn child(&self, standing: &Standing) -> Result<Option<(GolemId, bool)>> {
        let known = self.desk.golem(self.subject.agent).await?;
        if known.successor == U256::MAX {
            return Ok(None);
        }
        let child = self.desk.golem(AgentId(known.successor)).await?;
        let key = self.arguments.which.home.golem_folder(&standing.name).map(|folder| folder.key());
        let own = key.ok().filter(|path| path.exists()).and_then(|path| Keystore::open(&path).ok());
        Ok(Some((GolemId::from_vault(child.vault), own.and_then(|key| key.address()) == Some(child.key))))
    }

    /// I-289. A successor that this succession did not bring about.
    pub(super) async fn others_child(&self, standing: &Standing) -> Result<Option<GolemId>> {
        if standing.born.is_some() {
            return Ok(None);
        }
        Ok(self.child(standing).await?.filter(|(_, is_own)| !is_own).map(|(child, _)| child))
    }

    /// L-005. The successor this succession brought about, whether or not it was there to see it.
    pub(super) async fn own_child(&self, standing: &Standing) -> Result<Option<GolemId>> {
        Ok(self.child(standing).await?.filter(|(_, is_own)| *is_own).map(|(child, _)| child))
    }

    /// I-282 step 7. The folder becomes a Golem; its genome is taken in.
    ///
    /// Somebody lives on chain by now, with credits: nothing here is given up, all of it is tried again.
    async fn boot(&self, standing: &mut Standing) -> Result<SuccessionOutcome, Failed> {
        let Some(born) = standing.born.clone() else { return Err(for_now(eyre::eyre!("nobody was born yet"))) };
        let successor = GolemId::from_vault(born.vault);
        let mut report = report(self.arguments.json);
        // A certificate makes a folder a Golem: booted before a crash, perhaps before its key got gas.
        let earlier = self.arguments.which.home.golem_folder(&standing.name).and_then(|folder| folder.birth());
        if earlier.is_ok_and(|birth| birth.vault == born.vault) {
            fuel(&self.desk, born.key, self.arguments.gas, &mut report).await.map_err(for_now)?;
            return Ok(SuccessionOutcome::Born { successor });
        }
        let prepared = self.prepared(standing).map_err(for_now)?;
        let folder = self.folder(standing).map_err(for_now)?;
        found(&folder, &prepared.config, &prepared.book).map_err(for_now)?;
        let takes_genome = self.takes_genome(standing);
        let poisoned = match prepared.left.as_ref().filter(|_| takes_genome) {
            Some(left) => poisoned(left, &self.subject.chain.endpoints).await,
            None => BTreeMap::new(),
        };
        // The key was sealed when it was made; a birth that is finished opens nothing.
        let mut request = self.request(standing, prepared.book.clone(), Secret::new(String::new())).map_err(for_now)?;
        request.heir = Some(Heirship { predecessor: self.subject.agent, left: prepared.left, takes_genome, poisoned });
        let chain = &self.subject.chain;
        finish_birth(&folder, chain, &self.desk, request, born, &prepared.settings, &mut report)
            .await
            .map_err(for_now)?;
        Ok(SuccessionOutcome::Born { successor })
    }

    /// I-288. A folder that never became a Golem is taken away again; its sealed key stays, it may hold gas.
    /// One whose child the chain shows is not taken away.
    pub(super) async fn release(&self, standing: &Standing) -> Result<()> {
        if standing.born.is_some() || self.own_child(standing).await?.is_some() {
            return Ok(());
        }
        let Ok(folder) = self.folder(standing) else { return Ok(()) };
        for path in [folder.config(), folder.founding()] {
            if path.exists() {
                std::fs::remove_file(&path).wrap_err_with(|| format!("cannot remove {}", path.display()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use golem_chain::{ContractRefusal, DeskError};
    use golem_primitives::{Address, B256, keccak256};

    use super::is_final;

    /// I-285, I-287, L-005: what may still land, or lacks what somebody can send, is tried again; only what cannot change
    /// ends a succession.
    #[test]
    fn i_285_only_what_cannot_change_ends_a_succession() {
        let act = "the succession";
        let gas = DeskError::NotEnoughGas { act, account: Address::ZERO, has_wei: 1, needs_wei: 2 };
        for passing in [DeskError::NotLanded { act, tx: B256::ZERO, seconds: 300 }, DeskError::Displaced { act }, gas] {
            assert!(!is_final(&passing), "{passing}");
        }
        assert!(is_final(&DeskError::OtherChain { found: 1, expected: 2 }));
        // T-021: a day that has not passed passes; a life that was too short stays so.
        for (error, ends) in [
            ("TooSoon(uint256,uint256)", false),
            ("EscrowTooLow(uint256,uint256)", false),
            ("LivedTooShort(uint256,uint256)", true),
            ("MandateExpired(uint256,uint256)", true),
        ] {
            let data = [&keccak256(error)[..4], &[0; 64]].concat();
            let refusal = ContractRefusal::decode(&data.into());
            assert_eq!(refusal.word(), error.split('(').next().expect("a name"));
            assert_eq!(is_final(&DeskError::Refused { act, refusal }), ends, "{error}");
        }
    }
}
