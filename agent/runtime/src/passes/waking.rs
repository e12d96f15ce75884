//! What waking ticks do for dreams: they tell what presses, decide what waits, glance back, and hear the owner.

use golem_core::dreaming::{DreamShelf, Lately, Sources, glance, recollect, sweep};
use golem_core::record::{Command, Observation};
use golem_dreams::integration::staging::{Staging, UnknownRow};
use golem_dreams::micro::EPISODES;
use golem_dreams::window::is_seen_open;
use golem_grimoire::episode::Recorded;
use golem_grimoire::playbook::Playbook;
use golem_ports::{Chain, Memory, TickSource};
use golem_primitives::{Tick, keccak256};

use super::Runtime;
use super::dreaming::measure;
use crate::error::RuntimeError;
use crate::words::{Heard, OwnerWord};

/// Ticks between two looks at the rows that wait.
const SWEEP_TICKS: u64 = 5;
/// The note that says what a sweep decided, and for which tick it was to be told.
const DECIDED_NOTE: &str = "dreams_decided";

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// D-039. What memory says of this tick, for a life that dreams: what presses for a dream, what waking ticks decided of
    /// the rows that wait, and whether a window is open, which is looked up here and journaled (D-016).
    pub(super) async fn recollect(&mut self) -> Result<Vec<Observation>, RuntimeError> {
        if !self.life.dreams().is_some_and(golem_core::dreams::Dreams::is_on) {
            return Ok(Vec::new());
        }
        let now = self.ticks.now().await;
        let before = self.life.vitals().vitality().last_computed;
        let is_window_open = is_seen_open(&self.settings.dreams.law.schedule.windows, now, before);
        let decided = self.sweep()?;
        let is_due = self.life.dreams().is_some_and(|dreams| dreams.is_glance_due(now));
        let glance = if is_due { Some(self.glance()?) } else { None };
        let (Some(bed), Some(dreams)) = (self.store.dreams(), self.life.dreams()) else { return Ok(Vec::new()) };
        let stirring = bed.stirring()?;
        let feelings = stirring.last.iter().filter_map(|(one, feeling)| Some((one.episode.id, (*feeling)?))).collect();
        let newest: Vec<_> = stirring.last.into_iter().map(|(recorded, _)| recorded).collect();
        let told = recollect(
            dreams,
            &Lately {
                episodes: stirring.episodes,
                unreplayed: stirring.unreplayed,
                newest: &newest,
                feelings: &feelings,
                is_window_open,
                glance,
                decided,
            },
        );
        let is_news = !self.life.has_recalled(&told);
        Ok(is_news.then(|| Observation::Recalled(Box::new(told))).into_iter().collect())
    }

    /// D-154, D-159. Holds what waits against what was lived, now and then; answers how many rows were validated and how
    /// many refuted that no pass has told yet. An episode speaks once, so a sweep that is repeated after a crash changes
    /// nothing more.
    fn sweep(&mut self) -> Result<(u16, u16), RuntimeError> {
        let tick = self.life.next_pass().0;
        let untold = self.untold(tick)?;
        let is_due = tick.is_every(SWEEP_TICKS);
        let waits = match self.store.dreams() {
            Some(bed) if is_due => bed.staging()?.live().next().is_some(),
            _ => false,
        };
        if !waits {
            return Ok(untold);
        }
        let now = self.moment();
        let swept = self.with_shelf(|_, _, _| {}, |_, sources| sweep(sources, now))?;
        let decided = (untold.0.saturating_add(swept.validated), untold.1.saturating_add(swept.refuted));
        if decided != untold {
            // Before the rows: what is noted and not yet staged is decided again, and a kind is told once however often
            // it is counted (D-229).
            self.store.set_note(DECIDED_NOTE, &format!("{} {} {}", tick.get(), decided.0, decided.1))?;
        }
        if let (Some(bed), false) = (self.store.dreams(), swept.rows.is_empty()) {
            bed.restage(&swept.rows)?;
        }
        Ok(decided)
    }

    /// D-229. What a sweep decided for a tick that never came to its pass: the process ended between the two.
    fn untold(&self, tick: Tick) -> Result<(u16, u16), RuntimeError> {
        let note = self.store.note(DECIDED_NOTE)?.unwrap_or_default();
        let mut words = note.split(' ');
        let told_at = words.next().and_then(|word| word.parse().ok()).map_or(Tick::ZERO, Tick::new);
        let mut count = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        Ok(if told_at >= tick { (count(), count()) } else { (0, 0) })
    }

    /// D-216 to D-220. A glance between dreams: strengths and tags, each once for its tick. Answers whether something is
    /// left unresolved.
    fn glance(&mut self) -> Result<bool, RuntimeError> {
        let now = self.moment();
        let (grimoire, _) = self.store.at_hand()?;
        let stirring = self.store.dreams().map(|bed| bed.stirring()).transpose()?.unwrap_or_default();
        let newest = stirring.last.len().saturating_sub(EPISODES);
        let episodes: Vec<Recorded> = stirring.last.into_iter().skip(newest).map(|(recorded, _)| recorded).collect();
        let mut shelf = DreamShelf::default();
        measure(&mut shelf, &episodes, &grimoire);
        let sources = Sources {
            grimoire: &grimoire,
            law: self.mind.law(),
            episodes: &episodes,
            quarantine: &[],
            playbook: &Playbook::default(),
            venue: self.mind.venue(),
            shelf: &shelf,
        };
        let seen = glance(&sources, now);
        for (at, (entry, by)) in seen.strengthened.iter().enumerate() {
            let at = u32::try_from(at).unwrap_or(u32::MAX).to_be_bytes();
            let cause = keccak256([&entry.to_be_bytes()[..], &now.tick.to_be_bytes(), &at].concat());
            if self.store.entry(*entry)?.is_some() {
                self.store.reinforce(cause, *entry, *by)?;
            }
        }
        if let (Some(bed), false) = (self.store.dreams(), seen.anomalies.is_empty()) {
            bed.tag_anomalies(&seen.anomalies)?;
        }
        Ok(seen.is_unresolved())
    }

    /// D-162. What the owner decides of a staged row. One that is no longer there is told, and nothing changes.
    fn decide(&mut self, change: impl FnOnce(&mut Staging) -> Result<(), UnknownRow>) -> Result<(), RuntimeError> {
        let Some(bed) = self.store.dreams() else { return Ok(()) };
        let before = bed.staging()?;
        let mut table = before.clone();
        if let Err(error) = change(&mut table) {
            tracing::warn!(golem = %self.life.id(), %error, "the owner's word finds no row");
            return Ok(());
        }
        let rows: Vec<_> = before.rows().iter().zip(table.rows()).filter(|(was, is)| was != is).collect();
        let rows: Vec<_> = rows.into_iter().map(|(_, is)| is.clone()).collect();
        if let Some(bed) = self.store.dreams() {
            bed.restage(&rows)?;
        }
        Ok(())
    }

    /// D-019, D-162, D-193. What the owner left in the folder becomes words of this pass. A decision about a row is taken
    /// before it, and taken twice it says the same.
    pub(super) fn hear_owner(&mut self) -> Result<(), RuntimeError> {
        let (tick, _) = self.life.next_pass();
        // After a failure its words may still wait for the pass they were heard for.
        self.heard.take_if(|heard| heard.tick < tick);
        if self.heard.is_some() {
            return Ok(());
        }
        let heard = match Heard::take(&self.settings.dir, tick) {
            Ok(Some(heard)) => heard,
            Ok(None) => return Ok(()),
            Err(error) => {
                tracing::warn!(golem = %self.life.id(), %error, "the owner's words could not be heard");
                return Ok(());
            }
        };
        let mut commands = Vec::new();
        let dreams = self.settings.dreams.law.enabled;
        for word in &heard.words {
            match word {
                OwnerWord::Book(word) => commands.push(Command::Book(Box::new(word.clone()))),
                // A word about dreams is none to who does not dream; it is not kept for later.
                _ if !dreams => {}
                OwnerWord::Dream => commands.push(Command::Sleep),
                OwnerWord::Wake => commands.push(Command::Wake),
                OwnerWord::Approve(id) => self.decide(|staging| staging.approve(*id))?,
                OwnerWord::Reject(id) => self.decide(|staging| staging.reject(*id))?,
            }
        }
        self.commands.extend(commands);
        self.heard = Some(heard);
        Ok(())
    }
}
