//! What a death bundle proves of itself, and what the chain says of it, layer by layer.

use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use eyre::{Result, WrapErr};
use golem_chain::Attestation;
use golem_inheritance::death_bundle::File;
use golem_primitives::{AgentId, keccak256};
use golem_runtime::{Kin, LegacyBundle, MOST_BYTES};
use golem_view::{FindingPicture, LayersPicture, table_of};

use crate::golem::connect::Connected;
use crate::screen;

pub(crate) fn layer(what: &'static str, ok: bool, detail: impl Into<String>) -> FindingPicture {
    FindingPicture::new(what, ok, detail, "")
}

/// Reads a bundle whole; what is too large is not read at all.
pub(crate) fn read(path: &Path) -> Result<LegacyBundle> {
    let shown = path.display();
    let file = std::fs::File::open(path)
        .wrap_err_with(|| format!("there is no bundle {shown}; a Golem leaves one when it has died"))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).wrap_err_with(|| format!("cannot read {shown}"))?;
    LegacyBundle::read(&bytes).wrap_err_with(|| format!("{shown} is refused"))
}

/// Tells of every layer, and whether all pass.
pub(crate) fn show_layers(json: bool, heading: &str, layers: Vec<FindingPicture>) -> ExitCode {
    let holds = FindingPicture::all_ok(&layers);
    let picture = LayersPicture { holds, layers };
    screen::draw_by(json, &picture, |proof| screen::show(&table_of(heading, &proof.layers)));
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// I-010, T-007. What the chain says of a bundle, layer by layer. That its files are whole was seen when it was read.
pub(crate) async fn against_chain(bundle: &LegacyBundle, chain: &Connected) -> Result<Vec<FindingPicture>> {
    let kin = &bundle.kin;
    let mut layers = vec![layer("manifest", true, format!("{} bytes, as listed", bundle.manifest.size()))];
    let agent = match of_chain(kin, chain.deployment.chain_id) {
        Ok(agent) => agent,
        Err(foreign) => {
            layers.push(foreign);
            return Ok(layers);
        }
    };
    let known = match chain.onlooker()?.golem(agent).await {
        Ok(known) => known,
        // A chain that cannot be read says nothing against it.
        Err(error) if error.may_retry() => {
            return Err(error).wrap_err("the chain cannot be asked about the bundle; try again");
        }
        Err(error) => {
            layers.push(layer("chain", false, format!("this chain knows no agent {agent}: {error}")));
            return Ok(layers);
        }
    };
    let generation: u32 = known.generation.saturating_to();
    let lineage: u64 = known.lineage.saturating_to();
    let is_same = known.vault == kin.vault && generation == kin.generation && lineage == kin.lineage.0;
    let place = format!("agent {agent}, vault {}, lineage {lineage}, generation {generation}", known.vault);
    layers.push(layer("chain", is_same, place));
    layers.push(layer("death", known.life.eq_ignore_ascii_case("dead"), format!("the chain says {}", known.life)));
    let sealed = bundle.sealed();
    layers.push(same("testament", sealed.testament, known.testamentHash));
    layers.push(same("genome", bundle.genome_root(), known.genomeRoot));
    // One that died before it had a rule leaves the digest it was born with.
    if let Some(text) = bundle.file(File::Playbook).filter(|text| !text.is_empty()) {
        layers.push(same("playbook", keccak256(text), known.playbookDigest));
    }
    let left = Attestation { chain: kin.chain, vault: kin.vault, testament: sealed.testament, bundle: sealed.bundle };
    let signed = bundle.signature.as_ref().and_then(|signature| left.signed_by(signature));
    let detail = match signed {
        Some(by) if by == kin.key => format!("by its key {by}"),
        Some(by) => format!("by {by}, which is not its key {}", kin.key),
        None => "there is no signature of its key".to_owned(),
    };
    layers.push(layer("signature", signed == Some(kin.key), detail));
    Ok(layers)
}

/// Who it was on this chain; a life of another chain, or of none, is refused before anybody is asked.
fn of_chain(kin: &Kin, here: u64) -> Result<AgentId, FindingPicture> {
    if kin.chain != here {
        let why = format!("it died on chain {}, this is chain {here}; name its chain with --rpc", kin.chain);
        return Err(layer("chain", false, why));
    }
    kin.agent.ok_or_else(|| layer("chain", false, "it was never born on a chain"))
}

fn same(what: &'static str, ours: golem_primitives::B256, theirs: golem_primitives::B256) -> FindingPicture {
    let detail = if ours == theirs { format!("{ours}") } else { format!("it is {ours}, the chain recorded {theirs}") };
    layer(what, ours == theirs, detail)
}

#[cfg(test)]
mod tests {
    use golem_primitives::U256;

    use super::*;

    /// I-010: a bundle of another chain, and one of a life on paper, are refused at the layer `chain`.
    #[test]
    fn i_010_a_bundle_of_another_chain_is_refused_at_its_layer() {
        let agent = AgentId(U256::from(7));
        let kin = Kin { chain: 8_453, agent: Some(agent), ..Kin::default() };
        assert_eq!(of_chain(&kin, 8_453), Ok(agent));
        let foreign = of_chain(&kin, 31_337).expect_err("another chain");
        assert!(foreign.what == "chain" && !foreign.ok.0 && foreign.detail.contains("8453"), "{foreign:?}");
        let paper = of_chain(&Kin { agent: None, ..kin }, 8_453).expect_err("nobody");
        assert!(paper.what == "chain" && !paper.ok.0, "{paper:?}");
    }
}
