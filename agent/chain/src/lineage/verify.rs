//! A lineage proved or refuted, check by check (O-005).

use std::collections::BTreeMap;

use alloy::primitives::{Address, B256, Bytes, hex, keccak256};
use golem_core::outcome_tree::OutcomeTree;
use golem_core::record::{CauseKind, Salt, death_roll};
use golem_primitives::{AgentId, GolemId, LineageId, Tick};
use serde::Serialize;
use serde_json::json;

use super::record::{Beat, GolemOnChain, RollRef};
use super::scan;
use super::{Chronicle, Stage};
use crate::bindings::ILineageRegistry;
use crate::deployment::Deployment;
use crate::endpoints::{EndpointError, Endpoints};
use crate::rolls::RollSchedule;

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineageCheck {
    pub agent: AgentId,
    pub name: &'static str,
    pub ok: bool,
    pub detail: String,
}

/// What the keeper of files can add to what the chain says.
#[derive(Debug, Clone, Default)]
pub struct FileEvidence {
    pub testaments: BTreeMap<AgentId, Vec<u8>>,
    /// For each beat, by its tick, the leaves of its outcome records in order.
    pub outcomes: BTreeMap<AgentId, BTreeMap<Tick, Vec<B256>>>,
    /// The hazards of survived rolls, by tick, in units of 2^-64.
    pub hazards: BTreeMap<AgentId, BTreeMap<Tick, u64>>,
}

/// Whether every check holds.
#[must_use]
pub fn all_hold(checks: &[LineageCheck]) -> bool {
    checks.iter().all(|check| check.ok)
}

/// Proves a lineage from the chain, and whatever `evidence` there is against it.
///
/// # Errors
/// What keeps us from seeing the chain; a check that fails is no error.
pub async fn verify(
    chronicle: &Chronicle,
    lineage: LineageId,
    evidence: &FileEvidence,
    endpoints: &Endpoints,
    deployment: &Deployment,
) -> Result<Vec<LineageCheck>, EndpointError> {
    let mut checks = Vec::new();
    for golem in chronicle.lineage(lineage) {
        let mut table = Table { agent: golem.agent, checks: &mut checks };
        table.birth(golem, chronicle);
        table.vault(golem, endpoints, deployment).await?;
        table.state(golem, chronicle, endpoints, deployment).await?;
        table.beats(golem);
        table.survived_rolls(golem, evidence, endpoints).await?;
        table.outcomes(golem, evidence);
        table.death(golem);
        table.death_roll(golem, endpoints).await?;
        table.testament(golem, evidence);
        table.succession(golem, chronicle);
    }
    Ok(checks)
}

struct Table<'a> {
    agent: AgentId,
    checks: &'a mut Vec<LineageCheck>,
}

