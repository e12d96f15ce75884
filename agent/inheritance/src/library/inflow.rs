//! The five ways into the library (I-240 to I-244).

use golem_grimoire::confidence::Confidence;
use golem_grimoire::kind::EntryBody;
use golem_grimoire::provenance::{Provenance, Source};
use golem_grimoire::share::{LIVE_EXPORT, OVERFLOW_SIBLINGS};
use golem_primitives::Ppm;
use golem_primitives::words;

words! {
    /// I-240. The ways, most reliable first.
    Channel {
        /// By dying.
        DeathDeposit = "death_deposit",
        /// By the owner's hand, from the whole Grimoire of the dying.
        ManualPull = "manual_pull",
        /// By the owner's hand, from the living.
        LiveExport = "live_export",
        /// By itself, once siblings have proven it.
        CladeOverflow = "clade_overflow",
        MarketplacePurchase = "marketplace_purchase",
    }
}

impl Channel {
    /// I-242, I-240. The tag an entry carries: a pull by hand is an export of the living, not a word of the dead.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::DeathDeposit => "death_testament",
            Self::ManualPull | Self::LiveExport => "live_export",
            Self::CladeOverflow => "clade",
            Self::MarketplacePurchase => "marketplace_purchase",
        }
    }

    /// I-241, I-036. What an entry is worth in the library: what it was, but for what was bought, which is never worth more.
    #[must_use]
    pub fn confidence(self, own: Confidence) -> Confidence {
        match self {
            Self::MarketplacePurchase => Provenance::Marketplace.initial_confidence(own, 0).min(own),
            _ => own,
        }
    }

    /// I-246. The source of an entry in the library: the origin stays, and what the dead deposit bears their mark.
    #[must_use]
    pub fn source(self, source: &Source) -> Source {
        match self {
            Self::DeathDeposit => source.clone().stained(source.terminal_emotion()),
            Self::MarketplacePurchase => {
                let mut bought = source.clone();
                bought.provenance = Provenance::Marketplace;
                bought
            }
            _ => source.clone(),
        }
    }
}

/// I-240. The thresholds of a death deposit.
const DEPOSITED: Confidence = Confidence::of(600_000);
const LINK: Confidence = Confidence::of(500_000);
const LINK_EVIDENCE: u32 = 3;
/// I-240, C-36. Whether an entry of that type and worth is deposited at death by itself.
#[must_use]
pub fn is_kept(body: &EntryBody, confidence: Confidence) -> bool {
    match body {
        EntryBody::Insight | EntryBody::Heuristic { .. } => confidence >= DEPOSITED,
        EntryBody::Warning { .. } => true,
        EntryBody::CausalLink(link) => confidence >= LINK && link.evidence >= LINK_EVIDENCE,
        EntryBody::StrategyFragment { .. } => false,
    }
}

/// I-240. Whether the owner may export a living Golem's entry.
#[must_use]
pub fn may_export(confidence: Confidence) -> bool {
    confidence >= LIVE_EXPORT
}

/// I-240. Whether an entry overflows from the Clade by itself.
#[must_use]
pub const fn overflows(validated_by: u32) -> bool {
    validated_by >= OVERFLOW_SIBLINGS
}

words! {
    /// I-243. What becomes of an export that is near something kept.
    Dedup {
        Keep = "keep",
        Ask = "ask",
        Skip = "skip",
    }
}

/// I-243. Cosine above which an export is there already, and from which the owner is asked.
const SAME: Ppm = Ppm::of(950_000);
const NEAR: Ppm = Ppm::of(900_000);
/// I-243. Cosine above which two kept entries are one.
const MERGED: Ppm = Ppm::of(920_000);

/// I-243. What becomes of an export whose nearest kept entry has that cosine.
#[must_use]
pub fn dedup(nearest: Ppm) -> Dedup {
    match nearest {
        near if near > SAME => Dedup::Skip,
        near if near >= NEAR => Dedup::Ask,
        _ => Dedup::Keep,
    }
}

