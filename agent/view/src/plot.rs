//! Curves as one drawing (SVG): what the page draws, for a file that outlives it.

use std::fmt::Write as _;

use crate::escaped;

const WIDTH: f64 = 960.0;
/// Of one panel: the whole, and what is left around its curves.
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 18.0;
const ABOVE: f64 = 58.0;
const BELOW: f64 = 34.0;
/// Lines across a panel, about.
const LINES: f64 = 5.0;

/// One place of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotPoint {
    pub x: f64,
    pub y: f64,
}

/// One curve, and how it looks.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it is of; anybody's words.
    pub name: String,
    /// `#rrggbb`.
    pub colour: &'static str,
    pub width: f64,
    /// As SVG has it; `none` for a whole line.
    pub dash: &'static str,
    pub points: Vec<PlotPoint>,
}

/// Something that happened at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotMark {
    pub at: PlotPoint,
    /// Whether it points up, as what was bought does.
    pub is_up: bool,
    pub name: String,
}

/// A stretch of ticks with one name.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotSpan {
    pub from: f64,
    pub to: f64,
    pub name: String,
    /// `#rrggbb`.
    pub colour: &'static str,
}

/// Curves over one axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panel {
    pub title: String,
    /// What stands behind the numbers of its axis.
    pub unit: &'static str,
    pub curves: Vec<Curve>,
    pub marks: Vec<PlotMark>,
    /// What the ticks below it are called.
    pub spans: Vec<PlotSpan>,
}

/// Panels one below the other over the same ticks, as a drawing of its own.
#[must_use]
pub fn figure(title: &str, along: &str, panels: &[Panel]) -> String {
    let height = HEIGHT * panels.len().max(1) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"12\" role=\"img\">\n<title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fffdf9\"/>\n",
        escaped(title)
    );
    let places = || panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points).map(|point| point.x);
    let (from, to) = bounds(places()).unwrap_or((0.0, 1.0));
    for (place, panel) in panels.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", HEIGHT * place as f64);
        panel.draw(&mut svg, Axis { from, to: to.max(from + 1.0) }, along);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// The least and the greatest of what is a number.
fn bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|value| value.is_finite()).fold(None, |known, value| {
        Some(known.map_or((value, value), |(least, most): (f64, f64)| (least.min(value), most.max(value))))
    })
}

#[derive(Debug, Clone, Copy)]
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// From 0 to 1 along it.
    fn share(self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// Values at which a line is drawn: round ones.
    fn lines(self) -> Vec<f64> {
        let wide = (self.to - self.from) / LINES;
        let power = power_of_ten(wide);
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * power).into_iter().find(|step| *step >= wide);
        let step = step.unwrap_or(wide);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step).floor() as i64;
        (first..=last.min(first + 40)).map(|place| place as f64 * step).collect()
    }
}

/// The greatest power of ten that is not above a value.
fn power_of_ten(value: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= value {
        power *= 10.0;
    }
    while power > value && power > 1e-9 {
        power /= 10.0;
    }
    power
}

/// A number as an axis has it: thousands apart, and no more places than its step has.
fn figure_of(value: f64) -> String {
    let places = if value.abs() >= 100.0 || value == value.trunc() { 0 } else { 2 };
    let text = format!("{:.places$}", value.abs());
    let (whole, part) = text.split_once('.').map_or((text.as_str(), String::new()), |(a, b)| (a, format!(".{b}")));
    let mut apart = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            apart.push(',');
        }
        apart.push(digit);
    }
    format!("{}{apart}{part}", if value < 0.0 { "-" } else { "" })
}

