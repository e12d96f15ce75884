//! The words of one life on disk: what it said and was not stored yet, what it heard and did not take yet.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alloy::primitives::{Address, B256};
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::clade::delta::TTL;
use golem_inheritance::clade::link::{BreakerState, OFFLINE_CAPACITY};
use golem_inheritance::pheromone::{Class, Sign};
use golem_ports::{CladeError, HeardWord, WordKind};
use golem_primitives::{GolemId, Ppm, UtcTime};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};

use crate::frame::{Frame, MOST_BODY_BYTES};

/// In the file's header: these are the words of a Clade. The letters CLAD.
const APPLICATION_ID: u32 = 0x434c_4144;
/// Words that wait to be taken; beyond it nothing is fetched.
const INBOX: u64 = 10_000;
/// The highest number a relay is believed to have stored of us: no life sends so much, and a liar cannot use them up.
const MOST_BELIEVED: u64 = 1 << 48;

/// A word on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outgoing {
    pub(super) id: i64,
    pub(super) seq: u64,
    pub(super) kind: WordKind,
    pub(super) body: Vec<u8>,
}

/// A sign on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WaitingSign {
    pub(super) id: i64,
    pub(super) sign: Sign,
}

/// What a word is to whoever hears it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// New, and on disk.
    New,
    /// HeardWord before.
    Again,
    /// Under this number its sender said something else before.
    Equivocal,
    /// No room until the life takes what waits.
    NoRoom,
}

/// The file. Whoever speaks and whoever carries share it.
#[derive(Debug, Clone)]
pub(super) struct Words {
    connection: Arc<Mutex<Connection>>,
}

fn broken(reason: impl std::fmt::Display) -> CladeError {
    CladeError::Broken { reason: reason.to_string() }
}

