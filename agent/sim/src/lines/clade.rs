//! Lines that are a Clade: what one of them tells, the others hear, by the law and at the pace of real lives.

use std::collections::{BTreeSet, VecDeque};

use golem_core::kinship::{RuleToTell, rules_to_tell};
use golem_core::record::{CladeNews, SiblingRule};
use golem_inheritance::clade::delta::TTL;
use golem_inheritance::clade::sync::{BATCH_TICKS, is_batch_due};
use golem_playbook::Look;
use golem_playbook::hand::Hand;
use golem_primitives::{GolemId, Tick, Usdc, UtcTime, keccak256};

/// A batch, and where it stands.
#[derive(Debug)]
struct Word {
    place: u64,
    at: UtcTime,
    from: GolemId,
    rules: Vec<RuleToTell>,
}

/// What a relay keeps of one owner's lines (I-108): whoever is born later hears what is not too old.
#[derive(Debug, Default)]
pub(super) struct CladeLog {
    words: VecDeque<Word>,
    last: u64,
}

impl CladeLog {
    /// Files what somebody said.
    pub(super) fn file(&mut self, from: GolemId, rules: Vec<RuleToTell>, at: UtcTime) {
        self.words.retain(|word| at.since(word.at) <= TTL);
        self.last += 1;
        self.words.push_back(Word { place: self.last, at, from, rules });
    }
}

/// What a life has with its siblings.
#[derive(Debug)]
pub(super) struct SiblingPlace {
    /// Named as an address is: by the first letters of it siblings name the rules they hear.
    name: GolemId,
    through: u64,
    told: BTreeSet<String>,
    /// What it said at this look; others hear it at the next.
    pub(super) says: Vec<RuleToTell>,
}

impl SiblingPlace {
    pub(super) fn new(life: &GolemId, seed: u64) -> Self {
        let hash = keccak256([life.as_bytes(), &seed.to_be_bytes()].concat());
        let letters: String = hash.0.iter().take(20).map(|byte| format!("{byte:02x}")).collect();
        let name = GolemId::new(&format!("0x{letters}")).expect("an address is a name");
        Self { name, through: 0, told: BTreeSet::new(), says: Vec::new() }
    }

    pub(super) const fn name(&self) -> GolemId {
        self.name
    }

    /// P-075, I-103. Hears what the others said since it last listened, as much as a tick takes; how many rules of it are tried from
    /// now on.
    pub(super) fn hear(&mut self, log: &CladeLog, hand: &mut Hand, look: &Look, capital: Usdc) -> u64 {
        if self.through == log.last {
            return 0;
        }
        let now = UtcTime::from_seconds(look.time);
        let mut news = CladeNews::default();
        let behind = log.words.partition_point(|word| word.place <= self.through);
        for word in log.words.range(behind..) {
            if word.from != self.name && now.since(word.at) <= TTL {
                if !news.has_room_for_rules(word.rules.len()) {
                    break;
                }
                let read = |told: &RuleToTell| SiblingRule::read(word.from, &told.text, told.shown);
                news.rules.extend(word.rules.iter().filter_map(read));
            }
            self.through = word.place;
        }
        let before = hand.blocks().staged();
        for told in &news.rules {
            hand.hear_proposal(&told.rule, look, capital);
        }
        hand.blocks().staged() - before
    }

    /// I-104, I-105, P-075. What it tells after the Curator's turn.
    pub(super) fn tell(&mut self, hand: &Hand, tick: Tick) {
        if !tick.is_every(BATCH_TICKS) {
            return;
        }
        let rules = rules_to_tell(hand.tried(), |name| self.told.contains(name));
        if is_batch_due(tick, rules.len()) {
            self.told.extend(rules.iter().map(|told| told.name.clone()));
            self.says = rules;
        }
    }
}

#[cfg(test)]
mod tests {
    use golem_core::record::RuleShown;

    use super::*;
    use crate::world::WorldLaw;

    const DAY: u64 = UtcTime::DAY_SECONDS;

    fn rule(hold: u32) -> RuleToTell {
        let name = format!("dip-{hold}");
        let text = format!(
            "### {name}\n\n- when: z(64) <= -1.5\n- do: hold {hold}%\n- until: since >= 30\n- expects: +0.8% within 100"
        );
        RuleToTell { name, text, shown: RuleShown { trips: 40, evidence: 31, mean_ppm: 900 } }
    }

    fn look(time: u64) -> Look {
        let world = WorldLaw { looks: 2, edge: None, crashes: 0.0, gas_regimes: false, prices: None };
        Look { time, ..world.path(1).looks[0] }
    }

    /// I-103, I-108, P-075: a newcomer hears what was said before its birth and is not older than seven days, four rules in a tick and
    /// the rest in the next; nobody hears itself, and nothing is heard twice.
    #[test]
    fn i_108_a_newcomer_hears_what_is_kept_a_tick_at_a_time() {
        let place = |name: &str| SiblingPlace::new(&GolemId::new(name).expect("a name"), 1);
        let (ash, mut elm) = (place("ash"), place("elm"));
        let mut log = CladeLog::default();
        let hour = |hours: u64| UtcTime::from_seconds(DAY + 3_600 * hours);
        log.file(ash.name(), vec![rule(10)], hour(0));
        log.file(ash.name(), vec![rule(20), rule(30), rule(40)], hour(100));
        log.file(ash.name(), vec![rule(50), rule(60)], hour(150));
        let (mut hand, capital) = (Hand::new(), Usdc::whole(1_000));
        let now = look(hour(169).seconds());
        let heard: Vec<u64> = (0..3).map(|_| elm.hear(&log, &mut hand, &now, capital)).collect();
        assert_eq!(heard, [3, 2, 0], "what is older than a week is gone, and a batch waits whole");
        let prefix = format!("kin-{}-dip-", &ash.name().as_str()[2..8]);
        assert!(hand.tried().iter().all(|tried| tried.rule.name.starts_with(&prefix)), "{prefix}");
        let mut own = ash;
        assert_eq!(own.hear(&log, &mut Hand::new(), &now, capital), 0);
    }
}
