//! The document as Markdown (GG-15, C19), written and read back.

use std::fmt;
use std::str::FromStr;

use super::{Playbook, RuleSection, WrittenRule};
use crate::confidence::Confidence;
use crate::regime::Regime;

/// A text that is no PLAYBOOK.md, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("PLAYBOOK.md line {line}: {problem}")]
pub struct MarkdownError {
    /// The line, from 1.
    pub line: usize,
    pub problem: String,
}

const TITLE: &str = "# PLAYBOOK";

impl fmt::Display for Playbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}\n\nVersion: {}", self.version)?;
        if self.low_divergence {
            writeln!(f, "Low divergence: yes")?;
        }
        let mut current: Option<&RuleSection> = None;
        for (section, rule) in &self.rules {
            if current != Some(section) {
                match section {
                    RuleSection::Global => writeln!(f, "\n## Global")?,
                    RuleSection::Strategy(name) => writeln!(f, "\n## Strategy: {name}")?,
                }
                current = Some(section);
            }
            write_rule(f, rule)?;
        }
        Ok(())
    }
}

fn write_rule(f: &mut fmt::Formatter<'_>, rule: &WrittenRule) -> fmt::Result {
    writeln!(f, "\n### {}\n", rule.id)?;
    writeln!(f, "- When: {}", rule.when)?;
    writeln!(f, "- Do: {}", rule.act)?;
    if !rule.because.is_empty() {
        writeln!(f, "- Because: {}", rule.because)?;
    }
    writeln!(f, "- Confidence: {}", rule.confidence)?;
    writeln!(f, "- Regime: {}", rule.regime.map_or("any", Regime::name))?;
    let evidence: Vec<String> = rule.evidence.iter().map(ToString::to_string).collect();
    writeln!(f, "- Evidence: {}", evidence.join(", "))?;
    if let Some(question) = &rule.open_question {
        writeln!(f, "- Open question: {question}")?;
    }
    Ok(())
}

/// A rule while it is read.
struct Partial {
    line: usize,
    section: RuleSection,
    rule: WrittenRule,
    has: [bool; 3],
}

impl Partial {
    fn finish(self) -> Result<(RuleSection, WrittenRule), MarkdownError> {
        let missing = ["When", "Do", "Confidence"].iter().zip(self.has).find(|(_, has)| !has);
        match missing {
            Some((field, _)) => {
                Err(MarkdownError { line: self.line, problem: format!("rule {} has no `{field}`", self.rule.id) })
            }
            None => Ok((self.section, self.rule)),
        }
    }

    fn field(&mut self, name: &str, value: &str) -> Result<(), String> {
        let text = value.trim().to_owned();
        let filled = |text: String| if text.is_empty() { Err(format!("`{name}` is empty")) } else { Ok(text) };
        match name {
            "When" => (self.rule.when, self.has[0]) = (filled(text)?, true),
            "Do" => (self.rule.act, self.has[1]) = (filled(text)?, true),
            "Because" => self.rule.because = text,
            "Confidence" => {
                let share = text.parse().map_err(|_| format!("`{text}` is no confidence between 0 and 1"))?;
                (self.rule.confidence, self.has[2]) = (Confidence::new(share), true);
            }
            "Regime" if text == "any" => self.rule.regime = None,
            "Regime" => {
                let regime = Regime::from_name(&text).ok_or_else(|| format!("`{text}` is no regime"))?;
                self.rule.regime = Some(regime);
            }
            "Evidence" => {
                for id in text.split(',').map(str::trim).filter(|id| !id.is_empty()) {
                    self.rule.evidence.insert(id.parse().map_err(|_| format!("`{id}` is no episode"))?);
                }
            }
            "Open question" => self.rule.open_question = Some(filled(text)?),
            _ => return Err(format!("`{name}` is no field of a rule")),
        }
        Ok(())
    }
}

impl FromStr for Playbook {
    type Err = MarkdownError;

    fn from_str(text: &str) -> Result<Self, MarkdownError> {
        let refuse = |line: usize, problem: &str| MarkdownError { line: line + 1, problem: problem.to_owned() };
        let mut playbook = Self::default();
        let (mut section, mut partial): (Option<RuleSection>, Option<Partial>) = (None, None);
        let mut lines = text.lines().map(str::trim_end).enumerate().filter(|(_, line)| !line.is_empty());
        if lines.next().is_none_or(|(_, line)| line != TITLE) {
            return Err(refuse(0, "it does not begin with `# PLAYBOOK`"));
        }
        for (at, line) in lines {
            if let Some(id) = line.strip_prefix("### ") {
                finish(partial.take(), &mut playbook)?;
                let id = id.trim().parse().map_err(|_| refuse(at, "a rule begins with its id"))?;
                if playbook.rule(id).is_some() {
                    return Err(refuse(at, "this rule stands here twice"));
                }
                let section = section.clone().ok_or_else(|| refuse(at, "a rule stands outside every section"))?;
                partial = Some(Partial { line: at + 1, section, rule: WrittenRule::empty(id), has: [false; 3] });
            } else if let Some(name) = line.strip_prefix("## ") {
                finish(partial.take(), &mut playbook)?;
                section = Some(match name.strip_prefix("Strategy:").map(str::trim) {
                    None if name.trim() == "Global" => RuleSection::Global,
                    Some(strategy) if !strategy.is_empty() => RuleSection::Strategy(strategy.to_owned()),
                    _ => return Err(refuse(at, "a section is `Global` or `Strategy: id`")),
                });
            } else if let Some(field) = line.strip_prefix("- ") {
                let rule = partial.as_mut().ok_or_else(|| refuse(at, "a field stands outside every rule"))?;
                let (name, value) = field.split_once(':').ok_or_else(|| refuse(at, "a field is `Name: value`"))?;
                rule.field(name, value).map_err(|problem| refuse(at, &problem))?;
            } else if let Some(version) = line.strip_prefix("Version:").filter(|_| section.is_none()) {
                playbook.version = version.trim().parse().map_err(|_| refuse(at, "a version is a whole number"))?;
            } else if line == "Low divergence: yes" && section.is_none() {
                playbook.low_divergence = true;
            } else {
                return Err(refuse(at, "neither a section, a rule nor a field"));
            }
        }
        finish(partial, &mut playbook)?;
        playbook.rules.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.id.cmp(&y.id)));
        Ok(playbook)
    }
}

fn finish(partial: Option<Partial>, playbook: &mut Playbook) -> Result<(), MarkdownError> {
    if let Some(partial) = partial {
        playbook.rules.push(partial.finish()?);
    }
    Ok(())
}

impl WrittenRule {
    const fn empty(id: crate::id::EntryId) -> Self {
        Self {
            id,
            when: String::new(),
            act: String::new(),
            because: String::new(),
            confidence: Confidence::ZERO,
            regime: None,
            evidence: std::collections::BTreeSet::new(),
            open_question: None,
        }
    }
}
