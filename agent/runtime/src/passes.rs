//! The life of one Golem in a process: tick after tick, and then its death.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use golem_core::life::{Body, Life};
use golem_core::memory::{Before, Venue};
use golem_core::record::{
    Chance, CladeNews, Command, Fill, Observation, Outcome, OutcomeResult, RECORD_VERSION, Salt, Temper, TickInput,
    Turn,
};
use golem_core::step::step;
use golem_grimoire::law::GrimoireLaw;
use golem_ports::{Act, Chain, Clade, Errand, Memory, OpenEffect, Progress, TickSource, WaitEnd};
use golem_primitives::{Tick, UtcTime};
use tokio::sync::watch;

use crate::adviser::Adviser;
use crate::beat;
use crate::clade::{CladeChoice, Siblings};
use crate::death::farewell::Farewell;
use crate::dreamer::{DreamChoice, Dreamer};
use crate::errand::{self, errand, outcome};
use crate::error::RuntimeError;
use crate::kin::Kin;
use crate::mind::Mind;
use crate::playbook::PlaybookFile;
use crate::recover::{ChainSeen, Recovered, commit, recover};
use crate::scribe::Scribe;
use crate::shopper::Shopper;
use crate::telemetry::Telemetry;
use crate::words::Heard;

mod death;
mod dreaming;
mod errands;
mod kinship;
mod shopping;
mod study;
mod waking;
mod withdrawals;

use withdrawals::Untold;

/// A tick at its nominal length.
const NOMINAL_TICK: Duration = Duration::from_secs(40);
/// Passes between two snapshots to start from; a restart replays at most as many.
const SNAPSHOT_EVERY: u64 = 64;

/// What is chosen for a life beside its law.
#[derive(Debug, Clone)]
pub struct RuntimeSettings {
    pub dir: PathBuf,
    /// The length of a tick before the phase stretches it (M-130).
    pub tick: Duration,
    /// Where it trades, as its knowledge names the place. The same for the whole life.
    pub venue: Venue,
    pub grimoire: GrimoireLaw,
    /// M-218. Whose life it is to others.
    pub kin: Kin,
    /// A-002, S-008. What it is like, and by which reading it suffers.
    pub temper: Temper,
    /// D-230. What it may dream.
    pub dreams: DreamChoice,
    /// M-203. Where a copy of what it leaves is laid down; nowhere when `None`.
    pub archive: Option<PathBuf>,
    /// I-122, I-327. Whom of its siblings it hears, and what it may do with signs in the air.
    pub clade: CladeChoice,
}

impl RuntimeSettings {
    /// The nominal pace and the usual numbers, with files in `dir`.
    pub fn new(dir: impl Into<PathBuf>, venue: Venue) -> Self {
        let (grimoire, kin, temper) = (GrimoireLaw::default(), Kin::default(), Temper::NONE);
        let (dreams, clade) = (DreamChoice::default(), CladeChoice::default());
        let (dir, tick, archive) = (dir.into(), NOMINAL_TICK, None);
        Self { dir, tick, venue, grimoire, kin, temper, dreams, archive, clade }
    }
}

/// What a life is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LifeStage {
    Sensing,
    Deciding,
    Acting,
    Reflecting,
    /// Resting; behind it the clocks.
    Sleeping,
    Dying,
}

/// What a tick came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LivedTick {
    Alive,
    /// Its death has begun and is not over.
    Dying,
    /// It is dead, and nothing is open.
    Dead,
}

