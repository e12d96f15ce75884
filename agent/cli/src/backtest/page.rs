//! P-083. A backtest as one page: no script, nothing from anywhere.

use std::fmt::Write as _;

use golem_playbook::backtest::{Kind, Run};
use golem_primitives::Usdc;
use golem_view::{BacktestPicture, Picture, RunPicture, Shown};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 360.0;
/// Books first, in colours that can be told apart by most eyes; what anybody could have done is drawn thin and grey.
const COLOURS: [&str; 6] = ["#0b6e99", "#c4511a", "#4d8b31", "#7a3e9d", "#b0305c", "#8a6d00"];

/// The page: the curves of the runs, and the report's own figures.
pub(super) fn page(report: &BacktestPicture, runs: &[Run]) -> String {
    let mut html = String::from(HEAD);
    let _ = writeln!(html, "<p>{}.</p>", escaped(&super::summary(report)));
    html.push_str(&curves(runs));
    html.push_str(&table(&report.runs, runs));
    if !report.remarks.is_empty() {
        html.push_str("<h2>Remarks</h2>\n<ul>\n");
        for remark in &report.remarks {
            let _ = writeln!(html, "<li>{}</li>", escaped(remark));
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</body>\n</html>\n");
    html
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>Backtest</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { text-align: right; padding: .2rem .8rem; border-bottom: 1px solid #ccc; }
th:nth-child(2), td:nth-child(2) { text-align: left; } svg { width: 100%; height: auto; }
</style>
</head>
<body>
<h1>Backtest</h1>
";

fn curves(runs: &[Run]) -> String {
    let values = || runs.iter().flat_map(|run| run.curve.iter().map(|value| value.micros() as f64));
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let span = (most - least).max(1.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Wealth over time\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fafafa\"/>\n"
    );
    for (place, run) in runs.iter().enumerate() {
        let last = (run.curve.len().saturating_sub(1)).max(1) as f64;
        let points: Vec<String> = run
            .curve
            .iter()
            .enumerate()
            .map(|(at, value)| {
                let x = at as f64 / last * WIDTH;
                let y = HEIGHT - 10.0 - (value.micros() as f64 - least) / span * (HEIGHT - 20.0);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let (colour, width, dash) = look_of(place, run);
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\" \
             points=\"{}\"><title>{}</title></polyline>",
            points.join(" "),
            escaped(&run.name)
        );
    }
    let (low, high) = (Usdc::from_micros(least as u64), Usdc::from_micros(most as u64));
    let _ = writeln!(svg, "<text x=\"6\" y=\"18\" font-size=\"13\">{}</text>", high.words());
    let _ = writeln!(svg, "<text x=\"6\" y=\"{}\" font-size=\"13\">{}</text>", HEIGHT - 4.0, low.words());
    svg.push_str("</svg>\n");
    svg
}

/// Colour, width and dashes of a curve; dashes tell apart what is grey.
fn look_of(place: usize, run: &Run) -> (&'static str, &'static str, &'static str) {
    match run.kind {
        Kind::Book => (COLOURS[place % COLOURS.len()], "2.5", "none"),
        Kind::Cash => ("#777", "1.2", "2 4"),
        Kind::Token => ("#777", "1.2", "none"),
        Kind::HalfAndHalf => ("#777", "1.2", "8 4"),
        Kind::FullRange => ("#777", "1.2", "8 3 2 3"),
    }
}

fn table(pictures: &[RunPicture], runs: &[Run]) -> String {
    let mut html = String::from("<table>\n");
    let heads = RunPicture::COLUMNS.iter().map(|head| format!("<th>{}</th>", escaped(head)));
    let _ = writeln!(html, "<tr><th></th>{}</tr>", heads.collect::<String>());
    for (place, (picture, run)) in pictures.iter().zip(runs).enumerate() {
        let (colour, width, dash) = look_of(place, run);
        let key = format!(
            "<svg viewBox=\"0 0 40 8\" style=\"width:40px\"><line x2=\"40\" y1=\"4\" y2=\"4\" stroke=\"{colour}\" \
             stroke-width=\"{width}\" stroke-dasharray=\"{dash}\"/></svg>"
        );
        let told = picture.fields().into_iter().filter(|field| field.label.is_some());
        let cells = told.map(|field| format!("<td>{}</td>", escaped(&field.words)));
        let _ = writeln!(html, "<tr><td>{key}</td>{}</tr>", cells.collect::<String>());
    }
    html.push_str("</table>\n");
    html
}

/// Text from a file as a page may show it.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            sign if sign.is_control() => {}
            sign => safe.push(sign),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use golem_playbook::Book;
    use golem_playbook::backtest::{Settings, beside, run};
    use golem_playbook::market::Market;
    use golem_playbook::prices::{Prices, Terms};
    use golem_playbook::promotion::Founding;

    use super::*;

    #[test]
    fn p_083_the_page_asks_nobody_for_anything_and_shows_a_title_as_text() {
        let capital = Usdc::whole(1_000);
        let terms = Terms { fee_ppm: 500, gas: Usdc::ZERO, liquidity: Usdc::ZERO, capital };
        let looks = Market { seed: 1, looks: 300, edge: None }.looks(&terms);
        let settings = Settings {
            capital,
            rent_a_day: Usdc::ZERO,
            founding: Founding::Trust,
            search: false,
            life: None,
            folds: 2,
        };
        let mut book = Book::founding("mean-reversion").expect("it ships with the program");
        book.title = "<script>alert('x')</script> & co".to_owned();
        let mut runs = vec![run(&book, &looks, &settings).expect("it can be tried")];
        runs.extend(beside(&looks, &settings));
        let prices = Prices {
            sides: Vec::new(),
            looks,
            remarks: vec!["line 3: `<b>` is no price".to_owned()],
            has_volume: true,
        };
        let page = page(&BacktestPicture::of(&prices, &runs, capital), &runs);
        assert!(!page.contains("<script") && !page.contains("<b>"));
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; co"));
        assert!(
            !page.contains("http:") && !page.contains("https:") && !page.contains("src=") && !page.contains("href=")
        );
        assert_eq!(page.matches("<polyline").count(), 5);
    }
}
