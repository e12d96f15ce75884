//! Salvador Dali's interrupt: thoughts caught in the moment in which they would be lost.

use golem_mortality::phase::Phase;

use crate::number::Temperature;

/// D-057. Partials of one interrupt, each another branch.
pub const PARTIALS: u32 = 4;
/// D-057. Tokens of a partial; the one behind the last is never generated.
pub const TOKENS: u32 = 80;
/// D-063. Where a curve is annealed down to.
pub const LOW: Temperature = Temperature::thousandths(400);

/// D-062. Interrupts of a cycle by vital phase, least and most, and seconds of inference at most.
#[must_use]
pub const fn cycles(phase: Phase) -> ((u32, u32), u32) {
    match phase {
        Phase::Thriving => ((3, 5), 90),
        Phase::Stable => ((2, 3), 60),
        Phase::Conservation => ((1, 1), 30),
        Phase::Declining => ((0, 0), 15),
        Phase::Terminal => ((0, 0), 0),
    }
}

/// D-062, C28. Interrupts of this cycle: what the owner wants, within what the vital phase allows.
#[must_use]
pub fn planned(wanted: u32, phase: Phase) -> u32 {
    let ((least, most), _) = cycles(phase);
    if wanted == 0 { 0 } else { wanted.clamp(least, most) }
}

/// D-063. The temperature at a step of an interrupt: a cosine from high to low.
#[must_use]
pub fn anneal(high: Temperature, low: Temperature, step: u32, steps: u32) -> Temperature {
    let turn = std::f64::consts::PI * f64::from(step.min(steps)) / f64::from(steps.max(1));
    let (high, low) = (high.as_f64(), low.as_f64());
    Temperature::round(low + (high - low) * (1.0 + libm::cos(turn)) / 2.0)
}

/// D-063. The temperature after something was caught: at least four fifths of the peak, so that the next branch is free.
#[must_use]
pub fn after_capture(now: Temperature, peak: Temperature) -> Temperature {
    now.max(Temperature::round(peak.as_f64() * 0.8))
}

/// D-057. The temperatures of one interrupt's partials between what the owner allows, highest first, so that each is
/// another branch.
#[must_use]
pub fn temperatures((low, high): (Temperature, Temperature)) -> Vec<Temperature> {
    (0..PARTIALS).map(|step| anneal(high, low, step, PARTIALS - 1)).collect()
}
