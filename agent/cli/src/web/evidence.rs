//! P-050. What the evidence of each rule was over a life: lived again from its journal, since only changes are told.

use std::collections::BTreeMap;

use eyre::{Result, eyre};
use golem_core::life::Life;
use golem_core::step::step;
use golem_primitives::PoolName;
use golem_store::Reader;
use golem_view::{EvidenceCurve, ScoreSeries, Series};

/// Passes read at once.
const PAGE: usize = 512;
/// Passes that are lived again at most; of a longer life the curves begin at its newest snapshot.
const MOST_PASSES: u64 = 60_000;

/// A life that is lived again, and what its rules had shown along the way.
pub(super) struct Evidence {
    pass: u64,
    life: Life,
    curves: BTreeMap<(PoolName, u64), Curve>,
}

#[derive(Default)]
struct Curve {
    rule: String,
    evidence: Series,
}

impl Evidence {
    /// From the beginning, or as near to it as is bearable.
    pub(super) fn begin(reader: &Reader, newest: u64) -> Result<Self> {
        let snapshot = reader.latest_snapshot()?.filter(|_| newest > MOST_PASSES);
        let (pass, life) = match snapshot {
            Some(known) => known,
            None => (0, reader.birth()?.ok_or_else(|| eyre!("the life it began with was written by another version"))?),
        };
        Ok(Self { pass, life, curves: BTreeMap::new() })
    }

    /// Lives on to a pass.
    pub(super) fn live_on(&mut self, reader: &Reader, newest: u64) -> Result<()> {
        while self.pass < newest {
            let page = reader.journal(self.pass + 1, PAGE)?;
            if page.is_empty() {
                return Ok(());
            }
            for entry in page.into_iter().take_while(|entry| entry.seq <= newest) {
                self.pass = entry.seq;
                self.life = step(self.life.clone(), &entry.input).life;
                self.note();
            }
        }
        Ok(())
    }

    fn note(&mut self) {
        let Some(trader) = self.life.trader() else { return };
        let tick = self.life.tick();
        for (pool, hand) in trader.hands() {
            for tried in hand.tried() {
                let curve = self.curves.entry((pool, tried.number())).or_default();
                if curve.rule.is_empty() {
                    curve.rule.clone_from(&tried.rule.name);
                }
                curve.evidence.push(tick, (tried.evidence() * 1e6).clamp(0.0, 1e15).round() as i64);
            }
        }
    }

    pub(super) fn curves(&self) -> Vec<EvidenceCurve> {
        let curve = |((pool, number), curve): (&(PoolName, u64), &Curve)| EvidenceCurve {
            pool: pool.to_string(),
            rule: curve.rule.clone(),
            number: *number,
            evidence: ScoreSeries(curve.evidence.coarse(DRAWN)),
        };
        self.curves.iter().map(curve).collect()
    }
}

/// Places of a curve that are told: there is one for each rule.
const DRAWN: usize = 256;
