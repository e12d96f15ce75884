//! What is laid down beside the words: backups and what a death leaves, sealed by their Golem (I-117, I-118, C-28).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alloy::primitives::Address;
use golem_edge::files;
use golem_inheritance::clade::archive::{ArchiveLaw, FinalPart};
use golem_primitives::{Tick, UtcTime};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt as _;
use tokio::sync::Mutex;

use crate::log::{Later, LogError, NatsLog};

/// Bytes of one object at most.
pub const OBJECT_BYTES: usize = 32 << 20;
/// Bytes of one owner's objects at most.
pub const ARCHIVE_BYTES: u64 = 1 << 30;

/// What an object is called among its owner's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName {
    pub vault: Address,
    pub tick: Tick,
    pub part: FinalPart,
}

impl ObjectName {
    /// The path under which it is laid and fetched.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/archive/{:x}/{}/{}", self.vault, self.tick.get(), self.part)
    }

    /// Reads the parts of a path.
    #[must_use]
    pub fn of(vault: &str, tick: &str, part: &str) -> Option<Self> {
        let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let tick = Tick::new(tick.parse().ok().filter(|_| is_plain(tick))?);
        Some(Self { vault: vault.parse().ok()?, tick, part: FinalPart::from_name(part)? })
    }
}

/// An object as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    pub vault: Address,
    pub tick: u64,
    pub part: String,
    pub bytes: u64,
    pub at: u64,
}

impl Filed {
    /// Its name; `None` for a part that nobody knows.
    #[must_use]
    pub fn name(&self) -> Option<ObjectName> {
        let part = FinalPart::from_name(&self.part)?;
        Some(ObjectName { vault: self.vault, tick: Tick::new(self.tick), part })
    }

    fn of(name: ObjectName, bytes: usize, now: UtcTime) -> Self {
        let part = name.part.name().to_owned();
        Self { vault: name.vault, tick: name.tick.get(), part, bytes: bytes as u64, at: now.seconds() }
    }

    fn is_kept(&self, now: UtcTime) -> bool {
        let law = ArchiveLaw::default();
        let laid = UtcTime::from_seconds(self.at);
        self.name().is_some_and(|name| law.kept_until(name.part, laid) >= now)
    }
}

/// I-117. Where sealed objects lie, by owner. What it cannot open it can only keep or lose.
pub trait Archive: Send + Sync + 'static {
    /// Lays an object down, in place of what has its name.
    fn put(&self, owner: Address, name: ObjectName, bytes: Vec<u8>, now: UtcTime) -> Later<'_, Result<(), LogError>>;

    /// The object of a name, while it is kept.
    fn get(&self, owner: Address, name: ObjectName, now: UtcTime) -> Later<'_, Result<Option<Vec<u8>>, LogError>>;

    /// Every object of an owner that is kept, the newest first.
    fn list(&self, owner: Address, now: UtcTime) -> Later<'_, Result<Vec<Filed>, LogError>>;

    /// I-118. Forgets what is too old.
    fn sweep(&self, now: UtcTime) -> Later<'_, Result<(), LogError>>;
}

/// An archive in a folder: a folder an owner, a file an object.
#[derive(Debug)]
pub struct FolderArchive {
    folder: PathBuf,
    /// Whoever lays down counts first, and counts alone.
    counting: Arc<Mutex<()>>,
}

impl FolderArchive {
    /// The archive of a folder.
    pub fn open(folder: &Path) -> Result<Self, files::FileError> {
        files::make_folder(folder)?;
        Ok(Self { folder: folder.to_owned(), counting: Arc::default() })
    }

    fn owners(&self, owner: Address) -> PathBuf {
        self.folder.join(format!("{owner:x}"))
    }
}

/// The time stands in the file's name: a copied folder keeps it.
fn file_name(filed: &Filed) -> String {
    format!("{:x}.{}.{}.{}.age", filed.vault, filed.tick, filed.part, filed.at)
}

fn read_folder(folder: &Path) -> Vec<(Filed, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let mut parts = name.strip_suffix(".age")?.split('.');
        let object = ObjectName::of(parts.next()?, parts.next()?, parts.next()?)?;
        let at = UtcTime::from_seconds(parts.next()?.parse().ok()?);
        let bytes = usize::try_from(entry.metadata().ok()?.len()).ok()?;
        Some((Filed::of(object, bytes, at), entry.path()))
    };
    let mut found: Vec<_> = entries.flatten().filter_map(read).collect();
    found.sort_by(|(a, _), (b, _)| (b.at, b.tick, a.vault).cmp(&(a.at, a.tick, b.vault)));
    found
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> Result<T, LogError> + Send + 'static) -> Result<T, LogError> {
    tokio::task::spawn_blocking(work).await.map_err(LogError::away)?
}

fn check_room(filed: &[Filed], name: ObjectName, bytes: usize) -> Result<(), LogError> {
    let others = filed.iter().filter(|one| one.name() != Some(name));
    let used: u64 = others.map(|one| one.bytes).sum();
    if bytes > OBJECT_BYTES || used + bytes as u64 > ARCHIVE_BYTES { Err(LogError::Full) } else { Ok(()) }
}

