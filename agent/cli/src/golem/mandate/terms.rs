//! The terms of mandates as this machine keeps them: the chain holds only a hash of them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr};
use golem_chain::{Listing, MandatePlan};
use golem_primitives::{Address, B256, LineageId, U256, Usdc, UtcTime};
use golem_view::{AsKept, MandateLine, TermsPicture};
use serde::{Deserialize, Serialize};

use crate::golem::connect::ChainChoice;
use crate::golem::home::{Folder, Home, write_whole};
use crate::golem::subject::Subject;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// A mandate that may be succeeded by.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) mandate: B256,
    pub(crate) committer: Address,
    pub(crate) plan: MandatePlan,
    /// The generation of the next successor.
    pub(crate) generation_after: u32,
}

/// The file of terms, as `commit` writes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct TermsFile {
    mandate: B256,
    lineage: String,
    budget_micros: u64,
    successors: u64,
    expiry: String,
    expiry_seconds: u64,
    executor: Address,
    listings: Vec<Listing>,
    guardian: Option<Address>,
    keys: Vec<Address>,
    nonce: String,
    escrow_micros: u64,
    /// Whether it was seen to stand on chain.
    #[serde(default = "yes")]
    stands: bool,
}

const fn yes() -> bool {
    true
}

/// What is asked for, as far as it names a mandate.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) lineage: u64,
    pub(super) budget: Usdc,
    pub(super) successors: u64,
    pub(super) executor: Address,
    pub(super) nonce: U256,
}

impl TermsFile {
    pub(super) fn of(mandate: B256, plan: &MandatePlan, escrow: Usdc) -> Self {
        Self {
            mandate,
            lineage: plan.lineage.to_string(),
            budget_micros: plan.budget.micros(),
            successors: plan.successors,
            expiry: plan.expiry.to_string(),
            expiry_seconds: plan.expiry.seconds(),
            executor: plan.executor,
            listings: plan.listings.clone(),
            guardian: plan.guardian,
            keys: plan.keys.clone(),
            nonce: plan.nonce.to_string(),
            escrow_micros: escrow.micros(),
            stands: false,
        }
    }

    fn plan(&self) -> Result<MandatePlan> {
        Ok(MandatePlan {
            lineage: LineageId(self.lineage.parse().wrap_err("the lineage of a mandate is no number")?),
            budget: Usdc::from_micros(self.budget_micros),
            successors: self.successors,
            expiry: UtcTime::from_seconds(self.expiry_seconds),
            executor: self.executor,
            policy: None,
            listings: self.listings.clone(),
            guardian: self.guardian,
            keys: self.keys.clone(),
            nonce: self.nonce.parse().wrap_err("the nonce of a mandate is no number")?,
        })
    }

    pub(super) fn picture(&self) -> TermsPicture {
        TermsPicture {
            mandate: self.mandate,
            lineage: self.lineage.clone(),
            budget: Usdc::from_micros(self.budget_micros),
            successors: self.successors,
            expiry: self.expiry.clone(),
            executor: self.executor,
            listings: AsKept::of(&self.listings),
            guardian: self.guardian,
            keys: self.keys.clone(),
            nonce: self.nonce.clone(),
            escrow: Usdc::from_micros(self.escrow_micros),
        }
    }

    /// The same, as one that was seen to stand on chain.
    pub(super) fn standing(self) -> Self {
        Self { stands: true, ..self }
    }

    /// Writes it whole, into the Golem's folder or beside the successors' keys where it has none.
    pub(super) fn keep(&self, home: &Home, local: Option<&Folder>) -> Result<PathBuf> {
        let dir = local.map_or_else(|| home.successors(), |folder| folder.path().to_path_buf());
        let path = dir.join(format!("mandate-{}.json", self.mandate));
        write_whole(&path, &serde_json::to_vec_pretty(self)?)?;
        Ok(path)
    }

    fn answers(&self, wish: &Wish) -> bool {
        (self.lineage.parse().ok(), self.budget_micros, self.successors, self.executor)
            == (Some(wish.lineage), wish.budget.micros(), wish.successors, wish.executor)
            && self.nonce == wish.nonce.to_string()
    }
}

/// Every file of terms on this machine: a mandate outlives the Golem it was made for.
fn all(home: &Home) -> Result<Vec<TermsFile>> {
    let mut dirs: Vec<PathBuf> = home.all()?.iter().map(|folder| folder.path().to_path_buf()).collect();
    dirs.push(home.successors());
    let mut found = Vec::new();
    for dir in dirs.iter().filter(|dir| dir.exists()) {
        found.extend(in_folder(dir)?);
    }
    Ok(found)
}

