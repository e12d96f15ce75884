//! `bardo grave library equip`: what the dead left is given to a living Golem, by its owner's hand, and what became of it
//! (I-244, I-245).

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, bail, ensure};
use golem_core::life::Body;
use golem_core::record::BookWord;
use golem_grimoire::entry::Draft;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::EntryId;
use golem_grimoire::ingest::{Arrival, Ingested};
use golem_grimoire::provenance::Provenance;
use golem_inheritance::heir::{Heir, heirloom};
use golem_inheritance::library::inflow::GiftOccasion;
use golem_inheritance::library::sale::purchased;
use golem_playbook::rule::Rule;
use golem_ports::{Arrived, Arriving, Memory as _};
use golem_runtime::OwnerWord;
use golem_store::SqliteStore;
use golem_view::ShelfLine;

use super::equipped::{Equipped, record};
use super::kept::{Kept, kept_path, read};
use super::{market, named};
use crate::golem::grimoire::standing;
use crate::golem::home::Home;
use crate::golem::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct EquipArguments {
    /// The living Golem: its name, agent id or vault. It must not be running.
    golem: String,
    /// Entries of the library.
    #[arg(required_unless_present_any = ["bundle", "rule"])]
    entries: Vec<EntryId>,
    /// All entries of a named bundle.
    #[arg(long, value_name = "NAME")]
    bundle: Option<String>,
    /// P-075. A rule that was bought, to be tried on paper from its next tick on; may be given several times.
    #[arg(long, value_name = "NAME")]
    rule: Vec<String>,
    #[command(flatten)]
    home: Home,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

impl EquipArguments {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let folder = self.home.find(&self.golem)?;
        if let Some(pid) = look::holder(&folder) {
            bail!("process {pid} lives {}; stop it first: a running Golem never helps itself", folder.name());
        }
        let birth = folder.birth()?;
        let (now, life) = standing(&look::reader(&folder)?)?;
        ensure!(
            !matches!(life.body(), Body::Dead(_) | Body::Dying(_)),
            "{} is dead; equip a living one",
            folder.name()
        );
        let occasion = if now.tick.get() == 0 { GiftOccasion::Creation } else { GiftOccasion::OwnerAction };
        debug_assert!(occasion.may_pull(), "I-244");
        let generation = u32::try_from(birth.generation).unwrap_or(u32::MAX);
        let heir = Heir { golem: birth.golem(), lineage: birth.lineage, generation };
        let mut wanted = self.entries.clone();
        if let Some(bundle) = &self.bundle {
            wanted.extend(named::entries(&self.home, bundle)?);
        }
        let rules: Vec<Rule> = self.rule.iter().map(|name| market::rule(&self.home, name)).collect::<Result<_>>()?;
        let kept = wanted.iter().map(|id| read(&kept_path(&self.home, *id)?)).collect::<Result<Vec<Kept>>>()?;
        let mut store = SqliteStore::open(&folder.store(), Some(&birth.golem()))?;
        let mut lines = Vec::new();
        for one in &kept {
            // I-233. At the gate it is its origin's, whoever passed it on: the library has written down who did.
            let (draft, way) = if one.is_bought() {
                let draft = purchased(&one.entry);
                let original_confidence = one.claimed.unwrap_or(draft.original_confidence);
                (Draft { original_confidence, ..draft }, Provenance::Marketplace)
            } else {
                (heirloom(&one.entry, &heir), Provenance::PredecessorArchive)
            };
            let arrival = Arrival {
                draft,
                way,
                sender: one.sender(),
                claimed_cosine: None,
                // I-246. Whoever bought it has seen on chain that who left it is dead.
                is_left: one.entry.source.is_bloodstain(),
                on_chain: None,
            };
            // What waited from an earlier hour comes first and is not of this command.
            let came = store.ingest(vec![Arriving { arrival, nearest: None }], now)?;
            let (fate, worth) = match came.into_iter().next_back() {
                Some(Arrived::Judged { ingested: Ingested::Judged(Admission::Admitted(candidate)), .. }) => {
                    let known = candidate.knowledge();
                    record(
                        &self.home,
                        one.entry.id,
                        Equipped { golem: folder.name().to_owned(), id: known.id, worth: known.confidence },
                    )?;
                    ("candidate".to_owned(), Some(known.confidence))
                }
                Some(Arrived::Judged { ingested: Ingested::TurnedAway(why), .. }) => (format!("refused: {why}"), None),
                Some(Arrived::Judged { ingested: Ingested::Judged(other), .. }) => (said(&other), None),
                Some(Arrived::Waiting) | None => ("waits: this hour is full".to_owned(), None),
            };
            lines.push(ShelfLine { entry: one.entry.id, fate, worth, says: one.entry.content.clone() });
        }
        if !rules.is_empty() {
            let count = rules.len();
            OwnerWord::Book(BookWord::Propose(rules)).leave(folder.path())?;
            eprintln!("{} will try {count} rules on paper from its next tick on", folder.name());
        }
        let heading = format!("What {} was equipped with, as candidates", folder.name());
        Ok(screen::draw_all(self.json, &heading, &lines, "Nothing was given."))
    }
}

fn said(admission: &Admission) -> String {
    match admission {
        Admission::Admitted(_) => "candidate".to_owned(),
        Admission::Merged(id) | Admission::Known(id) => format!("known already as {id}"),
        Admission::Quarantined(_) => "quarantined: it contradicts what is well known".to_owned(),
        Admission::Rejected(why) => format!("refused: {why}"),
    }
}
