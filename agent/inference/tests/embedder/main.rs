//! The local model against the Python reference, and the endpoints against a server that speaks their wire formats.

mod minilm;
mod remote;
mod server;
