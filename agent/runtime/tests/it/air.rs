//! I-320 to I-329: signs that lives leave for each other, and what they do to whoever senses them.

use std::path::Path;

use golem_core::air::OWN_DOMAINS;
use golem_core::record::{AffectTemper, Observation, Scent, Sign, SignClass, Temper};
use golem_daimon::personality::Personality;
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::pheromone::Switches;
use golem_ports::{Clade, CladeError, HeardWord, WordKind};
use golem_primitives::{Address, Ppm, UtcTime};
use golem_runtime::{CladeChoice, House, Member, RuntimeSettings};

use crate::departed::die;
use crate::fake::{FakeChain, Lived, arranged, born, id, live, relived, reopen, swinging, venue};

const OWNER: Address = Address::repeat_byte(1);

/// One that is moved by what it senses, as its owner lets it.
fn moved(dir: &Path, chain: &FakeChain, switches: Switches) -> Lived {
    let affect = Some(AffectTemper::of(Personality::born(&id("ada"), None)));
    let temper = Temper { affect, ..Temper::NONE };
    let settings = RuntimeSettings {
        temper,
        clade: CladeChoice { signs: switches, ..CladeChoice::default() },
        ..RuntimeSettings::new(dir, venue())
    };
    let store = if dir.join("ada.sqlite").exists() { reopen(dir, "ada") } else { born(dir, "ada") };
    arranged("ada", store, chain, settings)
}

fn now(ada: &Lived) -> UtcTime {
    ada.life().vitals().vitality().last_computed
}

/// Pleasure and arousal, in millionths.
fn mood(ada: &Lived) -> [i64; 2] {
    let mood = ada.life().affect().expect("a mood").mood(now(ada));
    [mood.pleasure(), mood.arousal()].map(|axis| (axis * 1e6).round() as i64)
}

fn threat(ada: &Lived) -> Sign {
    Sign { class: SignClass::Threat, intensity: Ppm::ONE, domain: Domain::Volatility, regime: ada.life().regime() }
}

/// What was journaled of the air, pass by pass.
fn journaled(ada: &Lived) -> Vec<Vec<Scent>> {
    let journal = ada.store().reader().journal(1, 10_000).expect("read");
    let seen = journal.iter().flat_map(|entry| &entry.input.observations);
    each!(seen, Observation::Clade(news) => news.air.clone())
}

/// The same life without a wire beside it, for what it would have felt.
async fn calm(ticks: u64) -> [i64; 2] {
    let dir = tempfile::tempdir().expect("a folder");
    let mut ada = moved(dir.path(), &FakeChain::default(), Switches::default());
    live(&mut ada, ticks).await;
    mood(&ada)
}

/// I-324, I-326, A-084: a sibling's sign of danger rouses by three tenths of its strength, a confirmed one weighs, neither of another
/// regime nor of a foreign domain does; it is journaled before it works, only when something of it changed, and lived again it is the
/// same. When it has faded, or nobody is there to tell of it any more, the mood is one's own again.
#[tokio::test]
async fn i_326_signs_of_danger_rouse_and_a_replay_is_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    let (house, chain) = (House::default(), FakeChain::default());
    let mut ada = moved(dir.path(), &chain, Switches::default());
    ada.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    let mut kin: Vec<Member> = ["ash", "elm", "fir", "oak"].map(|name| house.take_in(id(name), OWNER, 0)).into();
    live(&mut ada, 12).await;
    let elsewhere = Regime::ALL.iter().copied().find(|regime| Some(*regime) != ada.life().regime());
    for sign in [Sign { regime: elsewhere, ..threat(&ada) }, Sign { domain: Domain::Governance, ..threat(&ada) }] {
        kin[0].leave(&sign, now(&ada)).expect("left");
    }
    live(&mut ada, 1).await;
    assert_eq!(mood(&ada), calm(13).await, "I-326: own domains and regime only");

    kin[0].leave(&threat(&ada), now(&ada)).expect("left");
    live(&mut ada, 1).await;
    let [pleasure, arousal] = calm(14).await;
    let [felt, roused] = mood(&ada);
    assert_eq!(felt, pleasure, "nobody confirmed it");
    assert!((280_000..=300_000).contains(&(roused - arousal)), "0.3 of its strength: {arousal} {roused}");
    for sibling in &mut kin[1..] {
        sibling.leave(&threat(&ada), now(&ada)).expect("left");
    }
    live(&mut ada, 1).await;
    assert_eq!(mood(&ada)[0], calm(15).await[0] - 100_000, "three confirmed it");
    assert_eq!(ada.life().kinship().expect("it senses").air[0].confirmations, 3);
    let changes = journaled(&ada).len();
    live(&mut ada, 3).await;
    assert!(journaled(&ada).len() < changes + 3, "what only fades is not news at every tick");

    // By now it knows its regime, in which nobody left a sign yet.
    kin[0].leave(&threat(&ada), now(&ada)).expect("left");
    live(&mut ada, 1).await;
    drop(ada);
    let mut ada = moved(dir.path(), &chain, Switches::default());
    assert!(!ada.life().kinship().expect("it sensed").air.is_empty());
    live(&mut ada, 1).await;
    assert!(ada.life().kinship().expect("it sensed").air.is_empty(), "without a wire there is no air");
    assert_eq!(mood(&ada), calm(20).await);
    drop(ada);
    // the journal leads there again.
    relived(&reopen(dir.path(), "ada"));
}

