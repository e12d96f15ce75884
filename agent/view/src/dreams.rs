//! D-188. What a Golem dreams, what came of it, and what it costs.

use golem_primitives::{EffectId, Ppm, Tick, Usdc};

use crate::{AsKept, Number, picture};

picture! {
    /// What dreams have cost so far.
    pub struct SpentPicture in "usdc_micros" { window: Usdc = "this window", month: Usdc = "this month" }

    /// What they may cost.
    pub struct CapsPicture in "usdc_micros" {
        cycle: Usdc = "a cycle",
        window: Usdc = "a window",
        month: Usdc = "a month",
    }

    /// One phase of a dream that is dreamt.
    pub struct StagePicture {
        phase: String = "phase",
        /// Over, now or to come.
        stands: &'static str = "stands",
        /// Questions that were answered in it, or lost.
        answered: u32 = "answers",
        spent: Usdc = "spent",
    }

    /// D-226. How far the dream is that is being dreamt.
    pub struct AsleepPicture {
        cycle: String = "dreams",
        trigger: String = "because of",
        tier: String = "tier",
        since: Tick = "since tick",
        phase: Option<String> = "phase",
        phases: Vec<StagePicture>,
        spent: Usdc = "spent",
        grant: Usdc = "of",
        wakes: Option<String> = "is woken by",
    }

    /// D-172. What became of the rules that dreams had tried.
    pub struct YieldPicture {
        staged: u32 = "rules tried",
        validated: u32 = "came to move money",
        refuted: u32 = "refuted",
        validated_share: Option<Ppm> = "share that did",
        health: String = "yield",
    }

    /// Everything the owner may see of a Golem's dreaming.
    pub struct DreamPicture {
        golem: String,
        life: &'static str,
        tick: Tick,
        mode: String,
        tier: String = "tier",
        schedule: String = "schedule",
        urgency: Number = "urgency",
        threshold: Number = "dreams from",
        episodes: u64 = "episodes",
        unreplayed: u64 = "not replayed",
        cycles: u64 = "cycles",
        last_dream: Option<Tick> = "the last ended at tick",
        is_window_open: bool = "a window is open",
        a_month: String = "a month",
        a_month_least: Usdc,
        a_month_most: Usdc,
        spent: SpentPicture,
        caps: CapsPicture,
        asleep: Option<AsleepPicture>,
        came_to: YieldPicture,
    }

    /// A dream that was dreamt.
    pub struct DreamLine {
        cycle: String = "dream",
        tick: Tick = "tick",
        tier: String = "tier",
        trigger: String = "because of",
        engine: String = "by",
        ending: String = "ended",
        replayed: u32 = "replayed",
        hypotheses: u32 = "hypotheses",
        threats: u32 = "threats",
        cost: Usdc = "cost",
        effect: EffectId,
        /// As its journal has it.
        entry: AsKept,
        dreamt: AsKept,
    }
}
