//! Signed transactions, on disk before they are sent.

use golem_ports::{Attempt, AttemptState, Attempts, StoreError};
use golem_primitives::{Address, B256, EffectId};
use rusqlite::Row;

use crate::codec::{self, Columns, Number};
use crate::commit;
use crate::error::failed;
use crate::reader::Reader;
use crate::store::SqliteStore;

impl Reader {
    /// The attempts of an effect, oldest first.
    pub fn attempts_of(&self, effect: EffectId) -> Result<Vec<Attempt>, StoreError> {
        self.all("SELECT * FROM attempts WHERE effect = ?1 ORDER BY place", [codec::effect(effect)], attempt)
    }

    /// Attempts that landed, or whose nonce was taken, in this block or later, by block.
    pub fn landed_since(&self, block: u64) -> Result<Vec<Attempt>, StoreError> {
        let sql = "SELECT * FROM attempts WHERE landed_block >= ?1 ORDER BY landed_block, place";
        self.all(sql, [Number(block)], attempt)
    }
}

impl Attempts for SqliteStore {
    fn record(&mut self, attempt: &Attempt) -> Result<(), StoreError> {
        self.stand()?;
        let before = self.reader().attempts_of(attempt.effect)?;
        // two nonces that may both land are two payments. The adapter never asks for it; the disk refuses it.
        let may_land = |old: &Attempt| matches!(old.state, AttemptState::Signed | AttemptState::Landed { .. });
        let other = before.iter().find(|old| (old.key, old.nonce) != (attempt.key, attempt.nonce) && may_land(old));
        if let Some(old) = other {
            let detail = format!(
                "effect {} may still land with nonce {} of {}; it cannot be signed with {} of {} as well",
                attempt.effect, old.nonce, old.key, attempt.nonce, attempt.key
            );
            return Err(failed(self.path(), detail));
        }
        // Signing is deterministic: after a crash the same transaction may be recorded once more.
        if let Some(old) = before.iter().find(|old| old.hash == attempt.hash) {
            let same = (old.nonce, &old.raw) == (attempt.nonce, &attempt.raw);
            return if same { Ok(()) } else { Err(failed(self.path(), "two transactions of one hash")) };
        }
        let sql =
            "INSERT INTO attempts (hash, effect, signer, nonce, raw, permit, block, state, landed_block, landed_hash)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let (state, block, hash) = columns(attempt.state);
        let values = (
            attempt.hash.0,
            codec::effect(attempt.effect),
            attempt.key.as_slice(),
            Number(attempt.nonce),
            &attempt.raw,
            &attempt.permit,
            Number(attempt.block),
            state,
            block,
            hash,
        );
        self.write(sql, values).map(drop)
    }

    fn mark(&mut self, hash: B256, state: AttemptState) -> Result<(), StoreError> {
        commit::mark(self.reader(), hash, columns(state))
    }

    fn of(&self, effect: EffectId) -> Result<Vec<Attempt>, StoreError> {
        self.reader().attempts_of(effect)
    }

    fn highest_nonce(&self, key: Address) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT max(nonce) AS nonce FROM attempts WHERE signer = ?1 AND state <> 'lost'";
        let read = |row: &Row<'_>| Ok(row.get::<_, Option<Number>>("nonce")?.map(|nonce| nonce.0));
        self.reader().one(sql, [key.as_slice()], read)
    }

    fn landed_since(&self, block: u64) -> Result<Vec<Attempt>, StoreError> {
        self.reader().landed_since(block)
    }

    fn landed_from_nonce(&self, key: Address, nonce: u64) -> Result<Vec<Attempt>, StoreError> {
        let sql = "SELECT * FROM attempts WHERE landed_block IS NOT NULL AND signer = ?1 AND nonce >= ?2
                   ORDER BY nonce, place";
        self.reader().all(sql, (key.as_slice(), Number(nonce)), attempt)
    }
}

/// A state as it lies in its columns: its word, and where it landed.
pub(crate) type StateColumns = (&'static str, Option<Number>, Option<[u8; 32]>);

fn columns(state: AttemptState) -> StateColumns {
    match state {
        AttemptState::Signed => ("signed", None, None),
        AttemptState::Landed { block, hash } => ("landed", Some(Number(block)), Some(hash.0)),
        AttemptState::Taken { block, hash } => ("taken", Some(Number(block)), Some(hash.0)),
        AttemptState::Lost => ("lost", None, None),
    }
}

fn attempt(row: &Row<'_>) -> rusqlite::Result<Attempt> {
    let state = match row.get::<_, String>("state")?.as_str() {
        "landed" => AttemptState::Landed { block: row.number("landed_block")?, hash: row.hash("landed_hash")? },
        "taken" => AttemptState::Taken { block: row.number("landed_block")?, hash: row.hash("landed_hash")? },
        "lost" => AttemptState::Lost,
        // The column's own check lets nothing else in.
        _ => AttemptState::Signed,
    };
    Ok(Attempt {
        effect: row.effect("effect")?,
        key: Address::new(row.get("signer")?),
        nonce: row.number("nonce")?,
        hash: row.hash("hash")?,
        raw: row.get("raw")?,
        permit: row.get("permit")?,
        block: row.number("block")?,
        state,
    })
}
