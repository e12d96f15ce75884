//! I-116. What a person can begin with when everything else was lost: the bundles of the library.

use std::collections::BTreeMap;
use std::path::Path;

use golem_inheritance::clade::archive::{SeedOffer, seed_offers};
use golem_primitives::AgentId;

use crate::golem::bundle::layers;

/// How a successor is raised from a bundle of the library.
pub(crate) fn raise_from(agent: AgentId) -> String {
    format!("bardo line successor {agent} --inherit-grimoire --capital 1000 --playbook ...")
}

/// I-116. The bundles of the library, the newest first: what can be begun with after everything else was lost. Files that
/// are no bundles are passed over; `bundle inspect` tells why.
fn offers(library: &Path) -> Vec<(SeedOffer, AgentId)> {
    let files = std::fs::read_dir(library.join("bundles")).into_iter().flatten().flatten();
    let (mut found, mut agents) = (Vec::new(), BTreeMap::new());
    for path in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|ext| ext == "bardo")) {
        let Ok(left) = layers::read(&path) else { continue };
        let Some(agent) = left.kin.agent else { continue };
        let bundle = path.display().to_string();
        agents.insert(bundle.clone(), agent);
        let offer = SeedOffer { bundle, golem: left.golem, entries: left.bequest.entries.len() };
        found.push((offer, left.testament.written));
    }
    seed_offers(found).into_iter().map(|offer| (offer.clone(), agents[&offer.bundle])).collect()
}

/// I-116. What a person in a home without that Golem can begin with, in words; nothing where the library has no bundle.
pub(crate) fn offered(library: &Path) -> Option<String> {
    let offers = offers(library);
    let (newest, agent) = offers.first()?;
    let more = match offers.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more in {})", library.join("bundles").display()),
    };
    Some(format!(
        "the library holds {} entries of {}, agent {agent}{more}: `{}` raises its successor",
        newest.entries,
        newest.golem,
        raise_from(*agent)
    ))
}
