//! `bardo` as a person runs it: real processes, real signals.

mod astray;
mod backtest;
mod backups;
mod bardo;
mod births;
mod chain;
mod config;
mod control;
mod demo;
mod doctor;
mod dreams;
mod experiment;
mod feeding;
mod fleet;
mod grafana;
mod grimoire;
mod hand;
mod handles;
mod heirs;
mod identity;
mod line;
mod living;
mod market;
mod mcp;
mod playbook;
mod pty;
mod siblings;
mod sim;
mod suite;
mod town;
mod watching;
mod web;
#[path = "../../../../test/shared/worlds.rs"]
mod worlds;
