//! What a life has with its siblings: what it heard of them, which of their rules it tries, what they made of what it shared.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use golem_inheritance::clade::agreement::Agreement;
use golem_playbook::promotion::{Standing, Tried};
use golem_primitives::{GolemId, UtcTime};
use golem_suffering::facts::SharingFacts;
use golem_suffering::truth::Reading;
use serde::{Deserialize, Serialize};

use crate::pass::Pass;
use crate::record::{
    Checked, CladeNews, Event, MOST_SIBLING_RULES, RuleChange, RuleShown, Scent, SiblingDeath, SiblingRule,
};

/// Rules of siblings whose trial is followed; a Clade that tells more has its oldest forgotten, and they are tried on.
const MOST_BORROWED: usize = 64;
/// Deaths that are remembered so that none is mourned twice.
const MOST_DEAD: usize = 256;
/// Siblings whose word is checked; of more the least checked is forgotten.
const MOST_CHECKED: usize = 256;
/// S-127. Silence is counted over three days.
const REMEMBERED_SECONDS: u64 = 72 * 3_600;
/// Times of sharing and of answers that are kept; more in three days are as good as so many.
const MOST_TIMES: usize = 256;

/// P-032. What a rule must have shown before siblings hear of it: what moves money here has shown as much.
const SHOWN: f64 = 20.0;

/// P-075. A rule that siblings are told, in the language of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleToTell {
    pub name: String,
    pub text: String,
    pub shown: RuleShown,
}

/// P-075. Which rules siblings are told: those that move money here, have shown as much as that takes, and were not told yet; the
/// strongest first. What a sibling told stays here: its author tells it.
pub fn rules_to_tell<'a>(
    tried: impl IntoIterator<Item = &'a Tried>,
    is_told: impl Fn(&str) -> bool,
) -> Vec<RuleToTell> {
    let new = strong_rules(tried).into_iter().filter(|tried| !is_told(&tried.rule.name));
    let told = new.take(MOST_SIBLING_RULES).map(|tried| RuleToTell {
        name: tried.rule.name.clone(),
        text: tried.rule.to_string(),
        shown: shown_by(tried),
    });
    told.collect()
}

/// P-032. The rules that move money and have shown as much as that takes, the strongest first, each name once. What a sibling told is
/// its author's.
#[must_use]
pub fn strong_rules<'a>(tried: impl IntoIterator<Item = &'a Tried>) -> Vec<&'a Tried> {
    let mut strong: Vec<&Tried> = tried
        .into_iter()
        .filter(|tried| tried.standing() > Standing::Paper && tried.evidence() >= SHOWN)
        .filter(|tried| !SiblingRule::is_named(&tried.rule.name))
        .collect();
    strong.sort_by(|a, b| b.evidence().total_cmp(&a.evidence()).then(a.number().cmp(&b.number())));
    let mut names = BTreeSet::new();
    strong.retain(|tried| names.insert(tried.rule.name.clone()));
    strong
}

/// What a rule has shown, as it is told to others.
#[must_use]
pub fn shown_by(tried: &Tried) -> RuleShown {
    // `as` saturates.
    let (evidence, mean_ppm) = (tried.evidence() as u64, (tried.recent_mean() * 1e6) as i64);
    RuleShown { trips: tried.trips(), evidence, mean_ppm }
}

/// P-075. A sibling's rule that is tried here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Borrowed {
    pub golem: GolemId,
    pub theirs: String,
    pub rule: String,
}

/// How many of something there were at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Counted {
    at: UtcTime,
    count: u32,
}

/// The room of siblings; furnished by the first word of one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Kinship {
    /// I-110. Up to which place it heard what siblings said; what is told again is nothing.
    pub through: u64,
    /// Siblings in reach when it last heard of them.
    pub siblings: Option<u32>,
    borrowed: VecDeque<Borrowed>,
    dead: VecDeque<GolemId>,
    shared: VecDeque<Counted>,
    answered: VecDeque<Counted>,
    /// When what was answered last had been shared.
    answered_share: Option<UtcTime>,
    /// I-122. What it found of what each said.
    agreement: BTreeMap<GolemId, Agreement>,
    /// I-326. What it last sensed in the air.
    pub air: Vec<Scent>,
}

