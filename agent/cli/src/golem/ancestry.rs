//! `bardo line lineage`: who came from whom, and whether it is true (O-005).

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use eyre::{Result, WrapErr, bail};
use golem_chain::lineage::{Chronicle, FileEvidence, GolemOnChain, LineageCheck, all_hold, verify};
use golem_core::record::Event;
use golem_mortality::event::LawEvent;
use golem_primitives::{AgentId, B256, LineageId, Tick};
use golem_runtime::{BeatContent, leaf};
use golem_store::Reader;
use golem_view::{AsKept, CheckPicture, LineagePicture, MemberPicture, Tested, TracePicture, table_of};

use super::connect::Connected;
use super::generations::line_of;
use super::home::{BirthCertificate, Folder, Home};
use super::subject::Which;
use super::{inherited_entries, look};
use crate::screen;

/// The note under which the runtime keeps what each report covered.
const BEATS: &str = "beats";
#[derive(Debug, Args)]
pub(crate) struct LineageArguments {
    #[command(flatten)]
    which: Which,
    /// Prove it: births, deaths, successors, testaments, outcome roots, rolls, and every entry that was inherited. Exit
    /// code 1 when anything is wrong.
    #[arg(long)]
    verify: bool,
    /// A JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

impl LineageArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let progress = screen::Wait::new(self.json, "reading the chain's logs");
        let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
        if self.verify {
            progress.say("proving");
        }
        let picture = line_picture(&self.which.home, &subject.chain, &chronicle, subject.agent, self.verify).await?;
        progress.end();
        screen::draw_by(self.json, &picture, show);
        Ok(if picture.holds.unwrap_or(true) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The line of a Golem by the chain's logs, and whether it is true where that is asked.
pub(crate) async fn line_picture(
    home: &Home,
    chain: &Connected,
    chronicle: &Chronicle,
    agent: AgentId,
    verify: bool,
) -> Result<LineagePicture> {
    let Some(golem) = chronicle.golem(agent) else {
        bail!("the birth of agent {agent} is not confirmed yet; try again in some blocks");
    };
    let lineage = golem.lineage;
    let (mut checks, mut traces) = (None, Vec::new());
    if verify {
        let mut proved = prove(home, chain, chronicle, lineage).await?;
        let inherited = inherited_entries::trace(home, chain, chronicle, lineage)?;
        proved.extend(inherited.1);
        (checks, traces) = (Some(proved), inherited.0);
    }
    Ok(LineagePicture {
        lineage,
        block: chronicle.to,
        members: members(chronicle, lineage),
        checks: checks.as_deref().map(pictures),
        entries: traces,
        holds: checks.as_deref().map(all_hold),
        line: line_of(home, chain, chronicle, lineage)?,
    })
}

fn members(chronicle: &Chronicle, lineage: LineageId) -> Vec<MemberPicture> {
    let member = |golem: &GolemOnChain| MemberPicture {
        generation: golem.generation,
        agent: golem.agent,
        life: golem.stage().to_string(),
        ticks: golem.ticks(),
        born: golem.born.time,
        cause: golem.dying.as_ref().and_then(|dying| dying.cause).map(|cause| cause.name()),
        testament: golem.testament.as_ref().map(|testament| testament.hash).filter(|hash| !hash.is_zero()),
        owner: golem.owner,
        record: AsKept::of(golem),
    };
    chronicle.lineage(lineage).into_iter().map(member).collect()
}

fn show(picture: &LineagePicture) {
    let LineagePicture { lineage, block, members, checks, entries, line, .. } = picture;
    // An address has 42 letters.
    let heading = format!("Lineage {lineage}, by the logs up to block {block}");
    screen::show(&table_of(&heading, members).narrowed(42));
    if !line.generations.is_empty() {
        screen::show(&table_of("What each generation made of what it was given", &line.generations));
        println!("\n{}", line.told());
    }
    if !entries.is_empty() {
        screen::show(&TracePicture::through(entries));
    }
    if let Some(checks) = checks {
        show_checks(checks);
    }
}

pub(crate) fn pictures(checks: &[LineageCheck]) -> Vec<CheckPicture> {
    let told = |check: &LineageCheck| CheckPicture {
        ok: Tested(check.ok),
        agent: check.agent,
        name: check.name,
        detail: check.detail.clone(),
    };
    checks.iter().map(told).collect()
}

pub(crate) fn show_checks(checks: &[CheckPicture]) {
    screen::show(&table_of("Proof", checks));
    println!("\n{}", CheckPicture::told(checks));
}

/// Proves a lineage with the records of this machine.
pub(crate) async fn prove(
    home: &Home,
    chain: &Connected,
    chronicle: &Chronicle,
    lineage: LineageId,
) -> Result<Vec<LineageCheck>> {
    let evidence = evidence(home, chain, chronicle, lineage)?;
    Ok(verify(chronicle, lineage, &evidence, &chain.endpoints, &chain.deployment).await?)
}

/// The members of a lineage whose folders are on this machine, each with what the chain's logs say of it.
pub(super) fn members_here<'logs>(
    home: &Home,
    chain: &Connected,
    chronicle: &'logs Chronicle,
    lineage: LineageId,
) -> Result<Vec<(Folder, BirthCertificate, &'logs GolemOnChain)>> {
    let member = |folder: Folder| {
        let birth = folder.birth().ok().filter(|birth| birth.is_of(&chain.deployment))?;
        let golem = chronicle.golem(birth.agent).filter(|golem| golem.lineage == lineage)?;
        Some((folder, birth, golem))
    };
    Ok(home.all()?.into_iter().filter_map(member).collect())
}

/// What the files of this machine say of the members of a lineage.
fn evidence(home: &Home, chain: &Connected, chronicle: &Chronicle, lineage: LineageId) -> Result<FileEvidence> {
    let mut evidence = FileEvidence::default();
    for (folder, birth, golem) in members_here(home, chain, chronicle, lineage)? {
        let path = folder.testament();
        if golem.death.is_some() && path.exists() {
            let bytes = std::fs::read(&path).wrap_err_with(|| format!("cannot read {}", path.display()))?;
            evidence.testaments.insert(birth.agent, bytes);
        }
        let reader = look::reader(&folder)?;
        // A report that never landed is no claim; only those the chain has are held against the records.
        let landed: Vec<Tick> = golem.beats.iter().map(|beat| beat.tick).collect();
        let leaves = leaves(&reader)?.into_iter().filter(|(tick, _)| landed.contains(tick)).collect();
        evidence.outcomes.insert(birth.agent, leaves);
        evidence.hazards.insert(birth.agent, hazards(&reader)?);
    }
    Ok(evidence)
}

/// For each report, the leaves of the records it covers.
pub(crate) fn leaves(reader: &Reader) -> Result<Vec<(Tick, Vec<B256>)>> {
    let beats: Vec<BeatContent> = match reader.note(BEATS)? {
        Some(text) => serde_json::from_str(&text).wrap_err("what the reports covered cannot be read")?,
        None => Vec::new(),
    };
    let outcomes = reader.outcomes_after(0)?;
    let of = |beat: &BeatContent| {
        outcomes
            .iter()
            .filter(|outcome| outcome.seq > beat.after && outcome.seq <= beat.upto)
            .map(|outcome| leaf(&outcome.record))
            .collect()
    };
    Ok(beats.iter().map(|beat| (beat.tick, of(beat))).collect())
}

/// The hazard of every roll, in units of 2^-64.
fn hazards(reader: &Reader) -> Result<BTreeMap<Tick, u64>> {
    let mut hazards = BTreeMap::new();
    look::each_event(reader, |stored| {
        if let Event::Mortality(LawEvent::StochasticRoll { hazard_rate, .. }) = &stored.event {
            hazards.insert(stored.tick, hazard_rate.as_fraction());
        }
    })?;
    Ok(hazards)
}
