//! The law of the Grimoire against its vectors and laws.

mod retention;
