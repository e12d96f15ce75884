//! PLAYBOOK.md: one pen, a text people read, and every version readable again.

use std::collections::BTreeSet;

use golem_grimoire::confidence::{Confidence, Votes};
use golem_grimoire::event::GrimoireEvent;
use golem_grimoire::id::{EntryId, EpisodeId};
use golem_grimoire::kind::Kind;
use golem_grimoire::playbook::{
    Edit, EditError, Holder, PenError, Playbook, RuleSection, Writership, WrittenRule, WrittenRuleChange,
};
use golem_grimoire::provenance::Provenance;
use golem_grimoire::reflection::ReflectionLaw;
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::{Change, Grimoire};
use golem_mortality::phase::Phase;
use golem_primitives::{Ppm, UtcTime};
use proptest::prelude::*;

use crate::make::{START, add_active, draft, golem, id, moment};

const DREAMING: Writership = Writership { dreams: true, is_dying: false, phase: Phase::Stable };

fn episode(name: &str) -> EpisodeId {
    EpisodeId::derive(UtcTime::from_seconds(START), &golem(), name.as_bytes())
}

fn rule(name: &str) -> WrittenRule {
    WrittenRule {
        id: id(name),
        when: format!("gas is above {name} gwei"),
        act: "wait 3 ticks".into(),
        because: "gas falls within 2 blocks".into(),
        confidence: Confidence::of(750_000),
        regime: Some(Regime::Bull),
        evidence: BTreeSet::from([episode("e")]),
        open_question: None,
    }
}

fn put(name: &str) -> Edit {
    Edit::Put { section: RuleSection::Global, rule: rule(name) }
}

fn written(edits: &[Edit]) -> Playbook {
    let mut playbook = Playbook::default();
    playbook.pen(Holder::Integration, DREAMING).expect("the writer").commit("c1", edits).expect("whole");
    playbook
}

fn of_names(names: impl Iterator<Item = u32>) -> Playbook {
    written(&names.map(|n| put(&n.to_string())).collect::<Vec<_>>())
}

/// G-158, G-165: one writer at a time, by the law and not by choice.
#[test]
fn g_158_there_is_one_writer() {
    for (writership, holder) in [
        (DREAMING, Holder::Integration),
        (Writership { dreams: false, ..DREAMING }, Holder::Curator),
        (Writership { is_dying: true, ..DREAMING }, Holder::DeathProtocol),
        (Writership { is_dying: true, dreams: false, phase: Phase::Terminal }, Holder::DeathProtocol),
    ] {
        for asked in Holder::ALL {
            let mut playbook = Playbook::default();
            let lent = playbook.pen(*asked, writership).map(|pen| pen.holder());
            let expected =
                if *asked == holder { Ok(holder) } else { Err(PenError::NotTheWriter { holder, asked: *asked }) };
            assert_eq!(lent, expected, "{writership:?} {asked}");
        }
    }
    for phase in [Phase::Declining, Phase::Terminal] {
        let frozen = Playbook::default().pen(Holder::Integration, Writership { phase, ..DREAMING }).map(|_| ());
        assert_eq!(frozen, Err(PenError::Frozen { phase }), "G-165");
    }
}

/// G-162, G-165: an edit names its cycle and its evidence; each commit is a version, all of it or none.
#[test]
fn g_162_edits_name_their_cycle_and_evidence() {
    let mut playbook = Playbook::default();
    let mut pen = playbook.pen(Holder::Integration, DREAMING).expect("the writer");
    assert_eq!(pen.commit(" ", &[put("40")]), Err(EditError::NoCycle));
    let bare =
        Edit::Put { section: RuleSection::Global, rule: WrittenRule { evidence: BTreeSet::new(), ..rule("40") } };
    assert_eq!(pen.commit("c1", &[put("1"), bare]), Err(EditError::NoEvidence { id: id("40") }));
    let empty = Edit::Put { section: RuleSection::Global, rule: WrittenRule { act: "\n".into(), ..rule("40") } };
    assert_eq!(pen.commit("c1", &[empty]), Err(EditError::Incomplete { id: id("40") }), "G-157");
    assert_eq!(pen.commit("c1", &[Edit::Strike { id: id("9") }]), Err(EditError::Unknown { id: id("9") }));
    let revision = pen.commit("c1", &[put("40")]).expect("whole").expect("a change");
    assert_eq!(revision.before, Playbook::default(), "none of the refused commits happened");
    assert_eq!(revision.event, GrimoireEvent::PlaybookEvolved { edits: 1, cycle: "c1".into() });
    assert_eq!(pen.commit("c2", &[put("40")]), Ok(None), "what changes nothing is no version");
    assert_eq!(playbook.version(), 1);
}

