//! A Golem among its siblings: who was heard, what came of each, and what is in the air.

use golem_core::record::Scent;
use golem_primitives::{Ppm, Tick, UtcTime};

use crate::picture;

picture! {
    /// A sibling, by what it said.
    pub struct SiblingLine {
        /// Its name where it lives on this machine, its id elsewhere.
        who: String = "who",
        golem: String,
        /// Alive, silent for a day, dying or dead.
        life: &'static str = "life",
        /// Known of those on this machine.
        mode: Option<&'static str> = "mortality",
        entries: u64 = "entries",
        rules: u64 = "rules",
        warnings: u64 = "warnings",
        crises: u64 = "crises",
        answers: u64 = "answers",
        /// I-122. What of its words held where this one lives, and what did not.
        upheld: u32 = "held here",
        refuted: u32 = "did not",
        died_of: Option<&'static str> = "died of",
        last: Option<UtcTime> = "last heard",
    }

    /// I-326. One sign in the air. Nobody knows whose it is.
    pub struct SignLine {
        class: &'static str = "sign",
        domain: &'static str = "about",
        intensity: Ppm = "strength",
        confirmations: u32 = "confirmed by",
    }
}

impl From<&Scent> for SignLine {
    fn from(scent: &Scent) -> Self {
        let Scent { domain, class, intensity, confirmations } = *scent;
        Self { class: class.name(), domain: domain.name(), intensity, confirmations }
    }
}

picture! {
    /// The file of words between a Golem and its relay.
    pub struct WirePicture {
        waiting: u64 = "words waiting",
        sent: u64 = "words sent",
        unheard: u64 = "words to be heard",
        signs_waiting: u64 = "signs waiting",
        /// I-113. Whether the relay is called at all.
        breaker: String = "line",
        /// Why the last connection ended.
        trouble: Option<String> = "last trouble",
        since: Option<UtcTime> = "since",
    }

    /// I-100 to I-115, I-326. A Golem's Clade as it knows it.
    pub struct CladePicture {
        golem: String,
        tick: Tick,
        /// None where nobody knows.
        in_reach: Option<u32> = "siblings in reach",
        shared: u64 = "entries and rules shared",
        borrowed: u64 = "rules of siblings on trial",
        regime: Option<&'static str> = "regime",
        /// None of one that never had a relay.
        wire: Option<WirePicture>,
        siblings: Vec<SiblingLine>,
        air: Vec<SignLine>,
    }

    /// I-326, O-012. When a sign came into the air, or one more confirmed it.
    pub struct SensedMark {
        tick: Tick,
        class: &'static str,
        domain: &'static str,
        intensity: Ppm,
        confirmations: u32,
    }
}