impl Kinship {
    /// P-075. Rules of siblings that are tried and not judged yet.
    pub fn borrowed(&self) -> impl Iterator<Item = &Borrowed> {
        self.borrowed.iter()
    }

    /// I-122. What it found of what a sibling said; nothing where nothing was checked yet.
    #[must_use]
    pub fn agreement(&self, golem: &GolemId) -> Agreement {
        self.agreement.get(golem).copied().unwrap_or_default()
    }

    /// I-122. Notes what was found of something a sibling said; its owner is told of one that keeps being wrong here.
    fn check(&mut self, Checked { golem, is_upheld }: Checked, pass: &mut Pass<'_>) {
        if !self.agreement.contains_key(&golem) && self.agreement.len() >= MOST_CHECKED {
            let least = self.agreement.iter().min_by_key(|(_, agreement)| agreement.checks()).map(|(golem, _)| *golem);
            least.map(|golem| self.agreement.remove(&golem));
        }
        let agreement = self.agreement.entry(golem).or_default();
        if agreement.note(is_upheld) {
            pass.say(Event::SiblingDiverges { golem, checks: agreement.checks(), refuted: agreement.refuted });
        }
    }

    /// I-326. Breathes; what is new in the air is told, and what only fades is not.
    fn breathe(&mut self, air: &[Scent], pass: &mut Pass<'_>) {
        for scent in air {
            let place = (scent.domain, scent.class);
            let known = self.air.iter().find(|known| (known.domain, known.class) == place);
            if known.is_none_or(|known| known.confirmations < scent.confirmations) {
                pass.say(Event::SignSensed(*scent));
            }
        }
        air.clone_into(&mut self.air);
    }

    /// Takes in what siblings told; answers the deaths that are new to it.
    pub(crate) fn hear<'a>(&mut self, news: &'a CladeNews, pass: &mut Pass<'_>) -> Vec<&'a SiblingDeath> {
        self.through = self.through.max(news.through);
        self.siblings = news.siblings;
        self.borrowed.extend(news.rules.iter().map(Borrowed::of));
        while self.borrowed.len() > MOST_BORROWED {
            self.borrowed.pop_front();
        }
        self.breathe(&news.air, pass);
        news.checked.iter().for_each(|checked| self.check(*checked, pass));
        count(&mut self.shared, news.shared, pass.now());
        count(&mut self.answered, u32::try_from(news.acknowledged.len()).unwrap_or(u32::MAX), pass.now());
        for answer in &news.acknowledged {
            self.answered_share = self.answered_share.max(Some(answer.shared_at));
            pass.say(Event::Acknowledged(Box::new(answer.clone())));
        }
        for rule in &news.rules {
            pass.say(Event::SiblingRule(Box::new(rule.clone())));
        }
        let mut deaths = Vec::new();
        for death in &news.deaths {
            if !self.dead.contains(&death.golem) {
                self.dead.push_back(death.golem);
                deaths.push(death);
            }
        }
        let oldest = self.dead.len().saturating_sub(MOST_DEAD);
        self.dead.drain(..oldest);
        deaths
    }

    /// P-075. A borrowed rule that came to move money is upheld; one that its own trips refuted is not. Its sibling is told of
    /// either, once.
    pub(crate) fn live(&mut self, pass: &mut Pass<'_>) {
        for at in 0..pass.events.len() {
            let Event::Rule(changed) = &pass.events[at] else { continue };
            let is_upheld = match changed.change {
                RuleChange::OnTrial { .. } => true,
                RuleChange::Refuted { .. } | RuleChange::Withdrawn { .. } => false,
                _ => continue,
            };
            let Some(place) = self.borrowed.iter().position(|one| one.rule == changed.rule) else { continue };
            if let Some(Borrowed { golem, theirs, .. }) = self.borrowed.remove(place) {
                pass.say(Event::SiblingRuleJudged { golem, rule: theirs, is_upheld });
                self.check(Checked { golem, is_upheld }, pass);
            }
        }
    }

    /// S-127. What sharing brought, for one that has siblings to answer.
    pub(crate) fn sharing(&self, alone: SharingFacts, now: UtcTime) -> SharingFacts {
        SharingFacts {
            shares: recent(&self.shared, now),
            acks: recent(&self.answered, now),
            acked_share_at: self.answered_share,
            // Who has nobody but its owner is as one that lives alone.
            siblings: match self.siblings {
                None => Reading::Unknown,
                Some(0) => Reading::Off,
                Some(siblings) => Reading::Known(siblings),
            },
            ..alone
        }
    }
}

