//! Entries through the generations of a line, and whether each step of them is true (I-160, I-162, I-362).

use std::collections::{BTreeMap, BTreeSet};

use eyre::Result;
use golem_chain::lineage::{Check, Chronicle};
use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Kind;
use golem_grimoire::status::Entry;
use golem_inheritance::baldwin::is_baldwin;
use golem_inheritance::weismann::WeismannLaw;
use golem_primitives::{AgentId, LineageId};
use golem_runtime::{Heritage, LegacyBundle};
use serde::Serialize;

use super::{Connected, Home, bundle, heritage, look};
use crate::screen;

/// What an entry was worth in one life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Stop {
    /// Whose life.
    pub(crate) agent: String,
    /// Its generation.
    pub(crate) generation: u32,
    /// What it was worth on arrival; `None` for one's own.
    pub(crate) arrived: Option<Confidence>,
    /// What it was worth when it was left, or is worth to one that lives.
    pub(crate) left: Option<Confidence>,
    /// Confirmed and contradicted in that life.
    pub(crate) validated: u32,
    pub(crate) contradicted: u32,
    /// Where it stands, or why it was not let in.
    pub(crate) fate: String,
}

/// An entry from its first life to its last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Trace {
    /// Which.
    pub(crate) entry: EntryId,
    /// What it says.
    pub(crate) says: String,
    /// I-180. Whether it survived three inheritances and is still believed: a default of the line.
    pub(crate) is_baldwin: bool,
    /// Life by life.
    pub(crate) stops: Vec<Stop>,
}

/// What this machine knows of one member.
struct Member {
    agent: AgentId,
    generation: u32,
    predecessor: Option<AgentId>,
    left: Option<LegacyBundle>,
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
    for folder in home.all()? {
        let Ok(birth) = folder.birth() else { continue };
        let is_here = birth.deployment.lineage == chain.deployment.lineage
            && birth.deployment.chain_id == chain.deployment.chain_id;
        let Some(golem) = chronicle.golem(birth.agent).filter(|golem| is_here && golem.lineage == lineage) else {
            continue;
        };
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
            generation: u32::try_from(golem.generation).unwrap_or(u32::MAX),
            predecessor: golem.predecessor,
            left: if folder.bundle().exists() { Some(bundle::read(&folder.bundle())?) } else { None },
            heritage: heritage::of(&reader)?,
            burned,
            known: known.collect(),
        });
    }
    members.sort_by_key(|member| member.generation);
    Ok(members)
}

/// Every entry that crossed from a life to another, and a check for each heir.
pub(crate) fn trace(
    home: &Home,
    chain: &Connected,
    chronicle: &Chronicle,
    lineage: LineageId,
) -> Result<(Vec<Trace>, Vec<Check>)> {
    let members = members(home, chain, chronicle, lineage)?;
    let checks = members.iter().filter_map(|heir| check(heir, &members, chronicle)).collect();
    let crossed: BTreeSet<EntryId> = members
        .iter()
        .flat_map(|member| &member.heritage)
        .flat_map(|one| &one.entries)
        .map(|handed| handed.id)
        .collect();
    let traces = crossed.into_iter().map(|id| follow(id, &members)).collect();
    Ok((traces, checks))
}

fn follow(id: EntryId, members: &[Member]) -> Trace {
    let (mut stops, mut says, mut is_default) = (Vec::new(), String::new(), false);
    for member in members {
        let handed = member.heritage.iter().flat_map(|one| &one.entries).find(|handed| handed.id == id);
        let known = member.known.get(&id);
        if handed.is_none() && known.is_none() {
            continue;
        }
        let left = member.left.iter().flat_map(|left| &left.bequest.entries).find(|entry| entry.id == id);
        if let Some(known) = known {
            says.clone_from(&known.says);
            is_default = known.kind == Kind::Heuristic && is_baldwin(known.generation, known.confidence);
        }
        stops.push(Stop {
            agent: member.agent.to_string(),
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
    Trace { entry: id, says, is_baldwin: is_default, stops }
}

/// I-160 to I-162. Whether an heir took over what its predecessor left and nothing else, each entry at no more than the
/// barrier leaves of it. What is not on this machine is not checked.
fn check(heir: &Member, members: &[Member], chronicle: &Chronicle) -> Option<Check> {
    let heritage = heir.heritage.as_ref()?;
    let dead = members.iter().find(|member| Some(member.agent) == heir.predecessor)?;
    let left = dead.left.as_ref()?;
    let mut faults = Vec::new();
    let recorded =
        chronicle.golem(dead.agent).and_then(|golem| golem.testament.as_ref()).map(|testament| testament.hash);
    if recorded != Some(heritage.testament) || left.sealed().testament != heritage.testament {
        faults.push("it read another testament than the chain recorded".to_owned());
    }
    if heritage.generation != heir.generation {
        faults.push(format!("it discounted for generation {}, and is of {}", heritage.generation, heir.generation));
    }
    let mut crossed = 0;
    for handed in heritage.entries.iter().filter(|handed| handed.fate != "told") {
        crossed += 1;
        let bequeathed = left.bequest.entries.iter().find(|entry| entry.id == handed.id).map(|entry| entry.bequeathed);
        if bequeathed != Some(handed.bequeathed) {
            faults.push(format!("{} was left at another worth", handed.id));
        }
        let most = WeismannLaw::default().inherited(handed.bequeathed, heir.generation);
        if handed.arrived.is_some_and(|arrived| arrived > most) {
            faults.push(format!("{} arrived above {most}", handed.id));
        }
    }
    let detail = format!("{crossed} entries crossed from agent {}, none above the barrier", dead.agent);
    let ok = faults.is_empty();
    Some(Check { agent: heir.agent, name: "inheritance", ok, detail: if ok { detail } else { faults.join("; ") } })
}

/// One line an entry: what it was worth from life to life.
pub(crate) fn show(traces: &[Trace]) {
    if traces.is_empty() {
        return;
    }
    let worth = |worth: Option<Confidence>| worth.map_or_else(|| "-".to_owned(), |worth| worth.to_string());
    let stop = |stop: &Stop| {
        let (arrived, left) = (worth(stop.arrived), worth(stop.left));
        format!("{}: {arrived} > {left} (+{} -{}, {})", stop.generation, stop.validated, stop.contradicted, stop.fate)
    };
    let rows: Vec<_> = traces
        .iter()
        .map(|one| {
            let path = one.stops.iter().map(stop).collect::<Vec<_>>().join("  ");
            let mark = if one.is_baldwin { "default of the line" } else { "" };
            vec![one.entry.to_string(), path, mark.to_owned(), screen::harmless(&one.says)]
        })
        .collect();
    screen::table("Entries through the generations: arrived > left", &rows);
}
