//! The relay with real parts: anvil and the suite, nats-server, WebSockets, and processes that are killed.

mod clade;
mod cluster;
mod killed;
mod liars;
mod logs;
mod nats;
mod objects;
#[path = "../../../../test/shared/people.rs"]
mod people;
mod poison;
#[path = "../../../../test/shared/raised.rs"]
mod raised;
mod raw;
mod secure;
#[path = "../../../../test/shared/words.rs"]
mod words;
mod world;
#[path = "../../../../test/shared/worlds.rs"]
mod worlds;
