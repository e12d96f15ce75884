//! A finding for people: a section of a page, and a plot.

use std::fmt::Write;

use super::judge::{ArmContrast, TrialFinding, TrialVerdict};
use super::registration::{ExperimentFile, StudyKind};
use super::rows::Results;
use crate::paired::PairedTest;
use crate::stats::Summary;

/// The section of a page, as Markdown.
#[must_use]
pub fn page(registration: &ExperimentFile, results: &Results, finding: &TrialFinding) -> String {
    let mut page = format!("### {}\n\n**{}**\n\n", registration.name, registration.question);
    page += &format!("```sh\nbardo experiment run {0}\nbardo experiment report {0}\n```\n\n", registration.name);
    page += &said(registration, finding);
    page += &arms(registration, results);
    page += &contrasts(finding);
    page += &checks(finding);
    page += &format!("Not shown: {}\n\n", registration.not_shown);
    page += &cost(registration, results);
    page
}

/// The verdict in a sentence.
fn said(registration: &ExperimentFile, finding: &TrialFinding) -> String {
    let ArmContrast { endpoint, test } = &finding.primary;
    let mut what = format!("{} of *{}* less *{}*", endpoint.measure, endpoint.arm, endpoint.less);
    if let Some(other) = &endpoint.and_less {
        let _ = write!(what, ", the weaker of this and less *{other}*");
    }
    let result = test.as_ref().map_or_else(|| "no seeds".to_owned(), interval);
    let mut text = format!(
        "Primary endpoint: {what} ({}). **{}**: {result}",
        registration.meaning(&endpoint.measure),
        verdict(finding)
    );
    if let Some(test) = test {
        let _ = write!(text, ", p {} by Holm over the programme", chance(finding.corrected_p));
        let margin = registration.size.smallest_effect;
        let equivalence = finding.equivalence_p.unwrap_or_else(|| test.equivalence(margin));
        let _ = write!(text, ", equivalence within {margin} p {}", chance(equivalence));
    }
    let ExperimentFile { size, seeds, .. } = registration;
    let came = test.as_ref().map_or_else(String::new, |test| format!(" (it was {})", number(test.deviation)));
    let _ = write!(
        text,
        ". {} of {} seeds ({} to {}; tuned on {} to {}), power {:.2} for a difference of {} at a deviation of {}{came}.\n\n",
        finding.seeds,
        finding.registered,
        seeds.first,
        seeds.first + seeds.count - 1,
        seeds.training_first,
        seeds.training_first + seeds.training_count - 1,
        size.power,
        size.smallest_effect,
        size.pilot_deviation
    );
    text
}

fn verdict(finding: &TrialFinding) -> String {
    match finding.verdict {
        TrialVerdict::NotTested => {
            let failed = finding.checks.iter().filter(|check| !check.holds);
            let failed: Vec<String> = failed
                .map(|one| format!("{} of {} is {}", one.check.measure, one.check.arm, number(one.mean)))
                .collect();
            format!("Not tested ({})", failed.join(", "))
        }
        other => {
            let name = other.name();
            name[..1].to_uppercase() + &name[1..]
        }
    }
}

fn interval(test: &PairedTest) -> String {
    format!("{} [{}, {}]", number(test.mean), number(test.low), number(test.high))
}

