//! What is left: a tombstone, every line of it checked against the chain.

use eyre::{Result, WrapErr};
use golem_primitives::keccak256;
use golem_runtime::replay;
use golem_store::{Reader, SqliteStore};
use golem_view::{FindingPicture, HeirPicture, LearntPicture, Shown as _, TombstonePicture, table_of};

use super::DemoArguments;
use super::heir::Raised;
use super::life::{Ended, Newborn};
use crate::screen;

/// Shows it; answers whether everything holds.
pub(super) async fn show(demo: &DemoArguments, born: &Newborn, ended: &Ended, raised: Raised) -> Result<bool> {
    let view = born.desk.golem(born.birth.agent).await?;
    let death = ended.life.death().expect("it is dead");
    let cause = death.cause.kind();
    let testament = std::fs::read(born.folder.testament()).wrap_err("there is no testament")?;
    let hash = keccak256(&testament);
    let store = SqliteStore::open(&born.folder.store(), Some(&born.birth.golem()))?;
    let birth = store.reader().birth()?.ok_or_else(|| eyre::eyre!("the store has no birth"))?;
    let again = replay(&store, birth, |_, _, _| {})?;
    let owner = born.desk.purse(born.birth.owner).await?;
    let vault = born.desk.purse(born.birth.vault).await?;
    let counts = store.reader().counts()?;
    let learnt = Learnt::of(store.reader())?;
    let playbook = std::fs::read_to_string(born.folder.path().join("PLAYBOOK.md")).unwrap_or_default();
    let mut checks = vec![
        FindingPicture::new("the chain says Dead", view.life.eq_ignore_ascii_case("dead"), view.life.clone(), ""),
        FindingPicture::new(
            "of the same cause",
            same_cause(&view.cause, cause.name()),
            format!("{} on chain, {} in its records", view.cause, cause.name()),
            "",
        ),
        FindingPicture::new(
            "after as many ticks",
            view.ticks.to_string() == death.ticks_alive.to_string(),
            format!("{} on chain, {} lived", view.ticks, death.ticks_alive),
            "",
        ),
        FindingPicture::new("the testament's hash is on chain", view.testamentHash == hash, hash.to_string(), ""),
        FindingPicture::new(
            "PLAYBOOK.md is the one in its testament",
            learnt.text.as_ref().is_none_or(|text| *text == playbook)
                && String::from_utf8_lossy(&testament).contains("\"playbook\""),
            format!("version {}, {} rules", learnt.picture.playbook_version, learnt.picture.rules),
            "",
        ),
        FindingPicture::new(
            "the vault is empty",
            vault.usdc.is_zero(),
            format!("{} left in it, the owner holds {}", vault.usdc, owner.usdc),
            "",
        ),
        FindingPicture::new(
            "its journal replays to the same state",
            again.life.hash() == ended.life.hash(),
            format!("{} passes, each hash compared", again.compared),
            "",
        ),
    ];
    let heir = raised.birth;
    checks.extend(raised.checks);
    let all = FindingPicture::all_ok(&checks);
    if demo.json {
        let tombstone = TombstonePicture {
            agent: born.birth.agent,
            vault: born.birth.vault,
            cause: cause.name(),
            ticks: death.ticks_alive,
            killed_by_owner: ended.killed,
            testament: hash,
            state_hash: ended.life.hash(),
            checks,
            successor: HeirPicture { name: heir.name, agent: heir.agent, generation: heir.generation },
            grimoire: learnt.picture,
        };
        println!("{}", serde_json::json!({ "tombstone": tombstone.json() }));
        return Ok(all);
    }
    let economic = ended.life.vitals().economic();
    let rows = vec![
        vec!["cause".to_owned(), cause.name().to_owned()],
        vec!["lived".to_owned(), format!("{} ticks", death.ticks_alive)],
        vec!["verified actions".to_owned(), counts.outcomes.to_string()],
        vec!["spent on living".to_owned(), economic.lifetime_spent().to_string()],
        vec!["state".to_owned(), ended.life.hash().to_string()],
    ];
    screen::table("Here lies ada", &rows);
    learnt.tell();
    screen::show(&table_of("Verified on chain", &checks));
    println!("\n{}", screen::paint("What to look at next", "1"));
    println!("  {}  its testament", born.folder.testament().display());
    println!("  {}  every event of its life", born.folder.events().display());
    println!("  {}  its whole memory (SQLite)", born.folder.store().display());
    println!("  bardo line heritage {} --home {}   what its successor inherited", heir.name, demo.dir.display());
    println!("  bardo mind grimoire list ada --home {}   what it knew", demo.dir.display());
    println!("  bardo web --home {}   both lives on a page in your browser", demo.dir.display());
    println!("  bardo chain up --detach && bardo golem create NAME   a Golem of your own");
    println!("  the demo's chain is stopped; nothing was left running");
    Ok(all)
}

/// What a life learnt.
struct Learnt {
    picture: LearntPicture,
    text: Option<String>,
}

impl Learnt {
    fn of(reader: &Reader) -> Result<Self> {
        const SHOWN: usize = 5;
        let grimoire = reader.grimoire()?;
        let mut sure: Vec<_> = grimoire.active().map(|active| active.knowledge()).collect();
        sure.sort_by_key(|entry| (std::cmp::Reverse(entry.confidence), entry.id));
        let statements = sure.iter().take(SHOWN).map(|entry| format!("{}  {}", entry.confidence, entry.draft.content));
        let newest = reader.playbook(None)?;
        let picture = LearntPicture {
            entries: grimoire.living().count(),
            active: sure.len(),
            rules: newest.as_ref().map_or(0, |newest| newest.header.rules),
            playbook_version: newest.as_ref().map_or(0, |newest| newest.header.version),
            statements: statements.collect(),
        };
        Ok(Self { picture, text: newest.map(|newest| newest.text) })
    }

    fn tell(&self) {
        let LearntPicture { entries, active, statements, .. } = &self.picture;
        let heading = format!("What it learnt: {entries} entries, {active} of them trusted");
        screen::table(&heading, &statements.iter().map(|line| vec![line.clone()]).collect::<Vec<_>>());
        println!("\n{}", screen::paint("Its PLAYBOOK", "1"));
        match &self.text {
            Some(text) => {
                text.lines().filter(|line| !line.starts_with("- Evidence")).for_each(|line| println!("  {line}"))
            }
            None => println!(
                "  no rule: one needs ten claims that prove it and ten that confirm it, and this life was short"
            ),
        }
    }
}

/// The chain writes causes as its own names.
fn same_cause(on_chain: &str, recorded: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "");
    plain(on_chain) == plain(recorded)
}
