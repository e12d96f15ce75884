//! Links that looks count, on the Curator's desk.

use golem_grimoire::curator::CountedLink;
use golem_grimoire::entry::{Knowledge, Method};
use golem_grimoire::id::Moment;
use golem_grimoire::kind::{CausalBasis, CausalLink, Domain, EntryBody, Kind};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::share::{Giving, may_push};
use golem_grimoire::shelf::{Change, Grimoire};
use golem_grimoire::status::{Entry, Status};
use golem_mortality::mode::Mode;
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, Tick, UtcTime};

use crate::cycle::Cycle;
use crate::make::{candidate, draft, id};

fn counted(upheld: u32, missed: u32) -> CountedLink {
    let link = CausalLink {
        cause: "gas".into(),
        effect: "price".into(),
        weight: Ppm::of(580_000),
        evidence: 4_000 + 200 * (upheld + missed),
        lag_ticks: 16,
        is_alike: false,
        last_fired: Tick::new(50),
        basis: CausalBasis::Associational,
        mechanism: None,
    };
    CountedLink { link, domain: Domain::PriceDirection, upheld, missed }
}

fn at(cycle: u64) -> Moment {
    Moment::new(Tick::new(50 * cycle), UtcTime::from_seconds(1_767_225_600 + 2_000 * cycle))
}

fn after(grimoire: Grimoire, cycle: u64, links: Option<Vec<CountedLink>>) -> Grimoire {
    Cycle { links, ..Cycle::new(grimoire, at(cycle)) }.run().grimoire
}

fn only(grimoire: &Grimoire) -> (&Entry, &Knowledge) {
    let entry = grimoire.entries().next().expect("one");
    assert_eq!(grimoire.entries().count(), 1);
    (entry, entry.knowledge().expect("not burned"))
}

/// G-128, G-132, G-133: what is counted stands at the gate and is kept; later looks vote once each, and what they counted is in
/// its numbers. It is pushed once they spoke for it.
#[test]
fn g_132_later_looks_vote_once_on_a_link() {
    let grimoire = after(Grimoire::default(), 1, Some(vec![counted(0, 0)]));
    let giving = Giving::of(Phase::Thriving, Mode::Hosted);
    let (entry, knowledge) = only(&grimoire);
    assert_eq!((entry.status(), &knowledge.draft.method), (Status::Active, &Method::Looks));
    assert_eq!(knowledge.draft.domain, Domain::PriceDirection);
    assert_eq!(knowledge.draft.content, "Where gas goes, price goes the other way within 16 ticks.");
    assert!(!may_push(entry, giving), "G-133");
    let before = knowledge.confidence;
    let grimoire = after(grimoire, 2, Some(vec![counted(1, 0)]));
    let (entry, knowledge) = only(&grimoire);
    assert!(knowledge.confidence > before && may_push(entry, giving));
    let EntryBody::CausalLink(link) = &knowledge.draft.body else { panic!("{knowledge:?}") };
    assert_eq!((knowledge.validated, knowledge.contradicted, link.evidence), (1, 0, 4_200));
    let heard = knowledge.confidence;
    let grimoire = after(grimoire, 3, Some(vec![counted(1, 0)]));
    assert_eq!(only(&grimoire).1.confidence, heard, "said again it is no more");
    let grimoire = after(grimoire, 4, Some(vec![counted(1, 2)]));
    let (_, knowledge) = only(&grimoire);
    assert!(knowledge.confidence < heard && (knowledge.validated, knowledge.contradicted) == (1, 2));
}

/// G-031, G-069: what is counted no longer rests and is not burned; counted again it comes back. Where nobody counts, nothing is
/// said of links.
#[test]
fn g_031_a_link_that_is_over_rests_until_it_is_seen_again() {
    let known = after(Grimoire::default(), 1, Some(vec![counted(3, 0)]));
    let known = after(known, 2, Some(vec![counted(3, 0)]));
    assert_eq!(only(&after(known.clone(), 3, None)).0.status(), Status::Active);
    let at_rest = after(known, 3, Some(Vec::new()));
    assert_eq!(only(&at_rest).0.status(), Status::Archived);
    let still = after(at_rest, 4, Some(vec![counted(3, 3)]));
    assert_eq!(
        (only(&still).0.status(), only(&still).1.validated),
        (Status::Archived, 3),
        "nothing spoke for it since"
    );
    let back = after(still, 5, Some(vec![counted(4, 3)]));
    assert_eq!((only(&back).0.status(), only(&back).1.validated), (Status::Active, 4));
}

/// G-031, G-147: a link that looks only contradicted rests; it is not burned and learnt anew while they count it.
#[test]
fn g_147_a_link_is_not_burned_for_its_misses() {
    let grimoire = (0..8).fold(Grimoire::default(), |grimoire, missed| {
        after(grimoire, u64::from(missed) + 1, Some(vec![counted(0, missed)]))
    });
    let (entry, knowledge) = only(&grimoire);
    assert_eq!((entry.status(), knowledge.validated, knowledge.contradicted), (Status::Archived, 0, 3));
}

/// G-134: handed down a link weighs three tenths and is an association, whatever it weighed and rested on; what it says stays.
#[test]
fn g_134_an_heir_is_told_a_link_at_three_tenths() {
    let link = CausalLink { basis: CausalBasis::Intervention, ..counted(5, 0).link };
    let heard = link.inherited();
    assert_eq!((heard.weight, heard.basis), (Ppm::of(300_000), CausalBasis::Associational));
    assert!(heard.says_the_same(&link) && heard.evidence == link.evidence);
}

/// G-134, I-362: what a line says is counted on like one's own, and one that nobody counts here is left alone.
#[test]
fn g_134_an_inherited_link_is_counted_by_its_heir() {
    let mut grimoire = Grimoire::default();
    let mut inherited = draft(Kind::CausalLink, Provenance::Inheritance);
    let told = CausalLink { mechanism: Some("bots race".into()), ..counted(0, 0).link };
    inherited.body = EntryBody::CausalLink(told.clone());
    let now = at(1);
    grimoire.apply(Change::Add(Box::new(candidate("inherited", inherited, now))), now).expect("new");
    let other = draft(Kind::CausalLink, Provenance::Clade);
    grimoire.apply(Change::Add(Box::new(candidate("sibling", other, now))), now).expect("new");
    let known = |grimoire: &Grimoire| grimoire.get(id("inherited")).and_then(Entry::knowledge).cloned().expect("there");
    let mut unseen = counted(0, 0);
    (unseen.link.weight, unseen.link.evidence) = (Ppm::ZERO, 0);
    let grimoire = after(grimoire, 2, Some(vec![unseen]));
    assert_eq!(known(&grimoire).draft.body, EntryBody::CausalLink(told), "until it is seen here it is as it was told");
    let grimoire = after(grimoire, 2, Some(vec![counted(2, 1)]));
    let entry = known(&grimoire);
    assert_eq!((entry.validated, entry.contradicted), (2, 1));
    let EntryBody::CausalLink(link) = entry.draft.body else { panic!("a link") };
    assert_eq!(link.evidence, 4_600, "now its own looks are its numbers");
    assert_eq!(link.mechanism.as_deref(), Some("bots race"), "looks count, and do not know why");
    let grimoire = after(grimoire, 3, Some(Vec::new()));
    let status = |name: &str| grimoire.get(id(name)).map(Entry::status);
    assert_eq!((status("inherited"), status("sibling")), (Some(Status::Archived), Some(Status::Candidate)));
}
