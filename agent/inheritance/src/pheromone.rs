//! Signs left in the market for whoever comes by, without a name (I-320 to I-329, I-367).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_primitives::words;
use golem_primitives::{GolemId, Ppm, UtcTime};

use crate::heir::sha256_of;

words! {
    /// I-321. What a sign says.
    Class {
        /// Danger: half gone after 2 h.
        Threat = "THREAT",
        /// A chance: 12 h.
        Opportunity = "OPPORTUNITY",
        /// Something learned: 7 d.
        Wisdom = "WISDOM",
    }
}

impl Class {
    /// I-321. After how long half of an unconfirmed sign is left.
    #[must_use]
    pub const fn half_life(self) -> Duration {
        Duration::from_secs(match self {
            Self::Threat => 2 * 3_600,
            Self::Opportunity => 12 * 3_600,
            Self::Wisdom => 7 * UtcTime::DAY_SECONDS,
        })
    }
}

words! {
    /// I-323. Who may read a sign.
    Layer {
        /// Siblings.
        Clade = "clade",
        /// Everyone.
        Commons = "commons",
    }
}

/// I-323. All that a sign tells of who left it: twelve bytes of a salted hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceHash([u8; 12]);

impl SourceHash {
    /// The hash of a depositor under a salt; with another salt it is another.
    #[must_use]
    pub fn of(golem: &GolemId, salt: &[u8]) -> Self {
        let hash = sha256_of(&[salt, golem.as_bytes()].concat());
        let mut bytes = [0; 12];
        bytes.copy_from_slice(&hash[..12]);
        Self(bytes)
    }

    /// The hash of these bytes, as somebody wrote it down.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 12]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> [u8; 12] {
        self.0
    }
}

impl fmt::Debug for SourceHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// I-320, I-323. A sign: no text, no strategy, no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// Who may read it.
    pub layer: Layer,
    /// What it says.
    pub class: Class,
    /// How strongly, when it was left.
    pub intensity: Ppm,
    /// About what.
    pub domain: Domain,
    /// In which regime.
    pub regime: Option<Regime>,
    /// Who left it, as far as anyone may know.
    pub source: SourceHash,
    /// When.
    pub at: UtcTime,
}

/// I-322. What is left of a sign: `i0 * 2^(-t / (half-life * (1 + 0.5 confirmations)))`.
#[must_use]
pub fn intensity(class: Class, start: Ppm, age: Duration, confirmations: u32) -> Ppm {
    let life = class.half_life().as_secs_f64() * (1.0 + 0.5 * f64::from(confirmations));
    Ppm::round(start.as_f64() * libm::exp2(-age.as_secs_f64() / life))
}

/// I-325. Below it a sign is gone; how many an agent leaves a minute.
const GONE: Ppm = Ppm::of(50_000);
const PER_MINUTE: u32 = 60;
/// I-325. Signs a domain holds at most. Signs that say the same of the same place are one sign, so a domain never comes
/// near it.
pub const PER_DOMAIN: usize = 1_000;
/// I-325. Seconds between two sweeps.
pub const SWEEP_SECONDS: u64 = 60;

/// I-325. Why a sign is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotTaken {
    /// Its agent left sixty this minute.
    #[error("an agent leaves {PER_MINUTE} signs a minute at most; wait for the next minute")]
    TooMany,
    /// I-327. The owner turned it off.
    #[error("leaving signs is turned off; turn deposit_enabled on")]
    Off,
}

impl NotTaken {
    /// Whether the same sign may be taken later.
    #[must_use]
    pub const fn may_retry(&self) -> bool {
        !matches!(self, Self::Off)
    }
}

/// I-327. What an owner turned on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// The field at all.
    pub enabled: bool,
    /// Leaving signs.
    pub deposit_enabled: bool,
    /// Reading them.
    pub sense_enabled: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { enabled: true, deposit_enabled: true, sense_enabled: true }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Laid {
    sign: Sign,
    confirmed_by: BTreeSet<SourceHash>,
}

impl Laid {
    fn confirmations(&self) -> u32 {
        u32::try_from(self.confirmed_by.len()).unwrap_or(u32::MAX)
    }

    fn now(&self, now: UtcTime) -> Ppm {
        intensity(self.sign.class, self.sign.intensity, now.since(self.sign.at), self.confirmations())
    }
}

/// What a reader senses of a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scent {
    /// What it says.
    pub class: Class,
    /// How strongly it still does.
    pub intensity: Ppm,
    /// How many others said the same.
    pub confirmations: u32,
}

/// The field: signs by domain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    domains: BTreeMap<Domain, Vec<Laid>>,
    minute: u64,
    deposits: BTreeMap<SourceHash, u32>,
}

