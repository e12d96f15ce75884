//! How the generations of a line did with what they were given (I-042 to I-046, I-220, I-314, I-317).

use std::collections::BTreeMap;

use golem_chain::lineage::Chronicle;
use golem_inheritance::lineage::{LineageRecord, Reputation};
use golem_inheritance::negentropy::Negentropy;
use golem_primitives::{AgentId, LineageId, Ppm};
use golem_runtime::TestamentFile;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Connected, Home};
use crate::screen;

/// What the testament of one generation says of it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    agent: String,
    generation: u32,
    /// I-042, I-043. Its score and what that means; of a first generation it has no upper end.
    score_micros: i64,
    band: &'static str,
    /// I-045. What it was given, and what became of that.
    inherited: u32,
    validated: u32,
    contradicted: u32,
    untested: u32,
    novel: u64,
    net_micros: i64,
    /// I-220, I-221. Signs of order, and whether they rose since the generation before.
    order: Negentropy,
    order_rises: Option<bool>,
    /// I-314. Its own record, from nothing at birth; the predecessor's is for the eye alone.
    reputation: Ppm,
    predecessor_reputation: Option<Ppm>,
    /// I-203, I-204. The verdict of the five checks.
    individuation: String,
}

/// The line as this machine's testaments tell it.
#[derive(Debug, Clone)]
pub(crate) struct Generations {
    rows: Vec<Row>,
    record: LineageRecord,
}

impl Generations {
    /// Of the testaments of a line that are here and that the chain knows; others are left out.
    pub(crate) fn of(home: &Home, chain: &Connected, chronicle: &Chronicle, lineage: LineageId) -> eyre::Result<Self> {
        let mut found: BTreeMap<u32, (AgentId, TestamentFile)> = BTreeMap::new();
        for folder in home.all()? {
            let Ok(birth) = folder.birth() else { continue };
            let is_here = birth.deployment.lineage == chain.deployment.lineage
                && birth.deployment.chain_id == chain.deployment.chain_id;
            let Some(golem) = chronicle.golem(birth.agent).filter(|golem| is_here && golem.lineage == lineage) else {
                continue;
            };
            let Ok(bytes) = std::fs::read(folder.testament()) else { continue };
            let is_known =
                golem.testament.as_ref().is_some_and(|told| told.hash == golem_primitives::keccak256(&bytes));
            let Ok(file) = serde_json::from_slice::<TestamentFile>(&bytes) else { continue };
            if is_known {
                found.insert(file.kin.generation, (birth.agent, file));
            }
        }
        let is_alive = chronicle.lineage(lineage).iter().any(|golem| golem.death.is_none());
        let generations = found.values().filter_map(|(_, file)| file.generation()).collect();
        // A line is ended by nobody here: its owner may always summon the next.
        let record = LineageRecord { lineage, generations, is_alive, is_ended: false };
        Ok(Self { rows: rows(&found), record })
    }

    pub(crate) fn picture(&self) -> Value {
        let (score, is_better) = self.record.trend();
        json!({ "status": self.record.status().name(), "score_micros": score.micros(), "is_better": is_better, "generations": self.rows })
    }

    pub(crate) fn show(&self) {
        if self.rows.is_empty() {
            return;
        }
        let columns = [
            "generation",
            "agent",
            "score",
            "new",
            "confirmed",
            "refuted",
            "untested",
            "order",
            "reputation",
            "became",
        ];
        let mut table = vec![columns.map(str::to_owned).to_vec()];
        table.extend(self.rows.iter().map(|row| {
            let order = match row.order_rises {
                Some(true) => "rises",
                Some(false) => "does not rise",
                None => "-",
            };
            vec![
                row.generation.to_string(),
                row.agent.clone(),
                format!("{:.3} {}", row.score_micros as f64 / 1e6, row.band),
                row.novel.to_string(),
                format!("{} of {}", row.validated, row.inherited),
                row.contradicted.to_string(),
                row.untested.to_string(),
                order.to_owned(),
                row.reputation.to_string(),
                row.individuation.clone(),
            ]
        }));
        screen::table("What each generation made of what it was given", &table);
        let (score, is_better) = self.record.trend();
        let trend = match is_better {
            Some(true) => ", the last better than the one before",
            Some(false) => ", the last no better than the one before",
            None => "",
        };
        println!("\nThe line is {}; its score is {score} ({}){trend}.", self.record.status(), score.band());
    }
}

fn rows(found: &BTreeMap<u32, (AgentId, TestamentFile)>) -> Vec<Row> {
    let (mut rows, mut before): (Vec<Row>, Option<(Negentropy, Ppm)>) = (Vec::new(), None);
    for (at, (agent, file)) in found.values().enumerate() {
        let Some(measured) = file.measured else { continue };
        let born = Reputation::at_birth(before.map(|(_, mean)| mean), u32::try_from(at).unwrap_or(u32::MAX));
        let reputation = file.actions.iter().fold(born, |known, action| known.after(action.hit));
        let tally = &measured.tally;
        rows.push(Row {
            agent: agent.to_string(),
            generation: file.kin.generation,
            score_micros: measured.score.micros(),
            band: measured.score.band().name(),
            inherited: tally.inherited,
            validated: tally.validated,
            contradicted: tally.contradicted,
            untested: tally.untested(),
            novel: tally.novel(),
            net_micros: file.generation().map_or(0, |row| row.net_micros),
            order: measured.negentropy,
            order_rises: before.map(|(order, _)| measured.negentropy.rises_from(&order)),
            reputation: reputation.mean(),
            predecessor_reputation: reputation.predecessor,
            individuation: file.judged(),
        });
        before = Some((measured.negentropy, reputation.mean()));
    }
    rows
}
