//! Many lives in one process; one that fails does not disturb its neighbours.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;

use golem_core::life::Life;
use golem_ports::{Chain, Memory, TickSource};
use golem_primitives::GolemId;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::clade::House;
use crate::error::{Remedy, RuntimeError};
use crate::passes::Runtime;

/// How a life of the fleet ended here.
#[derive(Debug)]
pub struct Ended {
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
        if is_stopped_within(&mut stop, wait).await {
            return Ok(());
        }
    }
}

/// Begins a life, and waits as long as it takes for what may pass, such as a disk without room or endpoints that do not
/// answer, as one that has begun waits: a process that gave up would not come back. What `remedy` has nothing for is answered
/// at once; told to stop while it waits, it answers `None`.
pub async fn begin_with_room<R, E, B>(
    golem: &GolemId,
    mut stop: watch::Receiver<bool>,
    remedy: impl Fn(&E) -> Remedy,
    mut begin: impl FnMut() -> B,
) -> Option<Result<R, E>>
where
    B: Future<Output = Result<R, E>>,
    E: std::fmt::Display,
{
    let mut backoff = Backoff::new();
    loop {
        let error = match begin().await {
            Err(error) if remedy(&error) == Remedy::BeginAgain => error,
            begun => return Some(begun),
        };
        let wait = backoff.wait().unwrap_or(Backoff::MOST);
        tracing::error!(%golem, %error, seconds = wait.as_secs(), "cannot begin; tried again soon");
        if is_stopped_within(&mut stop, wait).await {
            return None;
        }
    }
}

/// Waits, and answers whether it was told to stop meanwhile.
async fn is_stopped_within(stop: &mut watch::Receiver<bool>, wait: Duration) -> bool {
    tokio::select! {
        biased;
        _ = stop.wait_for(|stop| *stop) => true,
        () = tokio::time::sleep(wait) => false,
    }
}

/// A life on its way to its end; none of one that did not begin.
type Living = Pin<Box<dyn Future<Output = Option<Result<Life, RuntimeError>>> + Send>>;

/// Lives that run together until each is dead, has failed for good, or all are told to stop. A failure that may pass is
/// waited out; a panic in one is its own failure.
pub struct Fleet {
    lives: Vec<(GolemId, Living)>,
    /// Who is alone hears nobody and is written as if there were no house.
    house: House,
    stop: watch::Receiver<bool>,
}

impl std::fmt::Debug for Fleet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.lives.iter().map(|(golem, _)| golem)).finish()
    }
}

impl Fleet {
    /// Nobody yet; they live until `stop` turns true.
    #[must_use]
    pub fn new(stop: watch::Receiver<bool>) -> Self {
        Self { lives: Vec::new(), house: House::default(), stop }
    }

    /// Takes one in that is ready.
    pub fn take<C, S, T>(&mut self, mut runtime: Runtime<C, S, T>)
    where
        C: Chain + 'static,
        S: Memory + 'static,
        T: TickSource + 'static,
    {
        move_in(&mut runtime, &self.house);
        let (golem, stop) = (*runtime.life().id(), self.stop.clone());
        let living = async move {
            let end = live_on(&mut runtime, stop).await;
            Some(end.map(|()| runtime.into_life()))
        };
        self.lives.push((golem, Box::pin(living)));
    }

    /// Takes one in that has yet to begin; nobody waits for it. Of one that comes to nothing no end is told.
    pub fn await_one<C, S, T>(
        &mut self,
        golem: GolemId,
        begin: impl Future<Output = Option<Runtime<C, S, T>>> + Send + 'static,
    ) where
        C: Chain + 'static,
        S: Memory + 'static,
        T: TickSource + 'static,
    {
        let (house, stop) = (self.house.clone(), self.stop.clone());
        let living = async move {
            let mut runtime = begin.await?;
            move_in(&mut runtime, &house);
            let end = live_on(&mut runtime, stop).await;
            Some(end.map(|()| runtime.into_life()))
        };
        self.lives.push((golem, Box::pin(living)));
    }

    /// Lives them all, and tells how each ended.
    pub async fn run(self, mut told: impl FnMut(&Ended)) -> Vec<Ended> {
        let mut tasks = JoinSet::new();
        let mut names = BTreeMap::new();
        // Everybody is in the house before the first one speaks.
        for (golem, living) in self.lives {
            names.insert(tasks.spawn(async move { (golem, living.await) }).id(), golem);
        }
        let mut ends = Vec::with_capacity(names.len());
        while let Some(joined) = tasks.join_next().await {
            let ended = match joined {
                Ok((_, None)) => continue,
                Ok((golem, Some(end))) => Ended { golem, end },
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
}

/// Who has no wire of its own hears those of its owner in this process.
fn move_in<C: Chain, S: Memory, T: TickSource>(runtime: &mut Runtime<C, S, T>, house: &House) {
    if !runtime.is_joined() {
        let through = runtime.life().kinship().map_or(0, |kinship| kinship.through);
        let member = house.take_in(*runtime.life().id(), runtime.kin().owner, through);
        runtime.join(Box::new(member));
    }
}

/// Lives them all until each is dead, has failed for good, or `stop` turns true (see [`Fleet`]).
pub async fn run_fleet<C, S, T>(
    fleet: Vec<Runtime<C, S, T>>,
    stop: watch::Receiver<bool>,
    told: impl FnMut(&Ended),
) -> Vec<Ended>
where
    C: Chain + 'static,
    S: Memory + 'static,
    T: TickSource + 'static,
{
    let mut lives = Fleet::new(stop);
    fleet.into_iter().for_each(|runtime| lives.take(runtime));
    lives.run(told).await
}
