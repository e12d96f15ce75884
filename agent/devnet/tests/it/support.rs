//! A devnet in a folder of its own, and transactions of people on it.

use alloy::primitives::{Address, U256};
use alloy::providers::Provider;
use alloy::rpc::types::TransactionReceipt;
use golem_devnet::market::MarketKind;
use golem_devnet::{Devnet, DevnetError, DevnetSettings, FundedAccount};
use tempfile::TempDir;

use crate::people::submit;

/// A devnet whose folder lives as long as it does.
pub(crate) struct Net {
    pub(crate) devnet: Devnet,
    pub(crate) dir: TempDir,
}

pub(crate) async fn up(change: impl FnOnce(&mut DevnetSettings)) -> Result<Net, DevnetError> {
    let dir = tempfile::tempdir().expect("a folder");
    let mut settings = DevnetSettings::new(dir.path());
    settings.cache = false;
    change(&mut settings);
    let devnet = Devnet::up(settings, &mut |_| {}).await?;
    Ok(Net { devnet, dir })
}

/// A world in which nothing moves by itself.
pub(crate) async fn still() -> Net {
    up(|settings| settings.market = MarketKind::Still).await.expect("a devnet")
}

/// Sends from `account`, mines one still block and returns the receipt.
pub(crate) async fn send(net: &mut Devnet, from: &FundedAccount, to: Address, data: Vec<u8>) -> TransactionReceipt {
    let hash = submit(net, from, to, data, U256::ZERO).await;
    net.mine_still(2).await.expect("mined");
    net.provider().get_transaction_receipt(hash).await.expect("answered").expect("mined")
}

/// Whether a process lives (a zombie does not).
pub(crate) fn is_alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z')))
}
