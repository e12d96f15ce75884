//! Layer 4: a candidate runs beside the life, decides nothing and risks nothing (I-077 to I-079, I-083).

use std::time::Duration;

use golem_grimoire::kind::Kind;
use golem_primitives::Tick;

use super::consensus::Strictness;

/// I-079. How long a candidate is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShadowLaw {
    /// Ticks, at least.
    pub ticks: u64,
    /// Exercised uses, at least.
    pub uses: u32,
}

impl Default for ShadowLaw {
    fn default() -> Self {
        Self { ticks: 10, uses: 1 }
    }
}

impl ShadowLaw {
    /// I-075. The law under a strictness: the strictest watches for a hundred ticks.
    #[must_use]
    pub fn under(self, strictness: Strictness) -> Self {
        match strictness {
            Strictness::ThreeExtended => Self { ticks: self.ticks.max(100), ..self },
            _ => self,
        }
    }
}

/// I-077. A candidate in shadow: its decisions are simulated, no capital moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shadow {
    since: Tick,
    uses: u32,
    contradictions: u32,
}

/// Where a shadow stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShadowVerdict {
    /// It has shown too little so far; time alone never ends this (I-078).
    Watching,
    /// I-079. It was exercised, and nothing contradicted it: the Grimoire may promote it on its own evidence.
    Passed,
    /// It was contradicted.
    Failed,
}

impl Shadow {
    /// Starts on that tick.
    #[must_use]
    pub const fn new(since: Tick) -> Self {
        Self { since, uses: 0, contradictions: 0 }
    }

    /// What it would have done was exercised, and held or not.
    pub const fn exercise(&mut self, held: bool) {
        self.uses = self.uses.saturating_add(1);
        self.contradictions = self.contradictions.saturating_add(!held as u32);
    }

    /// I-079. Where it stands.
    #[must_use]
    pub const fn verdict(&self, law: &ShadowLaw, now: Tick) -> ShadowVerdict {
        if self.contradictions > 0 {
            ShadowVerdict::Failed
        } else if now.since(self.since) >= law.ticks && self.uses >= law.uses && self.uses > 0 {
            ShadowVerdict::Passed
        } else {
            ShadowVerdict::Watching
        }
    }
}

/// I-083. What a sandbox lets a strategy have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxLimits {
    /// Wall time.
    pub time: Duration,
    /// Memory.
    pub bytes: u64,
    /// Whether it may speak to anyone.
    pub network: bool,
    /// Calls to a model.
    pub model_calls: u32,
}

/// I-083. Thirty seconds, 256 MB, nobody to speak to, ten calls.
pub const SANDBOX: SandboxLimits =
    SandboxLimits { time: Duration::from_secs(30), bytes: 256 << 20, network: false, model_calls: 10 };

/// What a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SandboxUse {
    /// Wall time.
    pub time: Duration,
    /// Memory.
    pub bytes: u64,
    /// Attempts to speak to someone.
    pub network_attempts: u32,
    /// Calls to a model.
    pub model_calls: u32,
    /// Whether it ended by itself.
    pub ended: bool,
}

/// I-083. Whether a type says what to do and must be run before it is watched.
#[must_use]
pub const fn needs_sandbox(kind: Kind) -> bool {
    matches!(kind, Kind::Heuristic | Kind::StrategyFragment)
}

impl SandboxLimits {
    /// I-083. Whether a run stayed within.
    #[must_use]
    pub fn holds(&self, used: &SandboxUse) -> bool {
        used.ended
            && used.time <= self.time
            && used.bytes <= self.bytes
            && (self.network || used.network_attempts == 0)
            && used.model_calls <= self.model_calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-077, I-078, I-079: time alone promotes nobody, and one contradiction ends it.
    #[test]
    fn i_079_a_shadow_must_be_exercised() {
        let law = ShadowLaw::default();
        let mut shadow = Shadow::new(Tick::new(100));
        assert_eq!(shadow.verdict(&law, Tick::new(1_000_000)), ShadowVerdict::Watching, "I-078");
        shadow.exercise(true);
        assert_eq!(shadow.verdict(&law, Tick::new(109)), ShadowVerdict::Watching);
        assert_eq!(shadow.verdict(&law, Tick::new(110)), ShadowVerdict::Passed);
        assert_eq!(shadow.verdict(&law.under(Strictness::ThreeExtended), Tick::new(199)), ShadowVerdict::Watching);
        assert_eq!(shadow.verdict(&law.under(Strictness::ThreeExtended), Tick::new(200)), ShadowVerdict::Passed);
        shadow.exercise(false);
        assert_eq!(shadow.verdict(&law, Tick::new(110)), ShadowVerdict::Failed);
        let lax = ShadowLaw { ticks: 0, uses: 0 };
        assert_eq!(Shadow::new(Tick::ZERO).verdict(&lax, Tick::ZERO), ShadowVerdict::Watching, "never unused");
    }

    /// I-083: who is run, and each limit.
    #[test]
    fn i_083_what_says_what_to_do_is_run_in_a_sandbox() {
        let run: Vec<bool> = Kind::ALL.iter().map(|kind| needs_sandbox(*kind)).collect();
        assert_eq!(run, [false, true, false, false, true]);
        let within =
            SandboxUse { time: SANDBOX.time, bytes: SANDBOX.bytes, network_attempts: 0, model_calls: 10, ended: true };
        assert!(SANDBOX.holds(&within));
        for beyond in [
            SandboxUse { time: within.time + Duration::from_nanos(1), ..within },
            SandboxUse { bytes: within.bytes + 1, ..within },
            SandboxUse { network_attempts: 1, ..within },
            SandboxUse { model_calls: 11, ..within },
            SandboxUse { ended: false, ..within },
        ] {
            assert!(!SANDBOX.holds(&beyond), "{beyond:?}");
        }
    }
}
