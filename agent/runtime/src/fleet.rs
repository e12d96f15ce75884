//! Many lives in one process; one that fails does not disturb its neighbours.

use std::time::Duration;

use golem_core::life::Life;
use golem_ports::{Chain, Memory, TickSource};
use golem_primitives::GolemId;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::error::{Remedy, RuntimeError};
use crate::house::House;
use crate::passes::Runtime;

/// How a life of the fleet ended here.
#[derive(Debug)]
pub struct Ended {
    /// Whose.
    pub golem: GolemId,
    /// The life as it stands, or why it cannot go on in this process.
    pub end: Result<Life, RuntimeError>,
}

/// How often, and after how long, a life that failed for a passing reason is taken up again.
#[derive(Debug, Clone, Copy)]
struct Backoff {
    next: Duration,
    left: u32,
}

impl Backoff {
    /// A second, doubled each time up to a minute; seven minutes in all, and then somebody has to look.
    const FIRST: Duration = Duration::from_secs(1);
    const MOST: Duration = Duration::from_secs(60);
    const TRIES: u32 = 12;

    const fn new() -> Self {
        Self { next: Self::FIRST, left: Self::TRIES }
    }

    /// How long to wait before the next try; `None` when there were enough.
    fn wait(&mut self) -> Option<Duration> {
        self.left = self.left.checked_sub(1)?;
        let wait = self.next;
        self.next = (wait * 2).min(Self::MOST);
        Some(wait)
    }
}

/// Lives one life, and takes it up again after a failure that may pass (see [`RuntimeError::remedy`]); a pass that was
/// lived since makes it patient anew. A full disk is waited for as long as it takes: nothing of the life is lost
/// meanwhile, and a process that ended would not come back when there is room.
async fn live_on<C, S, T>(runtime: &mut Runtime<C, S, T>, mut stop: watch::Receiver<bool>) -> Result<(), RuntimeError>
where
    C: Chain,
    S: Memory,
    T: TickSource,
{
    let mut backoff = Backoff::new();
    let mut must_begin = false;
    loop {
        let before = runtime.life().next_pass();
        let lived = if must_begin { runtime.begin_again() } else { Ok(()) };
        let lived = match lived {
            Ok(()) => runtime.live(stop.clone()).await,
            Err(error) => Err(error),
        };
        let Err(error) = lived else { return lived };
        if runtime.life().next_pass() != before {
            backoff = Backoff::new();
        }
        let remedy = error.remedy();
        let wait = match (remedy, backoff.wait()) {
            (Remedy::Nothing, _) | (Remedy::GoOn, None) => return Err(error),
            (Remedy::BeginAgain, None) => Backoff::MOST,
            (_, Some(wait)) => wait,
        };
        must_begin = remedy == Remedy::BeginAgain;
        tracing::error!(golem = %runtime.life().id(), %error, seconds = wait.as_secs(), "stopped; taken up again soon");
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => return Ok(()),
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Lives them all until each is dead, has failed for good, or `stop` turns true. A failure that may pass is waited out; a
/// panic in one is its own failure.
pub async fn run_fleet<C, S, T>(
    fleet: Vec<Runtime<C, S, T>>,
    stop: watch::Receiver<bool>,
    mut told: impl FnMut(&Ended),
) -> Vec<Ended>
where
    C: Chain + 'static,
    S: Memory + 'static,
    T: TickSource + 'static,
{
    let mut tasks = JoinSet::new();
    let mut names = std::collections::BTreeMap::new();
    // Who is alone hears nobody and is written as if there were no house.
    let house = House::default();
    for mut runtime in fleet {
        runtime.join(&house);
        let (golem, stop) = (*runtime.life().id(), stop.clone());
        let handle = tasks.spawn(async move {
            let end = live_on(&mut runtime, stop).await;
            (golem, end.map(|()| runtime.into_life()))
        });
        names.insert(handle.id(), golem);
    }
    let mut ends = Vec::with_capacity(names.len());
    while let Some(joined) = tasks.join_next().await {
        let ended = match joined {
            Ok((golem, end)) => Ended { golem, end },
            Err(error) => {
                let golem = names[&error.id()];
                Ended { golem, end: Err(RuntimeError::Panicked { golem }) }
            }
        };
        told(&ended);
        ends.push(ended);
    }
    ends
}
