//! Does a real agent live and die on a real chain? anvil, the suite, the runtime and the `bardo` program, nothing faked.

#[macro_use]
#[path = "../shared/each.rs"]
mod each;

mod bad;
mod blind;
mod broke;
mod buying;
mod crash;
mod deaths;
mod dreaming;
mod faults;
mod found;
mod interrupted;
mod linked;
#[path = "../../agent/inference/tests/it/server.rs"]
#[allow(dead_code, reason = "the adapter's own tests let it misbehave in more ways")]
mod models;
mod moods;
mod muse;
mod pools;
mod pressure;
mod proxy;
mod rehearsed;
mod replay;
mod seasons;
#[path = "../../agent/x402/tests/it/sellers.rs"]
#[allow(dead_code, reason = "the adapter's own tests let it cheat in more ways")]
mod sellers;
mod siblings;
mod thinking;
mod twins;
#[path = "../shared/wire.rs"]
mod wire;
#[path = "../shared/words.rs"]
mod words;
mod world;
