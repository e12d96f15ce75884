//! O-014. What an assistant may ask about the Golems of this machine, over the Model Context Protocol.
//!
//! The questions are the page's ([`golem_web::Question`]) and whoever answers is the page's too, so that an assistant is told
//! what a person is shown and nothing else. None of the questions that prepare an act can be asked here: an assistant reads.

mod resources;
mod served;
mod tools;

pub use served::{over_http, over_stdio};
pub use tools::{Tools, UnservedError};
