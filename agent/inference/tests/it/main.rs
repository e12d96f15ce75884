//! The adapter against servers that speak the providers' wire formats.

mod answers;
mod deliberator;
mod dreaming;
mod failures;
mod hostile;
mod money;
mod secrets;
mod server;
mod survey;
mod world;
