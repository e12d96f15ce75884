//! How deep, how loose, and how much of the world still comes in.

use golem_primitives::{Ppm, words};

use crate::number::Temperature;

words! {
    /// D-055, D-056. Eight stages of the edge of sleep.
    Depth {
        /// Awake at rest.
        H1 = "h1",
        /// The eyes close.
        H2 = "h2",
        /// Pictures come.
        H3 = "h3",
        /// They join.
        H4 = "h4",
        /// They drift.
        H5 = "h5",
        /// They tell stories.
        H6 = "h6",
        /// Sleep.
        H7 = "h7",
        /// Deep sleep.
        H8 = "h8",
    }
}

impl Depth {
    /// D-055, D-056. The temperatures of a stage, or `None` where it is too deep to ask.
    #[must_use]
    pub fn temperatures(self) -> Option<(Temperature, Temperature)> {
        let range = |low, high| Some((Temperature::thousandths(low), Temperature::thousandths(high)));
        match self {
            Self::H1 | Self::H2 => range(800, 1_000),
            Self::H3 | Self::H4 => range(1_000, 1_200),
            Self::H5 | Self::H6 => range(1_200, 1_500),
            Self::H7 | Self::H8 => None,
        }
    }

    /// D-056. Where an interrupt leads from here: out of the depths, otherwise where it is.
    #[must_use]
    pub const fn interrupted(self) -> Self {
        match self {
            Self::H7 => Self::H6,
            Self::H8 => Self::H5,
            here => here,
        }
    }

    /// The stage of a temperature: the first whose range reaches it; beyond all of them it is too deep.
    #[must_use]
    pub fn of(temperature: Temperature) -> Self {
        let reaches = |depth: &&Self| depth.temperatures().is_some_and(|(_, high)| temperature <= high);
        Self::ALL.iter().find(reaches).copied().unwrap_or(Self::H7)
    }

    /// D-053. The share of live market data that still comes in: a quarter less with each stage, nothing from the fourth.
    /// The alarm stays live throughout.
    #[must_use]
    pub const fn feed(self) -> Ppm {
        match self {
            Self::H1 => Ppm::of(750_000),
            Self::H2 => Ppm::of(500_000),
            Self::H3 => Ppm::of(250_000),
            _ => Ppm::ZERO,
        }
    }
}
