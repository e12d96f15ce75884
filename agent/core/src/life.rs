//! A life: its body, its desk, its hand on the market and its rooms.

use golem_daimon::Emotion;
use golem_mortality::cause::Death;
use golem_mortality::law::Law;
use golem_mortality::lifecycle::Golem;
use golem_mortality::vitals::{BirthError, Vitals};
use golem_playbook::hand::HandError;
use golem_playbook::record::Row;
use golem_primitives::{B256, GolemId, Tick, Usdc, UtcTime, keccak256};
use serde::Serialize;

use crate::affect::{Affect, felt_end};
use crate::books::Books;
use crate::data_purchases::DataPurchases;
use crate::desk::Desk;
use crate::dreams::LifeDreams;
use crate::kinship::Kinship;
use crate::mind::Mind;
use crate::precedents::Precedents;
use crate::pressure::{Opening, Pressure};
use crate::record::{DreamTerms, RECORD_VERSION, Recollection, Signal, Temper, Turn};
use crate::rooms::Rooms;
use crate::study::Study;
use crate::trader::{Foundation, Trader, TraderSettings};

pub use crate::body::Body;

/// One life, from birth to the end of its death.
#[derive(Debug, Clone, PartialEq)]
pub struct Life {
    pub(crate) body: Body,
    pub(crate) desk: Box<Desk>,
    pub(crate) trader: Option<Box<Trader>>,
    pub(crate) rooms: Rooms,
}

