//! I-320 to I-326. What is in the air: signs of siblings for siblings. The field follows from the signs that were left, so
//! relays that read the same log sense the same.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy::primitives::Address;
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::pheromone::{Class, Field, Scent, Sign, SourceHash};
use golem_primitives::{GolemId, Ppm, UtcTime};

use crate::log::LeftScent;
use crate::message::{RefusalReason, RelayRefusal, Sensed};

/// How long a left sign is kept: the strongest wisdom that ten confirmed is gone by then.
pub(crate) const SCENT_TTL: Duration = Duration::from_secs(180 * UtcTime::DAY_SECONDS);

/// The air, by whose siblings breathe it.
#[derive(Debug, Default)]
pub(crate) struct Air {
    fields: BTreeMap<Address, Field>,
}

/// Who leaves and senses, and the secret that hides it.
#[derive(Debug)]
pub(crate) struct Breather<'a> {
    pub(crate) vault: Address,
    pub(crate) owner: Address,
    pub(crate) salt: &'a [u8],
}

impl Breather<'_> {
    fn source(&self) -> SourceHash {
        SourceHash::of(&GolemId::from_vault(self.vault), self.salt)
    }
}

/// A sign as a link asks for it to be left.
#[derive(Debug)]
pub(crate) struct Leaving<'a> {
    pub(crate) class: &'a str,
    pub(crate) intensity_ppm: u32,
    pub(crate) domain: &'a str,
    pub(crate) regime: Option<&'a str>,
}

fn unknown(what: &str, word: &str) -> RelayRefusal {
    RelayRefusal::new(RefusalReason::Malformed, format!("{word:?} is no {what}"))
}

fn domain_of(word: &str) -> Result<Domain, RelayRefusal> {
    Domain::from_name(word).ok_or_else(|| unknown("domain", word))
}

fn regime_of(word: Option<&str>) -> Result<Option<Regime>, RelayRefusal> {
    word.map(|word| Regime::from_name(word).ok_or_else(|| unknown("regime", word))).transpose()
}

impl Leaving<'_> {
    fn sign(&self) -> Result<Sign, RelayRefusal> {
        let strong =
            || RelayRefusal::new(RefusalReason::Malformed, "an intensity is at most 1000000 parts per million");
        Ok(Sign {
            class: Class::from_name(self.class).ok_or_else(|| unknown("class", self.class))?,
            intensity: Ppm::new(self.intensity_ppm).ok_or_else(strong)?,
            domain: domain_of(self.domain)?,
            regime: regime_of(self.regime)?,
        })
    }
}

impl Sensed {
    fn of(scent: &Scent) -> Self {
        Self {
            domain: scent.domain.name().to_owned(),
            class: scent.class.name().to_owned(),
            intensity_ppm: scent.intensity.get(),
            confirmations: scent.confirmations,
        }
    }

    /// What a relay told, if it is a sign at all.
    pub(crate) fn scent(&self) -> Option<Scent> {
        Some(Scent {
            domain: Domain::from_name(&self.domain)?,
            class: Class::from_name(&self.class)?,
            intensity: Ppm::new(self.intensity_ppm)?,
            confirmations: self.confirmations,
        })
    }
}

impl Air {
    /// I-323, I-325. Takes a sign of a vault, or says why not. What is kept of it names nobody.
    pub(crate) fn leave(
        &mut self,
        who: &Breather<'_>,
        leaving: &Leaving<'_>,
        now: UtcTime,
    ) -> Result<LeftScent, RelayRefusal> {
        let (sign, source) = (leaving.sign()?, who.source());
        let field = self.fields.entry(who.owner).or_default();
        field.deposit(sign, source, now).map_err(|refusal| RelayRefusal {
            retry_after: 60 - now.seconds() % 60,
            ..RelayRefusal::new(RefusalReason::TooMany, refusal.to_string())
        })?;
        Ok(LeftScent {
            owner: who.owner,
            class: sign.class.name().to_owned(),
            intensity_ppm: sign.intensity.get(),
            domain: sign.domain.name().to_owned(),
            regime: sign.regime.map(|regime| regime.name().to_owned()),
            source: alloy::hex::encode(source.bytes()),
            at: now.seconds(),
        })
    }

    /// A sign that the log has. One that is here already changes nothing: nobody confirms himself.
    pub(crate) fn take(&mut self, left: &LeftScent) {
        let LeftScent { owner, class, intensity_ppm, domain, regime, source, at } = left;
        let leaving = Leaving { class, intensity_ppm: *intensity_ppm, domain, regime: regime.as_deref() };
        let mut bytes = [0; 12];
        if let (Ok(sign), Ok(())) = (leaving.sign(), alloy::hex::decode_to_slice(source, &mut bytes)) {
            let field = self.fields.entry(*owner).or_default();
            field.lay(sign, SourceHash::from_bytes(bytes), UtcTime::from_seconds(*at));
        }
    }

