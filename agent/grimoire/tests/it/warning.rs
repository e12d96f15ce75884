//! Warnings of one's own.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::{Knowledge, Method};
use golem_grimoire::episode::{EpisodeKind, EpisodeOutcome, Recorded};
use golem_grimoire::gate::Admission;
use golem_grimoire::ingest::{Arrival, Customs, Ingested};
use golem_grimoire::kind::{EntryBody, Kind, WarningSeverity};
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{Entry, Status};
use golem_primitives::{GolemId, Usdc};

use crate::cycle::Cycle;
use crate::make::{GOOD, episodes, id, moment};

/// Episodes from a tick on, each winning or losing that share of one USDC in micros.
fn moved(tick: u64, micros: &[i64]) -> Vec<Recorded> {
    let held: Vec<bool> = micros.iter().map(|micros| *micros > 0).collect();
    let mut lived = episodes("WETH/USDC", tick, &held);
    for (recorded, micros) in lived.iter_mut().zip(micros) {
        (recorded.episode.pnl_micros, recorded.episode.position) = (Some(*micros), Usdc::whole(1));
    }
    lived
}

fn live(cycle: &mut Cycle, lived: Vec<Recorded>) {
    cycle.episodes.extend(lived);
    let pass = cycle.run();
    for recorded in &mut cycle.episodes {
        recorded.notes.is_consolidated |= pass.consolidated.contains(&recorded.episode.id);
    }
    cycle.grimoire = pass.grimoire;
    let tick = cycle.now.tick.get() + 50;
    cycle.now = moment(tick, tick as f64 * 40.0 / 86_400.0);
}

fn warnings(grimoire: &Grimoire) -> Vec<Knowledge> {
    grimoire.living().filter(|entry| entry.kind() == Kind::Warning).cloned().collect()
}

fn severity(entry: &Knowledge) -> Option<WarningSeverity> {
    match entry.draft.body {
        EntryBody::Warning { severity, .. } => Some(severity),
        _ => None,
    }
}

/// G-014, G-047: a loss of a twentieth or more of what was at stake makes a warning, as bad as it was; a smaller one makes
/// none.
#[test]
fn g_014_a_loss_beyond_the_rule_makes_a_warning() {
    for (worst, said) in [
        (-49_999, None),
        (-50_000, Some(WarningSeverity::Medium)),
        (-100_000, Some(WarningSeverity::High)),
        (-200_000, Some(WarningSeverity::Critical)),
        (i64::MIN, Some(WarningSeverity::Critical)),
    ] {
        let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.02));
        live(&mut cycle, moved(1, &[9_000, worst]));
        let made = warnings(&cycle.grimoire);
        assert_eq!(made.first().and_then(severity), said, "{worst}");
        let is_active = made.first().and_then(|entry| cycle.grimoire.get(entry.id)).map(Entry::status);
        assert_eq!(is_active, said.map(|_| Status::Active), "G-145: a warning is heard whatever it is worth");
    }
}

/// G-126: a law that broke is warned of, whatever it cost.
#[test]
fn g_126_a_safety_incident_makes_a_warning() {
    let mut incident = moved(1, &[-1]);
    (incident[0].episode.kind, incident[0].episode.pnl_micros) = (EpisodeKind::SafetyIncident, None);
    incident[0].episode.outcome = EpisodeOutcome::Negative;
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.02));
    live(&mut cycle, incident);
    assert_eq!(warnings(&cycle.grimoire).first().and_then(severity), Some(WarningSeverity::Critical));
}

/// G-144, C33: one loss speaks once, however long it is looked at; another renews the warning, ten calm episodes weigh
/// against it, and without more it fades.
#[test]
fn g_144_a_warning_is_renewed_by_losses_and_worn_by_calm() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.02));
    live(&mut cycle, moved(1, &[-80_000]));
    for _ in 0..3 {
        live(&mut cycle, Vec::new());
    }
    let made = warnings(&cycle.grimoire);
    assert_eq!((made.len(), made[0].validated, made[0].confidence), (1, 0, Confidence::of(700_000)));
    live(&mut cycle, moved(201, &[-70_000, 9_000, 9_000]));
    let renewed = warnings(&cycle.grimoire);
    assert_eq!((renewed.len(), renewed[0].validated, renewed[0].contradicted), (1, 1, 0));
    assert_eq!(renewed[0].draft.parents.len(), 2, "G-032");
    live(&mut cycle, moved(251, &[9_000; 29]));
    let worn = warnings(&cycle.grimoire);
    assert_eq!((worn[0].contradicted, worn[0].confidence), (2, Confidence::of(500_000)), "two whole tens of 29");
    cycle.now = moment(90_000, 60.0);
    live(&mut cycle, Vec::new());
    assert_eq!(warnings(&cycle.grimoire), [], "faded");
    cycle.now = moment(90_050, 60.1);
    live(&mut cycle, moved(90_001, &[-90_000]));
    let back = warnings(&cycle.grimoire);
    assert_eq!(back.iter().map(|entry| entry.id).collect::<Vec<_>>(), [worn[0].id], "G-069: the same one");
}

/// G-142: a warning is no statement about the whole: beside it what is counted is said as ever.
#[test]
fn g_142_a_warning_takes_no_insights_place() {
    let mut cycle = Cycle::new(Grimoire::default(), moment(50, 0.02));
    live(&mut cycle, moved(1, &[-90_000]));
    live(&mut cycle, moved(51, &[9_000; 12]));
    live(&mut cycle, moved(101, &[9_000; 12]));
    let kinds = |kind: Kind| cycle.grimoire.living().filter(|entry| entry.kind() == kind).count();
    assert_eq!((kinds(Kind::Warning), kinds(Kind::Insight)), (1, 1));
}

/// G-100, G-175: a warning from outside is kept as a claim and speaks only after a loss of one's own.
#[test]
fn g_175_a_told_warning_waits_for_a_loss_of_ones_own() {
    let mut other = Cycle::new(Grimoire::default(), moment(50, 0.02));
    live(&mut other, moved(1, &[-90_000]));
    let sender = GolemId::new("sibling").expect("a name");
    let mut draft = warnings(&other.grimoire)[0].draft.clone();
    (draft.source, draft.original_confidence) = (Source::own(sender), Confidence::of(700_000));
    let way = Provenance::Clade;
    let sent = Arrival { draft, way, sender, is_left: false, claimed_cosine: None, on_chain: None };
    let (ingested, _) = Customs::default().ingest(id("told"), sent, &GOOD, moment(1, 0.0));
    let Ingested::Judged(Admission::Admitted(candidate)) = ingested else { panic!("{ingested:?}") };
    assert!(matches!(candidate.knowledge().draft.method, Method::Told(_)));
    let mut grimoire = Grimoire::default();
    grimoire.apply(Change::Add(candidate), moment(1, 0.0)).expect("new");
    let mut cycle = Cycle::new(grimoire, moment(50, 0.02));
    live(&mut cycle, moved(1, &[9_000; 4]));
    let status = |cycle: &Cycle| cycle.grimoire.get(id("told")).map(Entry::status);
    assert_eq!(status(&cycle), Some(Status::Candidate));
    live(&mut cycle, moved(51, &[-60_000]));
    assert_eq!(status(&cycle), Some(Status::Active));
}
