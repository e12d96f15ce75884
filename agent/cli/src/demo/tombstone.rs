//! What is left: a tombstone, every line of it checked against the chain.

use eyre::{Result, WrapErr};
use golem_primitives::keccak256;
use golem_runtime::replay;
use golem_store::{Reader, SqliteStore};
use serde::Serialize;

use super::DemoArguments;
use super::heir::Raised;
use super::life::{Ended, Newborn};
use crate::screen;

/// One thing that must be so.
#[derive(Debug, Serialize)]
pub(super) struct Check {
    pub(super) what: &'static str,
    pub(super) holds: bool,
    pub(super) detail: String,
}

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
        Check { what: "the chain says Dead", holds: view.life.eq_ignore_ascii_case("dead"), detail: view.life.clone() },
        Check {
            what: "of the same cause",
            holds: same_cause(&view.cause, cause.name()),
            detail: format!("{} on chain, {} in its records", view.cause, cause.name()),
        },
        Check {
            what: "after as many ticks",
            holds: view.ticks.to_string() == death.ticks_alive.to_string(),
            detail: format!("{} on chain, {} lived", view.ticks, death.ticks_alive),
        },
        Check { what: "the testament's hash is on chain", holds: view.testamentHash == hash, detail: hash.to_string() },
        Check {
            what: "PLAYBOOK.md is the one in its testament",
            holds: learnt.text.as_ref().is_none_or(|text| *text == playbook)
                && String::from_utf8_lossy(&testament).contains("\"playbook\""),
            detail: format!("version {}, {} rules", learnt.version, learnt.rules),
        },
        Check {
            what: "the vault is empty",
            holds: vault.usdc.is_zero(),
            detail: format!("{} left in it, the owner holds {}", vault.usdc, owner.usdc),
        },
        Check {
            what: "its journal replays to the same state",
            holds: again.life.hash() == ended.life.hash(),
            detail: format!("{} passes, each hash compared", again.compared),
        },
    ];
    let heir = raised.birth;
    checks.extend(raised.checks);
    let all = checks.iter().all(|check| check.holds);
    if demo.json {
        let tombstone = serde_json::json!({
            "tombstone": { "agent": born.birth.agent.to_string(), "vault": born.birth.vault, "cause": cause.name(),
                "ticks": death.ticks_alive, "killed_by_owner": ended.killed, "testament": hash,
                "state_hash": ended.life.hash(), "checks": checks,
                "successor": { "name": heir.name, "agent": heir.agent.to_string(), "generation": heir.generation },
                "grimoire": { "entries": learnt.entries, "active": learnt.active, "rules": learnt.rules,
                    "playbook_version": learnt.version, "statements": learnt.statements } }
        });
        println!("{tombstone}");
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
    let rows: Vec<_> = checks
        .iter()
        .map(|check| {
            let mark = if check.holds { screen::paint("✓", "32") } else { screen::paint("✗", "31") };
            vec![mark, check.what.to_owned(), check.detail.clone()]
        })
        .collect();
    screen::table("Verified on chain", &rows);
    println!("\n{}", screen::paint("What to look at next", "1"));
    println!("  {}  its testament", born.folder.testament().display());
    println!("  {}  every event of its life", born.folder.events().display());
    println!("  {}  its whole memory (SQLite)", born.folder.store().display());
    println!("  bardo line heritage {} --home {}   what its successor inherited", heir.name, demo.dir.display());
    println!("  bardo mind grimoire list ada --home {}   what it knew", demo.dir.display());
    println!("  bardo chain up --detach && bardo golem create NAME   a Golem of your own");
    println!("  the demo's chain is stopped; nothing was left running");
    Ok(all)
}

/// What a life learnt.
struct Learnt {
    entries: usize,
    active: usize,
    /// What it was surest of, and how sure.
    statements: Vec<String>,
    version: u64,
    rules: u32,
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
        Ok(Self {
            entries: grimoire.living().count(),
            active: sure.len(),
            statements: statements.collect(),
            version: newest.as_ref().map_or(0, |newest| newest.header.version),
            rules: newest.as_ref().map_or(0, |newest| newest.header.rules),
            text: newest.map(|newest| newest.text),
        })
    }

    fn tell(&self) {
        let heading = format!("What it learnt: {} entries, {} of them trusted", self.entries, self.active);
        screen::table(&heading, &self.statements.iter().map(|line| vec![line.clone()]).collect::<Vec<_>>());
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