/// G-157, G-159, G-160, G-166: what a person reads: what to do when, why, and what nobody knows of it yet.
#[test]
fn g_160_the_document_reads_like_this() {
    let strategy = Edit::Put {
        section: RuleSection::Strategy("lp-eth".into()),
        rule: WrittenRule { regime: None, open_question: Some("why at\n night?".into()), ..rule("50") },
    };
    let playbook = written(&[strategy, put("40")]);
    let expected = format!(
        "# PLAYBOOK\n\nVersion: 1\n\n## Global\n\n### {}\n\n- When: gas is above 40 gwei\n- Do: wait 3 ticks\n\
         - Because: gas falls within 2 blocks\n- Confidence: 0.75\n- Regime: bull\n- Evidence: {e}\n\n\
         ## Strategy: lp-eth\n\n### {}\n\n- When: gas is above 50 gwei\n- Do: wait 3 ticks\n\
         - Because: gas falls within 2 blocks\n- Confidence: 0.75\n- Regime: any\n- Evidence: {e}\n\
         - Open question: why at night?\n",
        id("40"),
        id("50"),
        e = episode("e")
    );
    assert_eq!(playbook.to_string(), expected);
    assert_eq!(expected.parse(), Ok(playbook));
}

/// G-159: what no writer wrote is refused by line.
#[test]
fn g_159_broken_documents_are_refused_by_line() {
    let head = format!("# PLAYBOOK\n\n## Global\n\n### {}\n\n", id("40"));
    for (text, line, problem) in [
        (String::new(), 1, "begin"),
        ("# Notes\n".into(), 1, "begin"),
        ("# PLAYBOOK\nVersion: x\n".into(), 2, "whole number"),
        ("# PLAYBOOK\n\n## Other\n".into(), 3, "section"),
        (format!("# PLAYBOOK\n### {}\n", id("40")), 2, "outside"),
        ("# PLAYBOOK\n- When: x\n".into(), 2, "outside"),
        ("# PLAYBOOK\n## Global\n### rule\n".into(), 3, "id"),
        (head.clone(), 5, "When"),
        (format!("{head}- When: a\n- Do: b\n- Confidence: 7\n"), 9, "confidence"),
        (format!("{head}- When: a\n- Do: b\n- Confidence: 0.7\n- Regime: moon\n"), 10, "regime"),
        (format!("{head}- When: a\n- Do: b\n- Confidence: 0.7\n- Evidence: x\n"), 10, "episode"),
        (format!("{head}- Colour: red\n"), 7, "field"),
        (format!("{head}- When:\n"), 7, "empty"),
        (format!("{head}free text\n"), 7, "neither"),
        (format!("{head}- When: a\n- Do: b\n- Confidence: 0.7\n### {}\n", id("40")), 10, "twice"),
    ] {
        let error = text.parse::<Playbook>().expect_err(&text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.problem.contains(problem), "{text}: {error}");
    }
}

/// G-163, G-169: W37.
#[test]
fn g_169_divergence_meets_w37() {
    let inherited = of_names(0..20);
    let least = ReflectionLaw::default().least_divergence;
    let far = of_names(3..25);
    assert_eq!(inherited.divergence(&far), Ppm::of(320_000), "W37");
    assert!(inherited.divergence(&far) >= least, "W37 pass");
    let near = of_names(1..21);
    assert_eq!(inherited.divergence(&near), Ppm::of(95_238), "W37");
    assert!(inherited.divergence(&near) < least, "W37 fail");
    assert_eq!(Playbook::default().divergence(&Playbook::default()), Ppm::ZERO);
    let respelled = written(&[Edit::Put {
        section: RuleSection::Global,
        rule: WrittenRule { when: "  GAS is  above 0 gwei".into(), id: id("other"), ..rule("0") },
    }]);
    assert_eq!(of_names(0..1).divergence(&respelled), Ppm::ZERO, "spelling is no difference");
}

/// G-163, G-168: marked as it is with its last edits, in a version of its own; not stopped.
#[test]
fn g_168_low_divergence_is_marked_and_kept() {
    let mut playbook = of_names(0..2);
    let dying = Writership { is_dying: true, ..DREAMING };
    let is_short = |final_one: &Playbook| final_one.rules().count() < 2;
    let mut close = |edits: &[Edit]| {
        let mut pen = playbook.pen(Holder::DeathProtocol, dying).expect("the writer");
        let is_written = pen.close("death", edits, is_short).expect("whole").is_some();
        (is_written, playbook.version(), playbook.is_low_divergence())
    };
    assert_eq!(close(&[]), (false, 1, false), "nothing to say");
    assert_eq!(close(&[Edit::Strike { id: id("0") }]), (true, 2, true), "asked of what is left");
    assert_eq!(close(&[put("7")]), (true, 3, false));
    assert_eq!(close(&[Edit::Strike { id: id("7") }]), (true, 4, true));
    assert_eq!(playbook.to_string().parse(), Ok(playbook));
    let mut unmarked = of_names(0..1);
    let marked = unmarked.pen(Holder::DeathProtocol, dying).expect("the writer").close("death", &[], is_short);
    assert!(marked.expect("whole").is_some(), "the mark alone is a version");
}