impl Archive for FolderArchive {
    fn put(&self, owner: Address, name: ObjectName, bytes: Vec<u8>, now: UtcTime) -> Later<'_, Result<(), LogError>> {
        let folder = self.owners(owner);
        Box::pin(async move {
            let _alone = self.counting.lock().await;
            aside(move || {
                files::make_folder(&folder).map_err(LogError::away)?;
                let found = read_folder(&folder);
                let (kept, old): (Vec<_>, Vec<_>) = found.into_iter().partition(|(filed, _)| filed.is_kept(now));
                let filed: Vec<Filed> = kept.iter().map(|(filed, _)| filed.clone()).collect();
                check_room(&filed, name, bytes.len())?;
                let new = Filed::of(name, bytes.len(), now);
                files::write_whole(&folder.join(file_name(&new)), &bytes).map_err(LogError::away)?;
                let replaced = kept.iter().filter(|(filed, _)| filed.name() == Some(name) && filed.at != new.at);
                replaced.chain(&old).for_each(|(_, path)| drop(std::fs::remove_file(path)));
                Ok(())
            })
            .await
        })
    }

    fn get(&self, owner: Address, name: ObjectName, now: UtcTime) -> Later<'_, Result<Option<Vec<u8>>, LogError>> {
        let folder = self.owners(owner);
        Box::pin(aside(move || {
            let is_it = |filed: &Filed| filed.name() == Some(name) && filed.is_kept(now);
            let found = read_folder(&folder).into_iter().find(|(filed, _)| is_it(filed));
            found.map(|(_, path)| files::read(&path, OBJECT_BYTES as u64).map_err(LogError::away)).transpose()
        }))
    }

    fn list(&self, owner: Address, now: UtcTime) -> Later<'_, Result<Vec<Filed>, LogError>> {
        let folder = self.owners(owner);
        Box::pin(aside(move || {
            Ok(read_folder(&folder).into_iter().map(|(filed, _)| filed).filter(|filed| filed.is_kept(now)).collect())
        }))
    }

    fn sweep(&self, now: UtcTime) -> Later<'_, Result<(), LogError>> {
        let folder = self.folder.clone();
        Box::pin(aside(move || {
            for owner in std::fs::read_dir(&folder).map_err(LogError::away)?.flatten() {
                let old = read_folder(&owner.path()).into_iter().filter(|(filed, _)| !filed.is_kept(now));
                old.for_each(|(_, path)| drop(std::fs::remove_file(path)));
            }
            Ok(())
        }))
    }
}

/// Where an object of a cluster says when it was laid down.
const AT: &str = "at";

impl NatsLog {
    fn object(owner: Address, name: ObjectName) -> String {
        format!("{owner:x}{}", name.path())
    }

    /// Every object of the cluster, or of one owner.
    async fn objects_of(&self, owner: Option<Address>) -> Result<Vec<(Filed, String)>, LogError> {
        use futures_util::StreamExt as _;
        let mut listed = self.objects().list().await.map_err(LogError::away)?;
        let begins = owner.map(|owner| format!("{owner:x}/"));
        let mut found = Vec::new();
        while let Some(object) = listed.next().await {
            let object = object.map_err(LogError::away)?;
            if begins.as_ref().is_some_and(|begins| !object.name.starts_with(begins.as_str())) {
                continue;
            }
            let at = object.metadata.get(AT).and_then(|at| at.parse().ok()).map(UtcTime::from_seconds);
            let mut parts = object.name.split('/').skip(2);
            let name = (|| ObjectName::of(parts.next()?, parts.next()?, parts.next()?))();
            if let (Some(at), Some(name)) = (at, name) {
                found.push((Filed::of(name, object.size, at), object.name.clone()));
            }
        }
        found.sort_by(|(a, _), (b, _)| (b.at, b.tick, a.vault).cmp(&(a.at, a.tick, b.vault)));
        Ok(found)
    }
}

impl Archive for NatsLog {
    fn put(&self, owner: Address, name: ObjectName, bytes: Vec<u8>, now: UtcTime) -> Later<'_, Result<(), LogError>> {
        Box::pin(async move {
            check_room(&self.list(owner, now).await?, name, bytes.len())?;
            let meta = async_nats::jetstream::object_store::ObjectMetadata {
                name: Self::object(owner, name),
                metadata: HashMap::from([(AT.to_owned(), now.seconds().to_string())]),
                ..Default::default()
            };
            self.objects().put(meta, &mut bytes.as_slice()).await.map(drop).map_err(LogError::away)
        })
    }

    fn get(&self, owner: Address, name: ObjectName, now: UtcTime) -> Later<'_, Result<Option<Vec<u8>>, LogError>> {
        Box::pin(async move {
            if !self.list(owner, now).await?.iter().any(|filed| filed.name() == Some(name)) {
                return Ok(None);
            }
            let mut object = self.objects().get(Self::object(owner, name)).await.map_err(LogError::away)?;
            let mut bytes = Vec::new();
            object.read_to_end(&mut bytes).await.map_err(LogError::away)?;
            Ok(Some(bytes))
        })
    }

    fn list(&self, owner: Address, now: UtcTime) -> Later<'_, Result<Vec<Filed>, LogError>> {
        Box::pin(async move {
            let found = self.objects_of(Some(owner)).await?;
            Ok(found.into_iter().map(|(filed, _)| filed).filter(|filed| filed.is_kept(now)).collect())
        })
    }

    fn sweep(&self, now: UtcTime) -> Later<'_, Result<(), LogError>> {
        Box::pin(async move {
            for (filed, name) in self.objects_of(None).await? {
                if !filed.is_kept(now) {
                    self.objects().delete(name).await.map_err(LogError::away)?;
                }
            }
            Ok(())
        })
    }
}