/// One life and everything it is lived with.
#[derive(Debug)]
pub struct Runtime<C, S, T> {
    life: Life,
    chain: C,
    store: S,
    ticks: T,
    settings: RuntimeSettings,
    telemetry: Telemetry,
    open: Vec<OpenEffect>,
    inbox: Vec<Outcome>,
    commands: Vec<Command>,
    /// What the owner left in the folder and stands in `commands`, until its pass is on disk.
    heard: Option<Heard>,
    seen: ChainSeen,
    stage: watch::Sender<LifeStage>,
    waited: Duration,
    last_tick: Option<Tick>,
    /// When a tick began that no sight dates.
    unseen_since: Option<UtcTime>,
    mind: Mind,
    playbook: PlaybookFile,
    scribe: Option<Scribe>,
    adviser: Option<Adviser>,
    shopper: Option<Shopper>,
    siblings: Option<Siblings>,
    farewell: Farewell,
    dreamer: Option<Box<Dreamer>>,
    /// How trades came about whose outcomes wait for their pass.
    fills: Vec<Fill>,
    /// What was taken back and no pass has carried yet; it is not driven before.
    untold: Vec<Untold>,
    /// Not a tick lived yet in this process: what was open when the last one ended is driven first.
    is_fresh: bool,
}

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// Brings a life to where it was and takes up what is open. There is no other way to begin.
    pub fn resume(
        chain: C,
        mut store: S,
        ticks: T,
        settings: RuntimeSettings,
        mut telemetry: Telemetry,
    ) -> Result<Self, RuntimeError> {
        let mut mind = Mind::new(settings.venue.clone(), settings.grimoire);
        let Recovered { life, lived, chain: seen } = recover(&mut store, &mut mind)?;
        for again in lived {
            telemetry.tell(again.seq, again.tick, again.now, life.id(), &again.events)?;
        }
        let (open, untold) = (store.open_effects()?, withdrawals::untold(&store)?);
        let stage = watch::Sender::new(LifeStage::Sleeping);
        let playbook = PlaybookFile::in_folder(&settings.dir);
        let mut runtime = Self {
            life,
            chain,
            store,
            ticks,
            settings,
            telemetry,
            open,
            inbox: Vec::new(),
            commands: Vec::new(),
            heard: None,
            seen,
            stage,
            waited: Duration::ZERO,
            last_tick: None,
            unseen_since: None,
            mind,
            playbook,
            scribe: None,
            adviser: None,
            shopper: None,
            siblings: None,
            farewell: Farewell::default(),
            dreamer: None,
            fills: Vec::new(),
            untold,
            is_fresh: true,
        };
        runtime.mend_playbook();
        Ok(runtime)
    }

    /// Begins again from the store, as a start does, with the same hands: what failed may have left more on disk than is
    /// known here, and outcomes that were not journaled are found again by driving. An owner's word that was not journaled
    /// is kept.
    ///
    /// # Errors
    /// [`RuntimeError`] when the store still fails; it may be tried again.
    pub(crate) fn begin_again(&mut self) -> Result<(), RuntimeError> {
        let mut mind = Mind::new(self.settings.venue.clone(), self.settings.grimoire);
        let Recovered { life, lived, chain: seen } = recover(&mut self.store, &mut mind)?;
        let open = self.store.open_effects()?;
        for again in lived {
            self.telemetry.tell(again.seq, again.tick, again.now, life.id(), &again.events)?;
        }
        self.untold = withdrawals::untold(&self.store)?;
        (self.life, self.mind, self.open, self.seen) = (life, mind, open, seen);
        withdrawals::irretrievable(&mut self.inbox, &self.open);
        self.dreamer = None;
        self.fills.clear();
        self.is_fresh = true;
        self.mend_playbook();
        Ok(())
    }

    /// Lets somebody embed what it learns, beside its ticks.
    pub fn employ(&mut self, scribe: Scribe) {
        self.scribe = Some(scribe);
    }

    /// Lets it ask models, beside its ticks. From the next tick on it has a mind.
    pub fn consult(&mut self, adviser: Adviser) {
        self.adviser = Some(adviser);
    }

    /// Lets it buy data, beside its ticks. It may from the next tick on.
    pub fn provide(&mut self, shopper: Shopper) {
        self.shopper = Some(shopper);
    }

    /// I-100. Lets it speak to its siblings and hear them, by this wire, from the next tick on.
    pub fn join(&mut self, wire: Box<dyn Clade>) {
        self.siblings = Some(Siblings::new(wire, self.settings.clade.clone()));
    }

    /// Whether it speaks to siblings.
    #[must_use]
    pub const fn is_joined(&self) -> bool {
        self.siblings.is_some()
    }

    /// Whose life it is to others.
    #[must_use]
    pub const fn kin(&self) -> &Kin {
        &self.settings.kin
    }

    /// The life as it stands.
    #[must_use]
    pub const fn life(&self) -> &Life {
        &self.life
    }

    /// The life, and nothing else.
    #[must_use]
    pub fn into_life(self) -> Life {
        self.life
    }

    /// Its memory.
    #[must_use]
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// Its chain.
    #[must_use]
    pub const fn chain(&self) -> &C {
        &self.chain
    }

    /// Where its events go.
    #[must_use]
    pub const fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// What it is doing, as it changes.
    #[must_use]
    pub fn stage(&self) -> watch::Receiver<LifeStage> {
        self.stage.subscribe()
    }

    /// Effects that wait for their outcome.
    #[must_use]
    pub fn open_effects(&self) -> &[OpenEffect] {
        &self.open
    }

    /// Stops a living Golem when it has lived this tick; a death that has begun is carried out.
    pub const fn stop_after(&mut self, tick: Tick) {
        self.last_tick = Some(tick);
    }

    /// An owner's word; it waits for its pass like everything else.
    pub fn command(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Lives until it is dead or `stop` turns true; what is open then waits in the store.
    pub async fn live(&mut self, mut stop: watch::Receiver<bool>) -> Result<(), RuntimeError> {
        while !*stop.borrow_and_update() {
            let lived = tokio::select! {
                biased;
                changed = stop.changed() => match changed { Ok(()) => continue, Err(_) => break },
                lived = self.tick() => lived?,
            };
            let is_enough = lived == LivedTick::Alive && self.last_tick.is_some_and(|last| self.life.tick() >= last);
            if lived == LivedTick::Dead || is_enough {
                break;
            }
        }
        Ok(())
    }

    /// One tick, or one pass of a death. Dropping it at any point loses nothing: what was journaled is lived on restart.
    pub async fn tick(&mut self) -> Result<LivedTick, RuntimeError> {
        let began = Instant::now();
        self.waited = Duration::ZERO;
        self.unseen_since = None;
        match self.life.body() {
            Body::Dead(_) => {
                self.leave().await;
                return Ok(LivedTick::Dead);
            }
            Body::Dying(_) => self.dying_pass().await?,
            Body::Active(_) | Body::Dreaming(_) => self.living_tick().await?,
        }
        self.telemetry.metrics().ticked(self.life.id(), began.elapsed().saturating_sub(self.waited), self.waited);
        Ok(match self.life.body() {
            Body::Dead(_) => LivedTick::Dead,
            Body::Dying(_) => LivedTick::Dying,
            Body::Active(_) | Body::Dreaming(_) => LivedTick::Alive,
        })
    }

    async fn living_tick(&mut self) -> Result<(), RuntimeError> {
        let (_, turn) = self.life.next_pass();
        let is_fresh = std::mem::take(&mut self.is_fresh);
        // A restart in the middle of a tick goes on with its second half.
        if turn == Turn::Deciding {
            // What the last tick wanted at its end was driven before this one began, unless the process ended between.
            if is_fresh {
                self.drive_all().await?;
            }
            self.enter(LifeStage::Sensing);
            let mut observations = self.sense().await?;
            observations.extend(self.faculties());
            observations.extend(self.precedents());
            observations.extend(self.mind.due(&self.store, &self.life)?);
            observations.extend(self.offers());
            if let Some(shopper) = &self.shopper {
                shopper.reconcile();
            }
            observations.extend(self.studies());
            observations.extend(self.temper());
            observations.extend(self.scars()?);
            observations.extend(self.learnt()?);
            observations.extend(self.hear_siblings().await?);
            observations.extend(self.dream_terms());
            observations.extend(self.fills());
            self.hear_owner()?;
            self.enter(LifeStage::Deciding);
            self.pass(observations, Chance::default(), None).await?;
            if let Some(heard) = self.heard.take() {
                heard.clear();
            }
            if !self.life.is_alive() {
                return Ok(());
            }
        }
        self.enter(LifeStage::Acting);
        self.drive_all().await?;
        loop {
            let moment = self.rest().await?;
            self.enter(LifeStage::Reflecting);
            self.drive_all().await?;
            if moment == WaitEnd::Over {
                break;
            }
        }
        self.enter(LifeStage::Sleeping);
        let (chance, roll_block) = self.chance().await;
        let mut told = self.recollect().await?;
        told.extend(self.fills());
        self.pass(told, chance, roll_block).await?;
        // What the law wants at the end of a tick is on its way before the next one begins.
        self.drive_all().await?;
        self.look_after_vectors()
    }

    async fn dying_pass(&mut self) -> Result<(), RuntimeError> {
        self.enter(LifeStage::Dying);
        self.rescue();
        self.leave().await;
        self.drive_all().await?;
        self.rest().await?;
        self.drive_all().await?;
        let observations = self.sense().await?;
        self.pass(observations, Chance::default(), None).await?;
        // Before the last act is driven: whoever is cut off behind it has left everything.
        self.leave().await;
        self.drive_all().await
    }

    /// SENSING: one look, and what a reorganisation took back.
    async fn sense(&mut self) -> Result<Vec<Observation>, RuntimeError> {
        let began = Instant::now();
        let mut observations = Vec::new();
        match self.chain.withdrawn(&mut self.store).await {
            Ok(withdrawn) => observations.extend(self.take_back(&withdrawn)?),
            Err(error) if error.may_retry() => tracing::warn!(%error, "could not look for reorganisations"),
            Err(error) => return Err(RuntimeError::Unsafe(error)),
        }
        match self.chain.sense().await {
            Ok(sight) => {
                let advice = if self.life.is_alive() { self.mind.counsel(&sight) } else { Vec::new() };
                let block = sight.block.number;
                self.seen.pace.note(self.life.next_pass().0, block);
                observations.push(Observation::Sight(Box::new(sight)));
                if self.life.is_alive() {
                    let log = self.inflows(block).await;
                    observations.extend(log.map(|log| Observation::Inflows(Box::new(log))));
                }
                if !advice.is_empty() {
                    observations.push(Observation::Counsel { advice });
                }
            }
            Err(blindness) => {
                tracing::warn!(golem = %self.life.id(), why = %blindness.why, "blind");
                observations.push(Observation::Blind);
            }
        }
        self.waited += began.elapsed();
        Ok(observations)
    }

    /// The block announced for this tick, or the newest at confirmation depth; blind, the last that was known.
    async fn chance(&mut self) -> (Chance, Option<u64>) {
        let began = Instant::now();
        let (tick, _) = self.life.next_pass();
        if let Ok(block) = self.chain.roll_block(tick).await {
            self.seen.roll_block = Some(block);
        }
        self.waited += began.elapsed();
        match self.seen.roll_block {
            Some((number, hash)) => (Chance::Named(Salt::Block(hash)), Some(number)),
            None => (Chance::default(), None),
        }
    }

    async fn rest(&mut self) -> Result<WaitEnd, RuntimeError> {
        let multiplier = self.life.vitals().posture().tick_multiplier.max(1);
        let began = Instant::now();
        // Blind or just born, the tick began when it was first rested in: the last sight may be of long ago.
        let trader = self.life.trader().filter(|trader| !trader.is_blind());
        let seen = trader.and_then(|trader| trader.sight()).map(|sight| sight.block.time);
        let since = match seen.or(self.unseen_since) {
            Some(time) => time,
            None => self.ticks.now().await,
        };
        self.unseen_since = Some(since);
        let moment = self.ticks.rest(since, self.settings.tick * multiplier).await?;
        self.waited += began.elapsed();
        Ok(moment)
    }

    /// Journal, step, commit, tell. Nothing is decided from an input that is not on disk.
    async fn pass(
        &mut self,
        observations: Vec<Observation>,
        chance: Chance,
        roll_block: Option<u64>,
    ) -> Result<(), RuntimeError> {
        let (tick, turn) = self.life.next_pass();
        // Where the chain keeps the time, asking for it is waiting for the chain.
        let began = Instant::now();
        let now = self.ticks.now().await;
        self.waited += began.elapsed();
        let input = TickInput {
            version: RECORD_VERSION,
            tick,
            turn,
            now,
            chance,
            roll_block,
            observations,
            outcomes: std::mem::take(&mut self.inbox),
            commands: std::mem::take(&mut self.commands),
        };
        let seq = match self.store.append(&input) {
            Ok(seq) => seq,
            Err(error) => {
                (self.commands, self.inbox) = (input.commands, input.outcomes);
                return Err(error.into());
            }
        };
        // The life moves out and comes back changed; nothing between the two can fail or wait.
        let before = Before::of(&self.life);
        let next = step(self.life.clone(), &input);
        let keep_snapshot = seq.is_multiple_of(SNAPSHOT_EVERY) || !next.life.is_alive();
        let episodes = commit(&mut self.store, &mut self.mind, &before, seq, &input, &next, keep_snapshot)?;
        self.told(&input.observations)?;
        self.telemetry.metrics().remembered(next.life.id(), episodes);
        self.life = next.life;
        self.open.retain(|open| input.outcomes.iter().all(|outcome| outcome.effect != open.effect.id));
        self.open.extend(next.effects.iter().map(|effect| OpenEffect { tick, effect: effect.clone() }));
        // What cannot be told is kept: the store has every event.
        if let Err(error) = self.telemetry.tell(seq, tick, input.now, self.life.id(), &next.events) {
            tracing::error!(golem = %self.life.id(), %error, "events were not written to their file");
        }
        self.telemetry.metrics().show(&self.life, &input);
        if let Some(siblings) = &mut self.siblings {
            for news in input.observations.iter().filter_map(clade_news) {
                siblings.taken(&self.life, news.through);
            }
            siblings.tell(&self.life, &next.events);
            // M-186. At once; what fails now is tried again with every pass of the death.
            if !self.life.is_alive()
                && let Err(error) = siblings.announce(&self.life, &mut self.store)
            {
                tracing::warn!(golem = %self.life.id(), %error, "siblings were not told of the death");
            }
        }
        Ok(())
    }

    /// Takes every open effect a step further, oldest first. What ends waits in the inbox for the next pass.
    async fn drive_all(&mut self) -> Result<(), RuntimeError> {
        for at in 0..self.open.len() {
            let open = self.open[at].clone();
            if self.inbox.iter().any(|outcome| outcome.effect == open.effect.id)
                || self.untold.iter().any(|untold| untold.effect == open.effect.id)
            {
                continue;
            }
            if let Some(outcome) = self.drive(&open).await? {
                self.inbox.push(outcome);
            }
        }
        Ok(())
    }

    async fn drive(&mut self, open: &OpenEffect) -> Result<Option<Outcome>, RuntimeError> {
        let act = match errand(open, &self.life, &self.seen.pace, &mut self.store)? {
            errand::Errand::OnChain(act) => act,
            errand::Errand::Here(result) => return Ok(Some(outcome(open, result))),
            errand::Errand::Insure => return Ok(Some(self.insure(open))),
            errand::Errand::Curate => return self.curate(open).map(Some),
            errand::Errand::Write => return self.write_testament(open).await,
            errand::Errand::Deliberate => return self.deliberate(open),
            errand::Errand::Buy(source) => return self.shop(open, source).await,
            errand::Errand::Reflect => return self.reflect(open),
            errand::Errand::Distil => return self.distil(open),
            errand::Errand::Dream => return self.dream(open),
        };
        let name = act.name();
        let errand = Errand { effect: open.effect.id, tick: open.tick, act, budget: open.effect.budget };
        let began = Instant::now();
        let progress = self.chain.drive(&errand, &mut self.store).await;
        self.waited += began.elapsed();
        match progress {
            Ok(Progress::Pending) => Ok(None),
            Ok(Progress::Done(outcome)) => {
                self.telemetry.metrics().drove(self.life.id(), name);
                self.note_draw(&errand.act, &outcome)?;
                self.note_fill(&errand, &outcome).await;
                if matches!(errand.act, Act::Beat { .. }) && matches!(outcome.result, OutcomeResult::Refused { .. }) {
                    beat::forget(&mut self.store, open.tick)?;
                }
                Ok(Some(*outcome))
            }
            // Nobody answers, or the signer is away: it stays open and is driven again.
            Err(error) if error.may_retry() => {
                tracing::warn!(golem = %self.life.id(), effect = %open.effect.id, name, %error, "not driven");
                Ok(None)
            }
            Err(error) => Err(RuntimeError::Unsafe(error)),
        }
    }

    fn enter(&self, stage: LifeStage) {
        self.stage.send_replace(stage);
    }

    /// The tick it has lived to.
    #[must_use]
    pub const fn lived(&self) -> Tick {
        self.life.tick()
    }
}

fn clade_news(seen: &Observation) -> Option<&CladeNews> {
    match seen {
        Observation::Clade(news) => Some(news),
        _ => None,
    }
}
