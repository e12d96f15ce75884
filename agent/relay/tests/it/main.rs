//! The relay with real parts: anvil and the suite, nats-server, WebSockets, and processes that are killed.

mod logs;
mod nats;
