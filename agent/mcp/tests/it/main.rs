//! The server as an assistant and a stranger meet it: the SDK's own client, real sockets, a source that is made up.

mod guards;
mod tools;
mod world;