/// A kept entry, as the background looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    pub quality: Ppm,
    pub confidence: Confidence,
    pub validated: u32,
    pub contradicted: u32,
}

/// I-243. Two kept entries as one, when they are that near: the better stays, the counts are joined.
#[must_use]
pub fn merged(a: Kept, b: Kept, cosine: Ppm) -> Option<Kept> {
    let better = if (a.quality, a.confidence) >= (b.quality, b.confidence) { a } else { b };
    (cosine > MERGED).then(|| Kept {
        validated: a.validated.saturating_add(b.validated),
        contradicted: a.contradicted.saturating_add(b.contradicted),
        ..better
    })
}

words! {
    /// I-244. When a Golem may be given something from the library.
    GiftOccasion {
        Creation = "creation",
        OwnerAction = "owner_action",
        /// At any other time.
        Running = "running",
    }
}

impl GiftOccasion {
    /// I-244. Whether it may: a running Golem never helps itself.
    #[must_use]
    pub const fn may_pull(self) -> bool {
        matches!(self, Self::Creation | Self::OwnerAction)
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::GolemId;

    use super::*;

    /// I-240: W-50 and the edges of export and overflow.
    #[test]
    fn i_240_w_50_exports_and_overflow() {
        assert!(may_export(Confidence::of(500_000)) && !may_export(Confidence::of(490_000)), "W-50");
        assert!(overflows(3) && !overflows(2));
        let worth = |channel: Channel| channel.confidence(Confidence::of(900_000)).get().get();
        assert_eq!(worth(Channel::MarketplacePurchase), 300_000);
        let weak = Confidence::of(100_000);
        assert_eq!(Channel::MarketplacePurchase.confidence(weak), weak, "I-036: never more than its seller says");
        assert_eq!(worth(Channel::DeathDeposit), 900_000, "I-241");
    }

    /// I-242, I-246: tags, origins, and the mark that never fades.
    #[test]
    fn i_246_the_mark_of_the_dead_never_fades() {
        let origin = GolemId::new("ash").expect("a name");
        let source = Source::own(origin);
        let kept = Channel::DeathDeposit.source(&source);
        assert!(kept.is_bloodstain() && kept.origin == origin);
        assert!(Channel::LiveExport.source(&kept).is_bloodstain(), "never fades");
        assert!(!Channel::ManualPull.source(&source).is_bloodstain());
        let bought = Channel::MarketplacePurchase.source(&kept);
        assert!(bought.provenance == Provenance::Marketplace && bought.origin == origin && bought.is_bloodstain());
        assert_eq!(Channel::ManualPull.tag(), "live_export", "I-242");
    }

    /// I-243.
    #[test]
    fn i_243_near_doubles_are_asked_about_or_skipped() {
        for (parts, what) in
            [(950_001, Dedup::Skip), (950_000, Dedup::Ask), (900_000, Dedup::Ask), (899_999, Dedup::Keep)]
        {
            assert_eq!(dedup(Ppm::of(parts)), what, "{parts}");
        }
        let kept = |quality, validated| Kept {
            quality: Ppm::of(quality),
            confidence: Confidence::of(500_000),
            validated,
            contradicted: 1,
        };
        assert_eq!(merged(kept(1, 2), kept(9, 3), Ppm::of(920_000)), None);
        let one = merged(kept(1, 2), kept(9, 3), Ppm::of(920_001)).expect("one");
        assert_eq!((one.quality, one.validated, one.contradicted), (Ppm::of(9), 5, 2));
    }

    /// I-244.
    #[test]
    fn i_244_a_running_golem_never_helps_itself() {
        let may: Vec<bool> = GiftOccasion::ALL.iter().map(|occasion| occasion.may_pull()).collect();
        assert_eq!(may, [true, true, false]);
    }
}
