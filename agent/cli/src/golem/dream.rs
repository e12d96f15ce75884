//! `bardo mind dream`: what a Golem dreams, what came of it, and the owner's word.

mod progress;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, ensure, eyre};
use golem_core::dreams::LifeDreams;
use golem_core::life::Life;
use golem_core::record::{DreamEvent, Event};
use golem_dreams::urgency::threshold;
use golem_ports::DreamRecord;
use golem_runtime::OwnerWord;
use golem_store::Reader;
use golem_view::{
    AsKept, AsleepPicture, CapsPicture, DreamLine, DreamPicture, Number, Picture as _, SpentPicture, WordLeft,
    YieldPicture, table_of,
};

use self::progress::{NOW, progress};
use super::grimoire::{TableArguments, Whose};
use super::home::Folder;
use super::{look, sleep};
use crate::screen;

/// What can be done with dreams.
#[derive(Debug, Subcommand)]
pub(crate) enum DreamCommand {
    /// Ask it to dream at its next tick, if its gate lets it.
    #[command(after_help = "Example: bardo mind dream now ada --wait 120")]
    Now(WordArguments),
    /// Wake it: the dream it dreams ends with a partial journal, and the rest of its budget is wasted.
    #[command(after_help = "Example: bardo mind dream wake ada")]
    Wake(WordArguments),
    /// Show whether it dreams, how much it needs to, what it spent, and how far it is.
    #[command(after_help = "Example: bardo mind dream status ada --json")]
    Status(TableArguments),
    /// Show the last dreams: what opened them, how they ended, what they found, what they cost.
    #[command(after_help = "Example: bardo mind dream journal ada --last 5")]
    Journal(JournalArguments),
}

/// What `now` and `wake` take.
#[derive(Debug, Args)]
pub(crate) struct WordArguments {
    #[command(flatten)]
    whose: Whose,
    /// Wait this many seconds for its answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    wait: u64,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct JournalArguments {
    #[command(flatten)]
    whose: Whose,
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 20)]
    last: usize,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

impl DreamCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Now(arguments) => arguments.leave(OwnerWord::Dream).await,
            Self::Wake(arguments) => arguments.leave(OwnerWord::Wake).await,
            Self::Status(arguments) => show_status(&arguments),
            Self::Journal(arguments) => arguments.run(),
        }
    }
}

/// The dreaming of a life that was told of dreams.
fn dreaming<'a>(folder: &Folder, life: &'a Life) -> Result<&'a LifeDreams> {
    life.dreams().filter(|dreams| dreams.is_on()).ok_or_else(|| {
        // D-240: what it would cost is said before it is turned on.
        let cost =
            folder.settings().map_or_else(|_| String::new(), |settings| sleep::month_words(&settings.dreams.law));
        eyre!(
            "{} does not dream; write `enabled = true` under [dreams] of its golem.toml and let it live: {cost}",
            folder.name()
        )
    })
}

/// Between two looks for an answer.
const LOOK: Duration = Duration::from_millis(250);

