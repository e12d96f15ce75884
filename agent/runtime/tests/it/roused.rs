//! What ends a dream before its time, and what is told of dreams while they last.

use std::collections::BTreeSet;

use golem_core::record::{Command, KillOrder, Reason, WakeSource};
use golem_dreams::integration::journal::CycleEnding;
use golem_dreams::words::{DreamPhase, DreamTier};
use golem_primitives::{Address, Usdc};
use golem_runtime::{House, OwnerWord};
use serde_json::Value;
use tempfile::TempDir;

use crate::dreaming::{COST, Manner, Muse, QUOTE, asleep, grown, law, until_dreamt, until_silent};
use crate::fake::{FakeChain, born, id, live, reopen, resume};

/// D-175, D-190, D-193, D-244: the owner, the market, a sibling's death and its own each end a dream with a partial journal and nothing else, in
/// whichever phase somebody is asked. Integration asks nobody, so nothing comes between its beginning and its end.
#[tokio::test]
async fn d_193_an_interrupt_in_any_phase_leaves_a_partial_journal_and_nothing_else() {
    let phases = [DreamPhase::Onset, DreamPhase::Nrem, DreamPhase::Rem, DreamPhase::Return];
    let sources = [WakeSource::Owner, WakeSource::Death, WakeSource::Market, WakeSource::CladeAlert];
    for (phase, source) in phases.into_iter().flat_map(|phase| sources.map(|source| (phase, source))) {
        let dir = TempDir::new().expect("a folder");
        let chain = grown(dir.path()).await;
        let muse = Muse::new(Manner::HangsIn(phase));
        let mut law = law(DreamTier::Hardened);
        law.wake.thresholds[0].percent = 1;
        let mut runtime = asleep(dir.path(), reopen(dir.path(), "ada"), &chain, law, Some(&muse));
        let effect = until_silent(dir.path(), &mut runtime, &muse).await;
        let reader = runtime.store().reader();
        let known = reader.grimoire().expect("readable");
        let playbook = reader.playbook(None).expect("readable");
        match source {
            WakeSource::Owner => OwnerWord::Wake.leave(dir.path()).expect("left"),
            WakeSource::Death => runtime.command(Command::Kill(KillOrder::Owner(reason()))),
            WakeSource::CladeAlert => {
                let house = House::default();
                runtime.join(Box::new(house.take_in(id("ada"), Address::ZERO, 0)));
                let kin = TempDir::new().expect("a folder");
                let mut sibling = resume(kin.path(), "bob", born(kin.path(), "bob"), &FakeChain::default());
                sibling.join(Box::new(house.take_in(id("bob"), Address::ZERO, 0)));
                live(&mut sibling, 3).await;
                sibling.command(Command::Kill(KillOrder::Owner(reason())));
                sibling.tick().await.expect("its death begins");
            }
            _ => chain.set(|script| script.hurries = true),
        }
        until_dreamt(&mut runtime, 1).await;
        let reader = runtime.store().reader();
        let dream = reader.dreamt(effect).expect("readable").expect("its journal");
        let CycleEnding::Interrupted { wake, phase: at } = &dream.entry.ending else { panic!("{:?}", dream.entry) };
        assert_eq!((wake.source, *at), (source, phase));
        let answered = Usdc::from_micros(COST.micros() * (muse.asked() as u64 - 1));
        assert_eq!(dream.cost, QUOTE.saturating_add(answered), "{source} in {phase}: what was out is booked whole");
        let after = reader.dream_episodes().expect("readable");
        assert!(after.iter().all(|one| one.notes.replay_count == 0), "{source} in {phase}: nothing was replayed");
        if source == WakeSource::Owner {
            assert_eq!(reader.grimoire().expect("readable"), known, "{phase}");
            assert_eq!(reader.playbook(None).expect("readable"), playbook, "{phase}");
        }
    }
}

fn reason() -> Reason {
    Reason::new("as the test says").expect("short")
}

/// Names of the catalogue, by where they are told: in the file of events with the life's own, or beside it to whoever
/// listens while it happens.
const IN_FILE: [&str; 4] = ["dream.start", "dream.complete", "mode_change", "dream_complete"];
const LIVE: [&str; 10] = [
    "dream.phase",
    "dream.hypothesis",
    "dream_progress",
    "hypnagogia.onset_started",
    "hypnagogia.depth_changed",
    "hypnagogia.dali_interrupt",
    "hypnagogia.fragment_captured",
    "hypnagogia.onset_completed",
    "hypnagogia.hypnopompic_started",
    "hypnagogia.hypnopompic_completed",
];

