//! `bardo golem life`: one page that tells a life so far.

use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_primitives::UtcTime;
use golem_store::{Reader, StoredEvent};
use golem_view::{Measures, MeasuresPicture, Picture as _, Shown as _, Story, Value, plain};

use super::grimoire::Whose;
use super::{events, look};
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct LifeArguments {
    #[command(flatten)]
    whose: Whose,
    /// Hold it against this other life by what both measure, a life on paper that cannot die among them; may be given several times.
    #[arg(long, value_name = "GOLEM", conflicts_with = "markdown")]
    beside: Vec<String>,
    /// The page as Markdown, with everything that happened behind it, tick by tick.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// A JSON object instead of a page.
    #[arg(long)]
    json: bool,
}

impl LifeArguments {
    pub(crate) fn run(self) -> Result<ExitCode> {
        // A file has no colours, also where it is read at a terminal.
        screen::leave_colours(self.markdown);
        if !self.beside.is_empty() {
            return self.compare();
        }
        let (folder, reader) = self.whose.reader()?;
        let life = look::life(&reader)?;
        let (mut story, mut happened) = (Story::default(), String::new());
        look::each_event(&reader, |event| {
            story.hear(event.tick, &event.event);
            if self.markdown {
                happened.extend(chronicled(&reader, event));
            }
        })?;
        let told = story.page(folder.name(), &life);
        if self.json {
            screen::tell(&told.json());
            return Ok(ExitCode::SUCCESS);
        }
        let tables = [
            told.known(&format!("The life of {} so far", folder.name())),
            told.tried.table("what it tried"),
            told.learnt.table("what it learnt"),
            told.dreamt.table("what it dreamt"),
            told.felt.table("what it felt"),
            told.wrong.table("what it was wrong about"),
        ];
        if self.markdown {
            let [first, rest @ ..] = tables;
            print!("#{}", first.markdown().trim_start_matches('#'));
            rest.iter().for_each(|table| print!("{}", table.markdown()));
            print!("## what happened\n\n{happened}");
            return Ok(ExitCode::SUCCESS);
        }
        tables.iter().for_each(screen::show);
        Ok(ExitCode::SUCCESS)
    }

    /// M-238. Several lives by the same measures. Who wins is not said: one life is no sample.
    fn compare(&self) -> Result<ExitCode> {
        let measured = |golem: &String| -> Result<MeasuresPicture> {
            let folder = self.whose.home.find_memory(golem)?;
            let reader = look::reader(&folder)?;
            let mut measures = Measures::default();
            look::each_event(&reader, |event| measures.hear(event.tick, &event.event))?;
            Ok(measures.of(folder.name(), &look::life(&reader)?))
        };
        let lives: Vec<MeasuresPicture> =
            std::iter::once(&self.whose.golem).chain(&self.beside).map(measured).collect::<Result<_>>()?;
        if self.json {
            screen::tell(&Value::Array(lives.iter().map(|life| life.json()).collect()));
            return Ok(ExitCode::SUCCESS);
        }
        screen::show(&MeasuresPicture::beside(&lives));
        println!("\nOne life is no sample; `bardo experiment` asks many, and docs/experiments.md says what it found.");
        Ok(ExitCode::SUCCESS)
    }
}

/// One line of the chronicle; what happens at every tick is not told.
fn chronicled(reader: &Reader, stored: &StoredEvent) -> Option<String> {
    let line = events::line(reader, UtcTime::EPOCH, stored.clone());
    Some(format!("- {}: {}\n", stored.tick, plain(&screen::event_words(&line)?)))
}
