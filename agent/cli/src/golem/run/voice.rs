//! What a life says on a terminal while it is lived.

use std::sync::Arc;

use eyre::Result;
use golem_core::record::Event;
use golem_mortality::event::LawEvent;
use golem_primitives::Tick;
use golem_runtime::EventLine;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::golem::home::Folder;
use crate::golem::look;
use crate::screen;
use golem_view::LifeSummary;

/// A sign of life where nothing else happens: once an hour of its time.
const BREATH: u64 = Tick::PER_DAY / 24;

/// Tells what happens: everything to machines; to people how it stands at first and once an hour, and what matters.
pub(crate) async fn tell(folder: Folder, mut events: Receiver<Arc<EventLine>>, json: bool) {
    let name = folder.name().to_owned();
    if !json {
        match standing(folder.clone()).await {
            Ok(words) => println!("{name} lives: {words}. Ctrl-C stops it; nothing is lost by that."),
            Err(error) => screen::complain(&error),
        }
    }
    loop {
        match events.recv().await {
            Ok(line) if json => println!("{}", serde_json::to_string(&*line).expect("plain data")),
            Ok(line) => {
                let words = match screen::event_words(&line) {
                    None if is_breath(&line) => standing(folder.clone()).await.ok(),
                    words => words,
                };
                if let Some(words) = words {
                    println!("{}  {name:<12} tick {:<7} {words}", line.time, line.tick);
                }
            }
            Err(RecvError::Lagged(missed)) => eprintln!("{name}: {missed} events were too many to show"),
            Err(RecvError::Closed) => return,
        }
    }
}

fn is_breath(line: &EventLine) -> bool {
    let is_tick = matches!(line.data, Event::Mortality(LawEvent::VitalityUpdate { .. }));
    is_tick && line.tick.get() > 0 && line.tick.get().is_multiple_of(BREATH)
}

/// How it stands, as its memory has it; read aside, for a life waits for nobody who watches.
async fn standing(folder: Folder) -> Result<String> {
    let read = move || Ok(LifeSummary(&look::life(&look::reader(&folder)?)?).line(folder.name()));
    tokio::task::spawn_blocking(read).await?
}
