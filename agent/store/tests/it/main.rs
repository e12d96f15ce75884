//! A memory on a real disk: what is acknowledged is there, and what is not believed is not touched.

#[path = "../../../../test/shared/admitted.rs"]
mod admitted;
mod attempts;
mod carrying;
mod crash;
mod damage;
#[path = "../../../../test/shared/drafts.rs"]
mod drafts;
mod dreaming;
mod exchanging;
mod full;
mod grimoire;
mod insurance;
mod lock;
mod mind;
mod outbox;
#[path = "../../../../test/shared/passed.rs"]
mod passed;
mod passes;
mod payments;
mod queries;
mod recalling;
mod refusals;
#[path = "../../../../test/shared/turn.rs"]
mod turn;
mod wording;
mod world;