/// G-165: what changed over time.
#[test]
fn g_165_versions_can_be_compared() {
    let before = of_names(0..3);
    let mut after = before.clone();
    let rewritten =
        Edit::Put { section: RuleSection::Global, rule: WrittenRule { act: "wait 9 ticks".into(), ..rule("1") } };
    let edits = [Edit::Strike { id: id("0") }, rewritten, put("7")];
    after.pen(Holder::Integration, DREAMING).expect("the writer").commit("c2", &edits).expect("whole");
    let changes: BTreeSet<WrittenRuleChange> = after.changes_since(&before).into_iter().collect();
    let expected = [
        WrittenRuleChange::Struck(id("0")),
        WrittenRuleChange::Rewritten(id("1")),
        WrittenRuleChange::Written(id("7")),
    ];
    assert_eq!(changes, BTreeSet::from(expected));
    assert!(after.changes_since(&after).is_empty());
}

/// G-145, G-146, G-161, G-166: worthy heuristics in, with their reason and the first thing they leave open; those that fell out.
#[test]
fn g_161_the_grimoire_proposes() {
    let now = moment(50, 0.0);
    let mut grimoire = Grimoire::default();
    let mut heuristic = draft(Kind::Heuristic, Provenance::Own);
    heuristic.parents = BTreeSet::from([episode("e")]);
    heuristic.tags = BTreeSet::from(["strategy:lp-eth".to_owned()]);
    heuristic.gaps = vec!["does it  hold at night?".to_owned(), "and in winter?".to_owned()];
    add_active(&mut grimoire, "a", heuristic, now);
    let mut playbook = Playbook::default();
    assert!(playbook.wanted_edits(&grimoire).is_empty(), "a fresh 0.7 does not jump in");
    grimoire.apply(Change::Vote { id: id("a"), votes: Votes { up: 10, down: 0 } }, now).expect("alive");
    let wanted = playbook.wanted_edits(&grimoire);
    let [Edit::Put { section: RuleSection::Strategy(name), rule }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!((name.as_str(), rule.because.as_str()), ("lp-eth", "gas falls within 2 blocks"));
    assert_eq!(rule.open_question.as_deref(), Some("does it hold at night?"), "G-166");
    playbook.pen(Holder::Integration, DREAMING).expect("the writer").commit("c1", &wanted).expect("whole");
    assert!(playbook.wanted_edits(&grimoire).is_empty(), "in line");
    grimoire.apply(Change::Demote { id: id("a") }, now).expect("active");
    assert_eq!(playbook.wanted_edits(&grimoire), [Edit::Strike { id: id("a") }]);
}

fn any_rule() -> impl Strategy<Value = (RuleSection, WrittenRule)> {
    let text = "[a-zA-Z0-9:#,. -]{0,12}[a-z]";
    let section = prop_oneof![Just(RuleSection::Global), "[a-z][a-z -]{0,8}".prop_map(RuleSection::Strategy)];
    let regime = prop::option::of(prop::sample::select(Regime::ALL));
    (section, text, text, "[ -~]{0,20}", 0u32..=1_000_000, regime, prop::option::of("[ -~]{0,20}"), 0u32..9).prop_map(
        |(section, when, act, because, parts, regime, open_question, n)| {
            let rule = WrittenRule {
                id: id(&n.to_string()),
                when,
                act,
                because,
                confidence: Confidence::of(parts),
                regime,
                evidence: (0..=n % 3).map(|e| episode(&e.to_string())).collect(),
                open_question,
            };
            (section, rule)
        },
    )
}

proptest! {
    /// G-159, G-160: whatever is committed is read back as it was, and ids stay unique.
    #[test]
    fn g_160_documents_round_trip(rules in prop::collection::vec(any_rule(), 0..8), low: bool) {
        let edits: Vec<Edit> = rules.into_iter().map(|(section, rule)| Edit::Put { section, rule }).collect();
        let mut playbook = written(&edits);
        playbook.pen(Holder::Integration, DREAMING).expect("the writer").close("end", &[], |_| low).expect("whole");
        let ids: Vec<EntryId> = playbook.rules().map(|(_, rule)| rule.id).collect();
        prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        prop_assert_eq!(playbook.to_string().parse::<Playbook>(), Ok(playbook));
    }

    /// G-159: no text breaks the reader.
    #[test]
    fn g_159_any_text_is_read_or_refused(text in "(# PLAYBOOK\n)?[ -~\n]{0,200}") {
        let _ = text.parse::<Playbook>();
    }
}
