//! The server as a browser and a stranger meet it: real sockets, a source that is made up.

mod asked;
mod guards;
mod streams;
mod wire;
