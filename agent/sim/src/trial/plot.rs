//! A trial as a picture: capital over time, and the contrasts that were asked for.

use std::fmt::Write as _;

use super::measure::{Better, Measure};
use super::report::{Contrast, TrialReport};
use crate::plot::{FAINT, FORM, IMMORTAL, INK, MORTAL, Panel, label, line, title};

/// Colours of arms, in their order.
const COLOURS: [&str; 3] = [MORTAL, FORM, IMMORTAL];

impl TrialReport {
    /// The trial as an SVG of two panels: mean capital of each arm with its 95% band, and the paired differences.
    #[must_use]
    pub fn svg(&self) -> String {
        let contrasts = self.drawn();
        let height = 26.0 * contrasts.len() as f64;
        let whole = 480.0 + height;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 {whole:.0}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"1000\" height=\"{whole:.0}\" fill=\"white\"/>\n"
        );
        self.draw_capital(&mut svg, &Panel { x: 80.0, y: 60.0, width: 860.0, height: 300.0 });
        draw_contrasts(&mut svg, &Panel { x: 80.0, y: 450.0, width: 860.0, height }, &contrasts);
        svg.push_str("</svg>\n");
        svg
    }

    /// Differences in what can be better, as far as there are any.
    fn drawn(&self) -> Vec<&Contrast> {
        let is_shown = |one: &&Contrast| {
            let is_nothing = one.difference.low == 0.0 && one.difference.high == 0.0;
            one.measure.better() != Better::Neither && !is_nothing
        };
        self.contrasts.iter().filter(is_shown).collect()
    }

    fn draw_capital(&self, svg: &mut String, panel: &Panel) {
        title(svg, panel, "Capital over ticks, mean of seeds as a share of the beginning, with its 95% interval");
        let all = || self.arms.iter().flat_map(|arm| arm.capital.iter().map(|(_, interval)| *interval));
        let low = all().map(|one| one.low).fold(1.0, f64::min);
        let high = all().map(|one| one.high).fold(1.0, f64::max).max(low + 1e-6);
        let ticks = self.settings.ticks.max(1) as f64;
        let place = |tick: u64, share: f64| {
            let x = panel.x + panel.width * tick as f64 / ticks;
            (x, panel.y + panel.height * (high - share) / (high - low))
        };
        for quarter in 0..=4 {
            let part = f64::from(quarter) / 4.0;
            let (share, y) = (low + (high - low) * part, panel.y + panel.height * (1.0 - part));
            line(svg, [(panel.x, y), (panel.x + panel.width, y)].into_iter(), FAINT, "", 0.5);
            label(svg, panel.x - 8.0, y + 4.0, "end", INK, &format!("{share:.3}"));
            let x = panel.x + panel.width * part;
            label(svg, x, panel.y + panel.height + 18.0, "middle", INK, &format!("{:.0}", ticks * part));
        }
        for ((at, arm), colour) in self.arms.iter().enumerate().zip(COLOURS) {
            let upper = arm.capital.iter().map(|(tick, one)| place(*tick, one.high));
            let lower = arm.capital.iter().rev().map(|(tick, one)| place(*tick, one.low));
            let band: Vec<String> = upper.chain(lower).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.12\"/>", band.join(" "));
            line(svg, arm.capital.iter().map(|(tick, one)| place(*tick, one.mean)), colour, "", 1.8);
            label(svg, panel.x + 12.0, panel.y + panel.height - 48.0 + 18.0 * at as f64, "start", colour, &arm.name);
        }
    }
}

fn draw_contrasts(svg: &mut String, panel: &Panel, contrasts: &[&Contrast]) {
    title(
        svg,
        panel,
        "Paired differences with 95% intervals, each scaled to its own widest end; right of the line is more",
    );
    let (middle, half) = (panel.x + panel.width * 0.68, panel.width * 0.2);
    let bottom = panel.y + panel.height;
    line(svg, [(middle, panel.y), (middle, bottom)].into_iter(), INK, "4 3", 1.0);
    for (at, one) in contrasts.iter().enumerate() {
        let y = panel.y + 14.0 + 26.0 * at as f64;
        let widest = one.difference.low.abs().max(one.difference.high.abs()).max(f64::MIN_POSITIVE);
        let place = |value: f64| middle + half * value / widest;
        let colour = if one.is_shown() { MORTAL } else { IMMORTAL };
        let ends = [(place(one.difference.low), y), (place(one.difference.high), y)];
        line(svg, ends.into_iter(), colour, "", 2.0);
        let _ =
            writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>", place(one.difference.mean));
        label(svg, panel.x, y + 4.0, "start", INK, &format!("{} less {}: {}", one.of, one.less, one.measure.name()));
        label(svg, panel.x + panel.width * 0.9, y + 4.0, "start", colour, &figure(one.difference.mean, one.measure));
    }
}

fn figure(mean: f64, measure: Measure) -> String {
    format!("{mean:+.*}", measure.digits())
}
