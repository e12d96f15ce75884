//! A memory on a real disk: what is acknowledged is there, and what is not believed is not touched.

mod attempts;
mod crash;
mod full;
mod insurance;
mod lock;
mod outbox;
mod passes;
mod payments;
mod queries;
mod refusals;
mod world;
