//! What waking ticks do for dreams: they tell what presses, glance back, and hear the owner.

use golem_core::dreaming::{DreamShelf, DreamSources, glance, recollect};
use golem_core::record::{Command, Observation, Recollection};
use golem_dreams::micro::EPISODES;
use golem_dreams::window::is_seen_open;
use golem_grimoire::episode::Recorded;
use golem_grimoire::playbook::Playbook;
use golem_ports::{Chain, Memory, Stirring, TickSource};
use golem_primitives::keccak256;

use super::Runtime;
use super::dreaming::measure;
use crate::error::RuntimeError;
use crate::words::{Heard, OwnerWord};

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// D-039. What memory says of this tick, for a life that dreams: what presses for a dream, and whether a
    /// window is open, which is looked up here and journaled (D-016).
    pub(super) async fn recollect(&mut self) -> Result<Vec<Observation>, RuntimeError> {
        if !self.life.dreams().is_some_and(golem_core::dreams::LifeDreams::is_on) {
            return Ok(Vec::new());
        }
        let now = self.ticks.now().await;
        let before = self.life.vitals().vitality().last_computed;
        let is_window_open = is_seen_open(&self.settings.dreams.law.schedule.windows, now, before);
        let is_due = self.life.dreams().is_some_and(|dreams| dreams.is_glance_due(now));
        let Some(Stirring { episodes, unreplayed, last }) =
            self.store.dreams().map(|bed| bed.stirring()).transpose()?
        else {
            return Ok(Vec::new());
        };
        let feelings = last.iter().filter_map(|(one, feeling)| Some((one.episode.id, (*feeling)?))).collect();
        let newest: Vec<Recorded> = last.into_iter().map(|(recorded, _)| recorded).collect();
        // What it strengthens and tags, nothing that is told here is read from.
        let glance = if is_due { Some(self.glance(&newest)?) } else { None };
        let Some(dreams) = self.life.dreams() else { return Ok(Vec::new()) };
        let counted = Recollection { episodes, unreplayed, is_window_open, glance, ..Recollection::default() };
        let told = recollect(dreams, counted, &newest, &feelings);
        let is_news = !self.life.has_recalled(&told);
        Ok(is_news.then(|| Observation::Recalled(Box::new(told))).into_iter().collect())
    }

    /// D-216 to D-220. A glance between dreams: strengths and tags, each once for its tick. Answers whether something is
    /// left unresolved.
    fn glance(&mut self, last: &[Recorded]) -> Result<bool, RuntimeError> {
        let now = self.moment();
        let (grimoire, _) = self.store.at_hand()?;
        let episodes = &last[last.len().saturating_sub(EPISODES)..];
        let mut shelf = DreamShelf::default();
        measure(&mut shelf, episodes, &grimoire);
        let sources = DreamSources {
            grimoire: &grimoire,
            law: &self.mind.law,
            episodes,
            quarantine: &[],
            playbook: &Playbook::default(),
            venue: &self.mind.venue,
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

    /// D-019, D-162, D-193. What the owner left in the folder becomes words of this pass.
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
                OwnerWord::BecomeMortal => commands.push(Command::BecomeMortal),
                // A word about dreams is none to who does not dream; it is not kept for later.
                _ if !dreams => {}
                OwnerWord::Dream => commands.push(Command::Sleep),
                OwnerWord::Wake => commands.push(Command::Wake),
            }
        }
        self.commands.extend(commands);
        self.heard = Some(heard);
        Ok(())
    }
}
