//! Words an owner leaves in a Golem's folder. A word is heard in one pass, whatever is left or dies meanwhile.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use golem_core::record::BookWord;
use golem_edge::files;
use golem_primitives::Tick;
use serde::{Deserialize, Serialize};

/// The file words are left in, a line each; with a tick behind its name it is out of the owner's reach, for the pass of that
/// tick.
const FILE: &str = "owner.words";
/// Words that are heard in one tick; the file is not a store.
const MOST_WORDS: usize = 64;
const MOST_BYTES: u64 = 1024 * 1024;

/// D-019, D-162, D-193. A word of the owner's, left in the Golem's folder for its next tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnerWord {
    /// Dream now, if the gate lets it.
    Dream,
    Wake,
    /// P-009, P-070, D-162. What is asked of its book.
    Book(BookWord),
    /// M-241. From now on a control can die.
    BecomeMortal,
}

impl OwnerWord {
    /// Leaves a word in a Golem's folder. It is heard at the next tick, also of a process that starts later.
    pub fn leave(self, dir: &Path) -> io::Result<()> {
        let path = dir.join(FILE);
        let line = serde_json::to_string(&self).map_err(io::Error::other)?;
        loop {
            let mut file = files::append(&path)?;
            file.lock()?;
            // A life may have taken the file away before the lock was had; nobody would hear a word behind that.
            if !is_at(&file, &path)? {
                continue;
            }
            // A line that a full disk cut short must not take this one with it.
            let waiting = file.metadata()?.len();
            // Beyond this nothing is read, and what is not read is lost.
            if waiting + line.len() as u64 + 2 > MOST_BYTES {
                let full = "more words wait for it than it can hear at once; let it live a tick, then say this again";
                return Err(io::Error::new(ErrorKind::FileTooLarge, full));
            }
            let gap = if waiting > 0 { "\n" } else { "" };
            file.write_all(format!("{gap}{line}\n").as_bytes())?;
            file.sync_all()?;
            return File::open(dir)?.sync_all();
        }
    }
}

/// Words for one pass, out of the owner's reach. Until that pass is on disk they stay in a file of its tick's name, from which
/// a process that begins again hears them again, or knows that they were heard.
#[derive(Debug)]
pub(crate) struct Heard {
    /// The tick whose pass they are for.
    pub(crate) tick: Tick,
    /// The words, oldest first. A line that is none is passed over.
    pub(crate) words: Vec<OwnerWord>,
    path: PathBuf,
}

impl Heard {
    /// Takes the words for the pass of a tick that is not on disk: those an ended process took for it, or else those that
    /// were left since. A word that is just being written is heard one tick later; nothing waits for its writer.
    ///
    /// # Errors
    /// What kept them from being read or taken; they are where they were.
    pub(crate) fn take(dir: &Path, tick: Tick) -> io::Result<Option<Self>> {
        let place = dir.join(format!("{FILE}.{tick}"));
        if let Some(path) = held(dir, tick)? {
            let words = read(&mut files::open(&path, OpenOptions::new().read(true))?)?;
            std::fs::rename(&path, &place)?;
            return Ok(Some(Self { tick, words, path: place }));
        }
        let path = dir.join(FILE);
        let mut file = match files::open(&path, OpenOptions::new().read(true).write(true)) {
            Ok(file) => file,
            Err(error) if error.is_absent() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if file.metadata()?.len() == 0 {
            return Ok(None);
        }
        let words = read(&mut file)?;
        std::fs::rename(&path, &place)?;
        // From here on they are taken: a name that a power cut could bring back would at worst be heard again.
        if let Err(error) = File::open(dir).and_then(|dir| dir.sync_all()) {
            tracing::warn!(%error, path = %place.display(), "the owner's words were taken; their folder is not on disk yet");
        }
        Ok(Some(Self { tick, words, path: place }))
    }

    /// Their pass is on disk.
    pub(crate) fn clear(self) {
        forget(&self.path);
    }
}

/// Words that were taken for the pass of this tick or, in a store that was set back, of a later one. Those of passes that are
/// on disk were heard.
fn held(dir: &Path, tick: Tick) -> io::Result<Option<PathBuf>> {
    let mut oldest: Option<(Tick, PathBuf)> = None;
    for file in std::fs::read_dir(dir)? {
        let file = file?;
        let name = file.file_name();
        let of = name.to_str().and_then(|name| name.strip_prefix(FILE)?.strip_prefix('.')?.parse().ok());
        let Some(of) = of.map(Tick::new) else { continue };
        if of < tick {
            forget(&file.path());
        } else if oldest.as_ref().is_none_or(|(other, _)| of < *other) {
            oldest = Some((of, file.path()));
        }
    }
    Ok(oldest.map(|(_, path)| path))
}

fn read(file: &mut File) -> io::Result<Vec<OwnerWord>> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut words: Vec<OwnerWord> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if words.len() > MOST_WORDS {
        tracing::warn!(left = words.len(), heard = MOST_WORDS, "more words than are heard at once; say the rest again");
        words.truncate(MOST_WORDS);
    }
    Ok(words)
}

