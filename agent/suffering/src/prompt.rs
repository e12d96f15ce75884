//! What stands above the goals of a prompt: the agent's own state, in its own words.

use std::fmt::Write as _;

use crate::band::Band;
use crate::law::SufferingLaw;
use crate::severity::Severity;
use crate::stressor::Stressor;
use crate::suffering::Suffering;

/// S-107. Tokens at most, by four characters each.
pub const TOKEN_CAP: usize = 350;
const CHARACTER_CAP: usize = 4 * TOKEN_CAP;

fn header(band: Band, load: Severity) -> String {
    match band {
        Band::Background => String::new(),
        Band::Present => format!("Suffering load {load}/1.0."),
        Band::Constrained => format!("HIGH SUFFERING — your suffering load is {load}/1.0. Some goals are closed."),
        Band::Dominant => {
            format!(
                "HIGH SUFFERING — your suffering load is {load}/1.0. Some goals are closed. New goals must aim at relief."
            )
        }
        Band::Crisis => format!(
            "!! CRISIS STATE — your suffering load is critical ({load}/1.0). You cannot pursue external goals. Address this first."
        ),
    }
}

/// S-104, S-105. A bar of ten cells.
#[must_use]
pub fn bar(severity: Severity) -> String {
    let cells = severity.cells();
    format!("[{}{}]", "#".repeat(cells), ".".repeat(10 - cells))
}

fn said(stressor: &Stressor) -> String {
    match (stressor.description.as_str(), stressor.evidence.as_str()) {
        (description, "") => description.to_owned(),
        (description, evidence) => format!("{description} {evidence}."),
    }
}

impl Suffering {
    /// S-100..S-107. The block for every prompt that can pick or change a goal: nothing below 0.35, nothing once death
    /// has begun. Descriptions are cut to fit, conditions never.
    #[must_use]
    pub fn prompt(&self, law: &SufferingLaw) -> Option<String> {
        let load = self.load(law).load;
        let band = Band::of(load);
        if band == Band::Background || self.frozen_at.is_some() {
            return None;
        }
        let active = self.active();
        let mut fixed = header(band, load).chars().count();
        for stressor in &active {
            // Two lines: two spaces, bar, name, number and two spaces; and the condition with its words.
            fixed += 1 + 2 + 12 + 1 + stressor.key().as_str().chars().count() + 1 + 4 + 2;
            fixed += 1 + 18 + stressor.condition.text.as_str().chars().count();
        }
        let room = CHARACTER_CAP.saturating_sub(fixed) / active.len().max(1);
        let mut text = header(band, load);
        for stressor in active {
            let description: String = said(stressor).chars().take(room).collect();
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "\n  {} {} {}  {}",
                bar(stressor.severity),
                stressor.key(),
                stressor.severity,
                description
            );
            let _ = write!(text, "\n  Will ease when: {}", stressor.condition.text);
        }
        Some(text)
    }
}
