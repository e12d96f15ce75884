//! a real chain, Circle's USDC, a real facilitator and real servers; no payment is mocked.

mod buying;
mod crashes;
mod feeding;
mod hostile;
#[path = "../../../../test/shared/raised.rs"]
mod raised;
mod sellers;
mod selling;
mod town;
#[path = "../../../../test/shared/worlds.rs"]
mod worlds;
