//! What a face shows of a life, read from its memory: everything once, and from then on what is new.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use eyre::{Result, eyre};
use golem_core::life::Life;
use golem_core::step::step;
use golem_primitives::{Tick, UtcTime};
use golem_store::Reader;
use golem_view::{
    DreamLine, DreamPicture, Holding, KnowledgePicture, LifeHistory, LifePicture, LoggedLine, TradeLine, WhyInPool,
};

use super::events::{self, Clock};
use super::home::Folder;
use super::trades::BookedTrades;
use super::{dream, grimoire, look, status};
use crate::screen;

/// Lines of the log that are kept.
const LOGGED: usize = 500;
/// Events read at once, and how many pages are gone back for the first lines of a log.
const PAGE: usize = 1_000;
const PAGES_BACK: usize = 40;
/// Trades that are kept.
const TRADED: usize = 200;
/// Dreams that are shown.
const DREAMT: usize = 8;
/// Audit records read at once, and the most that are read of a past.
const TICKS: u64 = 4_096;
const MOST_TICKS: u64 = 131_072;
/// Passes that are lived again one by one; more are skipped to the newest snapshot.
const NEAR: u64 = 128;
/// Between two looks at what takes its time.
const SELDOM: Duration = Duration::from_secs(15);

/// Who looks at one memory, and everything that was read so far.
pub(crate) struct Onlooker {
    pub(crate) reader: Reader,
    /// The pass the life stands after.
    pub(crate) pass: u64,
    pub(crate) life: Life,
    pub(crate) history: LifeHistory,
    /// What happened, oldest first, each with its pass.
    pub(crate) log: VecDeque<(u64, LoggedLine)>,
    /// The newest trades, newest first.
    pub(crate) trades: VecDeque<TradeLine>,
    holding: Holding,
    /// The last tick of the history.
    tick: Tick,
    next_event: u64,
    booked: BookedTrades,
    pub(crate) seldom: Option<Seldom>,
    is_fresh: bool,
}

/// What takes its time to find out.
pub(crate) struct Seldom {
    at: Instant,
    grimoire: KnowledgePicture,
    pub(crate) dreaming: Option<DreamPicture>,
    pub(crate) dreams: Vec<DreamLine>,
}

impl Onlooker {
    /// The whole past, once.
    pub(crate) fn read(folder: &Folder) -> Result<Self> {
        let reader = look::reader(folder)?;
        let seq = reader.counts()?.committed;
        let life = life_after(&reader, seq)?;
        let mut known = Self {
            pass: 0,
            life,
            holding: Holding::default(),
            history: LifeHistory::default(),
            tick: Tick::ZERO,
            log: VecDeque::new(),
            next_event: 1,
            booked: BookedTrades::default(),
            trades: VecDeque::new(),
            seldom: None,
            is_fresh: true,
            reader,
        };
        known.see_looks(seq)?;
        known.see_ticks()?;
        known.log_from_the_end()?;
        known.see_trades()?;
        known.pass = seq;
        Ok(known)
    }

    /// What is new since; answers whether anything is.
    pub(crate) fn look(&mut self, folder: &Folder) -> Result<bool> {
        let newest = match self.reader.last_pass()? {
            Some((seq, true)) => seq,
            Some((seq, false)) => seq.saturating_sub(1),
            None => 0,
        };
        let was_fresh = std::mem::take(&mut self.is_fresh);
        if newest == self.pass && self.seldom.is_some() {
            return Ok(was_fresh);
        }
        if newest > self.pass {
            self.see_looks(newest)?;
            self.live_on(newest)?;
            self.pass = newest;
            self.see_ticks()?;
            self.see_events()?;
            self.see_trades()?;
        }
        if self.seldom.as_ref().is_none_or(|seldom| seldom.at.elapsed() >= SELDOM) {
            self.seldom = Some(Seldom {
                at: Instant::now(),
                grimoire: grimoire::one_line(&self.reader)?,
                dreaming: dream::of_life(folder, &self.reader, &self.life)?,
                dreams: dream::last(&self.reader, DREAMT)?,
            });
        }
        Ok(true)
    }

