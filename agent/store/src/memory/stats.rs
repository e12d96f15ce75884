//! The Grimoire in numbers.

use std::collections::BTreeMap;

use golem_core::record::Curated;
use golem_grimoire::health::{is_hit_rate_healthy, is_survival_healthy};
use golem_grimoire::id::Moment;
use golem_ports::{EmbeddingState, StoreError};
use golem_primitives::{Ppm, Tick};

use super::columns::Words;
use crate::codec::{Columns, tick};
use crate::reader::Reader;

/// Cycles that are shown.
const CYCLES: usize = 5;
/// G-156. Ticks after which a heuristic has survived or has not.
const SURVIVAL_TICKS: u64 = 100;

/// The Grimoire in numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GrimoireStats {
    /// Entries by state, burned ones among them.
    pub by_status: BTreeMap<String, u64>,
    /// Living entries by type.
    pub by_kind: BTreeMap<String, u64>,
    /// Living entries by domain.
    pub by_domain: BTreeMap<String, u64>,
    /// Living entries by source.
    pub by_provenance: BTreeMap<String, u64>,
    /// Living entries by tenth of confidence, undecayed.
    pub confidence: [u64; 10],
    /// Living entries by tenth of quality.
    pub quality: [u64; 10],
    /// G-171. Living entries that ask.
    pub open_questions: u64,
    /// G-167. Their share; `None` without entries.
    pub question_ratio: Option<Ppm>,
    /// Drafts in quarantine.
    pub quarantined: u64,
    /// Arrivals that wait for their hour.
    pub waiting: u64,
    pub episodes: u64,
    /// Episodes no cycle has looked at.
    pub fresh_episodes: u64,
    /// G-006. Models and how far they have come.
    pub embedding: EmbeddingState,
    /// The last cycles, newest first.
    pub cycles: Vec<(Moment, Curated)>,
    /// The newest PLAYBOOK; zero was never written.
    pub playbook_version: u64,
    /// G-156. Whether as many heuristics survive as should; `None` while there are none to tell by.
    pub is_survival_healthy: Option<bool>,
    /// G-156. Whether retrieval is of use; `None` while nothing was retrieved.
    pub is_hit_rate_healthy: Option<bool>,
}

impl Reader {
    /// The Grimoire in numbers, at a tick.
    pub fn grimoire_stats(&self, now: Tick) -> Result<GrimoireStats, StoreError> {
        let _look = crate::reader::look(self)?;
        let living =
            |column: &str| format!("SELECT {column}, count(*) FROM entries WHERE status <> 'archived' GROUP BY 1");
        let by_status = "SELECT status, count(*) FROM entries GROUP BY 1
                         UNION ALL SELECT 'burned', count(*) FROM burned HAVING count(*) > 0";
        let count = |sql: &str| self.one(sql, (), |row| Columns::number(row, "count"));
        let questions = count("SELECT count(*) AS count FROM entries WHERE status <> 'archived' AND is_open_question")?;
        let total = count("SELECT count(*) AS count FROM entries WHERE status <> 'archived'")?;
        Ok(GrimoireStats {
            by_status: self.counted(by_status)?,
            by_kind: self.counted(&living("kind"))?,
            by_domain: self.counted(&living("domain"))?,
            by_provenance: self.counted(&living("provenance"))?,
            confidence: self.tenths("confidence")?,
            quality: self.tenths("quality")?,
            open_questions: questions,
            question_ratio: (total > 0).then(|| Ppm::saturating(questions * 1_000_000 / total.max(1))),
            quarantined: count("SELECT count(*) AS count FROM quarantine")?,
            waiting: count("SELECT count(*) AS count FROM arrivals")?,
            episodes: count("SELECT count(*) AS count FROM episodes")?,
            fresh_episodes: count("SELECT count(*) AS count FROM annotations WHERE is_consolidated = 0")?,
            embedding: self.embedding_state()?,
            cycles: self.last_cycles(CYCLES)?,
            playbook_version: count("SELECT coalesce(max(version), 0) AS count FROM playbooks")?,
            is_survival_healthy: self.survival(now)?,
            is_hit_rate_healthy: self.hit_rate()?,
        })
    }

    fn counted(&self, sql: &str) -> Result<BTreeMap<String, u64>, StoreError> {
        let rows = self.all(sql, (), |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
        Ok(rows.into_iter().map(|(word, count)| (word, count.unsigned_abs())).collect())
    }

    fn tenths(&self, column: &str) -> Result<[u64; 10], StoreError> {
        let sql = format!(
            "SELECT min({column} / 100000, 9) AS tenth, count(*) AS count FROM entries
             WHERE status <> 'archived' GROUP BY 1"
        );
        let mut tenths = [0; 10];
        for (tenth, count) in
            self.all(&sql, (), |row| Ok((Words::small(row, "tenth")?, Columns::number(row, "count")?)))?
        {
            if let Some(place) = tenths.get_mut(tenth as usize) {
                *place = count;
            }
        }
        Ok(tenths)
    }

    /// G-156. Heuristics a hundred ticks old and older: those still alive, of all there were.
    fn survival(&self, now: Tick) -> Result<Option<bool>, StoreError> {
        let sql = "SELECT count(*) FILTER (WHERE status <> 'archived') AS alive,
                   count(*) + (SELECT count(*) FROM burned WHERE kind = 'heuristic') AS total
                   FROM entries WHERE kind = 'heuristic' AND recorded_tick <= ?1";
        let old = Tick::new(now.get().saturating_sub(SURVIVAL_TICKS));
        let (alive, total) =
            self.one(sql, [tick(old)], |row| Ok((Words::small(row, "alive")?, Words::small(row, "total")?)))?;
        Ok(is_survival_healthy(alive, total))
    }

    fn hit_rate(&self) -> Result<Option<bool>, StoreError> {
        let sql = "SELECT coalesce(sum(useful_count), 0) AS useful, coalesce(sum(access_count), 0) AS accessed
                   FROM entries";
        let (useful, accessed) =
            self.one(sql, (), |row| Ok((Columns::number(row, "useful")?, Columns::number(row, "accessed")?)))?;
        let clip = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(is_hit_rate_healthy(clip(useful), clip(accessed)))
    }
}
