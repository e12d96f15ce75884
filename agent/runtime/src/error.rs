//! Why a life cannot go on here. The life itself is safe in its store.

use golem_core::life::SnapshotError;
use golem_ports::{ChainError, StoreError, TickSourceError};
use golem_primitives::{B256, Tick};

/// Why the loop stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Pace(#[from] TickSourceError),
    /// The journal does not lead to the state that was recorded: other code, or a damaged file.
    #[error(
        "replaying pass {seq} (tick {tick}) gives {got}, the journal says {recorded}; this program lives by another law \
         than the one that wrote it: use the version that did, or restore a snapshot"
    )]
    Diverged { seq: u64, tick: Tick, recorded: B256, got: B256 },
    #[error("the store holds no birth to begin from; restore it with `bardo memory restore`")]
    NoBirth,
    #[error("nobody is dying, so there is no testament to write")]
    NotDying,
    /// A life failed in a way nobody foresaw; its neighbours go on.
    #[error("{golem} stopped by a defect of this program; its store is whole, start it again and report what happened")]
    Panicked { golem: golem_primitives::GolemId },
    #[error("a snapshot cannot be read")]
    Snapshot(#[from] SnapshotError),
    /// An attempt could not be recorded, or somebody else acts with this key: sending on would risk sending twice.
    #[error("an effect could not be driven safely")]
    Unsafe(#[source] ChainError),
    /// What was written down of a death does not fit together; nothing was bundled.
    #[error("no death bundle: {what}; the testament on chain stands, export the memory instead")]
    Legacy { what: &'static str },
    #[error("{what} could not be written")]
    File {
        what: String,
        #[source]
        source: std::io::Error,
    },
}

/// What may be done about a failure without anybody's help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// It came before anything of a pass was written: the same runtime goes on.
    GoOn,
    /// What is on disk is whole and what is in memory is not: it begins again from its store once there is room.
    BeginAgain,
    /// None: somebody has to look.
    Nothing,
}

impl RuntimeError {
    /// Whether going on again may help without anybody doing anything to this program, and how.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Pace(_) => Remedy::GoOn,
            Self::Store(error) | Self::Unsafe(ChainError::Store(error)) if is_passing(error) => Remedy::BeginAgain,
            Self::File { source, .. } if is_full(source) => Remedy::BeginAgain,
            _ => Remedy::Nothing,
        }
    }
}

/// Room may come, and whoever holds the file lets go of it.
const fn is_passing(error: &StoreError) -> bool {
    matches!(error, StoreError::DiskFull { .. } | StoreError::Busy { .. })
}

fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}
