//! A Golem as two witnesses tell it: its own memory and its chain.

use std::fmt;

use golem_primitives::{Address, AgentId};
use serde_json::json;

use crate::{ChainPicture, FeedPicture, LifePicture, Shown, Value, picture};

/// What a witness tells, or why it does not: one that does not answer is part of the picture, not the end of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Witness<T> {
    Tells(T),
    Fails(String),
}

impl<T> Witness<T> {
    /// What came of asking it, with all causes where it did not answer.
    pub fn of(asked: Result<T, impl fmt::Display>) -> Self {
        match asked {
            Ok(told) => Self::Tells(told),
            Err(why) => Self::Fails(format!("{why:#}")),
        }
    }
}

impl<T: Shown> Shown for Witness<T> {
    const UNIT: &'static str = T::UNIT;

    fn words(&self) -> String {
        match self {
            Self::Tells(told) => told.words(),
            Self::Fails(why) => why.clone(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Tells(told) => told.json(),
            Self::Fails(why) => json!({ "error": why }),
        }
    }
}

picture! {
    /// Everything that is known of a Golem now.
    pub struct StatusPicture {
        golem: String,
        /// Its id and vault; none on paper.
        agent: Option<AgentId>,
        vault: Option<Address>,
        paper: bool,
        /// None where it was not raised here.
        memory: Option<Witness<LifePicture>>,
        chain: Witness<ChainPicture>,
        feed: Option<FeedPicture>,
    }
}
