//! A report as a picture: SVG written by hand, since four panels need no library and no fonts of the machine.

use std::fmt::Write as _;

use golem_mortality::cause::CauseKind;
use golem_mortality::phase::Phase;
use golem_primitives::Tick;

use crate::report::{DimensionComparison, Report};

pub(crate) const INK: &str = "#1b1b1f";
pub(crate) const FAINT: &str = "#c9c9d1";
pub(crate) const MORTAL: &str = "#b3261e";
pub(crate) const IMMORTAL: &str = "#2f5d8a";
pub(crate) const FORM: &str = "#3a7d44";

/// Where a panel stands.
pub(crate) struct Panel {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Report {
    /// The report as an SVG of four panels: survival, causes, phases, and the six dimensions.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 760\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"1000\" height=\"760\" fill=\"white\"/>\n",
        );
        let panel = |x: f64, y: f64| Panel { x, y, width: 400.0, height: 270.0 };
        self.draw_survival(&mut svg, &panel(70.0, 60.0));
        self.draw_causes(&mut svg, &panel(560.0, 60.0));
        self.draw_phases(&mut svg, &panel(70.0, 440.0));
        self.draw_dimensions(&mut svg, &panel(560.0, 440.0));
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_survival(&self, svg: &mut String, panel: &Panel) {
        title(svg, panel, "Share alive by age (days)");
        let horizon = self.cohort.horizon.get().max(self.settings.ticks).max(1) as f64;
        axes(svg, panel, horizon / Tick::PER_DAY as f64);
        let point = |(tick, alive): &(Tick, f64)| {
            (panel.x + panel.width * tick.get() as f64 / horizon, panel.y + panel.height * (1.0 - alive))
        };
        line(svg, self.cohort.expected.iter().map(point), FORM, "6 4", 4.0);
        line(svg, self.cohort.observed.iter().map(point), INK, "", 1.5);
        staircase(svg, self.mortal.survival.iter().map(point), MORTAL);
        for (at, (text, colour)) in
            [("Gompertz-Makeham, closed form", FORM), ("cohort, chance only", INK), ("mortal, all causes", MORTAL)]
                .into_iter()
                .enumerate()
        {
            let y = panel.y + 18.0 + 18.0 * at as f64;
            label(svg, panel.x + panel.width - 8.0, y, "end", colour, text);
        }
    }

    fn draw_causes(&self, svg: &mut String, panel: &Panel) {
        title(svg, panel, "Deaths by cause");
        let most = self.mortal.deaths.values().copied().max().unwrap_or(0).max(1) as f64;
        for (at, cause) in CauseKind::ALL.iter().copied().enumerate() {
            let count = self.mortal.deaths.get(&cause).copied().unwrap_or(0);
            let y = panel.y + 20.0 + 50.0 * at as f64;
            label(svg, panel.x, y, "start", INK, &cause.name().replace('_', " "));
            bar(svg, panel.x, y + 6.0, panel.width * 0.85 * count as f64 / most, 18.0, MORTAL);
            let end = panel.x + panel.width * 0.85 * count as f64 / most;
            label(svg, end + 6.0, y + 20.0, "start", INK, &count.to_string());
        }
    }

    fn draw_phases(&self, svg: &mut String, panel: &Panel) {
        title(svg, panel, "Time in each phase");
        for (at, phase) in Phase::ALL.into_iter().rev().enumerate() {
            let share = self.mortal.occupancy(phase).as_f64();
            let y = panel.y + 20.0 + 50.0 * at as f64;
            label(svg, panel.x, y, "start", INK, phase.name());
            bar(svg, panel.x, y + 6.0, panel.width * 0.85, 18.0, FAINT);
            bar(svg, panel.x, y + 6.0, panel.width * 0.85 * share, 18.0, MORTAL);
            label(svg, panel.x + panel.width * 0.87, y + 20.0, "start", INK, &format!("{:.1}%", share * 100.0));
        }
    }

    fn draw_dimensions(&self, svg: &mut String, panel: &Panel) {
        title(svg, panel, "Mortal against immortal, each scaled to the larger mean");
        for (at, comparison) in self.dimensions.iter().enumerate() {
            draw_dimension(svg, panel, at, comparison);
        }
    }
}

fn draw_dimension(svg: &mut String, panel: &Panel, at: usize, comparison: &DimensionComparison) {
    let (mortal, immortal) = (comparison.mortal_summary().mean, comparison.immortal_summary().mean);
    let largest = mortal.abs().max(immortal.abs()).max(f64::MIN_POSITIVE);
    let y = panel.y + 14.0 + 44.0 * at as f64;
    label(svg, panel.x, y, "start", INK, comparison.dimension.name());
    for (row, (mean, colour)) in [(mortal, MORTAL), (immortal, IMMORTAL)].into_iter().enumerate() {
        let top = y + 5.0 + 12.0 * row as f64;
        let width = panel.width * 0.75 * (mean / largest).max(0.0);
        bar(svg, panel.x, top, width, 10.0, colour);
        label(svg, panel.x + width + 6.0, top + 9.0, "start", colour, &format!("{mean:.3}"));
    }
}

pub(crate) fn title(svg: &mut String, panel: &Panel, text: &str) {
    label(svg, panel.x, panel.y - 18.0, "start", INK, text);
}

fn axes(svg: &mut String, panel: &Panel, days: f64) {
    let (left, bottom) = (panel.x, panel.y + panel.height);
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.1} {:.1}V{bottom:.1}H{:.1}\" fill=\"none\" stroke=\"{INK}\"/>",
        panel.y,
        panel.x + panel.width
    );
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        label(svg, left - 8.0, bottom - panel.height * share + 4.0, "end", INK, &format!("{share:.2}"));
        let text = format!("{:.0}", days * share);
        label(svg, left + panel.width * share, bottom + 18.0, "middle", INK, &text);
    }
}

pub(crate) fn line(svg: &mut String, points: impl Iterator<Item = (f64, f64)>, colour: &str, dashes: &str, width: f64) {
    let path: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\"/>",
        path.join(" ")
    );
}

fn staircase(svg: &mut String, points: impl Iterator<Item = (f64, f64)>, colour: &str) {
    let mut steps = Vec::new();
    let mut height = None;
    for (x, y) in points {
        steps.extend(height.map(|height| (x, height)));
        steps.push((x, y));
        height = Some(y);
    }
    line(svg, steps.into_iter(), colour, "", 1.5);
}

fn bar(svg: &mut String, x: f64, y: f64, width: f64, height: f64, colour: &str) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
    );
}

/// Text of this file and numbers only: nothing here needs escaping.
pub(crate) fn label(svg: &mut String, x: f64, y: f64, anchor: &str, colour: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>");
}
