//! Which channel of a life is closing, in the words of information.

use golem_primitives::Ppm;

/// One of the three clocks, read as a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// What its capital lets it say to the market.
    Economic,
    /// How fast it learns against how fast it must.
    Epistemic,
    /// How much of its signal the noise leaves.
    Stochastic,
}

/// A number that no channel has.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the {channel:?} channel was given {value}, which is no finite number of zero or more")]
pub struct NotAChannel {
    /// Which channel.
    pub channel: Channel,
    /// What was given.
    pub value: f64,
}

/// M-272. How open each channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    /// C(capital) / C(initial).
    pub economic: Ppm,
    /// r / R(D).
    pub epistemic: Ppm,
    /// 1 - σ/κ.
    pub stochastic: Ppm,
}

impl Channels {
    /// From each channel's measure and what it is measured against: capacity of the capital now and at birth, rate of
    /// learning and rate needed, noise and its bound. Where the reference is zero nothing is asked of the channel, and it
    /// is open.
    ///
    /// # Errors
    /// [`NotAChannel`] for a number that is negative or not finite.
    pub fn new(capacity: (f64, f64), rate: (f64, f64), noise: (f64, f64)) -> Result<Self, NotAChannel> {
        let share = |channel, (value, reference): (f64, f64)| {
            for value in [value, reference] {
                if !value.is_finite() || value < 0.0 {
                    return Err(NotAChannel { channel, value });
                }
            }
            Ok(if reference == 0.0 { None } else { Some(Ppm::round(value / reference)) })
        };
        Ok(Self {
            economic: share(Channel::Economic, capacity)?.unwrap_or(Ppm::ONE),
            epistemic: share(Channel::Epistemic, rate)?.unwrap_or(Ppm::ONE),
            stochastic: share(Channel::Stochastic, noise)?.map_or(Ppm::ONE, Ppm::complement),
        })
    }

    /// The channel that is closing with how open it still is; of equals the first in the order of the clocks. `None`
    /// when all are open.
    #[must_use]
    pub fn closing(&self) -> Option<(Channel, Ppm)> {
        let channels = [
            (Channel::Economic, self.economic),
            (Channel::Epistemic, self.epistemic),
            (Channel::Stochastic, self.stochastic),
        ];
        channels.into_iter().min_by_key(|(_, open)| *open).filter(|(_, open)| *open < Ppm::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_272_the_least_open_channel_is_the_one_reported() {
        // M-272.
        let channels = Channels::new((0.5, 2.0), (0.6, 0.8), (0.1, 0.4)).expect("finite");
        assert_eq!(channels.economic, Ppm::of(250_000));
        assert_eq!(channels.epistemic, Ppm::of(750_000));
        assert_eq!(channels.stochastic, Ppm::of(750_000));
        assert_eq!(channels.closing(), Some((Channel::Economic, Ppm::of(250_000))));
        let noisy = Channels::new((2.0, 2.0), (1.0, 1.0), (0.9, 0.4)).expect("finite");
        assert_eq!(noisy.closing(), Some((Channel::Stochastic, Ppm::ZERO)));
    }

    #[test]
    fn m_272_open_channels_close_nothing_and_nonsense_is_refused() {
        // M-272.
        assert_eq!(Channels::new((1.0, 0.0), (5.0, 1.0), (0.0, 1.0)).expect("finite").closing(), None);
        let error = Channels::new((1.0, 1.0), (f64::NAN, 1.0), (0.0, 1.0)).expect_err("a NaN");
        assert_eq!(error.channel, Channel::Epistemic);
        assert!(Channels::new((-1.0, 1.0), (1.0, 1.0), (0.0, 1.0)).is_err());
    }
}
