//! One SQLite file holds journal, outbox and knowledge of a Golem.
