//! Where this program touches the machine and strangers. What is asked of it here is bounded in time, number and size,
//! once for all rooms, so that no room has to remember to.

#[cfg(feature = "client")]
pub mod client;
pub mod files;
#[cfg(feature = "server")]
pub mod server;
