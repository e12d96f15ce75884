//! Where a Golem's files stand, and what it was born with.
//!
//! `<home>/golems/<name>/`: `golem.toml` (what the owner chose), `birth.json` (what the chain said), `key.json` (the
//! sealed hot key), `paper.json` (instead of both: the pretended vault of one that lives on paper), `life.sqlite` (its memory), `PLAYBOOK.md` (its rules, written by it alone), `events.jsonl`,
//! `pools.json` (what its owner said of its pools since its birth), `sales.jsonl` (what it was paid for), `testament.json` and `testament.md`, `legacy.bardo` (the death bundle),
//! `emergency.json` (of a death by chance), `insurance/`. `<home>/library/` keeps what the dead left.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{Deployment, PoolBeside, PoolStay, Posting, Roster};
use golem_core::memory::Venue;
use golem_edge::files;
use golem_primitives::{Address, AgentId, GolemId, LineageId, PoolName, Usdc, UtcTime};
use golem_runtime::{BLOODSTAIN_FILE, BUNDLE_FILE, Kin};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::library::offers::offered;

/// Where a Golem on paper keeps its pretended vault.
const PAPER_FILE: &str = "paper.json";

/// Where all Golems of this machine stand.
#[derive(Debug, Clone, Args)]
pub(crate) struct Home {
    /// Folder of the Golems of this machine.
    #[arg(long, env = "BARDO_HOME", default_value = ".bardo", value_name = "DIR")]
    home: PathBuf,
}

/// What a birth brought; written once, never by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct BirthCertificate {
    /// The name on this machine and in the registration file.
    pub(crate) name: String,
    pub(crate) agent: AgentId,
    pub(crate) lineage: LineageId,
    pub(crate) generation: u64,
    pub(crate) vault: Address,
    pub(crate) key: Address,
    /// At birth; a token can be sold.
    pub(crate) owner: Address,
    /// Where it trades at home, and whom it pays.
    pub(crate) pool: Address,
    /// P-057. What that pool is called.
    pub(crate) home_pool: PoolName,
    /// P-057. The pools it was born to trade in beside it; what its owner said later is in `pools.json`.
    pub(crate) elsewhere: Vec<PoolBeside>,
    pub(crate) host: Option<Address>,
    pub(crate) born: UtcTime,
    pub(crate) block: u64,
    pub(crate) credits: Usdc,
    pub(crate) capital: Usdc,
    pub(crate) deployment: Deployment,
}

impl BirthCertificate {
    pub(crate) fn golem(&self) -> GolemId {
        GolemId::from_vault(self.vault)
    }

    /// Whether it was born on that suite of contracts.
    pub(crate) fn is_of(&self, suite: &Deployment) -> bool {
        (self.deployment.lineage, self.deployment.chain_id) == (suite.lineage, suite.chain_id)
    }

    /// Where it trades, as its knowledge names the place.
    pub(crate) fn venue(&self) -> Venue {
        venue(&self.deployment, self.pool)
    }

    /// M-218. Whose life it is to others.
    pub(crate) fn kin(&self) -> Kin {
        Kin {
            chain: self.deployment.chain_id,
            agent: Some(self.agent),
            vault: self.vault,
            key: self.key,
            owner: self.owner,
            lineage: self.lineage,
            generation: u32::try_from(self.generation).unwrap_or(u32::MAX),
            born: self.born,
        }
    }
}

/// A pool as knowledge names it: the suite's own by its pair, any other by its address. Symbols are what a token's maker
/// wrote into it, and name nothing.
pub(crate) fn venue(deployment: &Deployment, pool: Address) -> Venue {
    let pair = if deployment.pool == Some(pool) { "WETH/USDC".to_owned() } else { pool.to_string() };
    Venue { chain: deployment.chain_id, pair }
}

/// One Golem's folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    name: String,
    path: PathBuf,
}

