//! What arrives from outside: counted by the hour, judged by the law, landed as a candidate or not at all.

use std::collections::BTreeMap;

use golem_grimoire::entry::Method;
use golem_grimoire::gate::{Admission, Neighbour};
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::{Arrival, Customs, Ingested, plain, reading};
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::share::{INGEST_PER_HOUR, INGEST_PER_SOURCE};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::strength::Reinforcement;
use golem_grimoire::thesis::{Thesis, received};
use golem_ports::{Arrived, Arriving, Refusal, StoreError};
use golem_primitives::{B256, Ppm, keccak256};
use rusqlite::{Connection, OptionalExtension};

use super::columns::Words;
use super::evidence::{self, Told};
use super::{changes, cycle, entries};
use crate::codec::{Columns, Json, Number};
use crate::commit::run;
use crate::error::{At, refused};
use crate::reader::Reader;

/// Arrivals that may wait; more must come again.
const MOST_WAITING: u32 = 10_000;

/// The house as an arrival finds it.
struct House<'a> {
    reader: &'a Reader,
    to: &'a Connection,
    grimoire: Grimoire,
    /// What is said already, by its words.
    said: BTreeMap<String, EntryId>,
    /// And by what it claims: other numbers in its text make no other statement of it.
    claimed: BTreeMap<Thesis, EntryId>,
    now: Moment,
    /// The hour whose arrivals are counted.
    hour: u64,
    /// How many wait: counting them anew for each would make a flood cost its square.
    queued: u32,
}

/// Lets arrivals in, those that waited first.
pub(super) fn ingest(reader: &Reader, arriving: Vec<Arriving>, now: Moment) -> Result<Vec<Arrived>, StoreError> {
    let path = &reader.path;
    let transaction = crate::reader::begin(reader)?;
    let grimoire = reader.grimoire()?;
    let known = || grimoire.entries().filter_map(|entry| entry.knowledge());
    let said = known().map(|known| (plain(&known.draft.content), known.id)).collect();
    let claimed = known().filter_map(|known| Some((Thesis::of(&known.draft)?, known.id))).collect();
    let hour = begin_hour(reader, &transaction, now)?;
    let mut house = House { reader, to: &transaction, grimoire, said, claimed, now, hour, queued: 0 };
    let mut arrived = Vec::with_capacity(arriving.len());
    let waiting = house.waiting()?;
    house.queued = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
    for (place, waiting) in waiting {
        if house.has_room(&waiting.arrival)? {
            run(&transaction, "DELETE FROM arrivals WHERE place = ?1", [place]).at(path)?;
            house.queued -= 1;
            arrived.push(house.judge(waiting)?);
        }
    }
    for one in arriving {
        if house.has_room(&one.arrival)? {
            arrived.push(house.judge(one)?);
        } else {
            house.queue(&one)?;
            arrived.push(Arrived::Waiting);
        }
    }
    entries::touch_entries(&transaction).at(path)?;
    transaction.commit().at(path)?;
    Ok(arrived)
}

/// G-174. The hour whose arrivals are counted; those of earlier ones are forgotten. A clock that ran backwards opens no second hour.
fn begin_hour(reader: &Reader, to: &Connection, now: Moment) -> Result<u64, StoreError> {
    let sql = "SELECT coalesce(max(hour), 0) AS hour FROM ingested";
    let newest = reader.one(sql, (), |row| Columns::number(row, "hour"))?;
    let hour = newest.max(now.at.seconds() / 3_600);
    run(to, "DELETE FROM ingested WHERE hour < ?1", [Number(hour)]).at(&reader.path)?;
    Ok(hour)
}

impl Reader {
    /// G-178, I-082. How often each pattern was refused, by pattern.
    pub fn refusals(&self) -> Result<Vec<(B256, u32)>, StoreError> {
        let sql = "SELECT pattern, times FROM refusals ORDER BY pattern";
        self.all(sql, (), |row| Ok((row.hash("pattern")?, Words::small(row, "times")?)))
    }
}

