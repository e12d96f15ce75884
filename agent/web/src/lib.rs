//! The page of O-011 to O-013: what a browser on this machine is shown of the Golems here.
//!
//! Three things stand between a life and whoever asks. [`Doorkeeper`] refuses everybody but the page itself: another host, another
//! site, nobody's token. A [`Question`] is all that can be asked, and a [`Told`] can be made of a picture alone, so that
//! nothing leaves that `golem-view` has no type for. A [`GolemSource`] answers; what an owner does is the command of that
//! name, and every transaction of it is signed and sent by his own wallet.

mod guard;
mod page;
mod question;
mod routes;
mod source;
mod stream;
mod undertakings;

pub use guard::{Doorkeeper, Token, guarded};
pub use page::is_built;
pub use question::{ActWanted, BookWanted, Question, UndertakingKind, UndertakingWanted, WalletAnswer, WantedKind};
pub use routes::routes;
pub use source::{Answering, Bookmark, GolemSource, Hearing, News, Refused, Told};
