//! The end of a life: it begins ([`begin`]), goes through four stages ([`stages`]), of which one sells what is held
//! ([`unwind`]), and knows between two passes how far it is ([`progress`]).

pub(crate) mod begin;
pub(crate) mod progress;
pub(crate) mod stages;
mod unwind;
