//! Two published results, lived by the same machinery before anything of ours is believed: neither is a market, and nothing of a
//! Golem is in them.

pub mod march;
pub mod werfel;
