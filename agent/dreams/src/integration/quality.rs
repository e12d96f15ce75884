//! What a cycle thinks of itself, and what waking ticks think of that.

use golem_primitives::Ppm;

/// DG-17. What can be measured of a cycle; a part that was not done is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeasuredCycle {
    /// The mean cosine of hypotheses to what is known.
    pub mean_cosine: Option<f64>,
    /// Threats whose responses can be carried out, and threats.
    pub feasible: Option<(u32, u32)>,
}

/// D-170, DG-17. The mean of how new its hypotheses are and how many of its threats can be answered; a part that is absent drops
/// out. `None` when both are.
#[must_use]
pub fn quality(measured: &MeasuredCycle) -> Option<Ppm> {
    let ratio = |(part, whole): (u32, u32)| (whole > 0).then(|| (f64::from(part) / f64::from(whole)).min(1.0));
    let novelty = measured.mean_cosine.map(|cosine| 1.0 - cosine.clamp(0.0, 1.0));
    let parts: Vec<f64> = [novelty, measured.feasible.and_then(ratio)].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| Ppm::round(parts.iter().sum::<f64>() / parts.len() as f64))
}

/// DG-17. What a dreamt rule that came to move money adds later.
const CONFIRMED: Ppm = Ppm::of(100_000);
/// DG-17. What one that its trips refuted takes.
const REFUTED: Ppm = Ppm::of(50_000);

/// D-171, DG-17. The quality after waking looks judged what dreams had tried.
#[must_use]
pub fn checked(quality: Ppm, confirmed: u32, refuted: u32) -> Ppm {
    let raised = (0..confirmed).fold(quality, |quality, _| quality.saturating_add(CONFIRMED));
    (0..refuted).fold(raised, |quality, _| quality.saturating_sub(REFUTED))
}

/// D-171. How the quality of recent dreams moves the threshold of the next: a Golem whose dreams come true dreams a little
/// more readily, at most by 0.1 either way and within what an owner may set; in parts per million.
#[must_use]
pub fn schedule_adjustment(quality: Option<Ppm>) -> i32 {
    let away = quality.map_or(0, |quality| 500_000 - i64::from(quality.get()));
    i32::try_from(away / 5).unwrap_or(0)
}
