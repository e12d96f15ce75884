//! P-083. A backtest as one page: no script, nothing from anywhere.

use std::fmt::Write as _;

use golem_playbook::backtest::{Run, RunKind};
use golem_view::{BacktestPicture, Curve, Panel, Picture, PlotPoint, RunPicture, document, escaped, figure};

/// Books first, in colours that can be told apart by most eyes; what anybody could have done is drawn thin and grey.
const COLOURS: [&str; 6] = ["#0b6e99", "#c4511a", "#4d8b31", "#7a3e9d", "#b0305c", "#8a6d00"];

/// The page: the curves of the runs, and the report's own figures.
pub(super) fn page(report: &BacktestPicture, runs: &[Run]) -> String {
    let mut body =
        format!("<p>{}.</p>\n<figure>{}</figure>\n", escaped(&super::summary(report)), curves(runs, report.looks));
    body.push_str(&table(&report.runs, runs));
    if !report.remarks.is_empty() {
        body.push_str("<h2>Remarks</h2>\n<ul>\n");
        for remark in &report.remarks {
            let _ = writeln!(body, "<li>{}</li>", escaped(remark));
        }
        body.push_str("</ul>\n");
    }
    document("Backtest", &body)
}

/// Long curves have fewer places than there were looks.
fn curves(runs: &[Run], looks: u64) -> String {
    let curve = |(place, run): (usize, &Run)| {
        let (colour, width, dash) = look_of(place, run);
        let apart = looks.saturating_sub(1) as f64 / run.curve.len().saturating_sub(1).max(1) as f64;
        let points = run.curve.iter().enumerate();
        let points = points.map(|(at, value)| PlotPoint { x: at as f64 * apart, y: value.micros() as f64 / 1e6 });
        Curve { name: run.name.clone(), colour, width, dash, points: points.collect() }
    };
    let curves = runs.iter().enumerate().map(curve).collect();
    let panel = Panel { title: "Wealth over time, USDC".to_owned(), curves, ..Panel::default() };
    figure("Wealth over time", "look", &[panel])
}

/// Colour, width and dashes of a curve; dashes tell apart what is grey.
fn look_of(place: usize, run: &Run) -> (&'static str, f64, &'static str) {
    match run.kind {
        RunKind::Book => (COLOURS[place % COLOURS.len()], 2.5, "none"),
        RunKind::Cash => ("#777777", 1.2, "2 4"),
        RunKind::Token => ("#777777", 1.2, "none"),
        RunKind::HalfAndHalf => ("#777777", 1.2, "8 4"),
        RunKind::FullRange => ("#777777", 1.2, "8 3 2 3"),
    }
}

fn table(pictures: &[RunPicture], runs: &[Run]) -> String {
    let mut html = String::from("<div class=\"scroll\"><table class=\"keyed\">\n");
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
    html.push_str("</table></div>\n");
    html
}

#[cfg(test)]
mod tests {
    use golem_playbook::Book;
    use golem_playbook::backtest::{BacktestSettings, beside, run};
    use golem_playbook::market::Market;
    use golem_playbook::prices::{Prices, Terms};
    use golem_playbook::promotion::Founding;
    use golem_primitives::Usdc;

    use super::*;

    #[test]
    fn p_083_the_page_asks_nobody_for_anything_and_shows_a_title_as_text() {
        let capital = Usdc::whole(1_000);
        let terms = Terms { fee_ppm: 500, gas: Usdc::ZERO, liquidity: Usdc::ZERO, capital };
        let looks = Market { seed: 1, looks: 300, edge: None }.looks(&terms);
        let settings = BacktestSettings {
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
        let elsewhere = page.replace("http://www.w3.org/2000/svg", "");
        assert!(["http:", "https:", "src=", "href=", "url("].iter().all(|word| !elsewhere.contains(word)));
        assert_eq!(page.matches("<polyline").count(), 5);
    }
}
