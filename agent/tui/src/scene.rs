//! What is shown, as plain values. Whoever reads a memory fills them in.

use std::collections::VecDeque;

use golem_primitives::{Ppm, Usdc};
use golem_view::{
    AdjustmentPicture, DreamLine, DreamPicture, FirstDays, GravePicture, InheritancePreview, LifeHistory, LifePicture,
    LoggedLine, MemorialPicture, MoodPicture, StandingPicture, SufferingPicture, TradeLine, TriedRule, WhyInPool,
    Witness,
};

/// Whether this process lives the life it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Company {
    /// Another process does, or nobody: closing the screen changes nothing.
    #[default]
    LooksOn,
    /// This one does: closing the screen stops it.
    Lives,
    /// It was asked to stop and ends its tick.
    Stops,
}

/// A life as its memory has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Portrait {
    pub life: LifePicture,
    /// What it has, made, costs and waits for, in words.
    pub stage: StandingPicture,
    pub rules: Vec<TriedRule>,
    pub why: Vec<WhyInPool>,
    /// The newest trades, newest first.
    pub trades: Vec<TradeLine>,
    /// None where it has no moods.
    pub mood: Option<MoodPicture>,
    /// None where it cannot suffer.
    pub suffering: Option<SufferingPicture>,
    /// None where it does not dream.
    pub dreaming: Option<DreamPicture>,
    /// The last dreams, newest first.
    pub dreams: Vec<DreamLine>,
    pub history: LifeHistory,
    /// What happened, oldest first.
    pub log: VecDeque<LoggedLine>,
}

/// One of the dead.
#[derive(Debug, Clone, PartialEq)]
pub struct GraveScene {
    pub grave: GravePicture,
    /// Its testament, line by line, or why there is none to read.
    pub testament: Witness<String>,
}

/// I-260. What is left of a life.
#[derive(Debug, Clone, PartialEq)]
pub struct MemorialScene {
    pub stone: MemorialPicture,
    /// I-262. All of its testament, or why there is none.
    pub testament: Witness<String>,
    /// I-263. All the dead of its line, newest generation first.
    pub graves: Vec<GraveScene>,
}

/// I-268. What a successor would be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeirDraft {
    /// A founding book or a file.
    pub playbook: String,
    /// The share of capital its book may use.
    pub stake: Ppm,
    pub credits: Usdc,
    pub capital: Usdc,
    pub inherits: bool,
}

/// I-266, I-267. A successor that is not born yet: what it would be given and what it would inherit.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreseen {
    /// Filled in from the predecessor.
    pub usual: HeirDraft,
    /// What the predecessor acted by, a rule each, in words.
    pub strategy: Vec<String>,
    pub advice: Vec<AdjustmentPicture>,
    /// I-271. Counted by what ingestion does.
    pub preview: InheritancePreview,
    pub tried: FirstDays,
    /// How much alike the two books are, where that could be measured.
    pub similarity: Option<Ppm>,
    /// I-210. Why nobody would be born of this book; nothing where somebody would.
    pub stillborn: Option<String>,
}

/// Everything there is to see.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    pub golem: String,
    /// Where it lives: on paper, or which agent of which chain.
    pub place: String,
    pub company: Company,
    /// Something is wrong with what is shown.
    pub notice: Option<String>,
    /// Nothing before the first look.
    pub portrait: Option<Portrait>,
    /// Of the dead.
    pub memorial: Option<MemorialScene>,
    /// The wizard's answers; nothing while they are looked for.
    pub foreseen: Option<Witness<Foreseen>>,
}
