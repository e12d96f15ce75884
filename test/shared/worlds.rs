//! A devnet from a world that is built once for all tests.

use std::path::{Path, PathBuf};

use golem_devnet::{Devnet, Settings};

/// Brings up a devnet; a world that some test has built before is taken over, and a new one is kept for the next.
pub(crate) async fn raise(settings: Settings) -> Devnet {
    let dir = settings.dir.clone();
    let shared = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("worlds");
    std::fs::create_dir_all(&shared).expect("a folder");
    copy_worlds(&shared, &dir);
    let devnet = Devnet::up(settings, &mut |_| {}).await.expect("a devnet");
    copy_worlds(&dir, &shared);
    devnet
}

/// Copies saved worlds that are not there yet; each file appears whole or not at all.
fn copy_worlds(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with("world-") || !name.ends_with(".json") || to.join(&name).exists() {
            continue;
        }
        let part = to.join(format!(".{name}.{}.{:p}", std::process::id(), &name));
        std::fs::copy(entry.path(), &part).expect("copied");
        std::fs::rename(&part, to.join(&name)).expect("renamed");
    }
}
