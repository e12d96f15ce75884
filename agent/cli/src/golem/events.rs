//! `bardo golem events`.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use eyre::Result;
use golem_primitives::UtcTime;
use golem_runtime::EventLine;
use golem_store::{Reader, StoredEvent};

use super::grimoire::Whose;
use crate::screen;

/// Events read at once.
const PAGE: usize = 1_000;
/// Between two looks for new ones.
const LOOK: Duration = Duration::from_millis(250);
/// Shown when nothing was said of where to begin.
const LAST: usize = 50;
#[derive(Debug, Args)]
pub(crate) struct EventsArguments {
    #[command(flatten)]
    whose: Whose,
    /// Begin at this event, counted from 1; the last 50 that are shown when left out.
    #[arg(long, value_name = "N")]
    from: Option<u64>,
    /// Go on with what happens, until Ctrl-C.
    #[arg(long, short)]
    follow: bool,
    /// Also what happens at every tick.
    #[arg(long)]
    all: bool,
    /// One JSON object for each event, all of them.
    #[arg(long)]
    json: bool,
}

impl EventsArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let (_, reader) = self.whose.reader()?;
        let mut clock = Clock::default();
        let mut next = self.from.unwrap_or(0).max(1);
        if self.from.is_none() {
            let (last, behind) = self.last(&reader)?;
            next = behind;
            for event in last {
                self.show(&reader, &mut clock, event)?;
            }
        }
        loop {
            let page = reader.events(next, PAGE)?;
            let is_full = page.len() == PAGE;
            for event in page {
                next = event.id + 1;
                self.show(&reader, &mut clock, event)?;
            }
            if is_full {
                continue;
            }
            if !self.follow {
                return Ok(ExitCode::SUCCESS);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The last events that will be shown, and the number behind the newest of all: most of what happens is not told to
    /// people, so that the newest 50 may well hold nothing for them.
    fn last(&self, reader: &Reader) -> Result<(VecDeque<StoredEvent>, u64)> {
        let (mut last, mut before, mut behind) = (VecDeque::new(), u64::MAX, 1);
        while last.len() < LAST {
            let page = reader.events_before(before, PAGE)?;
            let (Some(oldest), Some(newest)) = (page.first(), page.last()) else { break };
            behind = newest.id.saturating_add(1).max(behind);
            before = oldest.id;
            let told = page.into_iter().rev().filter(|event| self.is_shown(reader, event));
            told.take(LAST - last.len()).for_each(|event| last.push_front(event));
        }
        Ok((last, behind))
    }

    fn is_shown(&self, reader: &Reader, event: &StoredEvent) -> bool {
        self.json || self.all || screen::event_words(&line(reader, UtcTime::EPOCH, event.clone())).is_some()
    }

    fn show(&self, reader: &Reader, clock: &mut Clock, event: StoredEvent) -> Result<()> {
        let time = clock.of(reader, event.seq)?;
        let line = line(reader, time, event.clone());
        if self.json {
            let told = serde_json::json!({ "id": event.id, "seq": line.seq, "tick": line.tick, "turn": event.turn, "time": time, "name": line.name, "data": line.data });
            println!("{told}");
        } else if let Some(words) = screen::event_words(&line) {
            println!("{:>7}  {time}  tick {:<7} {words}", event.id, line.tick);
        } else if self.all {
            println!("{:>7}  {time}  tick {:<7} {}", event.id, line.tick, line.name);
        }
        Ok(())
    }
}

/// An event as the telemetry tells it.
pub(super) fn line(reader: &Reader, time: UtcTime, event: StoredEvent) -> EventLine {
    EventLine {
        seq: event.seq,
        index: 0,
        golem: *reader.golem(),
        tick: event.tick,
        time,
        name: event.event.telemetry_name().to_owned(),
        data: event.event,
    }
}

/// The time of a pass; several events share one.
#[derive(Debug, Default)]
pub(super) struct Clock(Option<(u64, UtcTime)>);

impl Clock {
    pub(super) fn of(&mut self, reader: &Reader, seq: u64) -> Result<UtcTime> {
        if let Some((known, time)) = self.0
            && known == seq
        {
            return Ok(time);
        }
        let time = reader.journal(seq, 1)?.first().map_or(UtcTime::EPOCH, |entry| entry.input.now);
        self.0 = Some((seq, time));
        Ok(time)
    }
}
