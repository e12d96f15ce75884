//! The only room that speaks to models.

pub mod embedder;
