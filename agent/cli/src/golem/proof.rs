//! `bardo memory verify`: a life held against the chain, record by record.

use std::process::ExitCode;

use eyre::{Result, WrapErr, bail, eyre};
use golem_chain::lineage::{Chronicle, LineageCheck};
use golem_chain::{Again, HandSettings, LocalKey, OnChain, Signer};
use golem_core::record::{EffectKind, OutcomeResult};
use golem_ports::AttemptState;
use golem_store::Reader;
use golem_view::ProofPicture;

use super::ancestry::{pictures, prove, show_checks};
use super::look;
use super::replay::lived_again;
use super::rules::ShowArguments;
use super::subject::Subject;
use crate::screen;

impl ShowArguments {
    pub(crate) async fn verify(self) -> Result<ExitCode> {
        let subject = self.which.find().await?;
        let (folder, _) = subject.folder()?;
        let reader = look::reader(folder)?;
        let progress = screen::Wait::new(self.json, "living it again");
        let (ok, detail) = lived_again(&reader)?;
        let mut checks = vec![LineageCheck { agent: subject.agent, name: "replay", ok, detail }];
        progress.say("asking for every receipt again");
        checks.extend(outcomes(&subject, &reader, &progress).await?);
        progress.say("reading the chain's logs");
        let chronicle = Chronicle::read(&subject.chain.endpoints, &subject.chain.deployment).await?;
        let Some(golem) = chronicle.golem(subject.agent) else {
            bail!("the birth of agent {} is not confirmed yet; try again in some blocks", subject.agent);
        };
        progress.say("proving the lineage");
        checks.extend(prove(&self.which.home, &subject.chain, &chronicle, golem.lineage).await?);
        progress.end();
        let holds = checks.iter().all(|check| check.ok);
        let checks = pictures(&checks);
        let picture = ProofPicture { golem: subject.name, holds, block: chronicle.to, checks };
        screen::draw_by(self.json, &picture, |proof| show_checks(&proof.checks));
        Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Every verified outcome made again from its receipt and the state after it.
async fn outcomes(subject: &Subject, reader: &Reader, progress: &screen::Wait) -> Result<Vec<LineageCheck>> {
    let (folder, birth) = subject.folder()?;
    // Only reads: the key is made for the moment and signs nothing.
    let eye = OnChain::take_up(
        subject.chain.endpoints.clone(),
        Signer::Local(LocalKey::random()?),
        birth.deployment.clone(),
        &folder.posting(birth)?,
        HandSettings::default(),
    )
    .await
    .wrap_err("the Golem's place on chain cannot be found")?;
    let (mut same, mut pruned, mut wrong) = (0_u64, Vec::new(), Vec::new());
    let records = reader.outcomes_after(0)?;
    for stored in &records {
        let record = &stored.record;
        let history = reader.effect(record.action_id)?;
        let Some(EffectKind::Trade(order)) = history.as_ref().map(|history| history.effect.kind) else {
            wrong.push(format!("{}: its order is not remembered", record.action_id));
            continue;
        };
        let is_told = history
            .and_then(|history| history.closed)
            .is_some_and(|(_, outcome)| matches!(outcome.result, OutcomeResult::Verified(told) if *told == *record));
        if !is_told {
            wrong.push(format!("{}: the journal tells it otherwise", record.action_id));
            continue;
        }
        let attempts = reader.attempts_of(record.action_id)?;
        let Some(landed) = attempts.iter().find(|attempt| matches!(attempt.state, AttemptState::Landed { .. })) else {
            wrong.push(format!("{}: no transaction of it is remembered as landed", record.action_id));
            continue;
        };
        progress.say(&format!("asking for receipt {} of {}", same + 1, records.len()));
        match eye
            .verify_again(record, &order, landed)
            .await
            .map_err(|blind| eyre!("the chain cannot be seen: {}", blind.why))?
        {
            Again::Same => same += 1,
            Again::Pruned(why) => pruned.push(why),
            Again::Differs(why) => wrong.push(format!("tick {}: {why}", record.tick)),
        }
    }
    let detail = if wrong.is_empty() {
        format!("{same} of {} made again from receipt and state, to the last field", records.len())
    } else {
        wrong.join("; ")
    };
    let mut checks = vec![LineageCheck { agent: subject.agent, name: "outcomes", ok: wrong.is_empty(), detail }];
    if let Some(first) = pruned.first() {
        // Nothing is claimed for these: their hashes stand under the outcome roots all the same.
        let detail = format!(
            "{} could not be made again because this node has pruned their state ({first}); ask an archive node with --rpc",
            pruned.len()
        );
        checks.push(LineageCheck { agent: subject.agent, name: "not checked", ok: true, detail });
    }
    Ok(checks)
}
