//! NREM: what happened is read again, and what it says together is counted. It makes candidates and writes nothing.

pub mod forward;
pub mod pattern;
pub mod perturb;
pub mod reverse;
pub mod select;
pub mod trajectory;
pub mod triage;
pub mod utility;
