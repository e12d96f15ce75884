//! Many lives in one process; one that fails does not disturb its neighbours.

use golem_core::life::Life;
use golem_ports::{Chain, Memory, TickSource};
use golem_primitives::GolemId;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::error::RuntimeError;
use crate::passes::Runtime;

/// How a life of the fleet ended here.
#[derive(Debug)]
pub struct Ended {
    /// Whose.
    pub golem: GolemId,
    /// The life as it stands, or why it cannot go on in this process.
    pub end: Result<Life, RuntimeError>,
}

/// Lives them all until each is dead, has failed, or `stop` turns true. A panic in one is its own failure.
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
    for mut runtime in fleet {
        let (golem, stop) = (*runtime.life().id(), stop.clone());
        let handle = tasks.spawn(async move {
            let end = runtime.live(stop).await;
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
