//! What is on the shelf: own, active knowledge that phase and mood give away, as a file that proves itself.

use std::collections::BTreeSet;

use eyre::Result;
use golem_core::sharing::Sharing;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::kind::Kind;
use golem_grimoire::share::may_sell;
use golem_grimoire::status::Status;
use golem_ports::Filter;
use golem_primitives::GolemId;
use golem_store::Reader;
use serde::Serialize;

use crate::golem::home::Folder;
use crate::golem::look;

/// The most lines of entries a good holds, in bytes. What is worth most comes first.
const ROOM: usize = 512 << 10;
/// The longest PLAYBOOK a bundle carries.
const PLAYBOOK_ROOM: usize = 128 << 10;

/// The first line of a bundle; the lines behind it are an export of the Grimoire.
#[derive(Debug, Serialize)]
struct BundleHead {
    format: &'static str,
    version: u32,
    golem: GolemId,
    playbook: Option<Playbook>,
}

#[derive(Debug, Serialize)]
struct Playbook {
    version: u64,
    text: String,
}

/// Everything there is to hand out; `None` when there is nothing to sell.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    pub(super) insights: Option<Vec<u8>>,
    pub(super) bundle: Option<Vec<u8>>,
    /// By what it was filled; `None` before the first look.
    pub(super) sharing: Option<Sharing>,
}

impl Shelf {
    /// What a Golem has to sell now: from the confidence its phase and its mood give away.
    pub(super) fn of(folder: &Folder) -> Result<Self> {
        let reader = look::reader(folder)?;
        let sharing = look::life(&reader)?.sharing();
        let from = Confidence::new(sharing.threshold);
        let insights = lines(&reader, from, &[Kind::Insight])?;
        let entries = lines(&reader, from, &[Kind::Insight, Kind::Heuristic, Kind::Warning])?;
        let bundle = entries.map(|entries| bundle(&reader, &entries)).transpose()?;
        Ok(Self { insights, bundle, sharing: Some(sharing) })
    }

    /// S-129. Whether anything may be offered; what was paid for before is owed whatever came since.
    pub(super) fn is_offered(&self) -> bool {
        self.sharing.is_none_or(|sharing| sharing.closed.is_none())
    }
}

/// G-172, G-177. The entries of these kinds that are sold, most certain first. Episodes are not among entries (G-120).
fn lines(reader: &Reader, from: Confidence, kinds: &[Kind]) -> Result<Option<Vec<u8>>> {
    let filter = Filter {
        kinds: kinds.iter().copied().collect(),
        statuses: BTreeSet::from([Status::Active]),
        ..Filter::default()
    };
    let mut sold = reader.list(&filter, None, usize::MAX)?;
    sold.retain(|entry| may_sell(entry, from));
    sold.sort_by_key(|entry| std::cmp::Reverse(entry.knowledge().map(|known| known.confidence)));
    let mut text = Vec::new();
    let written = reader.export_these(&sold, ROOM, &mut text)?;
    Ok((written > 0).then_some(text))
}

fn bundle(reader: &Reader, entries: &[u8]) -> Result<Vec<u8>> {
    let newest = reader.playbook(None)?.filter(|newest| newest.text.len() <= PLAYBOOK_ROOM);
    let playbook = newest.map(|newest| Playbook { version: newest.header.version, text: newest.text });
    let head = BundleHead { format: "bardo-bundle", version: 1, golem: *reader.golem(), playbook };
    let mut text = serde_json::to_vec(&head)?;
    text.push(b'\n');
    text.extend_from_slice(entries);
    Ok(text)
}
