//! Files of a home. Each is a plain file, the one that stands under its name, readable by its owner alone and no larger than
//! what belongs there: a link, a pipe, a device or an endless file is refused by name and never waited for.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// What is far beyond anything a person or a life writes into one small file.
pub const SMALL: u64 = 1 << 20;

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// What is wrong with a file of a home.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    #[error("{} is a symbolic link, and none is followed here; put what it points to in its place", .path.display())]
    Link { path: PathBuf },
    #[error("{} is no plain file; move it away", .path.display())]
    NotAFile { path: PathBuf },
    #[error("{} is larger than the {most} bytes that belong there; move it away", .path.display())]
    TooLarge { path: PathBuf, most: u64 },
    #[error("{} is no text", .path.display())]
    NotText { path: PathBuf },
    #[error("cannot {what} {}: {source}", .path.display())]
    Refused {
        what: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

impl FileError {
    /// Whether there is nothing under that name.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Refused { source, .. } if source.kind() == ErrorKind::NotFound)
    }

    fn refused(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Refused { what, path: path.to_owned(), source }
    }
}

impl From<FileError> for io::Error {
    /// A refusal of the system keeps its kind, so that who waits for room on a disk still knows it.
    fn from(error: FileError) -> Self {
        match error {
            FileError::Refused { source, .. } => source,
            wrong => Self::new(ErrorKind::InvalidInput, wrong),
        }
    }
}

/// From here on everything this process makes is its owner's alone, also what libraries make.
pub fn keep_private() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Opens a plain file as `how` says, without following a link and without waiting for whoever is at the other end of a pipe.
///
/// # Errors
/// [`FileError`]: what stands there instead, or why the system refuses.
pub fn open(path: &Path, how: &mut OpenOptions) -> Result<File, FileError> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let opened = how.mode(FILE_MODE).custom_flags(flags).open(path);
    let path = || path.to_owned();
    let file = opened.map_err(|source| match Errno::from_io_error(&source) {
        Some(Errno::LOOP) => FileError::Link { path: path() },
        // A pipe nobody reads, a socket, a folder.
        Some(Errno::NXIO | Errno::ISDIR) => FileError::NotAFile { path: path() },
        _ => FileError::Refused { what: "open", path: path(), source },
    })?;
    let about = file.metadata().map_err(|source| FileError::Refused { what: "look at", path: path(), source })?;
    if about.is_file() { Ok(file) } else { Err(FileError::NotAFile { path: path() }) }
}

/// The whole of a plain file, if it has no more than `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let file = open(path, OpenOptions::new().read(true))?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(FileError::refused("read", path))?;
    if bytes.len() as u64 > most {
        return Err(FileError::TooLarge { path: path.to_owned(), most });
    }
    Ok(bytes)
}

/// The same of a text.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    String::from_utf8(read(path, most)?).map_err(|_| FileError::NotText { path: path.to_owned() })
}

/// A plain file to write behind its end; made when it is not there.
pub fn append(path: &Path) -> Result<File, FileError> {
    open(path, OpenOptions::new().create(true).append(true))
}

/// Writes a file whole or not at all, on disk before this returns. What stands under the name, a link too, is replaced and
/// not followed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".draft");
    let draft = PathBuf::from(draft);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_folder(folder)?;
    // What an ended process left, or somebody else put there.
    if let Err(error) = fs::remove_file(&draft)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(FileError::refused("replace", &draft)(error));
    }
    let mut file = open(&draft, OpenOptions::new().write(true).create_new(true))?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&draft, path))
        .and_then(|()| File::open(folder)?.sync_all())
        .map_err(FileError::refused("write", path))
}

/// Makes a folder, and those above it, for its owner alone.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    let made = DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path);
    made.map_err(FileError::refused("make the folder", path))
}

/// Whether everything under a folder, itself included, is plain files and folders: nothing in it leads elsewhere or keeps a
/// reader waiting.
///
/// # Errors
/// [`FileError::Link`] or [`FileError::NotAFile`] for the first that is not.
pub fn inspect(folder: &Path) -> Result<(), FileError> {
    let about = fs::symlink_metadata(folder).map_err(FileError::refused("look at", folder))?;
    if about.is_symlink() {
        return Err(FileError::Link { path: folder.to_owned() });
    }
    if about.is_file() {
        return Ok(());
    }
    if !about.is_dir() {
        return Err(FileError::NotAFile { path: folder.to_owned() });
    }
    for entry in fs::read_dir(folder).map_err(FileError::refused("read", folder))? {
        let path = entry.map_err(FileError::refused("read", folder))?.path();
        match inspect(&path) {
            // A log or a draft may go while it is looked for.
            Err(error) if error.is_absent() => {}
            inspected => inspected?,
        }
    }
    Ok(())
}

