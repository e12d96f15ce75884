//! The economic clock: credits, what eats them and what protects them.

pub mod burn;
pub mod clock;
pub mod costs;
pub mod day_spend;
pub mod death_budget;
pub mod funding;
pub mod ladder;
pub mod partitions;
pub mod pressure;
pub mod purse;
pub mod rebalance;
pub mod reserve;
pub mod tier;
