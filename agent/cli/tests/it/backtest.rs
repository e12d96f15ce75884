//! `bardo backtest`.

use serde_json::Value;

use crate::bardo::{does, run, text};

/// P-080 to P-084: books beside what anybody could have done, every cost apart, and the same digits each time.
#[test]
fn p_080_books_are_tried_beside_cash_and_holding_to_the_same_digits() {
    let dir = tempfile::tempdir().expect("a folder");
    let arguments =
        ["backtest", "mean-reversion", "momentum", "--market", "7", "--looks", "4000", "--rent", "0.10", "--json"];
    let told = || {
        let done = does(dir.path(), &arguments);
        text(&done.stdout)
    };
    let once = told();
    assert_eq!(once, told(), "P-084");
    let report: Value = serde_json::from_str(&once).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 6, "two books and four that anybody can do: {report}");
    let cash = runs.iter().find(|run| run["name"] == "cash").expect("cash is beside it");
    assert_eq!(cash["trips"], 0, "{cash}");
}

/// P-083: one page that needs nothing from anywhere, and none where the prices are refused.
#[test]
fn p_083_a_page_needs_nothing_and_bad_rows_are_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let page = dir.path().join("report.html");
    let path = page.to_str().expect("plain");
    std::fs::write(dir.path().join("bad.csv"), "time,price\n60,2\n120,x\n180,2\n").expect("written");
    let refused = run(dir.path(), &["backtest", "momentum", "--prices", "bad.csv", "--html", path]);
    assert!(!refused.status.success() && !page.exists(), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("line 3"), "{}", text(&refused.stderr));
    does(dir.path(), &["backtest", "momentum", "--market", "3", "--looks", "2000", "--html", path]);
    let html = std::fs::read_to_string(&page).expect("written");
    assert!(html.contains("<svg") && html.contains("Momentum"));
    let own = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!own.contains("<script") && !own.contains("http://") && !own.contains("https://"), "of its own");
}

/// P-004, P-080: the founding book that provides liquidity is tried like the others, and pays for what it does.
#[test]
fn p_004_range_liquidity_is_tried_and_its_costs_are_charged() {
    let dir = tempfile::tempdir().expect("a folder");
    let arguments =
        ["backtest", "range-liquidity", "--market", "3", "--looks", "4000", "--liquidity", "2000000", "--json"];
    let done = does(dir.path(), &arguments);
    let report: Value = serde_json::from_str(&text(&done.stdout)).expect("JSON");
    let tried = &report["runs"][0];
    assert_eq!(tried["name"], "Range liquidity", "{tried}");
    for paid in ["fee_usdc_micros", "impact_usdc_micros", "gas_usdc_micros"] {
        assert!(tried[paid].as_u64().is_some_and(|paid| paid > 0), "{paid}: {tried}");
    }
    let exposure = tried["mean_exposure_ppm"].as_u64().expect("a number");
    assert!((300_000..700_000).contains(&exposure), "about half stands in the token: {tried}");
}
