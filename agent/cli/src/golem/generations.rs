//! How the generations of a line did with what they were given (I-042 to I-046, I-220, I-314, I-317).

use std::collections::BTreeMap;

use golem_chain::lineage::Chronicle;
use golem_inheritance::lineage::{LineageRecord, Reputation};
use golem_inheritance::negentropy::Negentropy;
use golem_primitives::{AgentId, LineageId, Ppm};
use golem_runtime::TestamentFile;
use golem_view::{Gain, GenerationPicture, LinePicture, Millionths};

use super::ancestry::members_here;
use super::connect::Connected;
use super::home::Home;

/// The line as the testaments tell it that are here and that the chain knows; others are left out.
pub(crate) fn line_of(
    home: &Home,
    chain: &Connected,
    chronicle: &Chronicle,
    lineage: LineageId,
) -> eyre::Result<LinePicture> {
    let mut found: BTreeMap<u32, (AgentId, TestamentFile)> = BTreeMap::new();
    for (folder, birth, golem) in members_here(home, chain, chronicle, lineage)? {
        let Ok(bytes) = std::fs::read(folder.testament()) else { continue };
        let is_known = golem.testament.as_ref().is_some_and(|told| told.hash == golem_primitives::keccak256(&bytes));
        let Ok(file) = serde_json::from_slice::<TestamentFile>(&bytes) else { continue };
        if is_known {
            found.insert(file.kin.generation, (birth.agent, file));
        }
    }
    let is_alive = chronicle.lineage(lineage).iter().any(|golem| golem.death.is_none());
    let generations = found.values().filter_map(|(_, file)| file.generation()).collect();
    // A line is ended by nobody here: its owner may always summon the next.
    let record = LineageRecord { lineage, generations, is_alive, is_ended: false };
    let (score, is_better) = record.trend();
    Ok(LinePicture {
        status: record.status().name(),
        score: Millionths(score.micros()),
        band: score.band().name(),
        is_better,
        generations: rows(&found),
    })
}

fn rows(found: &BTreeMap<u32, (AgentId, TestamentFile)>) -> Vec<GenerationPicture> {
    let (mut rows, mut before): (Vec<GenerationPicture>, Option<(Negentropy, Ppm)>) = (Vec::new(), None);
    for (at, (agent, file)) in found.values().enumerate() {
        let Some(measured) = file.measured else { continue };
        let born = Reputation::at_birth(before.map(|(_, mean)| mean), u32::try_from(at).unwrap_or(u32::MAX));
        let reputation = file.actions.iter().fold(born, |known, action| known.after(action.hit));
        let tally = &measured.tally;
        rows.push(GenerationPicture {
            agent: *agent,
            generation: file.kin.generation,
            score: Millionths(measured.score.micros()),
            band: measured.score.band().name(),
            inherited: tally.inherited,
            validated: tally.validated,
            contradicted: tally.contradicted,
            untested: tally.untested(),
            novel: tally.novel(),
            net: Gain(file.generation().map_or(0, |row| row.net_micros)),
            order: measured.negentropy.into(),
            order_rises: before.map(|(order, _)| measured.negentropy.rises_from(&order)),
            reputation: reputation.mean(),
            predecessor_reputation: reputation.predecessor,
            individuation: file.judged(),
        });
        before = Some((measured.negentropy, reputation.mean()));
    }
    rows
}
