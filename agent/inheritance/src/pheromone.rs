//! Signs left in the market for siblings, without a name (I-320 to I-329, I-367).

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

/// I-320, I-323. What a sign says: no text, no strategy, no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sign {
    pub class: Class,
    pub intensity: Ppm,
    pub domain: Domain,
    pub regime: Option<Regime>,
}

impl Sign {
    /// I-322. The same after it waited so long to be left; `None` when nothing is left of it.
    #[must_use]
    pub fn after(self, waited: Duration) -> Option<Self> {
        let intensity = intensity(self.class, self.intensity, waited, 0);
        (intensity >= GONE).then_some(Self { intensity, ..self })
    }
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
/// I-325. Seconds between two sweeps.
pub const SWEEP_SECONDS: u64 = 60;
/// What is sensed is told in hundredths: a sign that only fades is not news at every tick.
const STEP: u32 = 10_000;

/// I-325. Its agent left as many as it may in a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an agent leaves {PER_MINUTE} signs a minute at most; wait for the next minute")]
pub struct TooManySigns;

/// I-327. What an owner turned on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    pub enabled: bool,
    pub deposit_enabled: bool,
    pub sense_enabled: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { enabled: true, deposit_enabled: true, sense_enabled: true }
    }
}

impl Switches {
    /// Whether signs are left.
    #[must_use]
    pub const fn leaves(&self) -> bool {
        self.enabled && self.deposit_enabled
    }

    /// Whether signs are sensed.
    #[must_use]
    pub const fn senses(&self) -> bool {
        self.enabled && self.sense_enabled
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Laid {
    sign: Sign,
    source: SourceHash,
    at: UtcTime,
    confirmed_by: BTreeSet<SourceHash>,
}

impl Laid {
    fn confirmations(&self) -> u32 {
        u32::try_from(self.confirmed_by.len()).unwrap_or(u32::MAX)
    }

    fn now(&self, now: UtcTime) -> Ppm {
        intensity(self.sign.class, self.sign.intensity, now.since(self.at), self.confirmations())
    }

    /// Whether nobody but this one left or confirmed it.
    fn is_only_of(&self, source: SourceHash) -> bool {
        self.source == source && self.confirmed_by.is_empty()
    }
}

/// What a reader senses of a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scent {
    pub domain: Domain,
    pub class: Class,
    pub intensity: Ppm,
    pub confirmations: u32,
}

/// I-326. Of all that was sensed what concerns one that has these domains: of each domain and class the strongest, in
/// hundredths. Whatever a relay tells, there is no more of it than that.
#[must_use]
pub fn gathered(scents: impl IntoIterator<Item = Scent>, own: &[Domain]) -> Vec<Scent> {
    let mut strongest = BTreeMap::<(Domain, Class), Scent>::new();
    for scent in scents.into_iter().filter(|scent| own.contains(&scent.domain) && scent.intensity >= GONE) {
        let known = strongest.entry((scent.domain, scent.class)).or_insert(scent);
        let intensity = known.intensity.max(scent.intensity).get() / STEP * STEP;
        let confirmations = known.confirmations.max(scent.confirmations);
        *known = Scent { intensity: Ppm::saturating(u64::from(intensity)), confirmations, ..scent };
    }
    strongest.into_values().collect()
}

/// The field: signs by domain. Signs that say the same of the same place are one, so a domain holds one for each class and
/// regime and never comes near the thousand of I-325.
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
    /// [`TooManySigns`] beyond what an agent leaves in a minute.
    pub fn deposit(&mut self, sign: Sign, source: SourceHash, now: UtcTime) -> Result<(), TooManySigns> {
        let minute = now.seconds() / 60;
        if minute > self.minute {
            (self.minute, self.deposits) = (minute, BTreeMap::new());
        }
        let count = self.deposits.entry(source).or_default();
        if *count >= PER_MINUTE {
            return Err(TooManySigns);
        }
        *count += 1;
        self.lay(sign, source, now);
        Ok(())
    }

    /// I-324. The same for a sign that was taken then, as after a restart: it counts towards no limit.
    pub fn lay(&mut self, sign: Sign, source: SourceHash, at: UtcTime) {
        let laid = self.domains.entry(sign.domain).or_default();
        laid.retain(|one| one.now(at) >= GONE);
        let same = |one: &&mut Laid| (one.sign.class, one.sign.regime) == (sign.class, sign.regime);
        if let Some(known) = laid.iter_mut().find(same) {
            if known.source != source {
                known.confirmed_by.insert(source);
            }
            return;
        }
        laid.push(Laid { sign, source, at, confirmed_by: BTreeSet::new() });
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
    /// who or why. What only it left itself it does not sense: nobody is roused by himself.
    #[must_use]
    pub fn sense(&self, domain: Domain, regime: Option<Regime>, reader: SourceHash, now: UtcTime) -> Vec<Scent> {
        let laid = self.domains.get(&domain).into_iter().flatten();
        let here = laid.filter(|one| one.sign.regime == regime && !one.is_only_of(reader));
        let scents = here.map(|one| Scent {
            domain,
            class: one.sign.class,
            intensity: one.now(now),
            confirmations: one.confirmations(),
        });
        scents.filter(|scent| scent.intensity >= GONE).collect()
    }
}

/// I-329. What a death leaves in the field: a threat in each domain that failed it, and wisdom in each it understood.
#[must_use]
pub fn of_death(failing: &[Domain], known: &[Domain], regime: Option<Regime>) -> Vec<Sign> {
    let sign = |domain: &Domain, class| Sign { class, intensity: Ppm::ONE, domain: *domain, regime };
    let threats = failing.iter().map(|domain| sign(domain, Class::Threat));
    threats.chain(known.iter().map(|domain| sign(domain, Class::Wisdom))).collect()
}

#[cfg(test)]
mod tests;
