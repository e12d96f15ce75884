//! I-100 to I-115. A life among its siblings: what it tells them, and what it makes of what they tell.
//!
//! Words go by the port ([`Clade`]): a relay carries them, or a [`House`] where all live in one process. What is heard is
//! journaled before anything follows from it; what siblings know stands at the gate of the Grimoire like anything from
//! outside, and their rules are tried on paper. Nothing here is an order, and nothing names an amount.

mod heard;
mod house;
mod ledger;
mod said;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use golem_core::air::OWN_DOMAINS;
use golem_core::kinship::rules_to_tell;
use golem_core::life::Life;
use golem_core::record::{
    Acknowledged, Checked, CladeNews, Event, Observation, Pad, Scent, SiblingCrisis, SiblingDeath, SiblingRule,
    SiblingStain, Sign, Wake, WakeSource,
};
use golem_core::trader::Trader;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::gate::Admission;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::ingest::{Arrival, Ingested, TurnedAway};
use golem_grimoire::kind::Kind;
use golem_grimoire::provenance::Provenance;
use golem_grimoire::share::{Giving, may_push};
use golem_grimoire::shelf::Grimoire;
use golem_grimoire::status::{Entry, Status};
use golem_grimoire::strength::Reinforcement;
use golem_inheritance::clade::farewell::{DyingNotice, parting};
use golem_inheritance::clade::sync::is_batch_due;
use golem_inheritance::pheromone::{Switches, gathered};
use golem_inheritance::withheld::SharingWatch;
use golem_ports::{Arrived, Arriving, Clade, HeardWord, Memory, StoreError};
use golem_primitives::{B256, GolemId, Ppm, Tick, UtcTime, keccak256};

use crate::customs;
use crate::death::acceptance::acceptance;
use crate::death::legacy::LegacyBundle;
use crate::error::RuntimeError;
use crate::files::{json, write_whole};
use crate::notes;
use ledger::{Ledger, Origin};
use said::{Alert, Answer, Batch, Death, DiedIn, Left, MOST_ENTRIES, Said, Shared, SharedEntry, SharedRule};

pub use heard::{SiblingHeard, SiblingsHeard};
pub use house::{House, Member};
pub use ledger::NOTE as SHARED_NOTE;

const MOST_WORDS: usize = 64;
/// Deaths and crises one life hears of in a tick; more wait for the next.
const MOST_DEATHS: usize = 8;
const MOST_CRISES: usize = 8;
/// And markets siblings died of.
const MOST_STAINS: usize = said::MOST_POOLS;
/// The notes under which the store keeps that the dying spoke.
const DEATH_NOTE: &str = "clade.death";
const LEFT_NOTE: &str = "clade.left";
const DONE: &str = "done";
/// Where the marks of dead siblings are kept in a Golem's folder, for people.
const SIBLINGS: &str = "siblings";

/// M-187. Whether siblings were told of the death.
pub(crate) fn is_told<S: Memory>(store: &S) -> Result<bool, RuntimeError> {
    Ok(store.note(DEATH_NOTE)?.is_some())
}

/// M-218. How many entries and rules siblings had from this life.
pub(crate) fn contributions<S: Memory>(store: &S) -> Result<u32, RuntimeError> {
    let ledger = Ledger::read(store)?;
    Ok(u32::try_from(ledger.entries.len() + ledger.rules.len()).unwrap_or(u32::MAX))
}

/// The same, as the note of a memory that holds it says.
#[must_use]
pub fn shared_with_siblings(note: Option<&str>) -> u64 {
    let ledger: Ledger = note.and_then(|note| serde_json::from_str(note).ok()).unwrap_or_default();
    (ledger.entries.len() + ledger.rules.len()) as u64
}

#[derive(Debug)]
pub(crate) struct Siblings {
    wire: Box<dyn Clade>,
    /// The regime it last saw, so that a shift is told once.
    regime: Option<&'static str>,
    /// Entries and rules that went out since it last listened.
    shared: u32,
    watch: SharingWatch,
    /// I-122. What was found of entries siblings had sent, since it last listened.
    checked: Vec<Checked>,
    choice: CladeChoice,
}