/// A number with as many digits as tell something.
fn number(value: f64) -> String {
    let places = match libm::fabs(value) {
        large if large >= 100.0 => 0,
        middle if middle >= 10.0 => 1,
        small if small >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.places$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
}

fn chance(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

fn arms(registration: &ExperimentFile, results: &Results) -> String {
    let names = registration.arms();
    let told: Vec<_> = registration
        .measures()
        .iter()
        .filter(|(measure, _)| names.iter().any(|arm| results.of(arm, measure).any(|value| value != 0.0)))
        .collect();
    let mut table = format!("| mean [95%] | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()));
    for (measure, meaning) in told {
        let _ = write!(table, "| {measure}: {meaning} |");
        for arm in &names {
            let sample: Vec<f64> = results.of(arm, measure).collect();
            let cell = match PairedTest::of(&sample) {
                Some(test) if test.deviation > 0.0 => interval(&test),
                Some(test) => number(test.mean),
                None if sample.is_empty() => "-".to_owned(),
                None => number(Summary::of(&sample).mean),
            };
            let _ = write!(table, " {cell} |");
        }
        table.push('\n');
    }
    table + "\n"
}

fn contrasts(finding: &TrialFinding) -> String {
    if finding.secondary.is_empty() {
        return String::new();
    }
    let mut table = "| secondary, uncorrected | difference [95%] | p |\n|---|---:|---:|\n".to_owned();
    for ArmContrast { endpoint, test } in &finding.secondary {
        let _ = write!(table, "| {} of {} less {} |", endpoint.measure, endpoint.arm, endpoint.less);
        let _ = match test {
            Some(test) => writeln!(table, " {} | {} |", interval(test), chance(test.p)),
            None => writeln!(table, " - | - |"),
        };
    }
    table + "\n"
}

fn checks(finding: &TrialFinding) -> String {
    if finding.checks.is_empty() {
        return String::new();
    }
    let all = finding.checks.iter().map(|one| {
        let word = if one.holds { "holds" } else { "fails" };
        format!("{} of {} above {}: {} ({word})", one.check.measure, one.check.arm, one.check.above, number(one.mean))
    });
    format!("Manipulation checks: {}.\n\n", all.collect::<Vec<_>>().join("; "))
}

fn cost(registration: &ExperimentFile, results: &Results) -> String {
    let seconds = results.cpu_seconds();
    let mut text = format!("Processor time: {seconds:.0} s");
    if let Some(StudyKind::Lines(study)) = registration.study() {
        let lived = study.arms.iter().filter(|arm| arm.who == crate::lines::Who::Golems).count() as u64;
        let seeds = results.rows.len() as u64 / registration.arms().len().max(1) as u64;
        let looks = study.world.looks as u64 * u64::from(study.lines) * lived * seeds;
        let _ = write!(text, ", {:.0} looks of a line a second and core", looks as f64 / seconds.max(1e-3));
    }
    text + ".\n"
}

/// The differences with their intervals, and between which bounds none would matter.
#[must_use]
pub fn plot(registration: &ExperimentFile, finding: &TrialFinding) -> String {
    let of_primary = |one: &&ArmContrast| one.endpoint.measure == registration.primary.measure;
    let all: Vec<&ArmContrast> =
        std::iter::once(&finding.primary).chain(finding.secondary.iter().filter(of_primary)).collect();
    let margin = registration.size.smallest_effect;
    let reach = all.iter().filter_map(|one| one.test).map(|test| test.low.abs().max(test.high.abs()));
    let reach = 1.1 * reach.fold(1.5 * margin, f64::max);
    let (left, width, row) = (330.0, 430.0, 30.0);
    let at = |value: f64| left + width * (value + reach) / (2.0 * reach);
    let height = row * (all.len() as f64 + 2.5);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        left + width + 20.0
    );
    let _ = writeln!(svg, "<title>{}: {}</title>", text(&registration.name), finding.verdict.name());
    let _ = writeln!(
        svg,
        "<rect x=\"{:.1}\" y=\"10\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#e8eef4\"/>",
        at(-margin),
        at(margin) - at(-margin),
        height - 45.0
    );
    let _ = writeln!(svg, "<path d=\"M{0:.1} 10V{1:.1}\" stroke=\"#888\"/>", at(0.0), height - 35.0);
    for (place, ArmContrast { endpoint, test }) in all.into_iter().enumerate() {
        let y = row * (place as f64 + 1.0);
        let _ = writeln!(
            svg,
            "<text x=\"10\" y=\"{:.1}\">{} less {}</text>",
            y + 4.0,
            text(&endpoint.arm),
            text(&endpoint.less)
        );
        if let Some(test) = test {
            let weight = if place == 0 { 3 } else { 1 };
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"#234\" stroke-width=\"{weight}\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#234\"/>",
                at(test.low),
                at(test.high),
                at(test.mean)
            );
        }
    }
    for value in [-reach / 1.1, 0.0, reach / 1.1] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
            at(value),
            height - 18.0,
            number(value)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"10\" y=\"{:.1}\" fill=\"#555\">{}; 95% by seeds; shaded: would not matter</text>\n</svg>",
        height - 4.0,
        text(&registration.primary.measure)
    );
    svg
}

/// Words of a registration in a drawing: text, and no part of it.
fn text(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