impl Field {
    /// I-323 to I-325. Lays a sign, or confirms the one that says the same of the same place. The same source never
    /// confirms itself, and no source confirms twice.
    ///
    /// # Errors
    /// [`NotTaken`] beyond the limits or when depositing is off.
    pub fn deposit(&mut self, sign: Sign, switches: Switches, now: UtcTime) -> Result<(), NotTaken> {
        if !(switches.enabled && switches.deposit_enabled) {
            return Err(NotTaken::Off);
        }
        let minute = now.seconds() / 60;
        if minute > self.minute {
            (self.minute, self.deposits) = (minute, BTreeMap::new());
        }
        let count = self.deposits.entry(sign.source).or_default();
        if *count >= PER_MINUTE {
            return Err(NotTaken::TooMany);
        }
        *count += 1;
        self.lay(sign, now);
        Ok(())
    }

    /// I-324. The same for a sign that was taken before, as after a restart: it counts towards no limit.
    pub fn lay(&mut self, sign: Sign, now: UtcTime) {
        let laid = self.domains.entry(sign.domain).or_default();
        laid.retain(|one| one.now(now) >= GONE);
        let same = |one: &&mut Laid| {
            (one.sign.class, one.sign.regime, one.sign.layer) == (sign.class, sign.regime, sign.layer)
        };
        if let Some(known) = laid.iter_mut().find(same) {
            if known.sign.source != sign.source {
                known.confirmed_by.insert(sign.source);
            }
            return;
        }
        laid.push(Laid { sign, confirmed_by: BTreeSet::new() });
    }

    /// I-325. Forgets what has faded, and answers with how many.
    pub fn evaporate(&mut self, now: UtcTime) -> usize {
        let before = self.len();
        self.domains.values_mut().for_each(|laid| laid.retain(|one| one.now(now) >= GONE));
        self.domains.retain(|_, laid| !laid.is_empty());
        before - self.len()
    }

    /// How many signs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.domains.values().map(Vec::len).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.domains.is_empty()
    }

    /// I-320, I-326. What a Golem senses in one of its own domains and the regime it is in: classes and numbers, never
    /// who or why.
    #[must_use]
    pub fn sense(&self, domain: Domain, regime: Option<Regime>, switches: Switches, now: UtcTime) -> Vec<Scent> {
        if !(switches.enabled && switches.sense_enabled) {
            return Vec::new();
        }
        let here = self.domains.get(&domain).into_iter().flatten().filter(|one| one.sign.regime == regime);
        let scents = here.map(|one| Scent {
            class: one.sign.class,
            intensity: one.now(now),
            confirmations: one.confirmations(),
        });
        scents.filter(|scent| scent.intensity >= GONE).collect()
    }
}

/// I-326. Pleasure and arousal after sensing: the strongest threat excites, a threat that three confirmed weighs down.
#[must_use]
pub fn felt(pleasure: f64, arousal: f64, scents: &[Scent]) -> (f64, f64) {
    let threats = || scents.iter().filter(|scent| scent.class == Class::Threat);
    let strongest = threats().map(|scent| scent.intensity).max().unwrap_or(Ppm::ZERO);
    let is_confirmed = threats().any(|scent| scent.confirmations >= 3);
    let pleasure = if is_confirmed { (pleasure - 0.1).max(-1.0) } else { pleasure };
    (pleasure, (arousal + 0.3 * strongest.as_f64()).min(1.0))
}

/// I-328. Whether two vectors of one cell say the same, where an owner turned the vector variant on: more than 0.6 of
/// their bits agree. Vectors of different length do not.
#[must_use]
pub fn reinforces(a: &[u64], b: &[u64]) -> bool {
    if a.len() != b.len() || a.is_empty() {
        return false;
    }
    let differing: u64 = a.iter().zip(b).map(|(a, b)| u64::from((a ^ b).count_ones())).sum();
    let bits = 64 * a.len() as u64;
    (bits - differing) * 10 > bits * 6
}

/// I-329. What a death leaves in the field: a threat in each domain that failed it, and wisdom in each it understood.
#[must_use]
pub fn of_death(
    source: SourceHash,
    failing: &[Domain],
    known: &[Domain],
    regime: Option<Regime>,
    at: UtcTime,
) -> Vec<Sign> {
    let sign = |domain: &Domain, class| Sign {
        layer: Layer::Clade,
        class,
        intensity: Ppm::ONE,
        domain: *domain,
        regime,
        source,
        at,
    };
    let threats = failing.iter().map(|domain| sign(domain, Class::Threat));
    threats.chain(known.iter().map(|domain| sign(domain, Class::Wisdom))).collect()
}

#[cfg(test)]
mod tests;