/// What an owner decided about siblings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CladeChoice {
    /// I-327. What it may do with signs in the air.
    pub signs: Switches,
    /// I-122. Whose words it does not hear.
    pub excluded: BTreeSet<GolemId>,
}

/// What came in and stands at the gate.
#[derive(Debug, Default)]
pub(crate) struct Brought {
    entries: Vec<BroughtEntry>,
    /// One mood of each sibling, its newest: who says it often is not caught more.
    moods: BTreeMap<GolemId, Pad>,
}

#[derive(Debug)]
struct BroughtEntry {
    from: GolemId,
    shared: SharedEntry,
    /// I-343. Its sender is dead and leaves it.
    is_left: bool,
}

impl Brought {
    /// I-076. Every transaction these entries name, each once.
    pub(crate) fn transactions(&self) -> Vec<B256> {
        let named = self.entries.iter().flat_map(|one| customs::named(&one.shared.draft.content));
        let mut named: Vec<B256> = named.collect();
        named.sort_unstable();
        named.dedup();
        named
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Siblings {
    pub(crate) fn new(wire: Box<dyn Clade>, choice: CladeChoice) -> Self {
        Self { wire, regime: None, shared: 0, watch: SharingWatch::default(), checked: Vec::new(), choice }
    }

    /// I-107, I-108. What siblings said since this life last listened: what concerns the life, and what stands at the gate
    /// of its Grimoire. A wire that fails is told and hears nothing.
    pub(crate) fn listen<S: Memory>(
        &mut self,
        life: &Life,
        store: &mut S,
        dir: &Path,
    ) -> Result<(CladeNews, Brought), RuntimeError> {
        let through = life.kinship().map_or(0, |kinship| kinship.through);
        let mut news = CladeNews { through, siblings: self.wire.siblings(), ..CladeNews::default() };
        news.shared = std::mem::take(&mut self.shared);
        news.checked = self.checked.drain(..self.checked.len().min(said::MOST_ANSWERS)).collect();
        let mut brought = Brought::default();
        let heard = match self.wire.heard(MOST_WORDS) {
            Ok(heard) => heard,
            Err(error) => {
                tracing::warn!(golem = %life.id(), %error, "siblings are not heard");
                Vec::new()
            }
        };
        let mut counted: SiblingsHeard = notes::read(store, SiblingsHeard::NOTE)?.unwrap_or_default();
        let before = counted.clone();
        for word in heard.into_iter().filter(|word| word.place > through) {
            if self.choice.excluded.contains(&word.from) {
                news.through = word.place;
                continue;
            }
            let said = match Said::read(word.kind, &word.from, &word.body) {
                Ok(said) => said,
                Err(why) => {
                    tracing::warn!(golem = %life.id(), from = %word.from, %why, "a sibling's word is passed over");
                    news.through = word.place;
                    continue;
                }
            };
            // What would be too much for one tick waits for the next, whole.
            if is_full(&news, &said) {
                break;
            }
            news.through = word.place;
            counted.count(&word, &said);
            take_in(life, store, dir, &word, said, &mut news, &mut brought)?;
        }
        if counted != before {
            notes::keep(store, SiblingsHeard::NOTE, &counted)?;
        }
        news.moods = brought.moods.values().copied().collect();
        news.air = self.sense(life);
        Ok((news, brought))
    }

    /// I-326. What is in the air where this life is. Whatever the wire tells, it is a sign for each domain and class at most.
    fn sense(&mut self, life: &Life) -> Vec<Scent> {
        if !self.choice.signs.senses() {
            return Vec::new();
        }
        let now = life.vitals().vitality().last_computed;
        gathered(self.wire.sense(&OWN_DOMAINS, life.regime(), now), &OWN_DOMAINS)
    }

    /// I-323. Leaves signs; one that is not kept is lost, since nothing depends on it.
    fn leave(&mut self, life: &Life, signs: Vec<Sign>) {
        if !self.choice.signs.leaves() {
            return;
        }
        let now = life.vitals().vitality().last_computed;
        for sign in signs {
            if let Err(error) = self.wire.leave(&sign, now) {
                tracing::warn!(golem = %life.id(), %error, "a sign was not left");
            }
        }
    }

    /// I-326. For one that has no siblings any more: what was in the air is gone, and that is said once.
    pub(crate) fn out_of_reach(life: &Life) -> Vec<Observation> {
        let Some(known) = life.kinship().filter(|known| !known.air.is_empty()) else { return Vec::new() };
        vec![Observation::Clade(Box::new(CladeNews { through: known.through, ..CladeNews::default() }))]
    }

    /// The observations that news are. A life alone that nobody speaks to is written as if there were no Clade.
    pub(crate) fn observations(life: &Life, news: CladeNews) -> Vec<Observation> {
        let known = life.kinship();
        let is_same = known.map_or((0, None), |known| (known.through, known.siblings))
            == (news.through, news.siblings.filter(|siblings| *siblings > 0 || known.is_some()));
        let is_air_same = known.map_or(&[][..], |known| &known.air) == news.air;
        if is_same && is_air_same && news.shared == 0 && news.checked.is_empty() {
            return Vec::new();
        }
        let alert = alert(life, &news);
        std::iter::once(Observation::Clade(Box::new(news))).chain(alert).collect()
    }

    /// Everything up to here is in the journal.
    pub(crate) fn taken(&mut self, life: &Life, through: u64) {
        if let Err(error) = self.wire.taken(through) {
            tracing::warn!(golem = %life.id(), %error, "what siblings said is heard again");
        }
    }

    /// G-174 to G-178, I-070 to I-085. Lets what siblings know stand at the gate. What is known already answers at once.
    pub(crate) fn admit<S: Memory>(
        &mut self,
        store: &mut S,
        brought: Brought,
        known: &BTreeMap<B256, bool>,
        now: Moment,
    ) -> Result<(), RuntimeError> {
        let mut ledger = Ledger::read(store)?;
        let mut parts = BTreeMap::<(bool, GolemId), Vec<BroughtEntry>>::new();
        for one in brought.entries {
            let is_warning = one.shared.draft.body.kind() == Kind::Warning;
            parts.entry((!is_warning, one.from)).or_default().push(one);
        }
        // Warnings first, and each sender by itself: whoever floods a full queue takes nobody else's words along.
        let mut answers = Vec::new();
        for theirs in parts.into_values() {
            self.checked.extend(lies(&theirs, known));
            answers.extend(admit_from(store, &mut ledger, theirs, known, now)?);
        }
        notes::keep(store, SHARED_NOTE, &ledger)?;
        self.answer(answers, now.at);
        Ok(())
    }

    /// Whether nobody is there and nobody would ever hear of it: what is told then would count as told and be lost.
    fn speaks_to_nobody(&self) -> bool {
        !self.wire.keeps() && self.wire.siblings() == Some(0)
    }

    /// S-031, P-075, I-107, I-320. Tells the others what of a pass concerns them, and leaves its signs.
    pub(crate) fn tell(&mut self, life: &Life, events: &[Event]) {
        self.leave(life, life.signs(events));
        let now = life.vitals().vitality().last_computed;
        let mut answers = Vec::new();
        for event in events {
            match event {
                Event::CrisisTold(message) => {
                    self.say(&Said::Crisis((**message).clone()), now);
                }
                Event::SiblingRuleJudged { golem, rule, is_upheld } => {
                    answers.push(Answer { of: *golem, what: Shared::Rule(rule.clone()), is_upheld: *is_upheld });
                }
                _ => {}
            }
        }
        self.answer(answers, now);
        // By the name its trader gives it, once it sees one.
        let Some(regime) = life.regime().and(life.trader().map(Trader::regime_name)) else { return };
        // I-061. The one episode that always goes.
        if self.regime.replace(regime).is_some_and(|before| before != regime) {
            self.say(&Said::Alert(Alert { regime: Some(regime.to_owned()), ..Alert::default() }), now);
        }
    }

    /// I-104, I-105. What the Curator's turn lets go out: warnings at once, entries and rules with the batch.
    pub(crate) fn share<S: Memory>(&mut self, life: &Life, store: &mut S, tick: Tick) -> Result<(), RuntimeError> {
        if self.speaks_to_nobody() {
            return Ok(());
        }
        let now = life.vitals().vitality().last_computed;
        let (grimoire, _) = store.at_hand()?;
        let mut ledger = Ledger::read(store)?;
        let before = ledger.clone();
        self.answer(judged(&mut ledger, &grimoire), now);
        ledger.forget(&grimoire);
        let sharing = life.sharing();
        let by_phase = Giving::of(life.vitals().phase(), life.vitals().law().mode);
        let giving = Giving { threshold: Confidence::new(sharing.threshold), ..by_phase };
        let mut eligible = eligible(&grimoire, &ledger, giving);
        let warnings: Vec<&Knowledge> = eligible.extract_if(.., |known| known.kind() == Kind::Warning).collect();
        for page in warnings.chunks(MOST_ENTRIES) {
            let said = Alert { warnings: page.iter().map(|known| SharedEntry::of(known)).collect(), regime: None };
            if self.say(&Said::Alert(said), now) {
                ledger.sent(page.iter().map(|known| known.id), false, now);
            }
        }
        // S-129. Who suffers too much to publish keeps the rest.
        let tried = life.trader().into_iter().flat_map(|trader| trader.hands().flat_map(|(_, hand)| hand.tried()));
        let rules = rules_to_tell(tried, |name| ledger.rules.contains_key(name));
        if sharing.closed.is_none() && is_batch_due(tick, eligible.len() + rules.len()) {
            let room = ledger.room(now).min(MOST_ENTRIES);
            let goes = &eligible[..eligible.len().min(room)];
            let batch = Batch {
                entries: goes.iter().map(|known| SharedEntry::of(known)).collect(),
                rules: rules.iter().map(|told| SharedRule { text: told.text.clone(), shown: told.shown }).collect(),
                mood: life.affect().filter(|affect| affect.law().is_on()).map(|affect| affect.own_mood()),
            };
            if self.say(&Said::Batch(batch), now) {
                ledger.sent(goes.iter().map(|known| known.id), true, now);
                self.shared += u32::try_from(goes.len() + rules.len()).unwrap_or(u32::MAX);
                ledger.rules.extend(rules.into_iter().map(|told| (told.name, now)));
            }
        }
        if tick.is_every(golem_inheritance::clade::sync::BATCH_TICKS) {
            let kept: Vec<EntryId> =
                eligible.iter().map(|known| known.id).filter(|id| !ledger.entries.contains_key(id)).collect();
            for entry in self.watch.cycle(&kept) {
                tracing::warn!(golem = %life.id(), %entry, "could go to siblings for two cycles and did not (I-067)");
            }
        }
        if ledger != before {
            notes::keep(store, SHARED_NOTE, &ledger)?;
        }
        Ok(())
    }

    /// M-186, I-329. Tells siblings, once, that a death has begun, and leaves its signs.
    pub(crate) fn announce<S: Memory>(&mut self, life: &Life, store: &mut S) -> Result<(), RuntimeError> {
        let Some(accepted) = acceptance(life, false) else { return Ok(()) };
        if self.speaks_to_nobody() || store.note(DEATH_NOTE)?.is_some() {
            return Ok(());
        }
        let follow = parting(&store.at_hand()?.0, life.vitals().law().mode).len();
        let said = Death { notice: DyingNotice::of(&accepted, follow), book: life.trader().map(Trader::book_name) };
        if self.say(&Said::Death(said), life.vitals().vitality().last_computed) {
            self.leave(life, life.last_signs());
            store.set_note(DEATH_NOTE, DONE)?;
        }
        Ok(())
    }

    /// I-121, I-340, M-205. Tells siblings, once there is a bundle, what is left: the bloodstain first, then all that passes the
    /// gates of Terminal, surest first. Who is dead cannot wait for an hour's room: those who hear it take in so much an hour.
    pub(crate) fn part<S: Memory>(&mut self, life: &Life, store: &mut S, dir: &Path) -> Result<(), RuntimeError> {
        let is_late = self.speaks_to_nobody() || store.note(LEFT_NOTE)?.is_some();
        if is_late || !LegacyBundle::path(dir).exists() {
            return Ok(());
        }
        let (Some(stain), Some(death)) = (LegacyBundle::bloodstain_in(dir)?, life.death()) else { return Ok(()) };
        let now = life.vitals().vitality().last_computed;
        let (grimoire, _) = store.at_hand()?;
        let known: Vec<&Knowledge> = parting(&grimoire, life.vitals().law().mode)
            .into_iter()
            .filter_map(|left| grimoire.get(left.id)?.knowledge())
            .filter(|known| known.draft.source.provenance != Provenance::Clade)
            .collect();
        let (warnings, rest): (Vec<&Knowledge>, Vec<&Knowledge>) =
            known.into_iter().partition(|known| known.kind() == Kind::Warning);
        let markets = life.trader().map(|trader| trader.market_stains(death.cause.kind())).unwrap_or_default();
        let markets = markets.into_iter().map(|(pool, stain)| DiedIn { pool, stain }).collect();
        let mut warnings: Vec<SharedEntry> = warnings.into_iter().map(SharedEntry::left).collect();
        let further = warnings.split_off(warnings.len().min(MOST_ENTRIES));
        let mut is_said = self.say(&Said::Left(Box::new(Left { stain, markets, warnings })), now);
        for page in further.chunks(MOST_ENTRIES) {
            let alert = Alert { warnings: page.to_vec(), regime: None };
            is_said &= self.say(&Said::Alert(alert), now);
        }
        for page in rest.chunks(MOST_ENTRIES) {
            let entries = page.iter().map(|known| SharedEntry::of(known)).collect();
            is_said &= self.say(&Said::Batch(Batch { entries, ..Batch::default() }), now);
        }
        if is_said {
            store.set_note(LEFT_NOTE, DONE)?;
        }
        Ok(())
    }

    /// Tells siblings what became of what they had shared. Of rules the life knows itself; of entries it hears when it next listens.
    fn answer(&mut self, answers: Vec<Answer>, now: UtcTime) {
        let entries = answers.iter().filter(|answer| matches!(answer.what, Shared::Entry(_)));
        self.checked.extend(entries.map(|answer| Checked { golem: answer.of, is_upheld: answer.is_upheld }));
        for page in answers.chunks(said::MOST_ANSWERS) {
            self.say(&Said::Answers(page.to_vec()), now);
        }
    }

    /// Answers whether the wire keeps it.
    fn say(&mut self, said: &Said, now: UtcTime) -> bool {
        match self.wire.say(said.kind(), &said.bytes(), now) {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "a word to siblings was not kept");
                false
            }
        }
    }
}

