//! The law of dreams from outside.

mod budget;
mod clocks;
mod events;
mod heritage;
mod integration;
mod law;
mod machine;
mod make;
mod micro;
mod onset;
mod pool;
mod powerless;
mod rem;
mod replay;
mod schedule;
mod select;
mod state;
mod threats;
mod wake;
mod window;
