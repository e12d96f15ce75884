//! What comes from others is judged in one place, the customs of the Grimoire (G-175, I-070 to I-087); here stands what they are
//! told: what the chain says of its [`claims`], and what was refused before ([`immune`]).

pub mod claims;
pub mod immune;