impl Origin {
    const fn answer(&self, is_upheld: bool) -> Answer {
        Answer { of: self.golem, what: Shared::Entry(self.entry), is_upheld }
    }
}

impl SharedEntry {
    /// I-067. An entry as it is held: worth what it is worth now and no more. The episodes behind it stay.
    fn of(known: &Knowledge) -> Self {
        let mut draft = known.draft.clone();
        draft.original_confidence = known.confidence;
        draft.parents.clear();
        Self { id: known.id, draft }
    }

    /// I-343. The same of the dead, with their mark.
    fn left(known: &Knowledge) -> Self {
        let mut left = Self::of(known);
        left.draft.source = left.draft.source.stained(known.draft.emotion);
        left
    }
}

/// Whether one more word would be more than a tick takes.
fn is_full(news: &CladeNews, said: &Said) -> bool {
    match said {
        Said::Batch(batch) => !news.has_room_for_rules(batch.rules.len()),
        Said::Death(_) => news.deaths.len() >= MOST_DEATHS,
        Said::Crisis(_) => news.crises.len() >= MOST_CRISES,
        Said::Left(left) => news.stains.len() + left.markets.len() > MOST_STAINS,
        Said::Answers(answers) => news.acknowledged.len() + answers.len() > said::MOST_ANSWERS,
        Said::Alert(_) => false,
    }
}