    /// I-326. What one of an owner's Golems senses in these domains, each of them once.
    pub(crate) fn sense(
        &self,
        who: &Breather<'_>,
        domains: &[String],
        regime: Option<&str>,
        now: UtcTime,
    ) -> Result<Vec<Sensed>, RelayRefusal> {
        let regime = regime_of(regime)?;
        let mut asked = domains.iter().map(|word| domain_of(word)).collect::<Result<Vec<Domain>, RelayRefusal>>()?;
        asked.sort_unstable();
        asked.dedup();
        let Some(field) = self.fields.get(&who.owner) else { return Ok(Vec::new()) };
        let scents = asked.into_iter().flat_map(|domain| field.sense(domain, regime, who.source(), now));
        Ok(scents.map(|scent| Sensed::of(&scent)).collect())
    }

    /// I-325. Forgets what has faded.
    pub(crate) fn evaporate(&mut self, now: UtcTime) {
        self.fields.retain(|_, field| {
            field.evaporate(now);
            !field.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: Address = Address::repeat_byte(1);
    const BEN: Address = Address::repeat_byte(2);

    fn of(byte: u8, owner: Address) -> Breather<'static> {
        Breather { vault: Address::repeat_byte(byte), owner, salt: b"secret" }
    }

    fn leaving() -> Leaving<'static> {
        Leaving { class: "THREAT", intensity_ppm: 800_000, domain: "gas_mev", regime: Some("bear") }
    }

    fn sense(air: &Air, who: &Breather<'_>, now: UtcTime) -> Vec<Sensed> {
        let domains = ["gas_mev", "yield", "gas_mev"].map(str::to_owned);
        air.sense(who, &domains, Some("bear"), now).expect("sensed")
    }

    /// I-320, I-323, I-324: siblings confirm each other, owners do not smell each other's, what is kept names nobody, and nobody
    /// smells what only it left.
    #[test]
    fn i_323_a_sign_names_nobody_and_stays_with_its_readers() {
        let now = UtcTime::from_seconds(6_000);
        let mut air = Air::default();
        let left = air.leave(&of(7, ANN), &leaving(), now).expect("taken");
        let vault = Address::repeat_byte(7);
        assert!(!serde_json::to_string(&left).expect("plain").contains(&format!("{vault:x}")));
        assert_ne!(left.source, alloy::hex::encode(SourceHash::of(&GolemId::from_vault(vault), b"").bytes()));
        assert!(sense(&air, &of(7, ANN), now).is_empty(), "its own");
        air.leave(&of(8, ANN), &leaving(), now).expect("taken");
        air.leave(&of(7, ANN), &leaving(), now).expect("taken");
        let sensed = sense(&air, &of(9, ANN), now);
        assert_eq!(sensed.len(), 1, "each domain once");
        assert_eq!((sensed[0].intensity_ppm, sensed[0].confirmations), (800_000, 1));
        assert_eq!(sense(&air, &of(7, ANN), now), sensed, "another said so too");
        assert!(sense(&air, &of(9, BEN), now).is_empty());
        let later = UtcTime::from_seconds(6_000 + 20 * 3_600);
        air.evaporate(later);
        assert!(air.fields.is_empty(), "I-325");
    }

    /// I-325: sixty a minute; and a field that is built again from what was left is the same.
    #[test]
    fn i_325_signs_are_limited_and_outlive_a_restart() {
        let now = UtcTime::from_seconds(60);
        let mut air = Air::default();
        let mut left = Vec::new();
        for _ in 0..60 {
            left.push(air.leave(&of(7, ANN), &leaving(), now).expect("taken"));
        }
        let refused = air.leave(&of(7, ANN), &leaving(), now).expect_err("sixty");
        assert_eq!((refused.reason, refused.retry_after), (RefusalReason::TooMany, 60));
        left.push(air.leave(&of(8, ANN), &leaving(), now).expect("another's"));
        let mut again = Air::default();
        left.iter().chain(&left).for_each(|one| again.take(one));
        assert_eq!(sense(&again, &of(9, ANN), now), sense(&air, &of(9, ANN), now));
        for wrong in [
            Leaving { class: "RUMOUR", ..leaving() },
            Leaving { domain: "moon", ..leaving() },
            Leaving { regime: Some("moon"), ..leaving() },
            Leaving { intensity_ppm: 1_000_001, ..leaving() },
        ] {
            assert_eq!(air.leave(&of(9, ANN), &wrong, now).expect_err("wrong").reason, RefusalReason::Malformed);
        }
    }
}