impl House<'_> {
    fn waiting(&self) -> Result<Vec<(i64, Arriving)>, StoreError> {
        self.reader.all("SELECT * FROM arrivals ORDER BY place", (), |row| {
            let (arrival, nearest): (Arrival, Option<Neighbour>) = (row.json("arrival")?, row.maybe_json("nearest")?);
            Ok((row.get("place")?, Arriving { arrival, nearest }))
        })
    }

    fn queue(&mut self, one: &Arriving) -> Result<(), StoreError> {
        let path = &self.reader.path;
        if self.queued >= MOST_WAITING {
            return Err(refused(path, Refusal::QueueFull { waiting: self.queued }));
        }
        self.queued += 1;
        let sql = "INSERT INTO arrivals (source, arrival, nearest) VALUES (?1, ?2, ?3)";
        let source = one.arrival.sender.as_str();
        run(self.to, sql, (source, Json(&one.arrival), one.nearest.map(Json))).at(path).map(drop)
    }

    /// G-174. Whether this hour has room for one more of that sender; if so it counts. A sibling's warning comes in at once and counts for nothing (I-093), and so does a bloodstain's; a
    /// stranger's waits like anything else of his, or a flood would need no more than the name.
    fn has_room(&self, arrival: &Arrival) -> Result<bool, StoreError> {
        let is_kin = arrival.way == Provenance::Clade || arrival.way.is_inherited();
        if is_kin && arrival.draft.body.kind() == Kind::Warning {
            return Ok(true);
        }
        let sql = "SELECT coalesce(sum(taken), 0) AS taken,
                   coalesce(sum(taken) FILTER (WHERE source = ?1), 0) AS theirs FROM ingested";
        let source = arrival.sender.as_str();
        let (taken, theirs) =
            self.reader.one(sql, [source], |row| Ok((Words::small(row, "taken")?, Words::small(row, "theirs")?)))?;
        if taken >= INGEST_PER_HOUR || theirs >= INGEST_PER_SOURCE {
            return Ok(false);
        }
        let sql = "INSERT INTO ingested (source, hour, taken) VALUES (?1, ?2, 1)
                   ON CONFLICT (source) DO UPDATE SET taken = taken + 1";
        run(self.to, sql, (source, Number(self.hour))).at(&self.reader.path)?;
        Ok(true)
    }

    fn judge(&mut self, one: Arriving) -> Result<Arrived, StoreError> {
        let Arriving { arrival, nearest } = one;
        let (sender, way) = (arrival.sender, arrival.way);
        // The same words are the same statement, with or without a model to say so; and so is the same claim.
        let thesis = Some(received(&arrival.draft)).filter(|method| matches!(method, Method::Told(_)));
        let thesis = thesis.and_then(|_| Thesis::of(&arrival.draft));
        let by_claim = thesis.as_ref().and_then(|thesis| self.claimed.get(thesis));
        let known = self.said.get(&plain(&arrival.draft.content)).or(by_claim);
        let nearest = known.map(|id| Neighbour { id: *id, cosine: Ppm::ONE }).or(nearest);
        let name = [arrival.draft.content.as_bytes(), sender.as_bytes(), way.name().as_bytes()].concat();
        let id = EntryId::derive(self.now.at, &self.reader.golem, &name);
        let read = reading(&self.grimoire, &arrival.draft, nearest, self.now);
        let pattern = Customs::pattern(&arrival.draft);
        let refuted = thesis.filter(|thesis| self.grimoire.refuted(thesis).is_some());
        let mut customs = self.customs(pattern)?.immune_to(refuted);
        let (ingested, event) = customs.ingest(id, arrival, &read, self.now);
        self.remember(&customs)?;
        self.land(&ingested, sender.as_str(), way)?;
        Ok(Arrived::Judged { id, ingested, event })
    }

    fn customs(&self, pattern: B256) -> Result<Customs, StoreError> {
        let sql = "SELECT times FROM refusals WHERE pattern = ?1";
        let read = |row: &rusqlite::Row<'_>| Words::small(row, "times");
        let times = self.to.query_row(sql, [pattern.0], read).optional().at(&self.reader.path)?;
        Ok(Customs::remembering(times.map(|times| (pattern, times))))
    }

    fn remember(&self, customs: &Customs) -> Result<(), StoreError> {
        for (pattern, times) in customs.refusals() {
            entries::immunise(self.to, pattern, times).at(&self.reader.path)?;
        }
        Ok(())
    }

    /// Lands what was let in. There is no arm that makes anything active.
    fn land(&mut self, ingested: &Ingested, sender: &str, way: Provenance) -> Result<(), StoreError> {
        let path = &self.reader.path;
        match ingested {
            Ingested::Judged(Admission::Admitted(candidate)) => {
                let known = candidate.knowledge();
                let (id, words, thesis) = (known.id, plain(&known.draft.content), Thesis::of(&known.draft));
                if self.grimoire.apply(Change::Add(candidate.clone()), self.now).is_err() {
                    return Ok(());
                }
                let Some(entry) = self.grimoire.get(id) else { return Ok(()) };
                entries::write(self.to, entry).at(path)?;
                let note = format!("{} from {sender}", way.name());
                changes::say(self.to, id, self.now, "received", None, Some(&note)).at(path)?;
                self.said.insert(words, id);
                self.claimed.extend(thesis.map(|thesis| (thesis, id)));
            }
            Ingested::Judged(Admission::Quarantined(locked)) => cycle::lock_away(self.to, locked).at(path)?,
            // G-079: a sibling that says the same confirms it, once each.
            Ingested::Judged(Admission::Merged(id) | Admission::Known(id)) if way == Provenance::Clade => {
                let told = Told::Reinforcement(Reinforcement::CladeConfirmation);
                if let Some(mut entry) = self.reader.entry(*id)?
                    && evidence::keep(self.to, keccak256(sender), *id, told).at(path)?
                {
                    entry.reinforced(Reinforcement::CladeConfirmation);
                    entries::write(self.to, &entry).at(path)?;
                }
            }
            Ingested::Judged(_) | Ingested::TurnedAway(_) => {}
        }
        Ok(())
    }
}