/// What a word is to this life.
fn take_in<S: Memory>(
    life: &Life,
    store: &mut S,
    dir: &Path,
    word: &HeardWord,
    said: Said,
    news: &mut CladeNews,
    brought: &mut Brought,
) -> Result<(), RuntimeError> {
    let from = word.from;
    let Brought { entries: gate, moods } = brought;
    let mut bring = |entries: Vec<SharedEntry>, is_left| {
        gate.extend(entries.into_iter().map(|shared| BroughtEntry { from, shared, is_left }));
    };
    match said {
        Said::Batch(batch) => {
            for SharedRule { text, shown } in &batch.rules {
                match SiblingRule::read(from, text, *shown) {
                    Some(rule) => news.rules.push(rule),
                    None => tracing::warn!(golem = %life.id(), %from, "a sibling's rule is none a book would take"),
                }
            }
            moods.extend(batch.mood.map(|mood| (from, mood)));
            bring(batch.entries, false);
        }
        Said::Alert(alert) => {
            news.alerts = news.alerts.saturating_add(1);
            bring(alert.warnings, false);
        }
        // Who traded as one trades oneself was of one's own kind.
        Said::Death(Death { notice: DyingNotice { cause, .. }, book }) => {
            let own = life.trader().map(Trader::book_name);
            let overlap = if own.is_some() && own == book { Ppm::ONE } else { Ppm::ZERO };
            news.deaths.push(SiblingDeath { golem: from, cause, overlap });
        }
        Said::Left(left) => {
            let stains =
                left.markets.into_iter().map(|DiedIn { pool, stain }| SiblingStain { golem: from, pool, stain });
            news.stains.extend(stains);
            // I-342. For people; a life goes on without the file.
            let path = dir.join(SIBLINGS).join(format!("{from}.bloodstain.json"));
            if let Err(error) = write_whole(&path, &json(&left.stain)) {
                tracing::warn!(golem = %life.id(), %error, "a sibling's bloodstain was not written down");
            }
            bring(left.warnings, true);
        }
        Said::Crisis(message) => news.crises.push(SiblingCrisis { golem: from, message }),
        Said::Answers(answers) => {
            let ledger = Ledger::read(store)?;
            for Answer { what, is_upheld, .. } in answers.into_iter().filter(|answer| answer.of == *life.id()) {
                let (shared_at, what) = match what {
                    Shared::Rule(name) => (ledger.rules.get(&name).copied(), name),
                    Shared::Entry(id) => {
                        let shared_at = ledger.entries.get(&id).copied();
                        if is_upheld && shared_at.is_some() {
                            // G-079: a sibling whose own life confirms it, once each.
                            let cause = keccak256([from.as_bytes(), &id.to_be_bytes()].concat());
                            store.reinforce(cause, id, Reinforcement::CladeConfirmation)?;
                        }
                        (shared_at, id.to_string())
                    }
                };
                // An answer to what was never said is none.
                if let Some(shared_at) = shared_at {
                    news.acknowledged.push(Acknowledged { golem: from, what, is_upheld, shared_at });
                }
            }
        }
    }
    Ok(())
}

