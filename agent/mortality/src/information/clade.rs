//! What a Golem knows that its Clade does not.

use golem_primitives::Ppm;

use super::{InformationError, information};
use crate::ksg::{Ksg, KsgError};

/// M-271. How much the Clade would lose without this Golem, as a share of what it tells alone: 1 is unique, 0 redundant.
/// Without a Clade it is unique (MG-15), and with too few samples nothing is held against it (M-266).
///
/// `own` are its actions, `clade` the actions of up to six siblings on the same ticks, `responses` what the market did.
///
/// # Errors
/// [`InformationError::Estimate`] for series of unequal length, values that are not finite, or a larger Clade.
pub fn redundancy_index(
    estimator: Ksg,
    own: &[f64],
    clade: &[&[f64]],
    responses: &[f64],
) -> Result<Ppm, InformationError> {
    if clade.is_empty() {
        return Ok(Ppm::ONE);
    }
    let all: Vec<&[f64]> = clade.iter().copied().chain([own]).collect();
    let estimate = |columns: &[&[f64]]| information(estimator, columns, responses);
    let with = match estimate(&all) {
        Err(KsgError::TooFew { .. }) => return Ok(Ppm::ONE),
        with => with?.0,
    };
    let (without, alone) = (estimate(clade)?.0, estimate(&[own])?.0);
    if alone <= 0.0 {
        return Ok(Ppm::ZERO);
    }
    Ok(Ppm::round((with - without) / alone))
}