    /// The life after a pass: lived on from where it was known, or from the newest snapshot where that is a long way.
    fn live_on(&mut self, newest: u64) -> Result<()> {
        if newest - self.pass > NEAR {
            self.life = life_after(&self.reader, newest)?;
            return Ok(());
        }
        let passes = self.reader.journal(self.pass + 1, NEAR as usize)?;
        let mut life = self.life.clone();
        for entry in passes.iter().filter(|entry| entry.seq <= newest) {
            life = step(life, &entry.input).life;
        }
        self.life = life;
        Ok(())
    }

    /// What the capital was worth, and what holding would have been.
    fn see_looks(&mut self, newest: u64) -> Result<()> {
        let Self { reader, holding, history, .. } = self;
        look::catch_up(reader, holding, self.pass, newest, |tick, seen| history.look(tick, seen))
    }

    /// M-157. The audit trail; of a very long one every so many ticks.
    fn see_ticks(&mut self) -> Result<()> {
        let newest = self.life.tick().get();
        let apart = newest.saturating_sub(self.tick.get()).div_ceil(MOST_TICKS).max(1);
        while self.tick.get() < newest {
            let from = self.tick.next();
            let to = Tick::new((self.tick.get() + TICKS * apart).min(newest));
            for record in self.reader.ticks(from, to, TICKS as usize)? {
                self.history.tick(&record);
            }
            self.tick = to;
        }
        Ok(())
    }

    fn see_trades(&mut self) -> Result<()> {
        for line in self.booked.read_on(&self.reader, &self.life)? {
            self.trades.push_front(line);
        }
        self.trades.truncate(TRADED);
        Ok(())
    }

    /// The last lines that people are told, from the newest event back.
    fn log_from_the_end(&mut self) -> Result<()> {
        let (mut before, mut clock) = (u64::MAX, Clock::default());
        for _ in 0..PAGES_BACK {
            let page = self.reader.events_before(before, PAGE)?;
            let (Some(oldest), Some(newest)) = (page.first(), page.last()) else { break };
            self.next_event = self.next_event.max(newest.id + 1);
            before = oldest.id;
            for event in page.into_iter().rev() {
                if self.log.len() == LOGGED {
                    return Ok(());
                }
                let seq = event.seq;
                let mut told = events::line(&self.reader, UtcTime::EPOCH, event);
                if let Some(words) = screen::event_words(&told) {
                    told.time = clock.of(&self.reader, seq)?;
                    self.log.push_front((seq, LoggedLine { time: told.time, tick: told.tick, words }));
                }
            }
        }
        Ok(())
    }

    fn see_events(&mut self) -> Result<()> {
        let mut clock = Clock::default();
        loop {
            let page = self.reader.events(self.next_event, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            self.next_event = last.id + 1;
            for event in page {
                let seq = event.seq;
                let told = events::line(&self.reader, UtcTime::EPOCH, event);
                let Some(words) = screen::event_words(&told) else { continue };
                let time = clock.of(&self.reader, seq)?;
                self.log.push_back((seq, LoggedLine { time, tick: told.tick, words }));
                if self.log.len() > LOGGED {
                    self.log.pop_front();
                }
            }
        }
    }

    pub(crate) fn picture(&self, folder: &Folder) -> Result<LifePicture> {
        Ok(LifePicture {
            holding: self.life.trader().map(|trader| self.holding.picture(trader.ledger())),
            grimoire: self.seldom.as_ref().map(|seldom| seldom.grimoire.clone()),
            ..status::remembered(folder, &self.reader, &self.life)?
        })
    }

    /// Why it last decided as it did, pool by pool.
    pub(crate) fn why(&self) -> Vec<WhyInPool> {
        let hands = self.life.trader().into_iter().flat_map(|trader| trader.hands());
        hands.map(|(pool, hand)| WhyInPool::of(pool, hand)).collect()
    }
}

/// The life after a pass, from the newest snapshot before it.
fn life_after(reader: &Reader, newest: u64) -> Result<Life> {
    let known = reader.latest_snapshot()?.filter(|(seq, _)| *seq <= newest);
    let (after, mut life) = known.ok_or_else(|| eyre!("its memory moved on; it is read again"))?;
    for entry in reader.journal(after + 1, usize::MAX)?.iter().filter(|entry| entry.seq <= newest) {
        life = step(life, &entry.input).life;
    }
    Ok(life)
}
