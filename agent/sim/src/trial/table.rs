//! A trial as text.

use std::fmt::Write as _;

use super::measure::{Better, Interval, Measure};
use super::report::{Contrast, TrialReport};
use super::settings::BOOK;
use super::terrain::{Epoch, Nature};
use crate::table::interval;

impl TrialReport {
    /// The trial as a table for a terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        let s = &self.settings;
        let _ = writeln!(
            text,
            "{} seeds from {}, {} ticks each, {} switches in all, {} on {} of capital a trade\n",
            s.seeds, s.first_seed, s.ticks, self.switches, BOOK, s.stake
        );
        self.write_truth(&mut text);
        self.write_arms(&mut text);
        self.write_contrasts(&mut text);
        text
    }

    fn write_truth(&self, text: &mut String) {
        let _ = writeln!(text, "what a USDC behind a belief earns, in millionths, mean [95%]");
        for worth in &self.truth {
            let [mean, low, high] = worth.earned_micros;
            let _ = writeln!(
                text,
                "{:<30}{:<12}{:>8} [{low}, {high}] of {}",
                words(worth.epoch),
                worth.regime.name(),
                mean,
                worth.trials
            );
        }
    }

    fn write_arms(&self, text: &mut String) {
        let _ = write!(text, "\n{:<32}", "mean [95%]");
        for arm in &self.arms {
            let _ = write!(text, "{:>28}", arm.name);
        }
        text.push('\n');
        for measure in self.shown() {
            let _ = write!(text, "{:<32}", measure.name());
            for arm in &self.arms {
                let _ = write!(text, "{:>28}", cell(arm.means.get(&measure), measure));
            }
            text.push('\n');
        }
    }

    fn write_contrasts(&self, text: &mut String) {
        let mut pairs: Vec<(&str, &str)> =
            self.contrasts.iter().map(|one| (one.of.as_str(), one.less.as_str())).collect();
        pairs.dedup();
        let shown = self.shown();
        for (of, less) in pairs {
            let _ = writeln!(text, "\n{of} less {less}, on the same seed");
            let rows = self.contrasts.iter().filter(|one| one.of == of && one.less == less);
            for one in rows.filter(|one| shown.contains(&one.measure)) {
                let _ = writeln!(
                    text,
                    "{:<32}{:>28}  {}",
                    one.measure.name(),
                    cell(Some(&one.difference), one.measure),
                    one.verdict()
                );
            }
        }
    }

    /// Measures that some line had an occasion for.
    fn shown(&self) -> Vec<Measure> {
        let is_there = |measure: &&Measure| {
            let means = self.arms.iter().filter_map(|arm| arm.means.get(measure));
            means.into_iter().any(|interval| interval.mean != 0.0 || interval.high != 0.0)
        };
        Measure::ALL.iter().filter(is_there).copied().collect()
    }
}

impl Contrast {
    /// Whether chance is excluded, and the difference more than nothing at the digits it is told in.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        let least = 0.5 * libm::pow(10.0, -(self.measure.digits() as f64));
        self.difference.excludes_zero() && self.difference.mean.abs() >= least
    }

    /// Who is better, or that nobody can say.
    #[must_use]
    pub fn verdict(&self) -> String {
        if !self.is_shown() {
            return "no difference shown".to_owned();
        }
        let is_more = self.difference.mean > 0.0;
        match self.measure.better() {
            Better::More => format!("{} better", if is_more { &self.of } else { &self.less }),
            Better::Less => format!("{} better", if is_more { &self.less } else { &self.of }),
            Better::Neither => format!("more in {}", if is_more { &self.of } else { &self.less }),
        }
    }
}

fn cell(of: Option<&Interval>, measure: Measure) -> String {
    interval(of.map(|one| [one.mean, one.low, one.high]), measure.digits())
}

/// An epoch in words.
pub(super) fn words(epoch: Epoch) -> String {
    let word = |nature: Nature| match nature {
        Nature::Wide => "wide",
        Nature::Narrow => "narrow",
    };
    format!("calm {}, storm {}", word(epoch.calm), word(epoch.storm))
}