/// I-076. Whether a text claims of the chain what the chain denies, or more than is asked there.
fn is_lie(content: &str, known: &BTreeMap<B256, bool>) -> bool {
    let claims = customs::named(content);
    claims.iter().any(|hash| known.get(hash) == Some(&false)) || claims.len() > customs::MOST_NAMED
}

/// I-122. What the chain itself says otherwise.
fn lies(brought: &[BroughtEntry], known: &BTreeMap<B256, bool>) -> Vec<Checked> {
    let denied = brought.iter().filter(|one| is_lie(&one.shared.draft.content, known));
    denied.map(|one| Checked { golem: one.from, is_upheld: false }).collect()
}

/// Lets what one sibling knows stand at the gate; answers what is known already.
fn admit_from<S: Memory>(
    store: &mut S,
    ledger: &mut Ledger,
    brought: Vec<BroughtEntry>,
    known: &BTreeMap<B256, bool>,
    now: Moment,
) -> Result<Vec<Answer>, RuntimeError> {
    let new = brought.into_iter().filter(|one| !ledger.has(&one.from, one.shared.id));
    let (mut origins, mut arriving) = (Vec::new(), Vec::new());
    for BroughtEntry { from, shared: SharedEntry { id, draft }, is_left } in new {
        let is_lie = is_lie(&draft.content, known);
        origins.push(Origin { golem: from, entry: id });
        let (way, on_chain) = (Provenance::Clade, is_lie.then_some(false));
        let arrival = Arrival { draft, way, sender: from, is_left, claimed_cosine: None, on_chain };
        arriving.push(Arriving { arrival, nearest: None });
    }
    let came = match store.ingest(arriving, now) {
        Ok(came) => came,
        Err(StoreError::Refused { reason, .. }) => {
            tracing::warn!(%reason, "what a sibling knows is not taken in");
            return Ok(Vec::new());
        }
        Err(error) => return Err(error.into()),
    };
    let mut answers = Vec::new();
    // What waited from an earlier hour comes first and is not of these.
    let earlier = came.len().saturating_sub(origins.len());
    for (origin, arrived) in origins.into_iter().zip(came.into_iter().skip(earlier)) {
        let Arrived::Judged { ingested, .. } = arrived else { continue };
        match ingested {
            Ingested::Judged(Admission::Admitted(candidate)) => {
                ledger.received.insert(candidate.knowledge().id, origin);
            }
            Ingested::Judged(Admission::Known(own) | Admission::Merged(own)) => {
                let is_active = store.entry(own)?.is_some_and(|entry| entry.status() == Status::Active);
                if is_active {
                    answers.push(origin.answer(true));
                }
            }
            Ingested::TurnedAway(TurnedAway::Refuted) => answers.push(origin.answer(false)),
            Ingested::Judged(_) | Ingested::TurnedAway(_) => {}
        }
    }
    Ok(answers)
}