impl WordArguments {
    /// D-019, D-193. Leaves the word in the folder, where the life hears it at its next tick.
    async fn leave(self, word: OwnerWord) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        dreaming(&folder, &life)?;
        ensure!(life.is_alive(), "{} is {}; only the living dream", folder.name(), look::standing(&life));
        let next = reader.events_before(u64::MAX, 1)?.last().map_or(1, |event| event.id + 1);
        word.clone().leave(folder.path()).wrap_err("the word cannot be left in the Golem's folder")?;
        let answer = self.answer(&reader, next).await?;
        let is_lived = look::holder(&folder).is_some();
        let words = match (&answer, is_lived) {
            (Some(answer), _) => answer.clone(),
            (None, true) => format!("said; {} hears it at its next tick", folder.name()),
            (None, false) => format!("said; {} hears it when it runs again", folder.name()),
        };
        let (golem, said) = (folder.name().to_owned(), AsKept::of(&word));
        Ok(screen::done(self.json, &WordLeft { golem, said, is_running: is_lived, answer }, &words))
    }

    /// DG-23. What the life answers, if it does in time.
    async fn answer(&self, reader: &Reader, mut next: u64) -> Result<Option<String>> {
        let until = Instant::now() + Duration::from_secs(self.wait);
        while Instant::now() < until {
            for event in reader.events(next, 1_000)? {
                next = event.id + 1;
                if let Some(words) = answer_of(&event.event) {
                    return Ok(Some(words));
                }
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(None)
    }
}

/// An event that answers the owner, in words.
fn answer_of(event: &Event) -> Option<String> {
    Some(match event {
        Event::Dream(told) => match &**told {
            DreamEvent::DreamStart { cycle_id, .. } => format!("it dreams: {cycle_id}"),
            DreamEvent::DreamRefused { because, .. } => {
                let reasons: Vec<String> = because.iter().map(ToString::to_string).collect();
                format!("it does not dream: {}", reasons.join("; "))
            }
            _ => return None,
        },
        Event::DreamDeclined { why } => format!("it does not dream: {why}"),
        Event::DreamRoused(wake) => format!("it wakes: {}", wake.reason),
        _ => return None,
    })
}

fn show_status(arguments: &TableArguments) -> Result<ExitCode> {
    let (folder, reader) = arguments.whose.reader()?;
    let life = look::life(&reader)?;
    let picture = status(&folder, &reader, &life, dreaming(&folder, &life)?)?;
    Ok(screen::draw_by(arguments.json, &picture, show))
}

/// D-188. The same for a screen: nothing of one that does not dream.
pub(crate) fn of_life(folder: &Folder, reader: &Reader, life: &Life) -> Result<Option<DreamPicture>> {
    let dreams = life.dreams().filter(|dreams| dreams.is_on());
    dreams.map(|dreams| status(folder, reader, life, dreams)).transpose()
}

/// The last dreams, newest first.
pub(crate) fn last(reader: &Reader, count: usize) -> Result<Vec<DreamLine>> {
    Ok(reader.last_dreams(count)?.iter().map(line).collect())
}

/// D-188. Everything the owner may see of a Golem's dreaming.
fn status(folder: &Folder, reader: &Reader, life: &Life, dreams: &LifeDreams) -> Result<DreamPicture> {
    let (state, law, recalled) = (&dreams.state, dreams.law(), &dreams.recalled);
    let ledger = state.ledger.at(life.vitals().vitality().last_computed);
    let came_to = &dreams.came_to;
    let asleep = match dreams.sleeper() {
        Some(sleeper) => {
            let stages = progress(reader, sleeper.effect)?;
            Some(AsleepPicture {
                cycle: sleeper.cycle.to_string(),
                trigger: sleeper.opening.trigger.to_string(),
                tier: sleeper.opening.tier.to_string(),
                since: sleeper.tick,
                phase: stages.iter().find(|stage| stage.stands == NOW).map(|stage| stage.phase.clone()),
                spent: stages.iter().map(|stage| stage.spent).sum(),
                phases: stages,
                grant: sleeper.opening.grant,
                wakes: sleeper.wake.as_ref().map(|wake| wake.reason.to_string()),
            })
        }
        None => None,
    };
    let (a_month_least, a_month_most) = sleep::month(law);
    Ok(DreamPicture {
        golem: folder.name().to_owned(),
        life: look::standing(life),
        tick: life.tick(),
        mode: state.mode.to_string(),
        tier: law.tier.to_string(),
        schedule: law.schedule.mode.to_string(),
        urgency: Number(state.score().as_f64()),
        threshold: Number(
            threshold(&law.schedule, life.vitals().phase(), life.dreams().and_then(|dreams| dreams.quality)).as_f64(),
        ),
        episodes: recalled.episodes,
        unreplayed: recalled.unreplayed,
        cycles: state.cycle_number,
        last_dream: state.last_dream,
        is_window_open: recalled.is_window_open,
        a_month: sleep::month_words(law),
        a_month_least,
        a_month_most,
        spent: SpentPicture { window: ledger.session, month: ledger.month },
        caps: CapsPicture { cycle: law.caps.per_cycle, window: law.caps.per_session, month: law.caps.per_month },
        asleep,
        came_to: YieldPicture {
            staged: came_to.staged,
            validated: came_to.validated,
            refuted: came_to.refuted,
            validated_share: came_to.rate(),
            health: came_to.health().to_string(),
        },
    })
}

fn show(picture: &DreamPicture) {
    let DreamPicture { golem, life, tick, asleep, spent, caps, came_to, .. } = picture;
    screen::show(&picture.table(&format!("{golem}, {life} at tick {tick}")));
    if let Some(asleep) = asleep {
        screen::show(&asleep.table("What it dreams now"));
        screen::show(&table_of("Phase by phase", &asleep.phases));
    }
    screen::show(&spent.table("Spent on dreams"));
    screen::show(&caps.table("At most"));
    screen::show(&came_to.table("What dreams came to"));
}

impl JournalArguments {
    fn run(self) -> Result<ExitCode> {
        let (folder, reader) = self.whose.reader()?;
        let lines = last(&reader, self.last)?;
        let heading = format!("what {} dreamt, the newest first", folder.name());
        Ok(screen::draw_all(self.json, &heading, &lines, &format!("{} has not dreamt yet", folder.name())))
    }
}

fn line(dream: &DreamRecord) -> DreamLine {
    let (entry, counts) = (&dream.entry, &dream.dreamt.counts);
    DreamLine {
        cycle: entry.cycle.to_string(),
        tick: dream.at.tick,
        tier: entry.tier.to_string(),
        trigger: entry.trigger.to_string(),
        engine: entry.engine.to_string(),
        ending: look::kind_words(&entry.ending),
        replayed: counts.replayed,
        hypotheses: counts.hypotheses,
        threats: counts.threats,
        cost: dream.cost,
        effect: dream.effect,
        entry: AsKept::of(entry),
        dreamt: AsKept::of(&dream.dreamt),
    }
}
