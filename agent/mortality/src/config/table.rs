//! The table of settings: key, kind, default, range, requirement and meaning, each once.
//!
//! Ranges are those of the catalogue; where it gives none (`aging_rate`, the shape of vitality, counts of trades), the
//! range is ours and only keeps the arithmetic meaningful.

use golem_primitives::{Ppm, Usdc};
use golem_settings::{Allowed, settings};

use super::profile::Profile;

const fn share(parts: u32) -> Ppm {
    Ppm::of(parts)
}

/// A range of shares in parts per million.
const fn shares(low: u32, high: u32) -> Allowed<Ppm> {
    Allowed::Within(Ppm::of(low), Ppm::of(high))
}

const fn usdc(micros: u64) -> Usdc {
    Usdc::from_micros(micros)
}

settings! {
    /// Everything an owner may choose about mortality.
    pub Config;
    /// The life as a whole.
    "mortality" mortality: Mortality {
        immortal: bool = false, Allowed::Any, "M-292", "All clocks off, as the control of an experiment; self-hosted only.";
        profile: Profile = Profile::Standard, Allowed::Any, "M-298", "A named set of defaults that the other keys then change.";
    }
    /// Credits and the death reserve.
    "mortality.economic" economic: Economic {
        enabled: bool = true, Allowed::Any, "M-288", "Whether running out of credits kills; off when self-hosted unless told.";
        death_reserve_floor_usdc: Usdc = usdc(300_000), Allowed::Any, "M-288", "The least that is kept for dying; 0.10 or more while the clock is on, none when self-hosted.";
        death_reserve_proportional: Ppm = share(20_000), shares(10_000, 100_000), "M-288", "The share of the initial credits kept for dying.";
        conservation_threshold: Ppm = share(300_000), shares(100_000, 500_000), "M-288", "Credits below which economic_critical is reported; it sets no phase.";
    }
    /// How working capital is divided; the parts sum to one.
    "mortality.economic.partitions" partitions: Partitions {
        llm: Ppm = share(600_000), Allowed::Any, "M-288", "The share for inference.";
        gas: Ppm = share(250_000), Allowed::Any, "M-288", "The share for transactions.";
        data: Ppm = share(150_000), Allowed::Any, "M-288", "The share for data.";
    }
    /// How much of a partition a day may take.
    "mortality.economic.daily_caps" daily_caps: DailyCaps {
        llm: Ppm = share(200_000), Allowed::Any, "M-288", "The share of the inference partition a day may take.";
        gas: Ppm = share(300_000), Allowed::Any, "M-288", "The share of the gas partition a day may take.";
        data: Ppm = share(250_000), Allowed::Any, "M-288", "The share of the data partition a day may take.";
    }
    /// Predictions and senescence.
    "mortality.epistemic" epistemic: Epistemic {
        enabled: bool = true, Allowed::Any, "M-289", "Whether senescence kills; it cannot be switched off on a mortal Golem.";
        fitness_window: u64 = 2_000, Allowed::Within(500, 10_000), "M-289", "Ticks after which a prediction no longer counts.";
        senescence_threshold: Ppm = share(350_000), shares(200_000, 600_000), "M-289", "Fitness below which senescence begins.";
        recovery_grace_period: u64 = 500, Allowed::Within(100, 2_000), "M-289", "Ticks below the threshold before senescence is confirmed.";
        minimum_predictions: u64 = 10, Allowed::Within(10, 500), "M-289", "Predictions needed before fitness is measured.";
    }
    /// Which predictions are scored.
    "mortality.epistemic.predictions" predictions: Predictions {
        price_direction: bool = true, Allowed::Any, "M-289", "Predict where the price goes.";
        volatility_regime: bool = true, Allowed::Any, "M-289", "Predict how volatile the market is.";
        yield_trend: bool = true, Allowed::Any, "M-289", "Predict where yields go.";
        gas_condition: bool = true, Allowed::Any, "M-289", "Predict what gas costs.";
        protocol_state: bool = true, Allowed::Any, "M-289", "Predict whether protocols work.";
    }
    /// Ticks in which the fitness of a domain forgets half.
    "mortality.epistemic.half_life" prediction_half_life: PredictionHalfLife {
        price_direction: Option<u64> = None, Allowed::Within(None, Some(10_000)), "M-289", "Half-life of the price domain in ticks; none is the catalogue's, 35.";
        volatility_regime: Option<u64> = None, Allowed::Within(None, Some(10_000)), "M-289", "Half-life of the volatility domain in ticks; none is the catalogue's, 139.";
        yield_trend: Option<u64> = None, Allowed::Within(None, Some(10_000)), "M-289", "Half-life of the yield domain in ticks; none is the catalogue's, 231.";
        gas_condition: Option<u64> = None, Allowed::Within(None, Some(10_000)), "M-289", "Half-life of the gas domain in ticks; none is the catalogue's, 14.";
        protocol_state: Option<u64> = None, Allowed::Within(None, Some(10_000)), "M-289", "Half-life of the protocol domain in ticks; none is the catalogue's, 693.";
    }
    /// Hazard and roll.
    "mortality.stochastic" stochastic: Stochastic {
        enabled: bool = true, Allowed::Any, "M-290", "Whether chance kills; it cannot be switched off on a mortal Golem.";
        base_hazard_rate: f64 = 1e-6, Allowed::Within(1e-8, 1e-4), "M-290", "The chance of death per tick at any age.";
        aging_rate: f64 = 5e-5, Allowed::Within(1e-7, 1e-2), "M-290", "How fast the part of the hazard that ages grows per tick.";
        max_hazard_rate: f64 = 1e-3, Allowed::Within(1e-6, 1e-2), "M-290", "The chance of death per tick that age cannot exceed.";
        age_hazard_coefficient: f64 = 1e-8, Allowed::Within(0.0, 1e-3), "M-290", "The part of the hazard that ages, at birth.";
        epistemic_hazard_multiplier: f64 = 3.0, Allowed::Within(1.0, 10.0), "M-290", "How many times the hazard grows when fitness is zero.";
    }
    /// Affect under mortality.
    "mortality.affect" affect: Affect {
        enabled: bool = true, Allowed::Any, "M-291", "Whether the Golem feels.";
        mood_decay_rate: f64 = 0.95, Allowed::Within(0.80, 0.99), "M-291", "The share of a mood that is left after a tick.";
        mortality_aware: bool = true, Allowed::Any, "M-291", "Whether its own death moves it.";
        grief_ticks: u64 = 100, Allowed::Within(10, 500), "M-291", "Ticks it grieves for a sibling.";
    }
    /// How the clocks make vitality.
    "mortality.vitality" vitality: VitalityShape {
        economic_centre: f64 = 0.3, Allowed::Within(0.01, 0.99), "M-292", "The economic score that halves vitality.";
        economic_steepness: f64 = 10.0, Allowed::Within(1.0, 50.0), "M-292", "How sharply vitality falls around it.";
        epistemic_centre: f64 = 0.4, Allowed::Within(0.01, 0.99), "M-292", "The fitness that halves vitality.";
        epistemic_steepness: f64 = 8.0, Allowed::Within(1.0, 50.0), "M-292", "How sharply vitality falls around it.";
        age_drag: f64 = 0.3, Allowed::Within(0.0, 1.0), "M-292", "The share of vitality lost over one reference lifespan.";
        reference_lifespan: u64 = 200_000, Allowed::Within(1_000, 10_000_000), "M-292", "Ticks by which age is measured.";
        hysteresis: Ppm = share(50_000), shares(0, 199_999), "M-292", "How far above a phase's floor a rise must come.";
    }
    /// What is tried on paper beside the life.
    "mortality.phage" phage: Phage {
        daily_spawn_rate: u64 = 2, Allowed::Within(0, 10), "M-294", "Phages a day while Stable: small lives on paper that try one change of a rule each; a better phase sends more, a worse one fewer. With 0 none is sent.";
        lifetime: u64 = 50, Allowed::Within(50, 200), "M-294", "Looks a phage lives.";
        replicants: bool = false, Allowed::Any, "I-192", "Whether, while it thrives, rules changed as a whole are tried on paper too, for 1,440 looks each.";
    }
    /// What a successor takes.
    "mortality.succession" succession: Succession {
        enabled: bool = true, Allowed::Any, "M-296", "Whether a successor may inherit; with false none does, and none is born by itself.";
        divergence: Ppm = share(150_000), shares(50_000, 500_000), "M-296", "How far a life's last PLAYBOOK should lie from the inherited one; its testament says whether it does. A birth asks succession.strategy_drift_allowed.";
        novel_minimum: u64 = 5, Allowed::Within(1, 20), "M-296", "Rules of its own a life should leave; its testament says whether it did.";
        invalidated_minimum: u64 = 3, Allowed::Within(0, 10), "M-296", "Inherited entries a life should refute; its testament says whether it did.";
        question_ratio: Ppm = share(100_000), shares(0, 300_000), "M-296", "The share of its entries that should be questions; its testament says whether they are.";
        inherit_predecessor: bool = true, Allowed::Any, "M-296", "Take from the predecessor, unless a person says otherwise.";
    }
}
