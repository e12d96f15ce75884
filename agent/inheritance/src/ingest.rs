//! What comes from others: four layers in order, then a candidate under watch, never more (I-070 to I-088).
//!
//! Before the first layer a signature is asked for; then the [`embedding`] must be that of the text and near
//! something known, three [validators](consensus) must agree, the chain must not say [otherwise](claims). What passes is
//! a candidate: it runs in [`shadow`] without capital until its own use has shown something. [`pipeline`] is the
//! one way through; [`quarantine`] keeps who waits, [`immune`] who was refused before, [`rollback`] takes back what did
//! harm.

pub mod claims;
pub mod consensus;
pub mod embedding;
pub mod immune;
pub mod pipeline;
pub mod quarantine;
pub mod rollback;
pub mod shadow;
