//! `bardo` as a person runs it: real processes, real signals.

mod astray;
mod backtest;
mod bardo;
mod births;
mod chain;
mod config;
mod demo;
mod doctor;
mod dreams;
mod experiment;
mod feeding;
mod fleet;
mod grimoire;
mod hand;
mod handles;
mod heirs;
mod identity;
mod line;
mod living;
mod playbook;
mod pty;
mod sim;
mod suite;
mod town;
mod watching;
mod web;