/// Why bytes are no life.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A snapshot is a cache and is dropped then.
    #[error("the snapshot has version {got}, this code reads {RECORD_VERSION}")]
    Version { got: u16 },
    #[error("the bytes are no snapshot of a life")]
    Corrupt(#[source] postcard::Error),
    #[error("the looks of the snapshot are not those its rules were tried at")]
    Looks(#[from] HandError),
}

impl Life {
    /// A life that begins.
    pub fn birth(id: GolemId, law: Law, funding: Usdc, open_positions: u32, now: UtcTime) -> Result<Self, BirthError> {
        let golem = Golem::provision(id, law, funding, open_positions, now)?.give_birth();
        let desk = Box::new(Desk { open_positions, ..Desk::default() });
        Ok(Self { body: Body::Active(golem), desk, trader: None, rooms: Rooms::default() })
    }

    /// The same life with a hand on the market: it decides, trades, reports and settles by itself.
    #[must_use]
    pub fn with_trader(self, settings: TraderSettings, foundation: Foundation) -> Self {
        Self { trader: Some(Box::new(Trader::new(settings, foundation))), ..self }
    }

    /// Its hand on the market.
    #[must_use]
    pub fn trader(&self) -> Option<&Trader> {
        self.trader.as_deref()
    }

    /// Its mind, once a model was there to be asked.
    #[must_use]
    pub fn mind(&self) -> Option<&Mind> {
        self.rooms.mind.as_deref()
    }

    /// What models advised it before, once it remembers that.
    #[must_use]
    pub fn precedents(&self) -> Option<&Precedents> {
        self.rooms.precedents.as_deref()
    }

    /// The data it may buy, once a source was named.
    #[must_use]
    pub fn data_purchases(&self) -> Option<&DataPurchases> {
        self.rooms.data_purchases.as_deref()
    }

    /// V-003. Its own books of the vault's credits, once there was a log to keep them by.
    #[must_use]
    pub fn books(&self) -> Option<&Books> {
        self.rooms.books.as_deref()
    }

    /// What it may have thought for it, once somebody offered to.
    #[must_use]
    pub fn study(&self) -> Option<&Study> {
        self.rooms.study.as_deref()
    }

    /// Its mood, once it was told what it is like.
    #[must_use]
    pub fn affect(&self) -> Option<&Affect> {
        self.rooms.affect.as_deref()
    }

    /// M-184, A-064. What its own end feels like, to one that has moods.
    #[must_use]
    pub fn felt_end(&self) -> Option<Emotion> {
        self.affect().map(|_| felt_end(self.vitals()))
    }

    /// I-100. What it has with its siblings, once one was heard.
    #[must_use]
    pub fn kinship(&self) -> Option<&Kinship> {
        self.rooms.kinship.as_deref()
    }

    /// What presses on it, once it was told by which reading.
    #[must_use]
    pub fn pressure(&self) -> Option<&Pressure> {
        self.rooms.suffering.as_deref()
    }

    /// S-100, S-106, S-123, A-044. What it is under, what was suffered where the open question leads (S-080), and in which
    /// mood it is, for every question that is asked of a living one.
    #[must_use]
    pub fn state_words(&self) -> Option<String> {
        let pressed = self.pressure().and_then(Pressure::prompt);
        let warned = self.anticipated().map(|signal| signal.text());
        let mood = self.affect().and_then(|affect| affect.prompt(self.vitals()));
        let words: Vec<String> = [pressed, warned, mood].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join("\n\n"))
    }

    /// S-080. What was suffered before where the open question leads.
    fn anticipated(&self) -> Option<Signal> {
        let asked = self.mind()?.pending.as_ref()?.choices.candidates().first()?;
        self.pressure()?.anticipates(Opening::of(&asked.order)?, self.trader()?)
    }

    /// Whether this is what it last heard of itself. A life that was never told anything has heard of nothing.
    #[must_use]
    pub fn has_heard(&self, temper: &Temper) -> bool {
        let affect = self.affect().map_or(temper.affect.is_none(), |affect| affect.heard(temper.affect));
        let pressure = self.pressure().map_or(temper.suffering.is_none(), |pressure| pressure.heard(temper));
        affect && pressure
    }

    /// Its dreaming, once it was told of it.
    #[must_use]
    pub fn dreams(&self) -> Option<&LifeDreams> {
        self.rooms.dreams.as_deref()
    }

    /// Whether this is what it last heard of dreams. A life that was never told has heard of dreams that are off.
    #[must_use]
    pub fn has_heard_of_dreams(&self, terms: &DreamTerms) -> bool {
        self.dreams().map_or(!terms.law.enabled, |dreams| dreams.terms == *terms)
    }

    /// D-039. Whether memory says what it last said; a glance is always news.
    #[must_use]
    pub fn has_recalled(&self, recollection: &Recollection) -> bool {
        recollection.glance.is_none() && self.dreams().is_some_and(|dreams| dreams.recalled == *recollection)
    }

    /// M-187. When its death began, of one that carries it out itself.
    #[must_use]
    pub fn dying_since(&self) -> Option<UtcTime> {
        self.trader().and_then(|trader| trader.dying.as_ref()).map(|dying| dying.began)
    }

    /// The tick the next pass belongs to, and its stage. A dying life has passes and no ticks.
    #[must_use]
    pub fn next_pass(&self) -> (Tick, Turn) {
        let dying = self.trader.as_ref().and_then(|trader| trader.dying.as_ref());
        match dying {
            Some(dying) => (dying.pass.next(), Turn::Sleeping),
            None if self.desk.turn.is_some() => (self.tick().next(), Turn::Sleeping),
            None => (self.tick().next(), Turn::Deciding),
        }
    }

    /// Its state.
    #[must_use]
    pub const fn body(&self) -> &Body {
        &self.body
    }

    /// Its vitals, in every state.
    #[must_use]
    pub const fn vitals(&self) -> &Vitals {
        self.body.vitals()
    }

    /// Who lives.
    #[must_use]
    pub const fn id(&self) -> &GolemId {
        self.vitals().id()
    }

    /// The last tick lived.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.vitals().tick()
    }

    /// Whether it still ticks.
    #[must_use]
    pub const fn is_alive(&self) -> bool {
        self.body.is_alive()
    }

    /// Its death, once it has begun.
    #[must_use]
    pub const fn death(&self) -> Option<&Death> {
        match &self.body {
            Body::Active(_) | Body::Dreaming(_) => None,
            Body::Dying(golem) => Some(golem.death()),
            Body::Dead(golem) => Some(golem.death()),
        }
    }

    /// Effects without an outcome yet.
    #[must_use]
    pub fn open_effects(&self) -> usize {
        self.desk.holds.len()
    }

    /// The hash of everything this life is: same journal, same hash, on every machine. Of the looks its hand has kept
    /// it holds their digest.
    #[must_use]
    pub fn hash(&self) -> B256 {
        let Self { body, desk, trader, rooms } = self;
        keccak256(written(&(RECORD_VERSION, body, desk, trader, rooms)))
    }

    /// The life as bytes, its version first and the looks its hand has kept last.
    #[must_use]
    pub fn to_snapshot(&self) -> Vec<u8> {
        let Self { body, desk, trader, rooms } = self;
        let hands = trader.iter().flat_map(|trader| trader.hands());
        let looks: Vec<Vec<&Row>> = hands.map(|(_, hand)| hand.rows().collect()).collect();
        written(&(RECORD_VERSION, body, desk, trader, rooms, looks))
    }

    /// Reads a life back. A restored life continues to the same hashes.
    pub fn from_snapshot(bytes: &[u8]) -> Result<Self, SnapshotError> {
        /// What [`Life::to_snapshot`] writes behind the version.
        type Written = (Body, Box<Desk>, Option<Box<Trader>>, Rooms, Vec<Vec<Row>>);
        let (got, rest) = postcard::take_from_bytes::<u16>(bytes).map_err(SnapshotError::Corrupt)?;
        if got != RECORD_VERSION {
            return Err(SnapshotError::Version { got });
        }
        let (body, desk, mut trader, rooms, looks): Written =
            postcard::from_bytes(rest).map_err(SnapshotError::Corrupt)?;
        let hands = trader.iter_mut().flat_map(|trader| trader.pools_mut()).filter_map(|one| one.rulebook.hand_mut());
        for (hand, looks) in hands.zip(looks) {
            hand.take_up(looks)?;
        }
        Ok(Self { body, desk, trader, rooms })
    }
}

fn written(life: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(life).expect("a life is plain data")
}
