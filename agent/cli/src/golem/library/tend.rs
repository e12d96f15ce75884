//! `bardo grave library tend`: what an owner's Golems proved between them, put in order (I-181, I-240, I-243, I-245,
//! I-250, I-251).

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use clap::Args;
use eyre::Result;
use golem_grimoire::id::EntryId;
use golem_grimoire::thesis::Thesis;
use golem_inheritance::baldwin::joins_default_bundle;
use golem_inheritance::genome::GenomeEntry;
use golem_inheritance::library::bundle::{BATTLE_TESTED, Battles, Contribution, is_proposed};
use golem_inheritance::library::inflow::{self, Channel, merged, overflows};
use golem_primitives::{Address, GolemId, Ppm};
use golem_runtime::Kin;
use golem_view::{DefaultJoined, JoinedPicture, Shown as _, TendedPicture};

use super::alike::Likeness;
use super::inflow::as_kept;
use super::kept::{Kept, all, demoted, entry_path, validators};
use super::{equipped, named};
use crate::golem::home::Home;
use crate::golem::look;
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct TendArguments {
    #[command(flatten)]
    home: Home,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// Puts the library in order. Doing it again changes nothing.
pub(crate) async fn tend(home: &Home) -> Result<TendedPicture> {
    let mut tended = TendedPicture { overflowed: overflow(home, proofs(home)?)?, ..TendedPicture::default() };
    // What was bought counts for nobody here and pushes out nothing of one's own.
    let kept: Vec<Kept> = all(home)?.into_iter().filter(|one| !one.is_bought()).collect();
    let settings = home.all()?.into_iter().find_map(|folder| folder.settings().ok());
    let likeness = Likeness::of(kept.iter().map(|one| one.entry.content.as_str()), settings.as_ref()).await;
    tended.proposed = propose(home, &kept, &likeness)?;
    tended.joined = join(home, kept, &likeness)?;
    for mut one in all(home)? {
        battle(home, &mut one, &mut tended)?;
    }
    tended.contradicted = demoted(home, &all(home)?)?.into_iter().collect();
    Ok(tended)
}

/// I-245. What the owner should hear of.
pub(crate) fn show(tended: &TendedPicture) {
    let say = |count: usize, words: &str| {
        if count > 0 {
            println!("{count} {words}");
        }
    };
    say(tended.overflowed.len(), "entries came into the library: three of your Golems proved each of them");
    say(tended.joined.len(), "doubles were joined with what says the same and is better");
    for id in &tended.battle_tested {
        println!("{id} is battle-tested: five Golems proved it");
    }
    for DefaultJoined { bundle, entry: id } in &tended.defaults {
        println!("{id} joined the bundle {bundle}");
    }
    for name in &tended.proposed {
        println!("the bundle {name} is proposed; `bardo grave library bundle show {name}`");
    }
    for id in &tended.contradicted {
        println!(
            "{id} was contradicted by two of your Golems and comes after the others; \
             `bardo grave library show {id}` tells by whom, `remove` forgets it"
        );
    }
}

impl TendArguments {
    pub(super) async fn run(&self) -> Result<ExitCode> {
        let tended = tend(&self.home).await?;
        if self.json {
            screen::tell(&tended.json());
        } else if tended == TendedPicture::default() {
            println!("The library is in order.");
        } else {
            show(&tended);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// An entry that one Golem proved for itself.
pub(super) struct Proven {
    pub(super) kin: Kin,
    pub(super) golem: GolemId,
    pub(super) entry: GenomeEntry,
}

/// What each Golem of this machine proved by its own episodes, by owner and claim.
type Proofs = BTreeMap<(Address, Thesis), Vec<Proven>>;

fn proofs(home: &Home) -> Result<Proofs> {
    let mut proven = Proofs::new();
    for folder in home.all()? {
        let Ok(birth) = folder.birth() else { continue };
        let Ok(reader) = look::reader(&folder) else { continue };
        for active in reader.grimoire()?.active() {
            let known = active.knowledge();
            let Some(thesis) = Thesis::of(&known.draft).filter(|_| known.validated > known.contradicted) else {
                continue;
            };
            let (kin, golem) = (birth.kin(), birth.golem());
            proven.entry((birth.owner, thesis)).or_default().push(Proven { kin, golem, entry: as_kept(known) });
        }
    }
    Ok(proven)
}

/// I-240. What three Golems of one owner proved comes in by itself; of what is kept already it is noted who proved it.
fn overflow(home: &Home, proven: Proofs) -> Result<Vec<EntryId>> {
    let mut came = Vec::new();
    for mut by in proven.into_values() {
        let golems: BTreeSet<GolemId> = by.iter().map(|one| one.golem).collect();
        if !overflows(u32::try_from(golems.len()).unwrap_or(u32::MAX)) {
            continue;
        }
        let known = by.iter().find(|one| entry_path(home, one.entry.id).exists());
        if let Some(known) = known {
            let mut kept = super::kept::read(&entry_path(home, known.entry.id))?;
            if !golems.is_subset(&kept.proved_by) {
                kept.proved_by.extend(golems);
                kept.write(home)?;
            }
            continue;
        }
        by.sort_by_key(|one| (std::cmp::Reverse(one.entry.bequeathed), one.entry.id));
        let Some(best) = by.into_iter().next() else { continue };
        let mut kept = Kept::by(Channel::CladeOverflow, &best.kin, best.golem, best.entry);
        kept.proved_by = golems;
        kept.write(home)?;
        came.push(kept.entry.id);
    }
    Ok(came)
}

/// I-250. Entries of three Golems that are alike and were confirmed within a week propose a bundle.
fn propose(home: &Home, kept: &[Kept], likeness: &Likeness) -> Result<Vec<String>> {
    let mut proposed = Vec::new();
    for one in kept {
        let near = kept.iter().map(|other| (likeness.between(&one.entry, &other.entry), other));
        let alike: Vec<(Ppm, &Kept)> = near.filter(|(near, _)| *near > Ppm::of(850_000)).collect();
        let least = alike.iter().map(|(near, _)| *near).min().unwrap_or(Ppm::ZERO);
        let of = |other: &Kept| Contribution {
            entry: other.entry.id,
            golem: other.golem,
            at: other.entry.last_validated.at,
        };
        let contributions: Vec<Contribution> = alike.iter().map(|(_, other)| of(other)).collect();
        let entries: BTreeSet<EntryId> = contributions.iter().map(|one| one.entry).collect();
        // Each group is proposed once, by the first of it.
        if entries.first() != Some(&one.entry.id) || !is_proposed(&contributions, least) {
            continue;
        }
        let name = format!("{}{}", named::PROPOSED, &one.entry.id.to_string()[24..]);
        if named::make(home, &name, &format!("what {} Golems found alike", contributions.len()), entries)? {
            proposed.push(name);
        }
    }
    Ok(proposed)
}

/// I-243. Joins doubles: the better stays, and who proved or was given the other counts for it.
fn join(home: &Home, mut kept: Vec<Kept>, likeness: &Likeness) -> Result<Vec<JoinedPicture>> {
    let measure = |one: &Kept| inflow::Kept {
        quality: one.entry.quality,
        confidence: one.entry.bequeathed,
        validated: u32::try_from(one.proved_by.len()).unwrap_or(u32::MAX),
        contradicted: 0,
    };
    let mut joined = Vec::new();
    let mut at = 0;
    while at < kept.len() {
        let double = (at + 1..kept.len()).find(|other| {
            let cosine = likeness.between(&kept[at].entry, &kept[*other].entry);
            merged(measure(&kept[at]), measure(&kept[*other]), cosine).is_some()
        });
        let Some(other) = double else {
            at += 1;
            continue;
        };
        let second = kept.remove(other);
        let (a, b) = (measure(&kept[at]), measure(&second));
        let (mut stays, goes) = if (a.quality, a.confidence) >= (b.quality, b.confidence) {
            (kept[at].clone(), second)
        } else {
            (second, kept[at].clone())
        };
        stays.proved_by.extend(goes.proved_by.iter().copied().chain([goes.golem]));
        stays.joined.extend(goes.joined.iter().copied().chain([goes.entry.id]));
        stays.write(home)?;
        equipped::hand_over(home, goes.entry.id, stays.entry.id)?;
        std::fs::remove_file(entry_path(home, goes.entry.id))?;
        joined.push(JoinedPicture { gone: goes.entry.id, stays: stays.entry.id });
        kept[at] = stays;
    }
    Ok(joined)
}

/// I-251, I-181. The fifth Golem that proves an entry makes it battle-tested, once, and a part of its strategy's default
/// bundle.
fn battle(home: &Home, one: &mut Kept, tended: &mut TendedPicture) -> Result<()> {
    let outcomes = equipped::outcomes(home, one.entry.id)?;
    let golems = validators(home, one, &outcomes);
    let mut battles = Battles::default();
    let mut worth = one.entry.bequeathed;
    for golem in &golems {
        worth = battles.validated(one.entry.id, *golem, worth);
    }
    if battles.is_battle_tested(one.entry.id) && !one.is_battle_tested() {
        one.entry.bequeathed = worth;
        one.entry.tags.insert(BATTLE_TESTED.to_owned());
        one.write(home)?;
        tended.battle_tested.push(one.entry.id);
    }
    let tool = one.entry.claim.as_ref().map(|claim| claim.key.tool.split('/').next().unwrap_or_default().to_owned());
    let name = format!("default-{}", tool.filter(|tool| !tool.is_empty()).unwrap_or_else(|| "any".to_owned()));
    if joins_default_bundle(u32::try_from(golems.len()).unwrap_or(u32::MAX)) && named::join(home, &name, one.entry.id)?
    {
        tended.defaults.push(DefaultJoined { bundle: name, entry: one.entry.id });
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use golem_grimoire::confidence::Confidence;
    use golem_grimoire::entry::{Draft, Method};
    use golem_grimoire::finding::{Finding, PatternKey};
    use golem_grimoire::gate::{Admission, GateExcuse, GateReading, admit};
    use golem_grimoire::id::Moment;
    use golem_grimoire::kind::EntryBody;
    use golem_grimoire::provenance::Source;
    use golem_grimoire::regime::Regime;
    use golem_primitives::{Tick, UtcTime};

    use super::*;

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    fn id(nth: u32) -> EntryId {
        format!("00000000-0000-7000-8000-{nth:012x}").parse().expect("a UUID")
    }

    /// What one Golem counted of mean reversion, and what it would be kept as.
    pub(in crate::golem::library) fn proven(nth: u32, who: &str) -> (Thesis, Proven) {
        let key = PatternKey { tool: "mean-reversion".into(), chain: 8_453, pair: "WETH/USDC".into() };
        let (regime, trials, held) = (Some(Regime::Sideways), 20 + nth, 18 + nth);
        let finding = Finding { key, regime, trials, held, earned: None };
        let mut draft = Draft::new(&finding.statement(), EntryBody::Insight, Source::own(golem(who)), UtcTime::EPOCH);
        (draft.regime, draft.method) = (Some(Regime::Sideways), Method::Rules(finding));
        let thesis = Thesis::of(&draft).expect("counted");
        let reading = GateReading {
            utility: Ppm::ONE,
            factual: Ppm::ONE,
            recency: Ppm::ONE,
            nearest: None,
            known: 0,
            contradicts: None,
            occasion: GateExcuse::Ordinary,
        };
        let Admission::Admitted(known) = admit(id(nth), draft, &reading, Moment::new(Tick::new(1), UtcTime::EPOCH))
        else {
            panic!("it passes the gate")
        };
        let mut entry = as_kept(known.knowledge());
        entry.bequeathed = Confidence::of(700_000);
        (thesis, Proven { kin: Kin::default(), golem: golem(who), entry })
    }

    fn proofs_of(all: impl IntoIterator<Item = (u32, &'static str)>) -> Proofs {
        let mut proofs = Proofs::new();
        for (nth, who) in all {
            let (thesis, one) = proven(nth, who);
            proofs.entry((Address::ZERO, thesis)).or_default().push(one);
        }
        proofs
    }

    /// I-240, W-50: two Golems are not enough, three are; told again nothing comes in twice and nobody is forgotten.
    #[test]
    fn i_240_what_three_golems_proved_comes_in_by_itself() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        assert!(overflow(&home, proofs_of([(1, "ada"), (2, "bea")])).expect("read").is_empty());
        let three = [(1, "ada"), (2, "bea"), (3, "cyd")];
        let came = overflow(&home, proofs_of(three)).expect("kept");
        assert_eq!(came.len(), 1);
        assert!(overflow(&home, proofs_of(three)).expect("kept").is_empty(), "once");
        let kept = all(&home).expect("read");
        assert_eq!((kept.len(), kept[0].channel.as_str(), kept[0].proved_by.len()), (1, "clade_overflow", 3));
        assert!(kept[0].entry.tags.contains("clade"), "I-242");
    }

    /// I-243, I-251, I-181, W-39: doubles become one with everybody who proved either; the fifth Golem makes it
    /// battle-tested, a tenth better, once, and a part of its strategy's default bundle.
    #[tokio::test]
    async fn i_251_doubles_are_joined_and_the_fifth_golem_counts() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        for (nth, who, others) in [(1, "ada", ["bea", "cyd"]), (2, "dan", ["eve", "ada"])] {
            let (_, one) = proven(nth, who);
            let mut kept = Kept::by(Channel::LiveExport, &one.kin, one.golem, one.entry);
            kept.proved_by = others.map(golem).into();
            kept.write(&home).expect("written");
        }
        let tended = tend(&home).await.expect("tended");
        let [JoinedPicture { stays, .. }] = tended.joined[..] else { panic!("{tended:?}") };
        assert_eq!(tended.battle_tested, [stays], "ada, bea, cyd, dan and eve");
        let expected = DefaultJoined { bundle: "default-mean-reversion".to_owned(), entry: stays };
        assert_eq!(tended.defaults, [expected], "I-181");
        let kept = all(&home).expect("read");
        assert_eq!((kept.len(), kept[0].entry.bequeathed), (1, Confidence::of(770_000)), "W-39");
        assert!(kept[0].is_battle_tested() && kept[0].joined.len() == 1);
        assert_eq!(tend(&home).await.expect("tended"), TendedPicture::default(), "again it changes nothing");
    }

    /// I-250, W-50: three Golems that found alike within a week propose a bundle; nobody publishes what nobody validated.
    #[tokio::test]
    async fn i_250_three_golems_propose_a_bundle() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        for (nth, who) in [(1, "ada"), (2, "bea"), (3, "cyd")] {
            let (_, one) = proven(nth, who);
            Kept::by(Channel::LiveExport, &one.kin, one.golem, one.entry).write(&home).expect("written");
        }
        let tended = tend(&home).await.expect("tended");
        let [name] = &tended.proposed[..] else { panic!("{tended:?}") };
        assert_eq!(named::entries(&home, name).expect("made").len(), 3);
    }
}
