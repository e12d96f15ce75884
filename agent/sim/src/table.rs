//! A report as text.

use std::fmt::Write as _;

use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;

use crate::experiment::{VALID_DAYS, Winner};
use crate::report::{Population, PopulationFinding, Report};

/// A number between its ends, or that there is none.
pub(crate) fn interval(of: Option<[f64; 3]>, digits: usize) -> String {
    of.map_or_else(
        || "-".to_owned(),
        |[middle, low, high]| format!("{middle:.digits$} [{low:.digits$}, {high:.digits$}]"),
    )
}

impl Report {
    /// The report as a table for a terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        let s = &self.settings;
        let _ = writeln!(
            text,
            "seed {}, {} places, {} ticks ({:.1} days), {} at birth\n",
            s.seed,
            s.golems,
            s.ticks,
            s.ticks as f64 / golem_primitives::Tick::PER_DAY as f64,
            s.funding
        );
        self.write_populations(&mut text);
        self.write_dimensions(&mut text);
        self.write_cohort(&mut text);
        text
    }

    fn write_populations(&self, text: &mut String) {
        let mut row = |label: &str, cell: &dyn Fn(&Population) -> String| {
            let _ = writeln!(text, "{label:<28}{:>20}{:>20}", cell(&self.mortal), cell(&self.immortal));
        };
        row("", &|population| if std::ptr::eq(population, &self.mortal) { "mortal" } else { "immortal" }.to_owned());
        row("born", &|population| population.births.to_string());
        for cause in CauseKind::ALL.iter().copied() {
            let count = |population: &Population| population.deaths.get(&cause).copied().unwrap_or(0);
            if count(&self.mortal) + count(&self.immortal) > 0 {
                row(&format!("died: {}", cause.name()), &|population| count(population).to_string());
            }
        }
        row("would have died", &|population| population.would_have_died.to_string());
        row("median life in ticks", &|population| {
            population.median_life.map_or_else(|| "-".to_owned(), |tick| tick.to_string())
        });
        for phase in Phase::ALL.into_iter().rev() {
            row(&format!("time in {phase}"), &|population| {
                format!("{:.1}%", population.occupancy(phase).as_f64() * 100.0)
            });
        }
    }

    fn write_dimensions(&self, text: &mut String) {
        let heading = "mean (deviation)";
        let _ = writeln!(text, "\n{heading:<28}{:>20}{:>20}{:>24}  better", "mortal", "immortal", "effect d [95%]");
        for comparison in &self.dimensions {
            let cell = |summary: crate::stats::Summary| format!("{:.3} ({:.3})", summary.mean, summary.deviation);
            let effect = interval(comparison.effect.map(|effect| [effect.d, effect.low, effect.high]), 2);
            let better = match comparison.winner {
                Winner::Mortal => "mortal",
                Winner::Immortal => "immortal",
                Winner::Neither => "-",
            };
            let _ = writeln!(
                text,
                "{:<28}{:>20}{:>20}{effect:>24}  {better}",
                comparison.dimension.name(),
                cell(comparison.mortal_summary()),
                cell(comparison.immortal_summary()),
            );
        }
        let PopulationFinding { verdict, is_valid } = self.finding;
        let until = VALID_DAYS * golem_primitives::Tick::PER_DAY;
        let caveat = if is_valid { String::new() } else { format!(" (counts from {until} ticks on)") };
        let _ = writeln!(text, "on this one market it is {}{caveat} that mortality helps", verdict.name());
        let _ = writeln!(
            text,
            "places on one market are no independent cases, and another seed may say otherwise: bardo experiment"
        );
    }

    fn write_cohort(&self, text: &mut String) {
        let cohort = &self.cohort;
        let Some(agreement) = cohort.agreement else { return };
        let _ = writeln!(
            text,
            "\n{} lives at fitness {:.2} that only chance ended agree with the closed form: distance {:.4}, p {:.3}",
            cohort.lives,
            cohort.fitness.get(),
            agreement.distance,
            agreement.p
        );
    }
}
