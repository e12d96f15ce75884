//! What comes after the tombstone: a successor is raised from the bundle, and its line is proved.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;

use eyre::Result;
use golem_chain::lineage::Chronicle;
use golem_chain::{LocalKey, PasswordStrength, Secret};
use golem_inheritance::individuation::{Wish, birth_gate};
use golem_primitives::keccak256;
use golem_runtime::Heritage;
use golem_store::SqliteStore;
use golem_view::FindingPicture;

use super::DemoArguments;
use super::life::{CREDITS, GAS_WEI, Newborn};
use crate::golem::birth::{BirthRequest, give_birth};
use crate::golem::book::BookChoice;
use crate::golem::bundle::layers::{against_chain, read};
use crate::golem::heirship::{Heirship, distance, poisoned};
use crate::golem::home::{BirthCertificate, Home};
use crate::golem::subject::Subject;
use crate::golem::{ancestry, founding, inherited_entries};
use crate::screen;

/// A successor and what was proved of it.
pub(super) struct Raised {
    pub(super) birth: BirthCertificate,
    pub(super) checks: Vec<FindingPicture>,
}

/// Raises it, as `bardo line successor` does.
pub(super) async fn raise(demo: &DemoArguments, dead: &Newborn) -> Result<Raised> {
    let (chain, home) = (&dead.chain, Home::at(&demo.dir));
    let left = read(&dead.folder.bundle())?;
    let layers = against_chain(&left, chain).await?;
    let broken: Vec<&str> = layers.iter().filter(|layer| !layer.ok.0).map(|layer| layer.what.as_str()).collect();
    let proved = FindingPicture::new(
        "its bundle is the one the chain knows",
        broken.is_empty(),
        if broken.is_empty() { format!("{} layers", layers.len()) } else { broken.join(", ") },
        "",
    );
    let subject = Subject {
        name: dead.birth.name.clone(),
        agent: dead.birth.agent,
        vault: dead.birth.vault,
        local: Some((dead.folder.clone(), dead.birth.clone())),
        chain: chain.clone(),
    };
    let other = if matches!(demo.playbook, BookChoice::Shipped("momentum")) { "mean-reversion" } else { "momentum" };
    let name = founding::next_name(&subject.name, left.kin.generation.saturating_add(1));
    let prepared = founding::prepare(&subject, Some(left), name.clone(), &[], Some(&BookChoice::Shipped(other)))?;
    let apart = distance(&prepared.book.book, &prepared.before, &prepared.settings).await;
    let law = prepared.settings.succession.law;
    // Where the PLAYBOOK has so many rules that another stake is no other life, the demo says so and insists.
    let gate = birth_gate(apart, law.min_playbook_distance, Wish::Automatic);
    let poisoned = match &prepared.left {
        Some(left) => poisoned(left, &chain.endpoints).await,
        None => BTreeMap::new(),
    };
    let folder = home.new_folder(&name)?;
    let seed = [b"bardo demo heir".as_slice(), &demo.seed.to_be_bytes()].concat();
    let request = BirthRequest {
        name: name.clone(),
        credits: CREDITS,
        capital: golem_primitives::Usdc::ZERO,
        guardian: None,
        pool: dead.birth.pool,
        elsewhere: dead.birth.elsewhere.clone(),
        host: dead.birth.host,
        gas_wei: GAS_WEI,
        key_password: Secret::new("demo".to_owned()),
        strength: PasswordStrength::Test,
        key: Some(LocalKey::from_bytes(&keccak256(seed).0)?),
        book: prepared.book.clone(),
        heir: Some(Heirship { predecessor: dead.birth.agent, left: prepared.left, takes_genome: true, poisoned }),
        epitaph: true,
    };
    founding::found(&folder, &prepared.config, &prepared.book)?;
    let quiet = demo.json || !std::io::stderr().is_terminal();
    let mut report = |progress| screen::desk_progress(progress, quiet);
    // A desk of its own: the blocks its transactions need are brought only while one is open.
    let desk = chain.desk(dead.owner.clone())?;
    let birth = give_birth(&folder, chain, &desk, request, None, &prepared.settings, &mut report).await?;
    let chronicle = Chronicle::read(&chain.endpoints, &chain.deployment).await?;
    chain.stop_bringing();
    let store = SqliteStore::open(&folder.store(), Some(&birth.golem()))?;
    let heritage = Heritage::read(&store)?;
    let grimoire = store.reader().grimoire()?;
    let handed = heritage.map_or(0, |heritage| heritage.entries.len());
    let inherited = FindingPicture::new(
        "what it inherited waits as candidates",
        grimoire.active_count() == 0,
        format!(
            "{} of {handed} entries; PLAYBOOKs alike by {}{}",
            grimoire.candidates().count(),
            apart.map_or_else(|| "an unknown share".to_owned(), |apart| apart.similarity().to_string()),
            if gate.is_ok() { "" } else { ", too much for a birth by itself" }
        ),
        "",
    );
    drop(store);
    let mut checks = ancestry::prove(&home, chain, &chronicle, birth.lineage).await?;
    checks.extend(inherited_entries::trace(&home, chain, &chronicle, birth.lineage)?.1);
    let wrong: Vec<&str> = checks.iter().filter(|check| !check.ok).map(|check| check.name).collect();
    let members = chronicle.lineage(birth.lineage).len();
    let line = FindingPicture::new(
        "its line is proved, generation by generation",
        wrong.is_empty() && members == 2,
        if wrong.is_empty() { format!("{members} members, {} checks", checks.len()) } else { wrong.join(", ") },
        "",
    );
    Ok(Raised { birth, checks: vec![proved, inherited, line] })
}