impl Words {
    /// Opens the file of a life, or begins one.
    pub(super) fn open(path: &Path, through: u64) -> Result<Self, CladeError> {
        let mut connection = Connection::open(path).map_err(broken)?;
        let opened = (|| {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "fullfsync", true)?;
            connection.pragma_update(None, "trusted_schema", false)?;
            let tables: i64 = connection.query_one("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
            if tables == 0 {
                let transaction = connection.transaction()?;
                transaction.execute_batch(include_str!("schema.sql"))?;
                transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
                transaction.commit()?;
            }
            // What the life heard elsewhere has places too, and they must not be given again.
            let through = i64::try_from(through).unwrap_or(i64::MAX);
            let known = "INSERT INTO sqlite_sequence (name, seq) SELECT 'inbox', 0
                         WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'inbox')";
            connection.execute(known, ())?;
            connection.execute("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = 'inbox'", [through])?;
            connection.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0))
        })();
        if opened.map_err(broken)? != i64::from(APPLICATION_ID) {
            return Err(broken(format!("{} is no file of a Clade's words", path.display())));
        }
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works at the file without holding up whoever else runs.
    pub(super) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, CladeError> + Send + 'static,
    ) -> Result<T, CladeError> {
        let words = self.clone();
        tokio::task::spawn_blocking(move || work(&words)).await.map_err(broken)?
    }

    /// Keeps a word to be sent.
    pub(super) fn say(&self, kind: WordKind, body: &[u8]) -> Result<(), CladeError> {
        if body.len() > MOST_BODY_BYTES {
            return Err(CladeError::TooLong { bytes: body.len(), most: MOST_BODY_BYTES });
        }
        let connection = self.connection();
        let waiting = count(&connection, "SELECT count(*) FROM outbox")?;
        if waiting >= OFFLINE_CAPACITY as u64 {
            return Err(CladeError::Full { waiting });
        }
        let row = params![kind.code(), body];
        connection.execute("INSERT INTO outbox (kind, body) VALUES (?1, ?2)", row).map(drop).map_err(broken)
    }

    /// The word to send now, with its number: the one that has one already, else what is urgent, else the oldest.
    pub(super) fn next(&self) -> Result<Option<Outgoing>, CladeError> {
        let mut connection = self.connection();
        let next = (|| {
            let transaction = connection.transaction()?;
            // I-107. What waits for no batch overtakes it; a number is given only now, so that none is skipped.
            let later = [WordKind::Batch, WordKind::Acknowledgement].map(WordKind::code);
            let row = transaction
                .query_one(
                    "SELECT id, kind, body, seq FROM outbox
                     ORDER BY seq IS NULL, seq, kind IN (?1, ?2), id LIMIT 1",
                    later,
                    |row| Ok((row.get(0)?, row.get::<_, u8>(1)?, row.get(2)?, row.get::<_, Option<i64>>(3)?)),
                )
                .optional()?;
            let Some((id, kind, body, seq)) = row else { return Ok(None) };
            let seq = match seq {
                Some(seq) => seq,
                None => {
                    let give = "UPDATE place SET seq = seq + 1 RETURNING seq";
                    let seq: i64 = transaction.query_one(give, (), |row| row.get(0))?;
                    transaction.execute("UPDATE outbox SET seq = ?1 WHERE id = ?2", (seq, id))?;
                    seq
                }
            };
            transaction.commit()?;
            Ok(Some((id, kind, body, seq.unsigned_abs())))
        })();
        let next: Option<(i64, u8, Vec<u8>, u64)> = next.map_err(|error: rusqlite::Error| broken(error))?;
        let Some((id, kind, body, seq)) = next else { return Ok(None) };
        let kind = WordKind::of_code(kind).ok_or_else(|| broken("a word of no kind waits"))?;
        Ok(Some(Outgoing { id, seq, kind, body }))
    }

    /// The relay stored it, or will never take it.
    pub(super) fn done(&self, id: i64) -> Result<(), CladeError> {
        self.connection().execute("DELETE FROM outbox WHERE id = ?1", [id]).map(drop).map_err(broken)
    }

    /// Under its number something else is stored: it gets another.
    pub(super) fn renumber(&self, id: i64) -> Result<(), CladeError> {
        self.connection().execute("UPDATE outbox SET seq = NULL WHERE id = ?1", [id]).map(drop).map_err(broken)
    }

    /// A relay with its log: where to go on reading, and no number that was used there is given again.
    pub(super) fn meet(&self, log: &str, last_seq: u64) -> Result<u64, CladeError> {
        let connection = self.connection();
        let met = (|| {
            connection.execute("UPDATE place SET log = ?1, cursor = 0 WHERE log <> ?1", [log])?;
            if last_seq < MOST_BELIEVED {
                connection.execute("UPDATE place SET seq = max(seq, ?1)", [last_seq as i64])?;
            }
            connection.query_one("SELECT cursor FROM place", (), |row| row.get::<_, i64>(0))
        })();
        met.map(i64::unsigned_abs).map_err(broken)
    }

    /// Everything up to this place of the log was read.
    pub(super) fn read_to(&self, cursor: u64, now: UtcTime) -> Result<(), CladeError> {
        let connection = self.connection();
        let cursor = i64::try_from(cursor).map_err(broken)?;
        // What is older than a relay tells would be refused by its age alone.
        let forgotten = now.seconds().saturating_sub(2 * TTL.as_secs()) as i64;
        let kept = connection
            .execute("UPDATE place SET cursor = ?1", [cursor])
            .and_then(|_| connection.execute("DELETE FROM seen WHERE at < ?1", [forgotten]));
        kept.map(drop).map_err(broken)
    }

    /// Puts what was heard on disk, once.
    pub(super) fn hear(&self, frame: &Frame) -> Result<Taken, CladeError> {
        let mut connection = self.connection();
        let heard = (|| {
            let transaction = connection.transaction()?;
            let known: Option<[u8; 32]> = transaction
                .prepare_cached("SELECT content FROM seen WHERE vault = ?1 AND seq = ?2")?
                .query_one((frame.vault.as_slice(), frame.seq as i64), |row| row.get(0))
                .optional()?;
            if let Some(known) = known {
                return Ok(if B256::from(known) == frame.content() { Taken::Again } else { Taken::Equivocal });
            }
            let waiting: i64 = transaction.query_one("SELECT count(*) FROM inbox", (), |row| row.get(0))?;
            if waiting.unsigned_abs() >= INBOX {
                return Ok(Taken::NoRoom);
            }
            let at = frame.at.seconds() as i64;
            let content = frame.content();
            let row = params![frame.vault.as_slice(), frame.seq as i64, content.as_slice(), at];
            transaction.execute("INSERT INTO seen VALUES (?1, ?2, ?3, ?4)", row)?;
            let row = params![frame.vault.as_slice(), at, frame.kind.code(), frame.body];
            transaction.execute("INSERT INTO inbox (vault, at, kind, body) VALUES (?1, ?2, ?3, ?4)", row)?;
            transaction.commit()?;
            Ok(Taken::New)
        })();
        heard.map_err(|error: rusqlite::Error| broken(error))
    }

    /// What waits to be taken, in the order of its places.
    pub(super) fn heard(&self, most: usize) -> Result<Vec<HeardWord>, CladeError> {
        let connection = self.connection();
        let rows = (|| {
            let mut rows =
                connection.prepare_cached("SELECT place, vault, at, kind, body FROM inbox ORDER BY place LIMIT ?1")?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            rows.query_map([most], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, [u8; 20]>(1)?, row.get::<_, i64>(2)?, row.get(3)?, row.get(4)?))
            })?
            .collect::<rusqlite::Result<Vec<(i64, [u8; 20], i64, u8, Vec<u8>)>>>()
        })();
        let heard = rows.map_err(broken)?.into_iter().map(|(place, vault, at, kind, body)| {
            Ok(HeardWord {
                place: place.unsigned_abs(),
                from: GolemId::from_vault(Address::from(vault)),
                at: UtcTime::from_seconds(at.unsigned_abs()),
                kind: WordKind::of_code(kind).ok_or_else(|| broken("a word of no kind was heard"))?,
                body,
            })
        });
        heard.collect()
    }

    /// Everything up to this place was taken.
    pub(super) fn taken(&self, through: u64) -> Result<(), CladeError> {
        let through = i64::try_from(through).unwrap_or(i64::MAX);
        self.connection().execute("DELETE FROM inbox WHERE place <= ?1", [through]).map(drop).map_err(broken)
    }

    /// I-323. Keeps a sign to be left.
    pub(super) fn leave(&self, sign: &Sign, now: UtcTime) -> Result<(), CladeError> {
        let regime = sign.regime.map_or("", Regime::name);
        let at = i64::try_from(now.seconds()).map_err(broken)?;
        let row = params![sign.class.name(), sign.domain.name(), regime, sign.intensity.get(), at];
        let keep =
            "INSERT OR REPLACE INTO signs (class, domain, regime, intensity_ppm, at) VALUES (?1, ?2, ?3, ?4, ?5)";
        self.connection().execute(keep, row).map(drop).map_err(broken)
    }

    /// I-322. The sign to leave now, as weak as it has become; those that have faded are dropped.
    pub(super) fn next_sign(&self, now: UtcTime) -> Result<Option<WaitingSign>, CladeError> {
        let connection = self.connection();
        loop {
            let row = connection
                .query_one(
                    "SELECT id, class, domain, regime, intensity_ppm, at FROM signs ORDER BY id LIMIT 1",
                    (),
                    |row| {
                        let words: [String; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
                        Ok((row.get::<_, i64>(0)?, words, row.get::<_, u32>(4)?, row.get::<_, i64>(5)?))
                    },
                )
                .optional()
                .map_err(broken)?;
            let Some((id, [class, domain, regime], intensity, at)) = row else { return Ok(None) };
            let sign = (|| {
                let sign = Sign {
                    class: Class::from_name(&class)?,
                    intensity: Ppm::new(intensity)?,
                    domain: Domain::from_name(&domain)?,
                    regime: Regime::from_name(&regime),
                };
                sign.after(now.since(UtcTime::from_seconds(at.unsigned_abs())))
            })();
            if let Some(sign) = sign {
                return Ok(Some(WaitingSign { id, sign }));
            }
            connection.execute("DELETE FROM signs WHERE id = ?1", [id]).map_err(broken)?;
        }
    }

    /// The sign is in the air, or will never be.
    pub(super) fn left(&self, id: i64) -> Result<(), CladeError> {
        self.connection().execute("DELETE FROM signs WHERE id = ?1", [id]).map(drop).map_err(broken)
    }

    /// I-113. How the line stands now, and why the last connection ended.
    pub(super) fn stand(&self, breaker: BreakerState, trouble: Option<&str>, now: UtcTime) -> Result<(), CladeError> {
        let row = params![breaker.name(), trouble, i64::try_from(now.seconds()).map_err(broken)?];
        let stand = "UPDATE line SET breaker = ?1, trouble = ?2, at = ?3";
        self.connection().execute(stand, row).map(drop).map_err(broken)
    }

    /// Words that wait for the relay.
    pub(super) fn waiting(&self) -> Result<u64, CladeError> {
        count(&self.connection(), "SELECT count(*) FROM outbox")
    }
}