impl Home {
    /// The same folder as it is said on a command line.
    pub(crate) fn word(&self) -> OsString {
        let mut word = OsString::from("--home=");
        word.push(&self.home);
        word
    }

    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Self { home: path.into() }
    }

    /// Where that is, as its owner named it.
    pub(crate) fn shown(&self) -> String {
        self.home.display().to_string()
    }

    /// I-244. Where the owner keeps what the dead left.
    pub(crate) fn library(&self) -> PathBuf {
        self.home.join("library")
    }

    /// Where the relay of this home keeps words and archive.
    pub(crate) fn relay(&self) -> PathBuf {
        self.home.join("relay")
    }

    /// Where keys of successors wait for their births.
    pub(crate) fn successors(&self) -> PathBuf {
        self.home.join("successors")
    }

    /// Closes to everybody else what an older version, or a copy, left open.
    pub(crate) fn protect(&self) -> Result<()> {
        Ok(files::tighten(&self.home)?)
    }

    fn golems(&self) -> PathBuf {
        self.home.join("golems")
    }

    /// The folder a new Golem of that name will have.
    pub(crate) fn new_folder(&self, name: &str) -> Result<Folder> {
        let folder = self.golem_folder(name)?;
        ensure!(!folder.path.join("birth.json").exists(), "there is already a Golem named {name}; choose another name");
        ensure!(!folder.is_on_paper(), "there is already a Golem named {name}, on paper; choose another name");
        Ok(folder)
    }

    /// The folder that a Golem on paper has or will have.
    pub(crate) fn paper_folder(&self, name: &str) -> Result<Folder> {
        let folder = self.golem_folder(name)?;
        ensure!(!folder.path.join("birth.json").exists(), "there is already a Golem named {name}; choose another name");
        Ok(folder)
    }

    /// The folder a Golem of that name has or would have, born or not.
    pub(crate) fn golem_folder(&self, name: &str) -> Result<Folder> {
        ensure!(is_name(name), "{name:?} is no name: up to 32 lowercase letters, digits and hyphens");
        Ok(Folder { name: name.to_owned(), path: self.golems().join(name) })
    }

    /// The folder of a Golem by name, agent id or vault address.
    pub(crate) fn find(&self, wanted: &str) -> Result<Folder> {
        let all = self.all()?;
        let is_it = |folder: &&Folder| {
            folder.name == wanted
                || folder.birth().is_ok_and(|birth| {
                    birth.agent.to_string() == wanted || birth.vault.to_string().eq_ignore_ascii_case(wanted)
                })
        };
        if let Some(folder) = all.iter().find(is_it) {
            return Ok(folder.clone());
        }
        if self.golem_folder(wanted).is_ok_and(|folder| folder.is_on_paper()) {
            bail!(
                "{wanted} lives on paper: it has no key, and no vault that anything can be sent to. `bardo golem paper \
                 {wanted}` lets it live; list, status, trades and events tell of it"
            );
        }
        let names: Vec<&str> = all.iter().map(|folder| folder.name.as_str()).collect();
        if names.is_empty() {
            let seeds = offered(&self.library())
                .map_or_else(String::new, |offered| format!(", or go on with a line: {offered}"));
            bail!("there is no Golem in {}; raise one with `bardo golem create NAME`{seeds}", self.golems().display());
        }
        let nearest = names
            .iter()
            .copied()
            .max_by(|a, b| strsim::jaro_winkler(a, wanted).total_cmp(&strsim::jaro_winkler(b, wanted)));
        bail!(
            "there is no Golem {wanted:?} here; there are {}{}",
            names.join(", "),
            nearest
                .filter(|name| strsim::jaro_winkler(name, wanted) > 0.8)
                .map_or(String::new(), |name| format!("; did you mean {name}?"))
        );
    }

    /// The folder of a memory, also of one that is lived on paper and was never born on a chain.
    pub(crate) fn find_memory(&self, wanted: &str) -> Result<Folder> {
        let path = self.golems().join(wanted);
        match self.find(wanted) {
            Err(_) if is_name(wanted) && path.join("life.sqlite").exists() => {
                Ok(Folder { name: wanted.to_owned(), path })
            }
            found => found,
        }
    }

    /// Every Golem of this machine that was born on a chain, by name.
    pub(crate) fn all(&self) -> Result<Vec<Folder>> {
        self.folders(|path| path.join("birth.json").exists())
    }

    /// Those on paper too.
    pub(crate) fn everybody(&self) -> Result<Vec<Folder>> {
        self.folders(|path| path.join("birth.json").exists() || path.join(PAPER_FILE).exists())
    }

    fn folders(&self, is_golem: impl Fn(&Path) -> bool) -> Result<Vec<Folder>> {
        let path = self.golems();
        if !path.exists() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&path).wrap_err_with(|| format!("cannot read {}", path.display()))? {
            let entry = entry?;
            if is_golem(&entry.path()) {
                found.push(Folder { name: entry.file_name().to_string_lossy().into_owned(), path: entry.path() });
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }
}

/// Whether a Golem may be called so: its name is also a folder's.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !name.is_empty() && name.len() <= 32 && name.bytes().all(plain)
}

