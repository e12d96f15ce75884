//! Does a real agent live and die on a real chain? anvil, the suite, the runtime and the `bardo` program, nothing faked.

mod crash;
mod deaths;
mod world;
