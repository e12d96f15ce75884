//! What a life makes of its siblings' rules and moods.

use golem_core::record::{AffectTemper, CladeNews, Event, Observation, RuleShown, Searcher, SiblingRule, Temper};
use golem_daimon::Pad;
use golem_daimon::personality::{Disposition, Personality};
use golem_playbook::promotion::{Origin, Standing};
use golem_primitives::GolemId;

use crate::venue::Venue;

const DIP: &str = "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%\n- until: since >= 30 or gain <= -1%\n- expects: +0.8% within 100";
const SHOWN: RuleShown = RuleShown { trips: 900, evidence: 1_000_000, mean_ppm: 50_000 };

pub(crate) fn hear(venue: &mut Venue, news: CladeNews) {
    venue.tick_seeing(Observation::Clade(Box::new(news)));
}

fn told(golem: &str, text: &str) -> SiblingRule {
    SiblingRule::read(GolemId::new(golem).expect("a name"), text, SHOWN).expect("a rule")
}

/// P-075: whatever a sibling says that its rule has shown, it is a candidate on paper here and moves nothing; told by two siblings it
/// is tried once.
#[test]
fn p_075_a_siblings_rule_is_tried_like_a_strangers() {
    let mut venue = Venue::new("mean-reversion");
    venue.run(20);
    let rules = vec![told("ash", DIP), told("elm", DIP)];
    hear(&mut venue, CladeNews { rules, ..CladeNews::default() });
    venue.run(2);
    let staged = |event: &Event| matches!(event, Event::BookSearched { by: Searcher::Sibling, staged: 1 });
    assert_eq!(venue.told(staged), 1, "{:?}", venue.events);
    let kin: Vec<_> = venue.hand().tried().iter().filter(|tried| tried.rule.name.starts_with("kin-")).collect();
    let [tried] = kin.as_slice() else { panic!("{kin:?}") };
    assert!(tried.standing() == Standing::Paper && tried.origin() == Origin::Candidate);
    assert!(tried.trips() == 0 && tried.evidence() <= 1.0, "what it showed elsewhere is nothing here");
    let kinship = venue.life.kinship().expect("it heard");
    assert!(kinship.borrowed().any(|one| one.rule == "kin-ash-dip" && one.theirs == "dip"));
}

/// moods that come with what is shared are caught, within a third, and fade.
#[test]
fn a_095_moods_of_siblings_are_caught() {
    let affect = Some(AffectTemper::of(Personality::plain(Disposition::Balanced)));
    let mut venue = Venue { temper: Some(Temper { affect, ..Temper::NONE }), ..Venue::new("mean-reversion") };
    venue.run(30);
    let mood = |venue: &Venue| venue.life.affect().expect("a mood").mood(venue.now());
    let calm = mood(&venue);
    hear(&mut venue, CladeNews { moods: vec![Pad::thousandths(-900, 600, 0)], ..CladeNews::default() });
    let caught = mood(&venue);
    assert!(caught.pleasure() < calm.pleasure() - 0.1 && caught.arousal() > calm.arousal() + 0.05, "{calm} {caught}");
    assert!(
        venue.life.affect().expect("a mood").own_mood().pleasure() > caught.pleasure() + 0.1,
        "A-096: it is not passed on"
    );
}