/// I-060 to I-066. What may go out and did not, the surest first. What a sibling sent stays here: its author tells it.
fn eligible<'a>(grimoire: &'a Grimoire, ledger: &Ledger, giving: Giving) -> Vec<&'a Knowledge> {
    let goes = |entry: &&Entry| may_push(entry, giving);
    let known = grimoire.entries().filter(goes).filter_map(Entry::knowledge);
    let is_new = |known: &&Knowledge| !ledger.entries.contains_key(&known.id);
    let mut all: Vec<&Knowledge> =
        known.filter(|known| known.draft.source.provenance != Provenance::Clade).filter(is_new).collect();
    all.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(a.id.cmp(&b.id)));
    all
}

/// G-079, I-086. What became of entries that siblings sent: those that this life's own episodes made active are upheld, those
/// they refuted are not. Each is answered once.
fn judged(ledger: &mut Ledger, grimoire: &Grimoire) -> Vec<Answer> {
    let mut answers = Vec::new();
    ledger.received.retain(|own, origin| {
        let is_upheld = match grimoire.get(*own).map(|entry| (entry.status(), entry.knowledge())) {
            Some((Status::Active, _)) => true,
            Some((Status::Burned, _)) => false,
            Some((_, Some(known))) if known.contradicted > known.validated => false,
            _ => return true,
        };
        answers.push(origin.answer(is_upheld));
        false
    });
    answers
}

/// D-193, D-195. What of it wakes one that dreams in full: a crisis, a warning, or the death of one that trades as it does
/// itself. What befell them may be on its way to it.
fn alert(life: &Life, news: &CladeNews) -> Option<Observation> {
    life.dreams().filter(|dreams| dreams.is_suspended() && dreams.law().wake.enabled)?;
    let kin = news.deaths.iter().find(|death| death.overlap > Ppm::ZERO);
    let crisis = news.crises.iter().find(|heard| !heard.message.is_over);
    let reason = match (kin, crisis) {
        (Some(death), _) => format!("{} is dying of {}", death.golem, death.cause.name()),
        (None, Some(heard)) => format!("{}: {}", heard.golem, heard.message.text()),
        (None, None) => return None,
    };
    let at = life.vitals().vitality().last_computed;
    Some(Observation::Roused(Box::new(Wake { source: WakeSource::CladeAlert, reason, at })))
}
