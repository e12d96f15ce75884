//! What is left to read: the facts of a life, from its own records and no opinion.

use std::path::{Path, PathBuf};

use golem_core::life::Life;
use golem_core::record::{Death, OutcomeVerification};
use golem_ports::{LastWords, Memory, Testament};
use golem_primitives::{B256, EffectId, GolemId, Ppm, Tick, Usdc, UtcTime, keccak256};
use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;

/// The note under which the store keeps what was recorded of the testament.
pub(crate) const TESTAMENT_NOTE: &str = "testament";

/// M-220. The file. Its keccak256 is the testament hash on chain (T-007).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestamentFile {
    /// The format.
    pub version: u32,
    /// Whose.
    pub golem: GolemId,
    /// When it was written.
    pub written: UtcTime,
    /// M-159. The cause with all that is known of it.
    pub death: Death,
    /// Ticks lived.
    pub ticks_lived: u64,
    /// The hash of the life when it was written: where its journal leads.
    pub state_hash: B256,
    /// What came in.
    pub funded: Usdc,
    /// What was spent.
    pub spent: Usdc,
    /// What is left of the credits, the reserve included.
    pub left: Usdc,
    /// Fitness at the end.
    pub fitness: Ppm,
    /// The strategy, when it had a hand.
    pub strategy: Option<String>,
    /// Every action that was verified against its receipt.
    pub actions: Vec<ActionLine>,
    /// G-163. The final PLAYBOOK.md, when one was ever written. Its keccak256 is the playbook digest on chain.
    #[serde(default)]
    pub playbook: Option<String>,
    /// M-199. What a model wrote of these facts, when one was asked. Everything above is there without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_words: Option<LastWords>,
}

/// One verified action: what was simulated, what the receipt says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionLine {
    /// When.
    pub tick: Tick,
    /// Which.
    pub effect: EffectId,
    /// What was at stake.
    pub notional: Usdc,
    /// Profit or loss simulated, in micro-USDC.
    pub predicted_micros: i64,
    /// Profit or loss realised, in micro-USDC.
    pub realised_micros: i64,
    /// M-076. Whether the simulation was right.
    pub hit: bool,
}

impl From<&OutcomeVerification> for ActionLine {
    fn from(record: &OutcomeVerification) -> Self {
        Self {
            tick: record.tick,
            effect: record.action_id,
            notional: record.prediction.notional,
            predicted_micros: record.prediction.expected_return_micros,
            realised_micros: record.receipt.realised_return_micros,
            hit: record.is_hit(),
        }
    }
}

/// Writes down a life from its records.
///
/// # Errors
/// [`RuntimeError`] when the records cannot be read, or nobody is dying.
pub fn compose<S: Memory>(life: &Life, store: &S, now: UtcTime) -> Result<TestamentFile, RuntimeError> {
    let death = life.death().cloned().ok_or(RuntimeError::NotDying)?;
    let economic = life.vitals().economic();
    let actions = store.outcomes_after(0)?.into_iter().map(|outcome| ActionLine::from(&outcome.record)).collect();
    Ok(TestamentFile {
        version: 1,
        golem: *life.id(),
        written: now,
        ticks_lived: death.ticks_alive,
        state_hash: life.hash(),
        funded: economic.lifetime_funded(),
        spent: economic.lifetime_spent(),
        left: economic.balance(),
        fitness: life.vitals().vitality().epistemic,
        strategy: life.trader().map(|trader| trader.settings().strategy.to_string()),
        actions,
        playbook: store.playbook(None)?.map(|newest| newest.text),
        last_words: None,
        death,
    })
}

/// Writes the file beside the store and notes what the chain shall record of it. Whole or not at all.
pub(crate) fn write<S: Memory>(
    life: &Life,
    store: &mut S,
    dir: &Path,
    now: UtcTime,
    last_words: Option<LastWords>,
) -> Result<PathBuf, RuntimeError> {
    // Written once: after a crash the one that was noted stays, or its hash on chain would name another file.
    let path = dir.join("testament.json");
    let noted = store.note(TESTAMENT_NOTE)?.and_then(|text| serde_json::from_str::<Testament>(&text).ok());
    let is_it = |file: Vec<u8>| noted.as_ref().is_some_and(|noted| noted.hash == keccak256(file));
    if std::fs::read(&path).is_ok_and(is_it) {
        return Ok(path);
    }
    let file = TestamentFile { last_words, ..compose(life, store, now)? };
    let json = serde_json::to_vec_pretty(&file).expect("plain data with text keys");
    let failed = |source| RuntimeError::File { what: path.display().to_string(), source };
    let draft = path.with_extension("json.draft");
    std::fs::create_dir_all(dir).map_err(failed)?;
    std::fs::write(&draft, &json).map_err(failed)?;
    std::fs::File::open(&draft).and_then(|file| file.sync_all()).map_err(failed)?;
    std::fs::rename(&draft, &path).map_err(failed)?;
    // The name has to be on disk before the hash is: a hash that names nothing helps nobody.
    std::fs::File::open(dir).and_then(|folder| folder.sync_all()).map_err(failed)?;
    let testament = Testament {
        hash: keccak256(&json),
        uri: String::new(),
        playbook_digest: file.playbook.as_ref().map(keccak256).unwrap_or_default(),
        ticks_lived: file.ticks_lived,
        ..Testament::default()
    };
    store.set_note(TESTAMENT_NOTE, &serde_json::to_string(&testament).expect("plain data"))?;
    Ok(path)
}
