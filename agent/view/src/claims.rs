//! What a life said of the future, beside what came.

use golem_core::record::{Claim, Prediction, Verdict};
use golem_primitives::Tick;

use crate::understanding::measure;
use crate::{Number, ShareSeries, picture};

picture! {
    /// A claim that was judged.
    pub struct ClaimPicture {
        number: u64,
        made: Tick = "said at",
        judged: Tick = "judged at",
        about: &'static str = "about",
        moves_money: bool,
        unit: &'static str,
        /// None where what it spoke of is gone.
        said: Option<Number> = "said",
        came: Option<Number> = "came",
        held: Option<bool> = "right",
    }
}

impl ClaimPicture {
    /// A prediction that was resolved at a tick.
    #[must_use]
    pub fn of(prediction: &Prediction, verdict: Verdict, judged: Tick) -> Self {
        let (unit, one) = match prediction.claim {
            Claim::Level { question, .. } => measure(question.domain),
            Claim::PriceMove { .. } | Claim::Fees { .. } => ("%", 0.01),
        };
        // The level of a quantity is said as its logarithm.
        let is_level = matches!(prediction.claim, Claim::Level { .. });
        let amount = |ppm: i64| {
            let share = ppm as f64 / 1e6;
            Number(if is_level { share.exp() } else { share } / one)
        };
        let (said, came) = match verdict {
            Verdict::Measured { predicted_ppm, actual_ppm } => (Some(amount(predicted_ppm)), Some(amount(actual_ppm))),
            Verdict::Moot => (None, None),
        };
        Self {
            number: prediction.number,
            made: prediction.said,
            judged,
            about: prediction.claim.name(),
            moves_money: prediction.claim.moves_money(),
            unit,
            said,
            came,
            held: prediction.claim.is_near(verdict).or_else(|| prediction.claim.held(verdict, 0)),
        }
    }
}

picture! {
    /// The newest claims of a life that were judged, oldest first.
    pub struct ClaimsPage {
        golem: String,
        tick: Tick,
        open: usize,
        /// How well it understands its market, by what it claimed.
        understanding: ShareSeries,
        claims: Vec<ClaimPicture>,
    }
}

#[cfg(test)]
mod tests {
    use golem_primitives::Usdc;

    use super::*;

    /// a claim about the price is told in percent, beside what came, and whether following it would have paid.
    #[test]
    fn r_012_a_claim_stands_beside_what_came() {
        let claim =
            Claim::PriceMove { from: Usdc::whole(3_000), return_ppm: 15_000, stop_ppm: -15_000, moves_money: true };
        let prediction = Prediction { number: 4, said: Tick::new(2), due: Tick::new(9), claim };
        let came = Verdict::Measured { predicted_ppm: 15_000, actual_ppm: -2_500 };
        let told = ClaimPicture::of(&prediction, came, Tick::new(9));
        assert_eq!((told.said, told.came, told.held), (Some(Number(1.5)), Some(Number(-0.25)), Some(false)));
        let gone = ClaimPicture::of(&prediction, Verdict::Moot, Tick::new(9));
        assert_eq!((gone.said, gone.held), (None, None));
    }
}
