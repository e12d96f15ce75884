//! Suffering as its neighbours meet it.

mod crisis;
mod faults;
mod gate;
mod make;
mod principles;
mod prompt;
mod records;
mod vectors;