impl Table<'_> {
    fn say(&mut self, name: &'static str, ok: bool, detail: impl Into<String>) {
        self.checks.push(LineageCheck { agent: self.agent, name, ok, detail: detail.into() });
    }

    /// A check that holds when nothing speaks against it.
    fn hold(&mut self, name: &'static str, faults: &[String], otherwise: impl Into<String>) {
        let detail = if faults.is_empty() { otherwise.into() } else { faults.join("; ") };
        self.say(name, faults.is_empty(), detail);
    }

    /// L-020: generation and lineage follow from the predecessor; L-013: the identity says the same.
    fn birth(&mut self, golem: &GolemOnChain, chronicle: &Chronicle) {
        let mut faults = Vec::new();
        match golem.predecessor {
            None => {
                if golem.generation != 0 {
                    faults.push(format!("generation {} without a predecessor", golem.generation));
                }
                if golem.agent.0 != alloy::primitives::U256::from(golem.lineage.0) {
                    faults.push(format!("founds lineage {} instead of its own id", golem.lineage));
                }
            }
            Some(before) => match chronicle.golem(before) {
                None => faults.push(format!("its predecessor {before} was never born")),
                Some(before) => {
                    if golem.generation != before.generation + 1 {
                        let (after, was) = (golem.generation, before.generation);
                        faults.push(format!("generation {after} after generation {was}"));
                    }
                    if golem.lineage != before.lineage {
                        faults.push(format!("lineage {} after lineage {}", golem.lineage, before.lineage));
                    }
                }
            },
        }
        let expected = metadata(golem);
        if golem.metadata != expected {
            faults.push(format!("its identity says {} instead of {expected}", golem.metadata));
        }
        self.hold("birth", &faults, format!("generation {} in block {}", golem.generation, golem.born.block));
    }

    /// V-001. The vault is the suite's: an EIP-1167 clone of its implementation, to the byte.
    async fn vault(
        &mut self,
        golem: &GolemOnChain,
        endpoints: &Endpoints,
        deployment: &Deployment,
    ) -> Result<(), EndpointError> {
        const BEFORE: [u8; 10] = hex!("363d3d373d3d3d363d73");
        const BEHIND: [u8; 15] = hex!("5af43d82803e903d91602b57fd5bf3");
        let code: Bytes = endpoints.request("eth_getCode", json!([golem.vault, "latest"])).await?;
        let ours = code[..] == [&BEFORE[..], &deployment.vault[..], &BEHIND[..]].concat();
        let detail =
            if ours { format!("{} is the suite's", golem.vault) } else { "its code is not the suite's".into() };
        self.say("vault", ours, detail);
        Ok(())
    }

    /// L-024: what the logs say is what the registry says.
    async fn state(
        &mut self,
        golem: &GolemOnChain,
        chronicle: &Chronicle,
        endpoints: &Endpoints,
        deployment: &Deployment,
    ) -> Result<(), EndpointError> {
        let call =
            Bytes::from(alloy::sol_types::SolCall::abi_encode(&ILineageRegistry::golemCall { agentId: golem.agent.0 }));
        let at = alloy::primitives::U64::from(chronicle.to);
        let asked = json!([{ "to": deployment.lineage, "input": call }, at]);
        let answer: Bytes = match endpoints.request("eth_call", asked).await {
            Ok(answer) => answer,
            // Nodes that keep no old state cannot be asked; the logs stand by themselves.
            Err(EndpointError::Rpc { message, .. }) => {
                self.say("state", true, format!("not compared: the node has no state of that block ({message})"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        use alloy::sol_types::SolCall;
        let Ok(view) = ILineageRegistry::golemCall::abi_decode_returns(&answer) else {
            self.say("state", false, "the registry answers in another form");
            return Ok(());
        };
        let stage = golem.stage().to_string();
        let testament = golem.testament.as_ref().map(|testament| testament.hash).unwrap_or_default();
        let pairs = [
            ("life", view.life.to_lowercase(), stage),
            ("ticks", view.ticks.to_string(), golem.ticks().to_string()),
            ("generation", view.generation.to_string(), golem.generation.to_string()),
            ("lineage", view.lineage.to_string(), golem.lineage.to_string()),
            ("key", view.key.to_string(), golem.key.to_string()),
            ("vault", view.vault.to_string(), golem.vault.to_string()),
            ("testament", view.testamentHash.to_string(), testament.to_string()),
            ("born", view.born.to_string(), golem.born.time.seconds().to_string()),
            ("last beat", view.lastBeat.to_string(), golem.last_beat().seconds().to_string()),
        ];
        let faults: Vec<String> = pairs
            .into_iter()
            .filter(|(_, chain, logs)| chain != logs)
            .map(|(what, chain, logs)| format!("{what}: the registry says {chain}, the logs {logs}"))
            .collect();
        self.hold("state", &faults, format!("{} at block {}, by logs and registry alike", golem.stage(), chronicle.to));
        Ok(())
    }

    /// L-032: ticks strictly increase, and every number is in its range.
    fn beats(&mut self, golem: &GolemOnChain) {
        let mut faults = Vec::new();
        for pair in golem.beats.windows(2) {
            if pair[1].tick <= pair[0].tick {
                faults.push(format!("tick {} after tick {}", pair[1].tick.get(), pair[0].tick.get()));
            }
        }
        for beat in &golem.beats {
            if beat.phase.is_none() || beat.vitality_ppm > 1_000_000 {
                faults.push(format!("the beat of tick {} is out of range", beat.tick.get()));
            }
        }
        self.hold("beats", &faults, format!("{} beats up to tick {}", golem.beats.len(), golem.ticks()));
    }

    /// Every roll that was survived: recomputed from its block, and judged by the hazard where the record is at hand.
    async fn survived_rolls(
        &mut self,
        golem: &GolemOnChain,
        evidence: &FileEvidence,
        endpoints: &Endpoints,
    ) -> Result<(), EndpointError> {
        let hazards = evidence.hazards.get(&golem.agent);
        let (mut faults, mut above_all, mut judged, mut open) = (Vec::new(), 0_u64, 0_u64, 0_u64);
        let mut last = None;
        for (beat, roll) in golem.beats.iter().flat_map(|beat| beat.rolls.iter().map(move |roll| (beat, roll))) {
            if last.is_some_and(|last| roll.tick <= last) || roll.tick > beat.tick {
                faults.push(format!("the roll of tick {} is out of order", roll.tick.get()));
            }
            last = Some(roll.tick);
        }
        let rolls = rolls_of(golem);
        let past = rolls.iter().filter(|(beat, roll)| roll.block < beat.place.block).map(|(_, roll)| roll.block);
        let headers = scan::blocks(endpoints, past.collect()).await?;
        for (beat, roll) in &rolls {
            let tick = roll.tick.get();
            if roll.block == 0 {
                open += 1;
                continue;
            }
            if roll.block >= beat.place.block {
                faults.push(format!("the roll of tick {tick} names block {}, which was not past", roll.block));
                continue;
            }
            let Some(header) = headers.get(&roll.block) else {
                faults.push(format!("block {} of tick {tick} does not exist", roll.block));
                continue;
            };
            let number = roll_of(golem.vault, roll.tick, header.hash);
            match hazards.and_then(|hazards| hazards.get(&roll.tick)) {
                Some(hazard) if number < *hazard => {
                    faults.push(format!("the roll of tick {tick} was lost, and the Golem lived on"));
                }
                Some(_) => judged += 1,
                None if number >= golem.till.policy.hazard_max => above_all += 1,
                None => open += 1,
            }
        }
        let detail = format!(
            "{judged} survived by their records, {above_all} above any hazard allowed, {open} undecided for want of records"
        );
        self.hold("survived rolls", &faults, detail);
        Ok(())
    }

    /// L-025: the records at hand are the ones the beats committed to.
    fn outcomes(&mut self, golem: &GolemOnChain, evidence: &FileEvidence) {
        let Some(given) = evidence.outcomes.get(&golem.agent) else { return };
        let mut faults = Vec::new();
        let covered: u64 = golem.beats.iter().map(|beat| beat.outcomes).sum();
        for beat in &golem.beats {
            let leaves = given.get(&beat.tick).map(Vec::as_slice).unwrap_or_default();
            faults.extend(outcome_fault(beat, leaves));
        }
        for tick in given.keys().filter(|tick| !golem.beats.iter().any(|beat| beat.tick == **tick)) {
            faults.push(format!("records are given for tick {}, at which there was no beat", tick.get()));
        }
        self.hold("outcome roots", &faults, format!("{covered} records under {} roots", golem.beats.len()));
    }

    fn death(&mut self, golem: &GolemOnChain) {
        if golem.stage() == Stage::Alive {
            return;
        }
        let mut faults = Vec::new();
        match (&golem.dying, &golem.death) {
            (None, _) => faults.push("it died without beginning to".to_owned()),
            (Some(dying), None) if dying.cause.is_none() => faults.push("of no known cause".to_owned()),
            (Some(_), None) => {}
            (Some(dying), Some(death)) => {
                if dying.cause != death.cause || death.cause.is_none() {
                    faults.push(format!("began as {:?}, ended as {:?}", dying.cause, death.cause));
                }
                let beaten = golem.beats.last().map_or(0, |beat| beat.tick.get());
                if death.ticks_lived < beaten {
                    faults.push(format!("{} ticks lived, but {beaten} beaten", death.ticks_lived));
                }
                if death.place.block < dying.place.block {
                    faults.push("it was dead before it began to die".to_owned());
                }
            }
        }
        if let Some(dying) = &golem.dying
            && golem.beats.last().is_some_and(|beat| beat.place.block > dying.place.block)
        {
            faults.push("it beat after it began to die".to_owned());
        }
        let cause = golem.dying.as_ref().and_then(|dying| dying.cause).map_or("unknown", CauseKind::name);
        self.hold("death", &faults, format!("{cause}, {}", golem.stage()));
    }

    /// T-002: the roll that killed is the block's, and below a hazard the policy allows.
    async fn death_roll(&mut self, golem: &GolemOnChain, endpoints: &Endpoints) -> Result<(), EndpointError> {
        let stochastic = golem.dying.as_ref().is_some_and(|dying| dying.cause == Some(CauseKind::Stochastic));
        let claim = match golem.roll {
            None if stochastic => {
                self.say("death roll", false, "a stochastic death without a roll");
                return Ok(());
            }
            None => return Ok(()),
            Some(claim) => claim,
        };
        let mut faults = Vec::new();
        if !stochastic {
            faults.push("a roll, but another cause".to_owned());
        }
        match endpoints.block(claim.block).await? {
            None => faults.push(format!("block {} does not exist", claim.block)),
            Some(header) => {
                let number = roll_of(golem.vault, claim.tick, header.hash);
                if number != claim.roll {
                    faults.push(format!("claimed {:#018x}, recomputed {number:#018x}", claim.roll));
                }
            }
        }
        if claim.roll >= claim.hazard {
            faults.push("the roll was survived".to_owned());
        }
        let announced =
            golem.beats.last().is_some_and(|beat| schedule_of(beat).block_of(claim.tick) == Some(claim.block));
        if claim.verified && !announced {
            faults.push("the chain calls it verified, and no beat announced its block".to_owned());
        }
        if claim.hazard > golem.till.policy.hazard_max {
            faults.push(format!("hazard {} above the policy's {}", claim.hazard, golem.till.policy.hazard_max));
        }
        let chosen = if announced { "announced" } else { "not announced, so whoever held the key could choose it" };
        let (tick, block) = (claim.tick.get(), claim.block);
        let detail = format!("tick {tick}, block {block}: {:#018x} recomputed; {chosen}", claim.roll);
        self.hold("death roll", &faults, detail);
        Ok(())
    }

    fn testament(&mut self, golem: &GolemOnChain, evidence: &FileEvidence) {
        let recorded = golem.testament.as_ref().map(|testament| testament.hash).filter(|hash| !hash.is_zero());
        match (recorded, evidence.testaments.get(&golem.agent)) {
            (None, None) => {}
            (None, Some(_)) => self.say("testament", false, "a file, but none on record"),
            (Some(hash), None) => self.say("testament", true, format!("{hash} on record, no file given")),
            (Some(hash), Some(bytes)) => {
                let found = keccak256(bytes);
                let detail = if found == hash {
                    format!("{} bytes hash to {hash}", bytes.len())
                } else {
                    format!("the file hashes to {found}, on record is {hash}")
                };
                self.say("testament", found == hash, detail);
            }
        }
    }

    /// L-021, T-022: one successor, of a dead one, with another playbook.
    fn succession(&mut self, golem: &GolemOnChain, chronicle: &Chronicle) {
        let after: Vec<&GolemOnChain> =
            chronicle.golems.values().filter(|other| other.predecessor == Some(golem.agent)).collect();
        let Some(first) = after.first() else { return };
        let mut faults = Vec::new();
        if after.len() > 1 {
            faults.push(format!("{} successors", after.len()));
        }
        match &golem.death {
            None => faults.push("succeeded alive".to_owned()),
            Some(death) if death.place.block > first.born.block => faults.push("succeeded before its death".to_owned()),
            Some(_) => {}
        }
        let left = golem
            .testament
            .as_ref()
            .filter(|testament| testament.place.block <= first.born.block)
            .map(|testament| testament.playbook_digest);
        if first.born_with.is_zero() || left == Some(first.born_with) {
            faults.push("the successor's playbook does not differ".to_owned());
        }
        self.hold("successor", &faults, format!("{} in block {}", first.agent, first.born.block));
    }
}

/// M-096, R-003. The roll of a tick, from what the chain knows of it.
fn roll_of(vault: Address, tick: Tick, block_hash: B256) -> u64 {
    death_roll(&GolemId::from_vault(vault), tick, Salt::Block(block_hash)).0
}

/// What a beat announced.
const fn schedule_of(beat: &Beat) -> RollSchedule {
    RollSchedule { tick: beat.tick, block: beat.place.block, stride: beat.roll_stride }
}

/// L-025, R-003. Every roll that was survived, each with the beat that covers it: those with a record as it says, and those
/// without by the schedule of the beat before. The tick of a beat rolls behind it and has its record in the next. A tick whose block was not past when the beat came has not rolled with it;
/// that it has no record either is for the check to say.
fn rolls_of(golem: &GolemOnChain) -> Vec<(&Beat, RollRef)> {
    let told: BTreeMap<Tick, (&Beat, RollRef)> =
        golem.beats.iter().flat_map(|beat| beat.rolls.iter().map(move |roll| (roll.tick, (beat, *roll)))).collect();
    let mut rolls: Vec<_> = told.values().copied().collect();
    for pair in golem.beats.windows(2) {
        let schedule = schedule_of(&pair[0]);
        for tick in pair[0].tick.get().saturating_add(1)..pair[1].tick.get() {
            let tick = Tick::new(tick);
            let Some(block) = schedule.block_of(tick) else { break };
            if !told.contains_key(&tick) {
                rolls.push((&pair[1], RollRef { tick, block }));
            }
            // One that was not past is enough to be told of.
            if block >= pair[1].place.block {
                break;
            }
        }
    }
    rolls.sort_by_key(|(_, roll)| roll.tick);
    rolls
}

fn outcome_fault(beat: &Beat, leaves: &[B256]) -> Option<String> {
    let tree = OutcomeTree::new(leaves.to_vec());
    let tick = beat.tick.get();
    if u64::try_from(leaves.len()) != Ok(beat.outcomes) {
        return Some(format!("the beat of tick {tick} covers {} records, {} are given", beat.outcomes, leaves.len()));
    }
    (tree.root() != beat.outcome_root).then(|| format!("the records of the beat of tick {tick} give another root"))
}

/// L-013. Lineage u32, generation u16, predecessor u40 (all ones for none), vault.
fn metadata(golem: &GolemOnChain) -> Bytes {
    let predecessor = golem.predecessor.map_or(u64::MAX, |agent| agent.0.saturating_to());
    let mut bytes = Vec::with_capacity(31);
    bytes.extend_from_slice(&golem.lineage.0.to_be_bytes()[4..]);
    bytes.extend_from_slice(&golem.generation.to_be_bytes()[6..]);
    bytes.extend_from_slice(&predecessor.to_be_bytes()[3..]);
    bytes.extend_from_slice(golem.vault.as_slice());
    bytes.into()
}