/// D-221 to D-228, of which D-225 with all it counts: a whole cycle of models is told by the names of the catalogue, each with its
/// fields; what the life says itself is in the file of events, and everything reaches whoever listens.
#[tokio::test]
async fn d_221_a_dream_is_told_by_the_names_of_the_catalogue() {
    let dir = TempDir::new().expect("a folder");
    let chain = grown(dir.path()).await;
    let muse = Muse::new(Manner::Says("gas leads the price"));
    let mut runtime = asleep(dir.path(), reopen(dir.path(), "ada"), &chain, law(DreamTier::Hardened), Some(&muse));
    let mut events = runtime.telemetry().listen();
    OwnerWord::Dream.leave(dir.path()).expect("left");
    let mut heard = Vec::new();
    for _ in 0..160 {
        live(&mut runtime, 1).await;
        while let Ok(line) = events.try_recv() {
            heard.push(serde_json::to_value(&*line).expect("plain data"));
        }
        if heard.iter().any(|line| line["name"] == "dream_complete") {
            break;
        }
    }
    let is_dreams = |name: &str| name.contains("dream") || name.starts_with("hypnagogia.") || name == "mode_change";
    let names = |lines: &[Value]| -> BTreeSet<String> {
        let all = lines.iter().map(|line| line["name"].as_str().expect("a name").to_owned());
        all.filter(|name| is_dreams(name)).collect()
    };
    let expected = |tables: &[&[&str]]| tables.concat().into_iter().map(str::to_owned).collect::<BTreeSet<String>>();
    let ours = expected(&[&["dream.over"]]);
    let told = names(&heard).difference(&ours).cloned().collect::<BTreeSet<_>>();
    let missing: Vec<_> = expected(&[&IN_FILE, &LIVE]).difference(&told).cloned().collect();
    assert!(missing.is_empty(), "nobody tells {missing:?} among {told:?}");
    let known = expected(&[&IN_FILE, &LIVE, &["dream.counterfactual", "hypnagogia.fragment_discarded"]]);
    assert!(told.is_subset(&known), "no catalogue has {:?}", told.difference(&known).collect::<Vec<_>>());
    let text = std::fs::read_to_string(dir.path().join("ada.jsonl")).expect("a file");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let written = names(&lines).difference(&ours).cloned().collect::<BTreeSet<_>>();
    assert_eq!(written, expected(&[&IN_FILE]));
    for (name, fields) in [
        ("dream.start", &["cycle_id", "trigger", "source"][..]),
        ("dream.phase", &["cycle_id", "phase", "budget_tokens"]),
        ("dream.hypothesis", &["cycle_id", "hypothesis", "seed_episode_tick"]),
        (
            "dream.complete",
            &[
                "cycle_id",
                "episodes_replayed",
                "counterfactuals_generated",
                "insights_crystallized",
                "heuristics_proposed",
                "episodes_depotentiated",
                "playbook_edits",
            ],
        ),
        ("mode_change", &["mode", "tick"]),
        ("dream_progress", &["phase", "cycleNumber", "budgetSpent"]),
        ("dream_complete", &["cycleNumber", "hypothesesGenerated", "insightsFound", "costUsdc"]),
    ] {
        let line = heard.iter().find(|line| line["name"] == name).expect("told");
        let text = line["data"].to_string();
        assert!(fields.iter().all(|field| text.contains(&format!("\"{field}\":"))), "{name}: {text}");
        assert!(["seq", "golem", "tick", "time"].iter().all(|base| !line[base].is_null()), "D-227: {line}");
    }
    let progress = heard.iter().filter(|line| line["name"] == "dream_progress");
    let phases: Vec<&str> = progress.filter_map(|line| find(&line["data"], "phase")?.as_str()).collect();
    assert_eq!(phases, ["onset", "nrem", "rem", "integration", "return"], "D-226: each once, in order");
}

/// A field wherever it stands.
fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let object = value.as_object()?;
    object.get(name).or_else(|| object.values().find_map(|inner| find(inner, name)))
}
