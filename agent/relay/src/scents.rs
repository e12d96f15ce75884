//! I-320 to I-327. What is in the air: signs of siblings for siblings, and of everyone for everyone. The field follows from
//! the signs that were left, so relays that read the same log sense the same.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy::primitives::Address;
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_inheritance::pheromone::{Class, Field, Layer, NotTaken, Sign, SourceHash, Switches};
use golem_primitives::{GolemId, Ppm, UtcTime};

use crate::log::LeftScent;
use crate::message::{Reason, Refused, Sensed};

/// How long a left sign is kept: the strongest wisdom that ten confirmed is gone by then.
pub(crate) const SCENT_TTL: Duration = Duration::from_secs(180 * UtcTime::DAY_SECONDS);

/// The air, by who breathes it: the siblings of an owner, or everyone.
#[derive(Debug, Default)]
pub(crate) struct Air {
    fields: BTreeMap<Option<Address>, Field>,
}

/// A sign as a link asks for it to be left.
#[derive(Debug)]
pub(crate) struct Leaving<'a> {
    pub(crate) layer: &'a str,
    pub(crate) class: &'a str,
    pub(crate) intensity_ppm: u32,
    pub(crate) domain: &'a str,
    pub(crate) regime: Option<&'a str>,
}

fn unknown(what: &str, word: &str) -> Refused {
    Refused::new(Reason::Malformed, format!("{word:?} is no {what}"))
}

/// A place in the field by its words.
fn place(domain: &str, regime: Option<&str>) -> Result<(Domain, Option<Regime>), Refused> {
    let domain = Domain::from_name(domain).ok_or_else(|| unknown("domain", domain))?;
    let regime = regime.map(|word| Regime::from_name(word).ok_or_else(|| unknown("regime", word))).transpose()?;
    Ok((domain, regime))
}

impl Air {
    /// I-323, I-325. Takes a sign of a vault, or says why not. What is kept of it names nobody.
    pub(crate) fn leave(
        &mut self,
        vault: Address,
        owner: Address,
        salt: &[u8],
        leaving: &Leaving<'_>,
        now: UtcTime,
    ) -> Result<LeftScent, Refused> {
        let layer = Layer::from_name(leaving.layer).ok_or_else(|| unknown("layer", leaving.layer))?;
        let class = Class::from_name(leaving.class).ok_or_else(|| unknown("class", leaving.class))?;
        let (domain, regime) = place(leaving.domain, leaving.regime)?;
        let strong = || Refused::new(Reason::Malformed, "an intensity is at most 1000000 parts per million");
        let intensity = Ppm::new(leaving.intensity_ppm).ok_or_else(strong)?;
        let source = SourceHash::of(&GolemId::from_vault(vault), salt);
        let sign = Sign { layer, class, intensity, domain, regime, source, at: now };
        let readers = (layer == Layer::Clade).then_some(owner);
        let field = self.fields.entry(readers).or_default();
        // I-327. What an owner switched off never gets here.
        field.deposit(sign, Switches::default(), now).map_err(|refusal| match refusal {
            NotTaken::TooMany => {
                Refused { retry_after: 60 - now.seconds() % 60, ..Refused::new(Reason::TooMany, refusal.to_string()) }
            }
            other => Refused::new(Reason::Malformed, other.to_string()),
        })?;
        Ok(LeftScent {
            owner: readers,
            class: class.name().to_owned(),
            intensity_ppm: intensity.get(),
            domain: domain.name().to_owned(),
            regime: regime.map(|regime| regime.name().to_owned()),
            source: alloy::hex::encode(source.bytes()),
            at: now.seconds(),
        })
    }

    /// A sign that the log has. One that is here already changes nothing: nobody confirms himself.
    pub(crate) fn take(&mut self, left: &LeftScent) {
        let sign = (|| {
            let (domain, regime) = place(&left.domain, left.regime.as_deref()).ok()?;
            let mut source = [0; 12];
            alloy::hex::decode_to_slice(&left.source, &mut source).ok()?;
            Some(Sign {
                layer: if left.owner.is_some() { Layer::Clade } else { Layer::Commons },
                class: Class::from_name(&left.class)?,
                intensity: Ppm::new(left.intensity_ppm)?,
                domain,
                regime,
                source: SourceHash::from_bytes(source),
                at: UtcTime::from_seconds(left.at),
            })
        })();
        if let Some(sign) = sign {
            let at = sign.at;
            self.fields.entry(left.owner).or_default().lay(sign, at);
        }
    }

    /// I-326. What one of an owner's Golems senses.
    pub(crate) fn sense(
        &self,
        owner: Address,
        domain: &str,
        regime: Option<&str>,
        now: UtcTime,
    ) -> Result<Vec<Sensed>, Refused> {
        let (domain, regime) = place(domain, regime)?;
        let fields = [Some(owner), None].into_iter().filter_map(|readers| self.fields.get(&readers));
        let scents = fields.flat_map(|field| field.sense(domain, regime, Switches::default(), now));
        Ok(scents
            .map(|scent| Sensed {
                class: scent.class.name().to_owned(),
                intensity_ppm: scent.intensity.get(),
                confirmations: scent.confirmations,
            })
            .collect())
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

    fn leaving(layer: &'static str) -> Leaving<'static> {
        Leaving { layer, class: "THREAT", intensity_ppm: 800_000, domain: "gas_mev", regime: Some("bear") }
    }

    /// I-320, I-323, I-324: siblings confirm each other, owners do not smell each other's, and what is kept names nobody.
    #[test]
    fn i_323_a_sign_names_nobody_and_stays_with_its_readers() {
        let now = UtcTime::from_seconds(6_000);
        let vault = |byte| Address::repeat_byte(byte);
        let mut air = Air::default();
        let left = air.leave(vault(7), ANN, b"secret", &leaving("clade"), now).expect("taken");
        assert!(!serde_json::to_string(&left).expect("plain").contains(&format!("{:x}", vault(7))));
        assert_ne!(left.source, alloy::hex::encode(SourceHash::of(&GolemId::from_vault(vault(7)), b"").bytes()));
        air.leave(vault(8), ANN, b"secret", &leaving("clade"), now).expect("taken");
        air.leave(vault(7), ANN, b"secret", &leaving("clade"), now).expect("taken");
        let sensed = air.sense(ANN, "gas_mev", Some("bear"), now).expect("sensed");
        assert_eq!(sensed.len(), 1);
        assert_eq!((sensed[0].intensity_ppm, sensed[0].confirmations), (800_000, 1));
        assert!(air.sense(BEN, "gas_mev", Some("bear"), now).expect("sensed").is_empty());
        air.leave(vault(7), ANN, b"secret", &leaving("commons"), now).expect("taken");
        assert_eq!(air.sense(BEN, "gas_mev", Some("bear"), now).expect("sensed").len(), 1);
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
            left.push(air.leave(ANN, ANN, b"s", &leaving("clade"), now).expect("taken"));
        }
        let refused = air.leave(ANN, ANN, b"s", &leaving("clade"), now).expect_err("sixty");
        assert_eq!((refused.reason, refused.retry_after), (Reason::TooMany, 60));
        left.push(air.leave(BEN, ANN, b"s", &leaving("clade"), now).expect("another's"));
        let mut again = Air::default();
        left.iter().chain(&left).for_each(|one| again.take(one));
        let sense = |air: &Air| air.sense(ANN, "gas_mev", Some("bear"), now).expect("sensed");
        assert_eq!(sense(&again), sense(&air));
        assert!(air.leave(ANN, ANN, b"s", &Leaving { class: "RUMOUR", ..leaving("clade") }, now).is_err());
    }
}
