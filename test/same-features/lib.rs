//! Nothing to call. Cargo builds a crate anew for each set of features it is asked for, and what tests lean on asks more of
//! the HTTP client, and so of everything above it, than the program does. `scripts/demo` names this package beside the
//! program: then the tests find everything built that the demo built, and the other way round.
