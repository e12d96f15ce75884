//! Does a real agent live and die on a real chain? anvil, the suite, the runtime and the `bardo` program, nothing faked.

mod bad;
mod blind;
mod crash;
mod deaths;
mod faults;
mod proxy;
mod replay;
#[path = "../shared/wire.rs"]
mod wire;
mod world;
