//! Entries through the generations of a line, and whether each step of them is true (I-160, I-162, I-362).

use std::collections::{BTreeMap, BTreeSet};

use eyre::Result;
use golem_chain::lineage::{Chronicle, LineageCheck};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::Kind;
use golem_grimoire::status::Entry;
use golem_inheritance::baldwin::is_baldwin;
use golem_inheritance::heir::Heir;
use golem_inheritance::weismann::WeismannLaw;
use golem_primitives::{AgentId, GolemId, LineageId, Tick, UtcTime};
use golem_runtime::{Handed, Heritage, LegacyBundle, inherit};
use golem_view::{StopPicture, TracePicture};

use super::ancestry::members_here;
use super::bundle::layers;
use super::connect::Connected;
use super::home::{Folder, Home};
use super::{heritage, library, look};

/// What became of an entry that is a statement of the testament and not of the genome.
pub(crate) const TOLD: &str = "told";

/// What this machine knows of one member.
struct Member {
    agent: AgentId,
    golem: GolemId,
    born: UtcTime,
    generation: u32,
    heritage: Option<Heritage>,
    known: BTreeMap<EntryId, Known>,
    /// G-070. What was burned, and why: of it no more than that is left.
    burned: BTreeMap<EntryId, String>,
}

struct Known {
    says: String,
    confidence: Confidence,
    validated: u32,
    contradicted: u32,
    generation: u32,
    kind: Kind,
    fate: String,
}

fn members(home: &Home, chain: &Connected, chronicle: &Chronicle, lineage: LineageId) -> Result<Vec<Member>> {
    let mut members = Vec::new();
    for (folder, birth, golem) in members_here(home, chain, chronicle, lineage)? {
        let reader = look::reader(&folder)?;
        let grimoire = reader.grimoire()?;
        let burned = grimoire.entries().filter_map(|entry| match entry {
            Entry::Burned(burned) => Some((burned.id, format!("burned: {}", burned.reason))),
            _ => None,
        });
        let burned = burned.collect();
        let known = grimoire.entries().filter_map(|entry| Some((entry.status(), entry.knowledge()?)));
        let known = known.map(|(status, entry)| {
            let known = Known {
                says: entry.draft.content.clone(),
                confidence: entry.confidence,
                validated: entry.validated,
                contradicted: entry.contradicted,
                generation: entry.draft.source.generation,
                kind: entry.kind(),
                fate: status.name().to_owned(),
            };
            (entry.id, known)
        });
        members.push(Member {
            agent: birth.agent,
            golem: birth.golem(),
            born: birth.born,
            generation: u32::try_from(golem.generation).unwrap_or(u32::MAX),
            heritage: heritage::of(&reader)?,
            burned,
            known: known.collect(),
        });
    }
    members.sort_by_key(|member| member.generation);
    Ok(members)
}

/// What the dead of a line left, as far as it is on this machine: in their folders, or in the library.
fn left(
    home: &Home,
    chain: &Connected,
    chronicle: &Chronicle,
    lineage: LineageId,
) -> Result<BTreeMap<AgentId, LegacyBundle>> {
    let folders = home.all()?;
    let is_of = |folder: &Folder, agent| {
        folder.birth().is_ok_and(|birth| birth.agent == agent && birth.is_of(&chain.deployment))
    };
    let mut bundles = BTreeMap::new();
    for golem in chronicle.lineage(lineage) {
        let own = folders.iter().find(|folder| is_of(folder, golem.agent));
        let own = own.map(Folder::bundle).filter(|path| path.exists());
        let kept = library::bundle_path(home, chain.deployment.chain_id, golem.agent);
        if let Some(path) = own.or_else(|| kept.exists().then_some(kept)) {
            bundles.insert(golem.agent, layers::read(&path)?);
        }
    }
    Ok(bundles)
}

/// Every entry that crossed from a life to another, and a check for each heir.
pub(crate) fn trace(
    home: &Home,
    chain: &Connected,
    chronicle: &Chronicle,
    lineage: LineageId,
) -> Result<(Vec<TracePicture>, Vec<LineageCheck>)> {
    let members = members(home, chain, chronicle, lineage)?;
    let left = left(home, chain, chronicle, lineage)?;
    let heirs = chronicle.lineage(lineage).into_iter().filter_map(|golem| Some((golem.agent, golem.predecessor?)));
    let checks = heirs.map(|(heir, dead)| check((heir, dead), &members, &left, chronicle)).collect();
    let crossed: BTreeSet<EntryId> = members
        .iter()
        .flat_map(|member| &member.heritage)
        .flat_map(|one| &one.entries)
        .map(|handed| handed.id)
        .collect();
    let traces = crossed.into_iter().map(|id| follow(id, &members, &left)).collect();
    Ok((traces, checks))
}