impl Borrowed {
    fn of(told: &SiblingRule) -> Self {
        Self { golem: told.golem, theirs: told.theirs.clone(), rule: told.rule.name.clone() }
    }
}

fn count(times: &mut VecDeque<Counted>, count: u32, at: UtcTime) {
    if count == 0 {
        return;
    }
    times.retain(|one| at.since(one.at).as_secs() < REMEMBERED_SECONDS);
    if times.len() >= MOST_TIMES {
        times.pop_front();
    }
    times.push_back(Counted { at, count });
}

fn recent(times: &VecDeque<Counted>, now: UtcTime) -> u32 {
    let of_late = times.iter().filter(|one| now.since(one.at).as_secs() < REMEMBERED_SECONDS);
    of_late.fold(0, |sum, one| sum.saturating_add(one.count))
}

#[cfg(test)]
mod tests {
    use golem_playbook::Book;
    use golem_playbook::account::Account;
    use golem_playbook::evidence::TripObservation;
    use golem_playbook::promotion::{Founding, Origin, Paper, Staged};
    use golem_playbook::staging::Blocks;
    use golem_primitives::{PoolName, Tick};

    use super::*;
    use crate::record::{Acknowledged, CauseKind, Chance, RuleChanged, RuleShown, TickInput};
    use golem_primitives::Ppm;

    const DIP: &str =
        "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%\n- until: since >= 30\n- expects: +0.8% within 100";

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    fn rule(name: &str) -> SiblingRule {
        SiblingRule::read(golem(name), DIP, RuleShown { trips: 40, evidence: 31, mean_ppm: 900 }).expect("a rule")
    }

    /// Lives a pass at that hour in which these rules changed.
    fn pass(kin: &mut Kinship, hour: u64, news: &CladeNews, changes: &[(&str, RuleChange)]) -> Vec<Event> {
        let input = TickInput::quiet(Tick::new(1), UtcTime::from_seconds(hour * 3_600), Chance::default());
        let mut pass = Pass::new(&input, Box::default());
        kin.hear(news, &mut pass);
        for (name, change) in changes {
            let (rule, change) = ((*name).to_owned(), *change);
            pass.say(Event::Rule(Box::new(RuleChanged {
                pool: PoolName::HOME,
                rule,
                number: 1,
                change,
                is_dreamt: false,
            })));
        }
        kin.live(&mut pass);
        pass.events.into_iter().collect()
    }

    /// P-075: a sibling's rule has a name of its own here; once it moves money or is refuted its author is told, once, and not of a
    /// rule that nobody lent.
    #[test]
    fn p_075_a_borrowed_rule_is_answered_once() {
        let mut kin = Kinship::default();
        let (ash, elm) = (rule("0xdacd51a54883eb67d95faeb2bbfdc4a9a6bd2a3b"), rule("elm"));
        assert_eq!((ash.rule.name.as_str(), elm.rule.name.as_str()), ("kin-dacd51-dip", "kin-elm-dip"));
        let news = CladeNews { rules: vec![ash.clone(), elm.clone()], ..CladeNews::default() };
        pass(&mut kin, 1, &news, &[]);
        assert!(kin.borrowed().map(|one| &one.rule).eq([&ash.rule.name, &elm.rule.name]));
        let judged = |events: Vec<Event>| {
            let told = events.into_iter().filter_map(|event| match event {
                Event::SiblingRuleJudged { golem, rule, is_upheld } => Some((golem, rule, is_upheld)),
                _ => None,
            });
            told.collect::<Vec<_>>()
        };
        let quiet = CladeNews::default();
        let upheld = RuleChange::OnTrial { evidence: 22.0 };
        let room = RuleChange::MadeRoom { evidence: 1.0 };
        let events = pass(&mut kin, 2, &quiet, &[("kin-dacd51-dip", upheld), ("dip", upheld), ("kin-elm-dip", room)]);
        assert_eq!(judged(events), [(ash.golem, "dip".to_owned(), true)]);
        let refuted = RuleChange::Withdrawn { alarms: 20, false_alarms: 12 };
        let events = pass(&mut kin, 3, &quiet, &[("kin-dacd51-dip", upheld), ("kin-elm-dip", refuted)]);
        assert_eq!(judged(events), [(elm.golem, "dip".to_owned(), false)], "and the other no second time");
    }

