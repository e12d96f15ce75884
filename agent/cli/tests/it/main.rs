//! `bardo` as a person runs it: real processes, real signals.

mod bardo;
mod chain;
mod demo;
mod doctor;
mod suite;