/// Whether an open file still stands under that name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let of = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(at) => Ok((at.dev(), at.ino()) == (of.dev(), of.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn forget(path: &Path) {
    if let Err(error) = std::fs::remove_file(path)
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, path = %path.display(), "the owner's words were heard and could not be cleared");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let files = std::fs::read_dir(dir).expect("a folder");
        let mut names: Vec<_> =
            files.map(|file| file.expect("a file").file_name().into_string().expect("text")).collect();
        names.sort();
        names
    }

    fn take(dir: &Path, tick: u64) -> Option<Heard> {
        Heard::take(dir, Tick::new(tick)).expect("readable")
    }

    /// D-019: a word that is left after the others were read and before they are cleared is there for the next pass.
    #[test]
    fn d_019_a_word_between_reading_and_clearing_survives() {
        let dir = tempfile::tempdir().expect("a folder");
        OwnerWord::Dream.leave(dir.path()).expect("left");
        let word = || OwnerWord::Book(BookWord::Judge { rule: "dip".to_owned(), is_wanted: true });
        word().leave(dir.path()).expect("left");
        let first = take(dir.path(), 4).expect("two words");
        OwnerWord::Wake.leave(dir.path()).expect("left");
        assert_eq!(first.words, [OwnerWord::Dream, word()]);
        first.clear();
        let second = take(dir.path(), 5).expect("one word");
        assert_eq!(second.words, [OwnerWord::Wake]);
        second.clear();
        assert!(take(dir.path(), 6).is_none() && names(dir.path()).is_empty());
    }

    /// D-019: whoever has opened the file and writes only after a life took it away writes into the next one.
    #[test]
    fn d_019_a_writer_that_waits_while_its_file_is_taken_is_heard_later() {
        let dir = tempfile::tempdir().expect("a folder");
        OwnerWord::Dream.leave(dir.path()).expect("left");
        let file = File::open(dir.path().join(FILE)).expect("there");
        file.lock().expect("locked");
        assert!(take(dir.path(), 1).is_none(), "nothing waits for a writer");
        let writer = std::thread::spawn({
            let dir = dir.path().to_owned();
            move || OwnerWord::Wake.leave(&dir)
        });
        std::fs::rename(dir.path().join(FILE), dir.path().join("owner.words.1")).expect("taken");
        file.unlock().expect("let go");
        writer.join().expect("ends").expect("left");
        let (first, second) = (take(dir.path(), 1).expect("held"), take(dir.path(), 2).expect("left"));
        let heard: Vec<_> = first.words.into_iter().chain(second.words).collect();
        assert_eq!(heard, [OwnerWord::Dream, OwnerWord::Wake], "each once, whoever was first");
    }

    /// D-019, R-021: words that a process took and did not live to clear are heard again for the same pass, before newer
    /// ones; when that pass is on disk they were heard. A store that was set back hears them in its next pass.
    #[test]
    fn r_021_words_a_crash_left_behind_are_heard_if_their_pass_is_not_written() {
        for (next, again) in [(4, true), (5, false), (2, true)] {
            let dir = tempfile::tempdir().expect("a folder");
            OwnerWord::Dream.leave(dir.path()).expect("left");
            drop(take(dir.path(), 4).expect("a word"));
            OwnerWord::Wake.leave(dir.path()).expect("left");
            let heard = take(dir.path(), next).expect("something");
            assert_eq!(heard.words, [if again { OwnerWord::Dream } else { OwnerWord::Wake }], "{next}");
            heard.clear();
            let rest = take(dir.path(), next + 1).map(|heard| heard.words);
            assert_eq!(rest, again.then(|| vec![OwnerWord::Wake]), "{next}");
        }
    }

    /// a word for which there is no room is refused to its owner's face; those that wait are heard.
    #[test]
    fn r_021_a_word_that_would_not_be_heard_is_not_taken() {
        let dir = tempfile::tempdir().expect("a folder");
        OwnerWord::Dream.leave(dir.path()).expect("left");
        let path = dir.path().join(FILE);
        let blank = vec![b'\n'; usize::try_from(MOST_BYTES).expect("small") - 16];
        files::append(&path).expect("there").write_all(&blank).expect("written");
        let error = OwnerWord::Book(BookWord::Search).leave(dir.path()).expect_err("no room");
        assert!(error.to_string().contains("say this again"), "{error}");
        assert_eq!(take(dir.path(), 1).expect("taken").words, [OwnerWord::Dream]);
    }

    /// A line that is none, cut short or too many takes no other with it, and does not stay.
    #[test]
    fn what_is_no_word_is_passed_over() {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join(FILE), b"\xff\xfe\n\"dance\"\n\"dre").expect("written");
        OwnerWord::Wake.leave(dir.path()).expect("left");
        let heard = take(dir.path(), 1).expect("taken");
        assert_eq!(heard.words, [OwnerWord::Wake]);
        heard.clear();
        for _ in 0..=MOST_WORDS {
            OwnerWord::Dream.leave(dir.path()).expect("left");
        }
        let heard = take(dir.path(), 2).expect("taken");
        assert_eq!(heard.words.len(), MOST_WORDS);
        heard.clear();
        assert!(names(dir.path()).is_empty());
        File::create(dir.path().join(FILE)).expect("opened and not yet written");
        assert!(take(dir.path(), 3).is_none() && names(dir.path()) == [FILE]);
    }
}
