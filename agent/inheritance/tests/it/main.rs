//! The law of inheritance from outside.

mod bottleneck;
mod descent;
mod heir;
mod ingest;
mod make;
mod stained;
mod testament;
