//! A memory on a real disk: what is acknowledged is there, and what is not believed is not touched.

mod attempts;
mod carrying;
mod crash;
mod damage;
mod dreaming;
mod exchanging;
mod full;
mod grimoire;
mod insurance;
mod lock;
mod mind;
mod outbox;
mod passes;
mod payments;
mod queries;
mod recalling;
mod refusals;
mod wording;
mod world;
