//! NREM: what happened is chosen to be replayed, and what is known to follow is followed on. It writes nothing.

pub mod select;
pub mod trajectory;
pub mod utility;
