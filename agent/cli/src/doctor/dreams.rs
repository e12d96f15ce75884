//! Whether a Golem dreams, and what a month of it costs.

use crate::golem::home::Folder;
use crate::golem::sleep::month_words;
use golem_view::FindingPicture;

/// D-240. Said whether dreams are on or off: an owner knows the cost before turning them on.
pub(super) fn examine(folder: &Folder) -> Option<FindingPicture> {
    let law = folder.settings().ok()?.dreams.law;
    let state = if law.enabled { "on" } else { "off" };
    let detail = format!("{state}; {}", month_words(&law));
    Some(FindingPicture::new(format!("{}: dreams", folder.name()), true, detail, ""))
}
