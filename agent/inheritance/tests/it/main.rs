//! The law of inheritance from outside.

#[path = "../../../../test/shared/admitted.rs"]
mod admitted;
mod bottleneck;
mod descent;
#[path = "../../../../test/shared/drafts.rs"]
mod drafts;
mod heir;
mod ingest;
mod make;
mod stained;
mod testament;