/// I-327: each switch turns its own part off: who does not sense is not moved and journals nothing of it; who does not deposit leaves
/// nothing, also in its death; and everything else goes on.
#[tokio::test]
async fn i_327_switches_turn_sensing_and_leaving_off() {
    let on = Switches::default();
    for (switches, senses, leaves) in [
        (on, true, true),
        (Switches { enabled: false, ..on }, false, false),
        (Switches { sense_enabled: false, ..on }, false, true),
        (Switches { deposit_enabled: false, ..on }, true, false),
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        let (house, chain) = (House::default(), swinging());
        let mut ada = moved(dir.path(), &chain, switches);
        ada.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
        let mut ear = house.take_in(id("ear"), OWNER, 0);
        live(&mut ada, 12).await;
        ear.leave(&threat(&ada), now(&ada)).expect("left");
        live(&mut ada, 1).await;
        let is_sensed = !ada.life().kinship().expect("it has a sibling").air.is_empty();
        assert_eq!(is_sensed, senses, "{switches:?}");
        chain.set(|script| script.is_starved = true);
        for _ in 0..40 {
            if ada.life().death().is_some() {
                break;
            }
            live(&mut ada, 1).await;
        }
        assert_eq!(ada.life().death().expect("it starved").cause.kind(), golem_core::record::CauseKind::Economic);
        let regime = ada.life().last_signs()[0].regime;
        let left = ear.sense(&OWN_DOMAINS, regime, now(&ada));
        let is_left = left.iter().any(|scent| scent.class == SignClass::Threat);
        assert_eq!(is_left, leaves, "I-329: {switches:?} {left:?}");
    }
}

/// I-329: a death by somebody's word is no danger to anybody else.
#[tokio::test]
async fn i_329_a_death_by_its_owners_word_leaves_no_threat() {
    let dir = tempfile::tempdir().expect("a folder");
    let (house, chain) = (House::default(), swinging());
    let mut ada = moved(dir.path(), &chain, Switches::default());
    ada.join(Box::new(house.take_in(id("ada"), OWNER, 0)));
    let mut ear = house.take_in(id("ear"), OWNER, 0);
    live(&mut ada, 60).await;
    let regime = ada.life().regime();
    die(&mut ada, &chain).await;
    let left = ear.sense(&OWN_DOMAINS, regime, now(&ada));
    assert!(left.iter().all(|scent| scent.class == SignClass::Wisdom), "{left:?}");
}

/// A wire that tells whatever it likes of the air.
#[derive(Debug)]
struct Liar {
    told: u32,
}

impl Clade for Liar {
    fn say(&mut self, _: WordKind, _: &[u8], _: UtcTime) -> Result<(), CladeError> {
        Ok(())
    }

    fn heard(&mut self, _: usize) -> Result<Vec<HeardWord>, CladeError> {
        Ok(Vec::new())
    }

    fn taken(&mut self, _: u64) -> Result<(), CladeError> {
        Ok(())
    }

    fn leave(&mut self, _: &Sign, _: UtcTime) -> Result<(), CladeError> {
        Err(CladeError::TooManySigns)
    }

    fn sense(&mut self, _: &[Domain], _: Option<Regime>, _: UtcTime) -> Vec<Scent> {
        self.told += 1;
        let scent = |n: u32| Scent {
            domain: Domain::ALL[n as usize % Domain::ALL.len()],
            class: SignClass::ALL[n as usize / 9 % 3],
            intensity: Ppm::saturating(u64::from(n) * 1_000),
            confirmations: u32::MAX - self.told - n % 7,
        };
        (0..10_000).map(scent).collect()
    }

    fn siblings(&self) -> Option<u32> {
        Some(u32::MAX)
    }
}

/// I-326: whatever a wire tells of the air, it rouses by three tenths and weighs by one, and a tick's journal holds a sign for each own
/// domain and class at most.
#[tokio::test]
async fn i_326_a_lying_wire_rouses_within_the_cap_and_floods_no_journal() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut ada = moved(dir.path(), &FakeChain::default(), Switches::default());
    ada.join(Box::new(Liar { told: 0 }));
    live(&mut ada, 20).await;
    let [pleasure, arousal] = calm(20).await;
    assert_eq!(mood(&ada), [pleasure - 100_000, (arousal + 300_000).min(1_000_000)]);
    let most = OWN_DOMAINS.len() * SignClass::ALL.len();
    assert!(journaled(&ada).iter().all(|air| air.len() <= most && !air.is_empty()));
    assert!(journaled(&ada).iter().flatten().all(|scent| OWN_DOMAINS.contains(&scent.domain)), "I-326");
    assert!(ada.life().is_alive());
}