impl Folder {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where it lives: on paper, or which agent of which chain.
    pub(crate) fn place(&self) -> String {
        match self.birth() {
            Ok(birth) => format!("agent {} on chain {}", birth.agent, birth.deployment.chain_id),
            Err(_) => "on paper".to_owned(),
        }
    }

    pub(crate) fn home(&self) -> Option<Home> {
        self.path.parent().and_then(Path::parent).map(Home::at)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path.join("life.sqlite")
    }

    /// Its pretended vault, of one that lives on paper.
    pub(crate) fn paper(&self) -> PathBuf {
        self.path.join(PAPER_FILE)
    }

    /// Whether it lives on paper.
    pub(crate) fn is_on_paper(&self) -> bool {
        self.paper().exists() && !self.path.join("birth.json").exists()
    }

    pub(crate) fn key(&self) -> PathBuf {
        self.path.join("key.json")
    }

    pub(crate) fn events(&self) -> PathBuf {
        self.path.join("events.jsonl")
    }

    pub(crate) fn sales(&self) -> PathBuf {
        self.path.join("sales.jsonl")
    }

    pub(crate) fn testament(&self) -> PathBuf {
        self.path.join("testament.json")
    }

    /// M-210. What it leaves, in one file.
    pub(crate) fn bundle(&self) -> PathBuf {
        self.path.join(BUNDLE_FILE)
    }

    /// M-207. The mark of its death.
    pub(crate) fn bloodstain(&self) -> PathBuf {
        self.path.join(BLOODSTAIN_FILE)
    }

    /// M-203. Where copies of what it leaves are laid down: apart from its folder, under the same home.
    pub(crate) fn archive(&self, birth: &BirthCertificate) -> PathBuf {
        let home = self.path.parent().and_then(Path::parent).unwrap_or(&self.path);
        home.join("archive").join(format!("{}-{}", birth.deployment.chain_id, birth.agent))
    }

    /// P-009. The book it was founded on.
    pub(crate) fn founding(&self) -> PathBuf {
        self.path.join("founding.md")
    }

    /// P-057. What its owner said of its pools since its birth.
    pub(crate) fn roster_file(&self) -> PathBuf {
        self.path.join("pools.json")
    }

    /// P-057. All pools beside its home pool, as its owner's latest word has them.
    pub(crate) fn roster(&self, birth: &BirthCertificate) -> Result<Roster> {
        let said = Roster::read(&self.roster_file())?;
        Ok(said.unwrap_or_else(|| Roster { pools: birth.elsewhere.clone() }))
    }

    /// P-057. The pools beside its home pool that it stays in.
    pub(crate) fn pools(&self, birth: &BirthCertificate) -> Result<Vec<PoolBeside>> {
        Ok(self.roster(birth)?.pools.into_iter().filter(|pool| pool.stay == PoolStay::Stays).collect())
    }

    pub(crate) fn posting(&self, birth: &BirthCertificate) -> Result<Posting> {
        Ok(Posting {
            vault: birth.vault,
            pool: birth.pool,
            home: birth.home_pool,
            elsewhere: self.roster(birth)?,
            roster: Some(self.roster_file()),
            gas_pool: None,
            host: birth.host,
        })
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.path.join("golem.toml")
    }

    pub(crate) fn birth(&self) -> Result<BirthCertificate> {
        let path = self.path.join("birth.json");
        let text = self.text(&path)?;
        serde_json::from_str(&text).wrap_err_with(|| format!("{} is no birth certificate", path.display()))
    }

    /// Writes the certificate, whole or not at all.
    pub(crate) fn certify(&self, birth: &BirthCertificate) -> Result<()> {
        let text = serde_json::to_string_pretty(birth).expect("plain data");
        Ok(files::write_whole(&self.path.join("birth.json"), text.as_bytes())?)
    }

    /// A small file of this folder. Nothing in the folder is opened before all of it is known to be plain: a link would
    /// lead out of the home, and a pipe would keep whoever reads it waiting for ever.
    pub(super) fn text(&self, path: &Path) -> Result<String> {
        files::inspect(&self.path)?;
        Ok(files::read_text(path, files::SMALL)?)
    }
}

/// What a file of JSON says, which is to be such a thing.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T> {
    let bytes = std::fs::read(path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&bytes).wrap_err_with(|| format!("{} is no {what}", path.display()))
}

/// Writes a file whole or not at all, on disk before this returns.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(files::write_whole(path, bytes)?)
}
