//! A devnet in this process.

use golem_devnet::{Devnet, DevnetSettings};

use super::worlds;

/// Brings up a devnet, from a world that was built before where there is one.
pub(crate) async fn raise(settings: DevnetSettings) -> Devnet {
    let dir = settings.dir.clone();
    let numbers = format!("{} {} {}", settings.chain_id, settings.seed, settings.block_seconds);
    let market = settings.market.to_string();
    let wish = [numbers.as_str(), market.as_str()];
    worlds::borrow(&wish, &dir);
    let devnet = Devnet::up(settings, &mut |_| {}).await.expect("a devnet");
    worlds::lend(&wish, &dir);
    devnet
}