/// Takes from everybody but the owner what an older version left open: folders and files under `path`, itself included.
/// Links are left as they are, and nothing behind them is touched.
///
/// # Errors
/// [`FileError`] for the first that cannot be changed; the others are changed all the same.
pub fn tighten(path: &Path) -> Result<(), FileError> {
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(()) };
    if about.is_symlink() {
        return Ok(());
    }
    let mode = if about.is_dir() { FOLDER_MODE } else { FILE_MODE };
    let mut done = Ok(());
    if about.permissions().mode() & 0o077 != 0 {
        done = fs::set_permissions(path, Permissions::from_mode(mode)).map_err(FileError::refused("protect", path));
    }
    if about.is_dir() {
        for entry in fs::read_dir(path).map_err(FileError::refused("read", path))?.flatten() {
            done = done.and(tighten(&entry.path()));
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).expect("there").permissions().mode() & 0o777
    }

    #[test]
    fn what_is_no_plain_file_is_refused_by_name_and_not_waited_for() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "12345").expect("written");
        symlink(at("file"), at("link")).expect("linked");
        symlink("/dev/zero", at("endless")).expect("linked");
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), Mode::RUSR | Mode::WUSR).expect("made");
        fs::create_dir(at("folder")).expect("made");
        assert_eq!(read(&at("file"), 5).expect("read"), b"12345");
        assert!(matches!(read(&at("file"), 4), Err(FileError::TooLarge { most: 4, .. })));
        assert!(read(&at("none"), 5).expect_err("absent").is_absent());
        for name in ["link", "endless"] {
            assert!(matches!(read(&at(name), 5), Err(FileError::Link { .. })), "{name}");
            assert!(matches!(append(&at(name)), Err(FileError::Link { .. })), "{name}");
        }
        for name in ["pipe", "folder"] {
            assert!(matches!(read(&at(name), 5), Err(FileError::NotAFile { .. })), "{name}");
            assert!(matches!(append(&at(name)), Err(FileError::NotAFile { .. })), "{name}");
        }
        assert!(matches!(inspect(&at("pipe")), Err(FileError::NotAFile { .. })));
        assert!(matches!(inspect(dir.path()), Err(FileError::Link { .. } | FileError::NotAFile { .. })));
        inspect(&at("folder")).expect("nothing in it");
        assert!(matches!(read(Path::new("/dev/zero"), 5), Err(FileError::NotAFile { .. })));
    }

    #[test]
    fn what_is_written_replaces_a_link_and_is_its_owners_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let (inner, elsewhere) = (dir.path().join("inner"), dir.path().join("elsewhere"));
        fs::write(&elsewhere, "mine").expect("written");
        make_folder(&inner).expect("made");
        for name in ["a.json", "a.json.draft"] {
            symlink(&elsewhere, inner.join(name)).expect("linked");
        }
        write_whole(&inner.join("a.json"), b"{}").expect("written");
        assert_eq!(fs::read(inner.join("a.json")).expect("read"), b"{}");
        assert_eq!(fs::read(&elsewhere).expect("read"), b"mine", "nothing is written through a link");
        assert_eq!((mode(&inner), mode(&inner.join("a.json"))), (0o700, 0o600));
        append(&inner.join("b")).expect("made");
        assert_eq!(mode(&inner.join("b")), 0o600);
    }

    #[test]
    fn what_was_left_open_is_closed_and_links_are_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let (home, elsewhere) = (dir.path().join("home"), dir.path().join("elsewhere"));
        fs::create_dir_all(home.join("ada")).expect("made");
        for path in [home.join("ada/life.sqlite"), elsewhere.clone()] {
            fs::write(&path, "x").expect("written");
            fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("opened");
        }
        fs::set_permissions(home.join("ada"), Permissions::from_mode(0o755)).expect("opened");
        symlink(&elsewhere, home.join("ada/link")).expect("linked");
        tighten(&home).expect("its owner may");
        assert_eq!((mode(&home), mode(&home.join("ada")), mode(&home.join("ada/life.sqlite"))), (0o700, 0o700, 0o600));
        assert_eq!(mode(&elsewhere), 0o644);
        tighten(&dir.path().join("none")).expect("nothing to do");
    }
}
