//! What a cycle thinks of itself, and what waking ticks think of that.

use golem_primitives::Ppm;

/// DG-17. What can be measured of a cycle; a part that was not done is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// New patterns and batches.
    pub patterns: Option<(u32, u32)>,
    /// The mean cosine of hypotheses to what is known.
    pub mean_cosine: Option<f64>,
    /// Threats whose responses can be carried out, and threats.
    pub feasible: Option<(u32, u32)>,
}

/// D-170, DG-17. `0.4 new patterns a batch + 0.3 novelty of hypotheses + 0.3 feasible threats`; parts that are absent drop
/// out and the weights rescale. `None` when all are.
#[must_use]
pub fn quality(measured: &Measured) -> Option<Ppm> {
    let ratio = |(part, whole): (u32, u32)| (whole > 0).then(|| (f64::from(part) / f64::from(whole)).min(1.0));
    let parts = [
        (0.4, measured.patterns.and_then(ratio)),
        (0.3, measured.mean_cosine.map(|cosine| 1.0 - cosine.clamp(0.0, 1.0))),
        (0.3, measured.feasible.and_then(ratio)),
    ];
    let present = parts.iter().filter_map(|(weight, part)| part.map(|part| (weight, part)));
    let (sum, weights) = present.fold((0.0, 0.0), |(sum, all), (weight, part)| (sum + weight * part, all + weight));
    (weights > 0.0).then(|| Ppm::round(sum / weights))
}

/// DG-17. What a confirmed prediction adds later.
const CONFIRMED: Ppm = Ppm::of(100_000);
/// DG-17. What a refuted one takes.
const REFUTED: Ppm = Ppm::of(50_000);

/// D-171, DG-17. The quality after waking ticks judged the cycle's predictions.
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