fn follow(id: EntryId, members: &[Member], bundles: &BTreeMap<AgentId, LegacyBundle>) -> TracePicture {
    let (mut stops, mut says, mut is_default) = (Vec::new(), String::new(), false);
    for member in members {
        let handed = member.heritage.iter().flat_map(|one| &one.entries).find(|handed| handed.id == id);
        let known = member.known.get(&id);
        if handed.is_none() && known.is_none() {
            continue;
        }
        let mut all_left = bundles.get(&member.agent).into_iter().flat_map(|left| &left.bequest.entries);
        let left = all_left.find(|entry| entry.id == id);
        if let Some(known) = known {
            says.clone_from(&known.says);
            is_default = known.kind == Kind::Heuristic && is_baldwin(known.generation, known.confidence);
        }
        stops.push(StopPicture {
            agent: member.agent,
            generation: member.generation,
            arrived: handed.and_then(|handed| handed.arrived),
            left: left.map(|entry| entry.bequeathed).or(known.map(|known| known.confidence)),
            validated: known.map_or(0, |known| known.validated),
            contradicted: known.map_or(0, |known| known.contradicted),
            fate: match (known, member.burned.get(&id)) {
                (Some(known), _) => known.fate.clone(),
                (None, Some(burned)) => burned.clone(),
                (None, None) => handed.map(|handed| handed.fate.clone()).unwrap_or_default(),
            },
        });
    }
    TracePicture { entry: id, says, is_baldwin: is_default, stops }
}

/// The most a statement of a testament is believed on arrival.
const TOLD_AT_MOST: Confidence = Confidence::of(400_000);

/// I-160 to I-162. Whether an heir took over what its predecessor left and nothing else: each entry of the genome at no more
/// than the barrier leaves of it, and beside it only statements of the testament. What is not on this machine is said to be
/// unchecked.
fn check(
    (agent, dead): (AgentId, AgentId),
    members: &[Member],
    bundles: &BTreeMap<AgentId, LegacyBundle>,
    chronicle: &Chronicle,
) -> LineageCheck {
    let told = |ok, detail| LineageCheck { agent, name: "inheritance", ok, detail };
    let Some(heir) = members.iter().find(|member| member.agent == agent) else {
        return told(true, "not checked: its folder is not on this machine".to_owned());
    };
    let Some(heritage) = &heir.heritage else {
        return told(true, "nothing to check: it took over its configuration alone".to_owned());
    };
    let Some(left) = bundles.get(&dead) else {
        return told(true, format!("not checked: the bundle of agent {dead} is not on this machine"));
    };
    let recorded = chronicle.golem(dead).and_then(|golem| golem.testament.as_ref()).map(|testament| testament.hash);
    let mut faults = Vec::new();
    if recorded != Some(heritage.testament) || left.sealed().testament != heritage.testament {
        faults.push("it read another testament than the chain recorded".to_owned());
    }
    if heritage.generation != heir.generation {
        faults.push(format!("it discounted for generation {}, and is of {}", heritage.generation, heir.generation));
    }
    let (said, crossed): (Vec<_>, Vec<_>) = heritage.entries.iter().partition(|handed| handed.fate == TOLD);
    faults.extend(crossed.iter().flat_map(|handed| faults_of(handed, left, heir.generation)));
    let statements = statements(heir, left);
    for handed in &said {
        if !statements.contains(&handed.id) {
            faults.push(format!("{} is no statement of the testament", handed.id));
        }
        if handed.arrived.is_some_and(|arrived| arrived > TOLD_AT_MOST) {
            faults.push(format!("{} was told and arrived above {TOLD_AT_MOST}", handed.id));
        }
    }
    let detail = format!(
        "{} entries crossed from agent {dead}, none above the barrier; {} statements of its testament, none above {TOLD_AT_MOST}",
        crossed.len(),
        said.len()
    );
    let ok = faults.is_empty();
    told(ok, if ok { detail } else { faults.join("; ") })
}

/// What is wrong with an entry of the genome as an heir says that it took it over.
fn faults_of(handed: &Handed, left: &LegacyBundle, generation: u32) -> Vec<String> {
    let mut faults = Vec::new();
    let bequeathed = left.bequest.entries.iter().find(|entry| entry.id == handed.id).map(|entry| entry.bequeathed);
    if bequeathed != Some(handed.bequeathed) {
        faults.push(format!("{} was left at another worth", handed.id));
    }
    let most = WeismannLaw::default().inherited(handed.bequeathed, generation);
    if handed.arrived.is_some_and(|arrived| arrived > most) {
        faults.push(format!("{} arrived above {most}", handed.id));
    }
    faults
}

/// The names that the statements of a testament have in an heir: they follow from the text, the heir and its birth.
fn statements(heir: &Member, left: &LegacyBundle) -> BTreeSet<EntryId> {
    let who = Heir { golem: heir.golem, lineage: left.kin.lineage, generation: heir.generation };
    let born = Moment::new(Tick::new(0), heir.born);
    let (_, again) = inherit(left, &who, &BTreeMap::new(), born);
    again.entries.iter().filter(|handed| handed.fate == TOLD).map(|handed| handed.id).collect()
}