/// What a file of words tells whoever only looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireState {
    /// Words that wait for the relay.
    pub waiting: u64,
    /// Words the relay has.
    pub sent: u64,
    /// Words of siblings that the life did not take yet.
    pub unheard: u64,
    /// Signs that wait for the relay.
    pub signs: u64,
    /// I-113. The breaker's state by name.
    pub breaker: String,
    /// Why the last connection ended; `None` while one stands.
    pub trouble: Option<String>,
    pub since: Option<UtcTime>,
}

/// Looks at a file of words, also while a life speaks by it; `None` where there is none.
pub fn look_at_wire(path: &Path) -> Result<Option<WireState>, CladeError> {
    if !path.exists() {
        return Ok(None);
    }
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(broken)?;
    let line = connection.query_one("SELECT breaker, trouble, at FROM line", (), |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?))
    });
    let (breaker, trouble, at) = line.map_err(broken)?;
    let numbered = count(&connection, "SELECT count(*) FROM outbox WHERE seq IS NOT NULL")?;
    Ok(Some(WireState {
        waiting: count(&connection, "SELECT count(*) FROM outbox")?,
        sent: count(&connection, "SELECT seq FROM place")?.saturating_sub(numbered),
        unheard: count(&connection, "SELECT count(*) FROM inbox")?,
        signs: count(&connection, "SELECT count(*) FROM signs")?,
        breaker,
        trouble,
        since: at.map(|at| UtcTime::from_seconds(at.unsigned_abs())),
    }))
}

