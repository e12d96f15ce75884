//! A devnet in this process.

use golem_devnet::{Devnet, Settings};

use super::worlds;

/// Brings up a devnet, from a world that was built before where there is one.
pub(crate) async fn raise(settings: Settings) -> Devnet {
    let dir = settings.dir.clone();
    worlds::borrow(&dir);
    let devnet = Devnet::up(settings, &mut |_| {}).await.expect("a devnet");
    worlds::lend(&dir);
    devnet
}
