//! `bardo golem clade`: a Golem among its siblings.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_core::life::Life;
use golem_core::record::CauseKind;
use golem_primitives::{GolemId, UtcTime};
use golem_relay::{WireState, look_at_wire};
use golem_runtime::{SiblingHeard, SiblingsHeard, shared_with_siblings};
use golem_store::Reader;
use golem_view::{CladePicture, Picture as _, SiblingLine, SignLine, WirePicture, table_of};

use super::grimoire::Whose;
use super::home::{Folder, Home};
use super::{clade, look};
use crate::screen;

/// Seconds after which one that said nothing is silent.
const SILENT: u64 = UtcTime::DAY_SECONDS;
#[derive(Debug, Args)]
pub(crate) struct CladeArguments {
    #[command(flatten)]
    whose: Whose,
    /// A JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

impl CladeArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let picture = of_life(&self.whose.home, &folder, &reader, &look::life(&reader)?)?;
        Ok(screen::draw_by(self.json, &picture, |picture| {
            screen::show(&picture.table(&format!("The Clade of {} at tick {}", picture.golem, picture.tick)));
            if let Some(wire) = &picture.wire {
                screen::show(&wire.known("its relay"));
            }
            match picture.siblings.as_slice() {
                [] => println!("no sibling was heard yet"),
                siblings => screen::show(&table_of("siblings", siblings)),
            }
            match picture.air.as_slice() {
                [] => println!("nothing is in the air"),
                air => screen::show(&table_of("in the air, nobody knows whose", air)),
            }
        }))
    }
}

/// The Clade of a life, as its memory, its file of words and its neighbours on this machine tell it.
pub(crate) fn of_life(home: &Home, folder: &Folder, reader: &Reader, life: &Life) -> Result<CladePicture> {
    let heard = SiblingsHeard::of_note(reader.note(SiblingsHeard::NOTE)?.as_deref());
    let neighbours = neighbours(home, folder);
    let mut siblings: Vec<SiblingLine> =
        heard.siblings().map(|(golem, heard)| line(golem, Some(heard), &neighbours, life)).collect();
    // Who lives beside it and said nothing is a sibling all the same.
    let is_heard = |golem: &GolemId| heard.siblings().any(|(known, _)| known == golem);
    let silent = neighbours.iter().filter(|one| one.is_sibling && !is_heard(&one.golem));
    siblings.extend(silent.map(|one| line(&one.golem, None, &neighbours, life)));
    let kinship = life.kinship();
    Ok(CladePicture {
        golem: folder.name().to_owned(),
        tick: life.tick(),
        in_reach: kinship.and_then(|kinship| kinship.siblings),
        shared: shared_with_siblings(reader.note(golem_runtime::SHARED_NOTE)?.as_deref()),
        borrowed: kinship.map_or(0, |kinship| kinship.borrowed().count() as u64),
        regime: life.regime().map(|regime| regime.name()),
        wire: look_at_wire(&folder.path().join(clade::WORDS_FILE))?.map(wire),
        siblings,
        air: kinship.map_or_else(Vec::new, |kinship| kinship.air.iter().map(SignLine::from).collect()),
    })
}

/// Somebody else on this machine.
struct Neighbour {
    golem: GolemId,
    name: String,
    is_sibling: bool,
    mode: &'static str,
    is_over: bool,
}

fn neighbours(home: &Home, folder: &Folder) -> Vec<Neighbour> {
    let own = folder.birth().ok();
    let others = home.all().unwrap_or_default().into_iter().filter(|other| other.name() != folder.name());
    let told = others.filter_map(|other| {
        let birth = other.birth().ok()?;
        // One whose memory cannot be read is told of by what it said.
        let life = look::reader(&other).and_then(|reader| look::life(&reader)).ok()?;
        let is_sibling = own
            .as_ref()
            .is_some_and(|own| own.owner == birth.owner && own.deployment.lineage == birth.deployment.lineage);
        let mode = life.vitals().law().mode.name();
        Some(Neighbour { golem: birth.golem(), name: birth.name, is_sibling, mode, is_over: life.death().is_some() })
    });
    told.collect()
}

fn line(golem: &GolemId, heard: Option<&SiblingHeard>, neighbours: &[Neighbour], life: &Life) -> SiblingLine {
    let now = life.vitals().vitality().last_computed;
    let found = life.kinship().map(|kinship| kinship.agreement(golem)).unwrap_or_default();
    let neighbour = neighbours.iter().find(|one| one.golem == *golem);
    let nothing = SiblingHeard::default();
    let told = heard.unwrap_or(&nothing);
    let is_silent = heard.is_none_or(|heard| now.since(heard.last).as_secs() > SILENT);
    SiblingLine {
        who: neighbour.map_or_else(|| golem.to_string(), |one| one.name.clone()),
        golem: golem.to_string(),
        life: match (told.died_of.is_some() || neighbour.is_some_and(|one| one.is_over), is_silent) {
            (true, _) => "dead",
            (false, true) => "silent",
            (false, false) => "alive",
        },
        mode: neighbour.map(|one| one.mode),
        entries: told.entries,
        rules: told.rules,
        warnings: told.warnings,
        crises: told.crises,
        answers: told.answers,
        upheld: found.upheld,
        refuted: found.refuted,
        died_of: told.died_of.map(CauseKind::name),
        last: heard.map(|heard| heard.last),
    }
}

fn wire(state: WireState) -> WirePicture {
    let WireState { waiting, sent, unheard, signs, breaker, trouble, since } = state;
    WirePicture { waiting, sent, unheard, signs_waiting: signs, breaker, trouble, since }
}