fn count(connection: &Connection, sql: &str) -> Result<u64, CladeError> {
    connection.query_one(sql, (), |row| row.get::<_, i64>(0)).map(i64::unsigned_abs).map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::SIGNATURE_BYTES;

    fn opened() -> (Words, tempfile::TempDir) {
        let dir = tempfile::tempdir().expect("a folder");
        (Words::open(&dir.path().join("clade.sqlite"), 0).expect("opened"), dir)
    }

    /// I-110: what a life heard by another wire has places too; what comes here stands behind them, and a file that is ahead stays so.
    #[test]
    fn i_110_places_go_on_behind_what_was_heard_elsewhere() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("clade.sqlite");
        for (through, place) in [(41, 42), (7, 43), (90, 91)] {
            let words = Words::open(&path, through).expect("opened");
            let connection = words.connection();
            let row = "INSERT INTO inbox (vault, at, kind, body) VALUES (zeroblob(20), 0, 1, x'00') RETURNING place";
            assert_eq!(connection.query_one(row, (), |row| row.get::<_, i64>(0)), Ok(place), "{through}");
        }
    }

    /// I-107, I-110: a number is given when a word is sent, so that a warning overtakes a batch and leaves no gap.
    #[test]
    fn i_107_a_warning_overtakes_a_batch_and_numbers_have_no_gap() {
        let (words, dir) = opened();
        words.say(WordKind::Batch, b"slow").expect("kept");
        words.say(WordKind::Warning, b"now").expect("kept");
        let first = words.next().expect("read").expect("a word");
        assert_eq!((first.seq, first.body.as_slice()), (1, b"now".as_slice()));
        words.say(WordKind::Bloodstain, b"more").expect("kept");
        drop(words);
        let words = Words::open(&dir.path().join("clade.sqlite"), 0).expect("opened again");
        assert_eq!(words.next().expect("read").as_ref(), Some(&first), "the number outlives a crash");
        words.done(first.id).expect("done");
        let order: Vec<_> = std::iter::from_fn(|| {
            let next = words.next().expect("read")?;
            words.done(next.id).expect("done");
            Some((next.seq, next.body))
        })
        .collect();
        assert_eq!(order, [(2, b"more".to_vec()), (3, b"slow".to_vec())]);
    }

    /// I-113: a thousand words wait, and what is longer than a frame is refused at once.
    #[test]
    fn i_113_a_thousand_words_wait() {
        let (words, _dir) = opened();
        for _ in 0..OFFLINE_CAPACITY {
            words.say(WordKind::Batch, b"").expect("kept");
        }
        assert_eq!(words.say(WordKind::Batch, b""), Err(CladeError::Full { waiting: 1_000 }));
        let long = vec![0; MOST_BODY_BYTES + 1];
        assert!(matches!(words.say(WordKind::Batch, &long), Err(CladeError::TooLong { .. })));
        assert_eq!(words.waiting(), Ok(1_000));
    }

    /// I-113: whoever looks sees what waits, what was sent and how the line stands; where there is no file there is nothing.
    #[test]
    fn i_113_a_file_of_words_tells_how_the_line_stands() {
        let (words, dir) = opened();
        let path = dir.path().join("clade.sqlite");
        for body in [b"one", b"two"] {
            words.say(WordKind::Batch, body).expect("kept");
        }
        let first = words.next().expect("read").expect("a word");
        words.done(first.id).expect("stored");
        words.next().expect("read").expect("on its way");
        let look = || look_at_wire(&path).expect("readable").expect("a file");
        assert_eq!((look().waiting, look().sent, look().breaker.as_str(), look().trouble), (1, 1, "closed", None));
        let at = UtcTime::from_seconds(7);
        words.stand(BreakerState::Open, Some("nobody answers"), at).expect("kept");
        assert_eq!(
            (look().breaker.as_str(), look().trouble.as_deref(), look().since),
            ("open", Some("nobody answers"), Some(at))
        );
        assert_eq!(look_at_wire(&dir.path().join("nothing")), Ok(None));
    }

    /// I-322, I-325: signs wait for the relay by their place, fade meanwhile, and outlive the process.
    #[test]
    fn i_322_signs_wait_and_fade() {
        let (words, dir) = opened();
        let at = |hours: u64| UtcTime::from_seconds(1_000_000 + hours * 3_600);
        let sign = |class, parts| Sign {
            class,
            intensity: Ppm::of(parts),
            domain: Domain::GasMev,
            regime: Some(Regime::Bear),
        };
        words.leave(&sign(Class::Threat, 300_000), at(0)).expect("kept");
        words.leave(&sign(Class::Threat, 800_000), at(0)).expect("kept");
        words.leave(&Sign { regime: None, ..sign(Class::Wisdom, 1_000_000) }, at(0)).expect("kept");
        drop(words);
        let words = Words::open(&dir.path().join("clade.sqlite"), 0).expect("opened again");
        let first = words.next_sign(at(2)).expect("read").expect("a sign");
        assert_eq!(first.sign, sign(Class::Threat, 400_000), "the newer of its place, half as strong");
        assert_eq!(words.next_sign(at(2)).expect("read"), Some(first), "until it is left");
        let second = words.next_sign(at(12)).expect("read").expect("a sign");
        assert_eq!(
            (second.sign.class, second.sign.regime),
            (Class::Wisdom, None),
            "a threat of twelve hours ago is gone"
        );
        words.left(second.id).expect("left");
        assert_eq!(words.next_sign(at(12)), Ok(None));
    }

    /// I-110: what comes again is nothing, what comes otherwise is a lie, and numbers of a liar are not believed.
    #[test]
    fn i_110_a_word_is_heard_once() {
        let (words, dir) = opened();
        let frame = |seq, body: &[u8]| Frame {
            vault: Address::repeat_byte(7),
            seq,
            at: UtcTime::from_seconds(1_000),
            kind: WordKind::Batch,
            signature: [0; SIGNATURE_BYTES],
            body: body.to_vec(),
        };
        assert_eq!(words.hear(&frame(5, b"five")), Ok(Taken::New));
        assert_eq!(words.hear(&frame(4, b"four")), Ok(Taken::New), "out of order is still new");
        assert_eq!(words.hear(&frame(5, b"five")), Ok(Taken::Again));
        assert_eq!(words.hear(&frame(5, b"not five")), Ok(Taken::Equivocal));
        let heard = words.heard(9).expect("read");
        assert_eq!(heard.iter().map(|one| one.body.as_slice()).collect::<Vec<_>>(), [b"five", b"four"]);
        words.taken(heard[0].place).expect("taken");
        drop(words);
        let words = Words::open(&dir.path().join("clade.sqlite"), 0).expect("opened again");
        assert_eq!(words.heard(9).expect("read"), heard[1..]);
        assert_eq!(words.hear(&frame(5, b"five")), Ok(Taken::Again), "also after a crash");

        assert_eq!(words.meet("log a", 7), Ok(0));
        words.read_to(40, UtcTime::from_seconds(1_000)).expect("kept");
        assert_eq!(
            (words.meet("log a", u64::MAX), words.meet("log b", 3)),
            (Ok(40), Ok(0)),
            "another log, other places"
        );
        words.say(WordKind::Batch, b"").expect("kept");
        assert_eq!(words.next().expect("read").map(|next| next.seq), Some(8), "behind the last that was used");
    }
}
