//! What a life may have beyond a body and a hand, each from the moment it is first told of it.
//!
//! A room that nobody furnished takes no part in a life: neither in what it does nor in how it is written. That is why a
//! life recorded before a room was built is lived again to the same hashes.

use serde::{Deserialize, Serialize};

use crate::affect::Affect;
use crate::mind::Mind;
use crate::record::{MIND_VERSION, PLAIN_VERSION, RECORD_VERSION};
use crate::strain::Strain;

/// The furnished rooms of a life. New ones are added at the end: what is written is read back by place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Rooms {
    /// The models it may ask.
    pub(crate) mind: Option<Box<Mind>>,
    /// What moves it.
    pub(crate) affect: Option<Box<Affect>>,
    /// S-001. What presses on it.
    pub(crate) suffering: Option<Box<Strain>>,
}

impl Rooms {
    /// A mind and nothing else.
    pub(crate) fn with_mind(mind: Box<Mind>) -> Self {
        Self { mind: Some(mind), ..Self::default() }
    }

    /// The oldest version of a record that can hold what is furnished.
    pub(crate) const fn version(&self) -> u16 {
        // By name and without a rest, so that a new room is not forgotten here.
        let Self { mind, affect, suffering } = self;
        match (mind, affect, suffering) {
            (None, None, None) => PLAIN_VERSION,
            (Some(_), None, None) => MIND_VERSION,
            _ => RECORD_VERSION,
        }
    }
}