    /// I-122: of a sibling whose entries and rules keep being wrong here its owner is told, once, and of nobody else.
    #[test]
    fn i_122_who_keeps_being_wrong_is_told_of() {
        let mut kin = Kinship::default();
        let found = |name: &str, held: &[bool]| CladeNews {
            checked: held.iter().map(|held| Checked { golem: golem(name), is_upheld: *held }).collect(),
            ..CladeNews::default()
        };
        let told = |events: Vec<Event>| {
            let told = events.into_iter().filter_map(|event| match event {
                Event::SiblingDiverges { golem, checks, refuted } => Some((golem, checks, refuted)),
                _ => None,
            });
            told.collect::<Vec<_>>()
        };
        assert_eq!(told(pass(&mut kin, 1, &found("ash", &[false; 9]), &[])), []);
        assert_eq!(told(pass(&mut kin, 1, &found("oak", &[true; 12]), &[])), []);
        let lent = CladeNews { rules: vec![rule("ash")], ..CladeNews::default() };
        pass(&mut kin, 2, &lent, &[]);
        let refuted = RuleChange::Withdrawn { alarms: 20, false_alarms: 12 };
        let events = pass(&mut kin, 3, &CladeNews::default(), &[("kin-ash-dip", refuted)]);
        assert_eq!(told(events), [(golem("ash"), 10, 10)], "its rule is the tenth");
        assert_eq!(told(pass(&mut kin, 4, &found("ash", &[false; 5]), &[])), [], "once");
        assert_eq!((kin.agreement(&golem("oak")).upheld, kin.agreement(&golem("elm")).checks()), (12, 0));
    }

    /// A rule of that name that is tried under a stake, after so many trips that each brought this.
    fn tried(name: &str, founding: Founding, trips: usize, net: f64, blocks: &mut Blocks) -> Tried {
        let text = format!("# One\n\n{}\n", DIP.replace("### dip", &format!("### {name}")));
        let rule = text.parse::<Book>().expect("a book").rules.remove(0);
        let paper = Paper::Holds(Account::of(&rule.action).expect("it holds"));
        let origin = Origin::Founding(founding);
        let mut tried =
            Tried::stage(Staged { rule, paper, origin, confidence: None, bound_of_a_loss: 0.02, cost: 0.0 }, blocks);
        for _ in 0..trips {
            let _ = tried.observe(TripObservation { net, passive: 0.0, exposure: 0.0 }, blocks);
        }
        tried
    }

