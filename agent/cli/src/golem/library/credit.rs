//! `bardo grave library credit`: who first learned what is kept, and what became of it (I-230 to I-234, I-314).

use std::collections::BTreeMap;
use std::process::ExitCode;

use eyre::Result;
use golem_inheritance::attribution::Credit;
use golem_inheritance::library::equip::EquipOutcome;
use golem_inheritance::lineage::Reputation;
use golem_primitives::{GolemId, LineageId};
use golem_view::CreditLine;

use super::equipped;
use super::kept::{Kept, all};
use crate::golem::home::Home;
use crate::golem::list::ListArguments;
use crate::golem::look;
use crate::screen;

/// What is known of one that first learned something.
#[derive(Debug, Clone)]
struct Origin {
    generation: Option<u32>,
    lineage: Option<LineageId>,
    entries: usize,
    credit: Credit,
    reputation: Reputation,
    confirmed: u32,
    contradicted: u32,
}

impl Default for Origin {
    fn default() -> Self {
        Self {
            generation: None,
            lineage: None,
            entries: 0,
            credit: Credit::default(),
            reputation: Reputation::at_birth(None, 0),
            confirmed: 0,
            contradicted: 0,
        }
    }
}

impl Origin {
    /// An entry of it, and what became of that at those who were given it. What the dead left weighs half as much again, and
    /// what the dead earn is their line's.
    fn add(&mut self, one: &Kept, is_dead: bool, outcomes: impl Iterator<Item = EquipOutcome>) {
        self.entries += 1;
        self.generation = self.generation.or(one.attribution.origin_generation());
        // A seller's line is not that of who first learned it; the line of one's own Golems is.
        let is_of_the_line = !one.is_bought() && one.attribution.origin_generation().is_some();
        self.lineage = self.lineage.or(is_of_the_line.then_some(one.lineage));
        for outcome in outcomes {
            let is_good = match outcome {
                EquipOutcome::Validated => true,
                EquipOutcome::Contradicted => false,
                EquipOutcome::Unused | EquipOutcome::Pending => continue,
            };
            self.reputation = self.reputation.after(is_good);
            if is_good {
                self.confirmed += 1;
                self.credit = self.credit.plus(is_dead, one.entry.source.is_bloodstain());
            } else {
                self.contradicted += 1;
            }
        }
    }

    fn line(&self, origin: GolemId) -> CreditLine {
        let tenths = |tenths: u64| format!("{}.{}", tenths / 10, tenths % 10);
        CreditLine {
            origin,
            origin_generation: self.generation,
            lineage: self.lineage,
            entries: self.entries,
            confirmed: self.confirmed,
            contradicted: self.contradicted,
            golem_tenths: self.credit.golem_tenths,
            lineage_tenths: self.credit.lineage_tenths,
            reputation: self.reputation.mean(),
            credit: tenths(self.credit.golem_tenths),
            line_credit: tenths(self.credit.lineage_tenths),
        }
    }
}

/// I-232. Whether one is dead, as far as this home can tell: it left something at its death, or its folder says so.
fn is_dead(home: &Home, one: &Kept) -> bool {
    let here = || home.find(one.attribution.origin().as_str()).and_then(|folder| look::reader(&folder));
    one.entry.source.is_bloodstain()
        || here().is_ok_and(|reader| look::life(&reader).is_ok_and(|life| !life.is_alive()))
}

fn lines(home: &Home) -> Result<Vec<CreditLine>> {
    let mut origins = BTreeMap::<GolemId, Origin>::new();
    for one in all(home)? {
        let outcomes = equipped::outcomes(home, one.entry.id)?.into_values();
        origins.entry(one.attribution.origin()).or_default().add(&one, is_dead(home, &one), outcomes);
    }
    let mut lines: Vec<CreditLine> = origins.iter().map(|(golem, origin)| origin.line(*golem)).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.golem_tenths.saturating_add(line.lineage_tenths)));
    Ok(lines)
}

pub(super) fn show(arguments: &ListArguments) -> Result<ExitCode> {
    let empty = "The library is empty; nobody is owed anything.";
    Ok(screen::draw_all(arguments.json, "Who first learned it", &lines(&arguments.home)?, empty))
}

#[cfg(test)]
mod tests {
    use golem_inheritance::library::inflow::Channel;
    use golem_primitives::Ppm;
    use golem_runtime::Kin;

    use super::super::tend::tests::proven;
    use super::*;

    fn kept(channel: Channel, nth: u32, who: &str, generation: u32) -> Kept {
        let (_, one) = proven(nth, who);
        let kin = Kin { generation, lineage: LineageId(4), ..Kin::default() };
        Kept::by(channel, &kin, one.golem, one.entry)
    }

    /// I-232, I-234, I-314: what the living contributed is theirs; what the dead left counts half as much again, for their line; what was
    /// contradicted earns nothing and costs reputation.
    #[test]
    fn i_234_the_dead_are_credited_with_half_as_much_again_for_their_line() {
        let (live, dead) = (kept(Channel::LiveExport, 1, "ada", 2), kept(Channel::DeathDeposit, 2, "bea", 5));
        let mut ada = Origin::default();
        ada.add(&live, false, [EquipOutcome::Validated, EquipOutcome::Pending].into_iter());
        let ada = ada.line(live.attribution.origin());
        assert_eq!((ada.golem_tenths, ada.lineage_tenths, ada.origin_generation), (10, 0, Some(2)));
        let mut bea = Origin::default();
        bea.add(
            &dead,
            true,
            [EquipOutcome::Validated, EquipOutcome::Contradicted, EquipOutcome::Validated].into_iter(),
        );
        let bea = bea.line(dead.attribution.origin());
        assert_eq!((bea.golem_tenths, bea.lineage_tenths, bea.line_credit.as_str()), (0, 30, "3.0"));
        assert_eq!((bea.confirmed, bea.contradicted, bea.lineage), (2, 1, Some(LineageId(4))));
        assert_eq!(bea.reputation, Ppm::round(3.0 / 5.0), "Beta(1, 1) after two and one");
    }
}
