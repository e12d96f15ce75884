//! The law of the Grimoire against its vectors and laws.

mod gate;
mod make;
mod recall;
mod retention;
mod status;