    /// P-075, P-032: siblings are told of what moves money and has shown as much as that takes, the strongest first and once; not of
    /// what is tried on paper, of an owner's word that has shown nothing, or of what a sibling told.
    #[test]
    fn p_075_siblings_are_told_what_moves_money_and_has_shown_it() {
        let mut blocks = Blocks::default();
        let all = [
            tried("shown", Founding::Trial, 60, 0.006, &mut blocks),
            tried("stronger", Founding::Trial, 90, 0.006, &mut blocks),
            tried("word-alone", Founding::Trust, 0, 0.0, &mut blocks),
            tried("kin-dacd51-dip", Founding::Trial, 60, 0.006, &mut blocks),
            tried("on-paper", Founding::Paper, 2, 0.006, &mut blocks),
        ];
        assert!(all[0].evidence() >= 20.0 && all[3].evidence() >= 20.0, "{} {}", all[0].evidence(), all[3].evidence());
        let names = |told: Vec<RuleToTell>| told.into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names(rules_to_tell(&all, |_| false)), ["stronger", "shown"]);
        assert_eq!(names(rules_to_tell(&all, |name| name == "stronger")), ["shown"], "once");
        let told = rules_to_tell(&all, |_| false).remove(1);
        assert_eq!((told.shown.trips, told.shown.mean_ppm), (60, 6_000));
        let heard = SiblingRule::read(golem("elm"), &told.text, told.shown).expect("a book takes it");
        assert!(heard.rule.means(&all[0].rule) && SiblingRule::is_named(&heard.rule.name), "{}", heard.rule.name);
        let many: Vec<Tried> =
            (0..9).map(|at| tried(&format!("rule-{at}"), Founding::Trial, 60, 0.006, &mut blocks)).collect();
        let one_batch = rules_to_tell(&many, |_| false);
        assert_eq!(names(one_batch.clone()), ["rule-0", "rule-1", "rule-2", "rule-3"], "of equals the oldest");
        let mut news = CladeNews::default();
        assert!(news.has_room_for_rules(one_batch.len()), "a batch is heard in a tick");
        news.rules.push(heard);
        assert!(!news.has_room_for_rules(one_batch.len()), "and a second waits for the next");
    }

    /// P-075: only what a book would take is a rule, one at a time.
    #[test]
    fn p_075_what_no_book_takes_is_no_rule() {
        let shown = RuleShown { trips: 1, evidence: 1, mean_ppm: 0 };
        let two = format!("{DIP}\n\n### second\n\n- when: gas > 1\n- do: no entries");
        for wrong in [
            "",
            "### dip",
            "### dip\n\n- when: moon\n- do: hold 40%",
            "### dip\n\n- when: gas > 1\n- do: send 0xdead",
            &two,
        ] {
            assert_eq!(SiblingRule::read(golem("elm"), wrong, shown), None, "{wrong}");
        }
        let long = DIP.replace("### dip", &format!("### {}", "a".repeat(48)));
        let rule = SiblingRule::read(golem("elm"), &long, shown).expect("a rule").rule;
        let again = format!("# One\n\n{rule}\n").parse::<golem_playbook::Book>();
        assert!(rule.name.len() <= 48 && again.is_ok(), "its name stays one: {}", rule.name);
        let other = DIP.replace("### dip", &format!("### {}b", "a".repeat(47)));
        let other = SiblingRule::read(golem("elm"), &other, shown).expect("a rule").rule;
        assert_ne!(rule.name, other.name, "what was cut off tells them apart");
    }

    /// S-127, I-110: what was shared and answered counts for three days, deaths are new once, and siblings nobody counted are unknown.
    #[test]
    fn s_127_silence_is_counted_over_three_days() {
        let alone = SharingFacts {
            shares: 0,
            acks: 0,
            acked_share_at: None,
            owner_at: None,
            born_at: UtcTime::EPOCH,
            siblings: Reading::Off,
        };
        let mut kin = Kinship::default();
        let shared_at = UtcTime::from_seconds(3_600);
        let answer = Acknowledged { golem: golem("elm"), what: "dip".to_owned(), is_upheld: true, shared_at };
        let death = SiblingDeath { golem: golem("ash"), cause: CauseKind::Economic, overlap: Ppm::ONE };
        let news = CladeNews {
            through: 7,
            siblings: Some(2),
            shared: 5,
            acknowledged: vec![answer],
            deaths: vec![death.clone(), death.clone()],
            ..CladeNews::default()
        };
        let input = TickInput::quiet(Tick::new(1), UtcTime::from_seconds(7_200), Chance::default());
        let mut at_two = Pass::new(&input, Box::default());
        assert_eq!(kin.hear(&news, &mut at_two), [&death], "once");
        assert!(
            kin.hear(&CladeNews { shared: 0, acknowledged: Vec::new(), ..news }, &mut at_two).is_empty(),
            "and never again"
        );
        assert_eq!(kin.through, 7);
        let facts = kin.sharing(alone, UtcTime::from_seconds(7_200 + 71 * 3_600));
        assert_eq!((facts.shares, facts.acks, facts.siblings), (5, 1, Reading::Known(2)));
        assert_eq!(facts.acked_share_at, Some(shared_at));
        let later = kin.sharing(alone, UtcTime::from_seconds(7_200 + 72 * 3_600));
        assert_eq!((later.shares, later.acks), (0, 0));
        pass(&mut kin, 100, &CladeNews::default(), &[]);
        assert_eq!(kin.sharing(alone, UtcTime::from_seconds(360_000)).siblings, Reading::Unknown);
        pass(&mut kin, 101, &CladeNews { siblings: Some(0), ..CladeNews::default() }, &[]);
        assert_eq!(kin.sharing(alone, UtcTime::from_seconds(363_600)).siblings, Reading::Off, "nobody but its owner");
    }
}
