//! What siblings tell, and what they are told.

use golem_daimon::Pad;
use golem_mortality::cause::CauseKind;
use golem_playbook::Book;
use golem_playbook::parse::NAME;
use golem_playbook::rule::Rule;
use golem_playbook::stains::MarketStain;
use golem_primitives::{GolemId, PoolName, Ppm, UtcTime, keccak256};
use golem_suffering::crisis::PeerMessage;
use serde::{Deserialize, Serialize};

use super::Scent;

/// Rules of siblings that are heard in a tick.
pub const MOST_SIBLING_RULES: usize = 4;
/// What the names of siblings' rules begin with.
const KIN: &str = "kin-";
/// What the names of rules that an owner bought begin with.
pub const BOUGHT: &str = "bought-";
/// Letters of an address that its rules are named by.
const NAMED_BY: usize = 6;
/// Letters that tell long names apart where they were cut.
const TOLD_APART_BY: usize = 8;

/// P-075. A rule that somebody else sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOfAnother {
    pub theirs: String,
    /// The rule, named after who sent it, so that it stands for nobody else's, and for no other of his.
    pub rule: Rule,
}

impl RuleOfAnother {
    /// The rule of a text in the language of the book, if a book would take it; a text of several is none.
    #[must_use]
    pub fn read(kind: &str, who: GolemId, text: &str) -> Option<Self> {
        let Ok(Book { mut rules, .. }) = format!("# Told\n\n{text}\n").parse::<Book>() else { return None };
        let told = rules.pop().filter(|_| rules.is_empty())?;
        let letters = who.as_str().trim_start_matches("0x").chars();
        let who: String = letters.filter(char::is_ascii_alphanumeric).take(NAMED_BY).collect();
        let mut name = format!("{kind}{}-{}", who.to_ascii_lowercase(), told.name);
        if name.len() > NAME {
            let whole = keccak256(&name).to_string();
            name.truncate(NAME - TOLD_APART_BY - 1);
            name = format!("{}-{}", name.trim_end_matches('-'), &whole[2..2 + TOLD_APART_BY]);
        }
        Some(Self { theirs: told.name.clone(), rule: Rule { name, ..told } })
    }
}

/// A sibling whose death has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiblingDeath {
    pub golem: GolemId,
    pub cause: CauseKind,
    /// How much of its strategy is one's own.
    pub overlap: Ppm,
}

/// S-031, S-033. What a sibling tells of its crisis: load and types, and when it is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiblingCrisis {
    pub golem: GolemId,
    pub message: PeerMessage,
}

/// P-032. What its sender says that a rule has shown. It is told to people and believed by nobody: a rule begins here with
/// nothing shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleShown {
    pub trips: u64,
    /// E, rounded down.
    pub evidence: u64,
    /// Mean net return of the newest trips, in millionths of the stake.
    pub mean_ppm: i64,
}

/// P-075. A rule that a sibling acts by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiblingRule {
    pub golem: GolemId,
    pub theirs: String,
    /// The rule, named after its sender, so that it stands for nobody else's.
    pub rule: Rule,
    /// What its sender says that it has shown.
    pub shown: RuleShown,
}

impl SiblingRule {
    /// The rule of a text, if a book would take it.
    #[must_use]
    pub fn read(golem: GolemId, text: &str, shown: RuleShown) -> Option<Self> {
        let RuleOfAnother { theirs, rule } = RuleOfAnother::read(KIN, golem, text)?;
        Some(Self { golem, theirs, rule, shown })
    }

    /// Whether a rule of that name came from a sibling, to this life or to one of its line.
    #[must_use]
    pub fn is_named(rule: &str) -> bool {
        rule.starts_with(KIN)
    }
}

/// I-340. The market a sibling died of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiblingStain {
    pub golem: GolemId,
    /// P-057. In which pool.
    pub pool: PoolName,
    pub stain: MarketStain,
}

/// What became at a sibling of something one had shared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acknowledged {
    pub golem: GolemId,
    /// The rule, or in short the entry.
    pub what: String,
    /// Whether its own trips or episodes upheld it.
    pub is_upheld: bool,
    pub shared_at: UtcTime,
}

/// I-122. What this life found of something that a sibling had said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    pub golem: GolemId,
    /// Whether its own episodes or trips upheld it.
    pub is_upheld: bool,
}

/// S-034. What reached a life of its siblings since it last listened. It moves a mood within the law
/// of affect, and a rule of it is tried on paper like a stranger's: no stressor, no order, no amount follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CladeNews {
    /// I-110. Up to which place everything was taken in with this.
    pub through: u64,
    /// Siblings in reach; `None` when nobody knows.
    pub siblings: Option<u32>,
    /// Crises that were told, and their ends.
    pub crises: Vec<SiblingCrisis>,
    pub deaths: Vec<SiblingDeath>,
    /// Moods that came with what was shared.
    pub moods: Vec<Pad>,
    /// I-107. Warnings and shifts of a regime that were told at once.
    pub alerts: u32,
    /// P-075. Rules they act by.
    pub rules: Vec<SiblingRule>,
    /// I-340. Markets they died of.
    pub stains: Vec<SiblingStain>,
    /// Answers to what this life had shared.
    pub acknowledged: Vec<Acknowledged>,
    /// I-122. What it found itself of entries that they had sent, since it last listened.
    pub checked: Vec<Checked>,
    /// I-326. What is in the air where this life is: everything, each time something of it changed.
    pub air: Vec<Scent>,
    /// Entries and rules that this life has shared itself since it last listened.
    pub shared: u32,
}

impl CladeNews {
    /// P-075. Whether so many more rules are heard in the same tick; else they wait for the next, whole.
    #[must_use]
    pub const fn has_room_for_rules(&self, more: usize) -> bool {
        self.rules.len() + more <= MOST_SIBLING_RULES
    }

    /// S-034, A-095. How many warnings there are in it: a sibling that says it is in crisis is one, and no more than that.
    #[must_use]
    pub fn warnings(&self) -> u32 {
        let crises = self.crises.iter().filter(|heard| !heard.message.is_over).count();
        u32::try_from(crises).unwrap_or(u32::MAX).saturating_add(self.alerts)
    }
}