fn in_folder(dir: &Path) -> Result<Vec<TermsFile>> {
    let mut found = Vec::new();
    for file in std::fs::read_dir(dir).wrap_err_with(|| format!("cannot read {}", dir.display()))? {
        let path = file?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("mandate-") && name.ends_with(".json") {
            let text = std::fs::read(&path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
            found.extend(serde_json::from_slice::<TermsFile>(&text).ok());
        }
    }
    Ok(found)
}

/// The terms of an earlier try for the same that was never seen to stand.
pub(super) fn unfinished(home: &Home, local: Option<&Folder>, wish: &Wish) -> Result<Option<MandatePlan>> {
    let dir = local.map_or_else(|| home.successors(), |folder| folder.path().to_path_buf());
    if !dir.exists() {
        return Ok(None);
    }
    let begun = in_folder(&dir)?.into_iter().find(|file| !file.stands && file.answers(wish));
    begun.map(|file| file.plan()).transpose()
}

/// The mandate of a Golem's line whose terms are on this machine: the one that was begun with, or the one with the most
/// escrow under which somebody may still be born.
pub(crate) async fn find(home: &Home, subject: &Subject, begun: Option<B256>) -> Result<Option<Terms>> {
    let desk = subject.chain.onlooker()?;
    let known = desk.golem(subject.agent).await?;
    let (lineage, generation): (u64, u64) = (known.lineage.saturating_to(), known.generation.saturating_to());
    let mut best: Option<(Usdc, Terms)> = None;
    for file in all(home)? {
        let plan = file.plan()?;
        if plan.lineage.0 != lineage {
            continue;
        }
        let Some(standing) = desk.standing_of(file.mandate).await? else { continue };
        let is_worse = best.as_ref().is_some_and(|(escrow, _)| *escrow >= standing.escrow);
        if begun.map_or(standing.born >= plan.successors || is_worse, |begun| begun != file.mandate) {
            continue;
        }
        let generation_after = u32::try_from(generation.saturating_add(1)).unwrap_or(u32::MAX);
        let terms = Terms { mandate: file.mandate, committer: standing.committer, plan, generation_after };
        best = Some((standing.escrow, terms));
    }
    Ok(best.map(|(_, terms)| terms))
}

/// Every mandate whose terms are here, with what the chain says of it.
pub(super) async fn list(arguments: &ListArguments) -> Result<ExitCode> {
    let desk = arguments.chain.connect().await?.onlooker()?;
    let mut lines = Vec::new();
    for file in all(&arguments.home)? {
        let standing = desk.standing_of(file.mandate).await?;
        lines.push(MandateLine {
            mandate: file.mandate,
            lineage: file.lineage,
            budget: Usdc::from_micros(file.budget_micros),
            successors: file.successors,
            born: standing.map(|standing| standing.born),
            escrow: standing.map(|standing| standing.escrow),
            expiry: file.expiry,
            executor: file.executor,
            stands: standing.is_some(),
        });
    }
    let nothing = "No mandate's terms are on this machine; `bardo line mandate commit` makes one.";
    Ok(screen::draw_all(arguments.json, "Mandates", &lines, nothing))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-281, L-005: terms are kept before money moves, and the same wish finds them again until they were seen to stand.
    #[test]
    fn i_281_terms_of_a_mandate_outlive_a_try_that_was_cut_off() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        let plan = MandatePlan {
            lineage: LineageId(3),
            budget: Usdc::whole(50),
            successors: 1,
            expiry: UtcTime::from_seconds(1_800_000_000),
            executor: Address::repeat_byte(7),
            policy: None,
            listings: Vec::new(),
            guardian: None,
            keys: Vec::new(),
            nonce: U256::ZERO,
        };
        let wish = Wish { lineage: 3, budget: plan.budget, successors: 1, executor: plan.executor, nonce: U256::ZERO };
        assert!(unfinished(&home, None, &wish).expect("read").is_none());
        let file = TermsFile::of(B256::repeat_byte(1), &plan, Usdc::whole(50));
        file.keep(&home, None).expect("written");
        let again = unfinished(&home, None, &wish).expect("read").expect("found");
        assert_eq!((again.expiry, again.budget), (plan.expiry, plan.budget), "the same mandate, not a second one");
        let other = Wish { budget: Usdc::whole(51), ..wish };
        assert!(unfinished(&home, None, &other).expect("read").is_none(), "another wish is another mandate");
        file.standing().keep(&home, None).expect("written");
        let wish = Wish { budget: plan.budget, ..other };
        assert!(unfinished(&home, None, &wish).expect("read").is_none());
        assert_eq!(all(&home).expect("read").len(), 1);
    }
}