impl Panel {
    fn draw(&self, svg: &mut String, along: Axis, words: &str) {
        let values = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point.y);
        let (least, most) = bounds(values).unwrap_or((0.0, 1.0));
        let room = ((most - least) * 0.06).max(most.abs() * 1e-4).max(1e-6);
        let up = Axis { from: least - room, to: most + room };
        let x = |value: f64| LEFT + along.share(value).clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| HEIGHT - BELOW - up.share(value).clamp(0.0, 1.0) * (HEIGHT - ABOVE - BELOW);
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"600\" fill=\"#1d1a16\">{}</text>",
            escaped(&self.title)
        );
        for value in up.lines() {
            let at = y(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"#e6dfd3\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" \
                 fill=\"#665f55\">{}{}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                at + 4.0,
                figure_of(value),
                self.unit
            );
        }
        for value in along.lines() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#665f55\">{}</text>",
                x(value),
                HEIGHT - 8.0,
                figure_of(value)
            );
        }
        let _ = writeln!(svg, "<text x=\"8\" y=\"{:.1}\" fill=\"#665f55\">{}</text>", HEIGHT - 8.0, escaped(words));
        for span in &self.spans {
            let (from, to) = (x(span.from), x(span.to));
            let _ = writeln!(
                svg,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"5\" fill=\"{}\"><title>{}</title></rect>",
                HEIGHT - BELOW + 2.0,
                (to - from).max(1.0),
                span.colour,
                escaped(&span.name)
            );
        }
        for curve in &self.curves {
            let points = curve.points.iter().filter(|point| point.x.is_finite() && point.y.is_finite());
            let points: Vec<String> = points.map(|point| format!("{:.1},{:.1}", x(point.x), y(point.y))).collect();
            let _ = writeln!(
                svg,
                "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\" \
                 stroke-linejoin=\"round\" points=\"{}\"><title>{}</title></polyline>",
                curve.colour,
                curve.width,
                curve.dash,
                points.join(" "),
                escaped(&curve.name)
            );
        }
        for mark in &self.marks {
            let (at, level) = (x(mark.at.x), y(mark.at.y));
            let (tip, colour) = if mark.is_up { (-7.0, "#1f7a4d") } else { (7.0, "#b3352a") };
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {level:.1}l-4 {0:.1}h8z\" fill=\"{colour}\" stroke=\"#fffdf9\"><title>{1}</title></path>",
                -tip,
                escaped(&mark.name)
            );
        }
        self.legend(svg);
    }

    /// What each line is, and each stretch of ticks once.
    fn legend(&self, svg: &mut String) {
        let mut at = LEFT;
        let mut put = |svg: &mut String, sign: String, name: &str| {
            // A long name is cut: whoever gave it, the others keep their place.
            let shown: String = name.chars().take(28).collect();
            if at > WIDTH - RIGHT - 60.0 {
                return;
            }
            let _ = writeln!(
                svg,
                "<g transform=\"translate({at:.0} 36)\">{sign}<text x=\"28\" y=\"4\" fill=\"#3d372f\">{}</text></g>",
                escaped(&shown)
            );
            at += 46.0 + 7.4 * shown.chars().count() as f64;
        };
        for curve in &self.curves {
            let sign = format!(
                "<path d=\"M0 0H22\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\"/>",
                curve.colour, curve.width, curve.dash
            );
            put(svg, sign, &curve.name);
        }
        let mut named: Vec<&str> = Vec::new();
        for span in &self.spans {
            if !named.contains(&span.name.as_str()) {
                named.push(&span.name);
                put(svg, format!("<rect y=\"-3\" width=\"22\" height=\"6\" fill=\"{}\"/>", span.colour), &span.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, values: &[f64]) -> Curve {
        let points = values.iter().enumerate().map(|(x, y)| PlotPoint { x: x as f64, y: *y }).collect();
        Curve { name: name.to_owned(), colour: "#0b6e99", width: 2.0, dash: "none", points }
    }

    /// O-015: a drawing has its axes in round numbers and asks nobody for anything; names in it are text, and nothing that is no
    /// number moves it.
    #[test]
    fn o_015_a_drawing_has_round_axes_and_names_are_text() {
        let mark = PlotMark { at: PlotPoint { x: 1.0, y: 1_010.0 }, is_up: true, name: "<b>buy</b>".to_owned() };
        let span = PlotSpan { from: 0.0, to: 2.0, name: "stable".to_owned(), colour: "#999999" };
        let panel = Panel {
            title: "</svg><script>".to_owned(),
            unit: "",
            curves: vec![curve("\"><script>", &[1_000.0, 1_010.0, f64::NAN, 996.5])],
            marks: vec![mark],
            spans: vec![span],
        };
        let svg = figure("a life", "tick", &[panel, Panel::default()]);
        for wanted in
            ["1,000</text>", "1,005</text>", "&lt;script&gt;", "&lt;b&gt;buy", ">stable</text>", ">tick</text>"]
        {
            assert!(svg.contains(wanted), "{wanted}: {svg}");
        }
        assert!(!svg.contains("<script") && !svg.contains("<b>") && !svg.contains("NaN"), "{svg}");
        assert_eq!((svg.matches("<svg").count(), svg.matches("<g transform=\"translate(0 ").count()), (1, 2));
        assert!(
            figure("nothing", "tick", &[Panel { curves: vec![curve("one", &[5.0])], ..Panel::default() }])
                .contains("polyline")
        );
    }
}
