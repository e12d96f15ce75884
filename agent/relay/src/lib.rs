//! Carries signed words between the Golems of one owner, and keeps them for whoever is away.

mod archive;
mod archivist;
mod frame;
mod gate;
mod link;
mod log;
mod message;
mod scents;
mod seal;
mod server;
mod trust;

pub use archive::{ARCHIVE_BYTES, Archive, Filed, FolderArchive, OBJECT_BYTES, ObjectName};
pub use archivist::{ArchiveError, Archivist};
pub use frame::{
    Frame, FrameError, HEADER_BYTES, MOST_BODY_BYTES, MOST_SEQ, Realm, SIGNATURE_BYTES, Statement, statements,
};
pub use gate::Gate;
pub use link::{CladeLink, LinkSettings, VaultKey, WireState, link, look_at_wire};
pub use log::{
    Filing, Fresh, Later, LeftScent, Log, LogEntry, LogError, LogOpenError, NatsLog, NatsSettings, OWNER_BYTES, Page,
    SqliteLog,
};
pub use message::{PAGE, RefusalReason, RelayRefusal};
pub use seal::{ArchiveIdentity, ArchiveRecipient, SealError, seal, unseal};
pub use server::{Relay, RelayClock, RelaySettings, wall_clock};
pub use trust::TrustError;
