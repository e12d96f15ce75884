//! The last act of a death: the vault pays its owner, and the testament's hash stands.

use golem_core::life::Life;
use golem_core::trader::Trader;
use golem_ports::{Act, SettledTestament, Stain, Store};
use golem_primitives::B256;

use super::testament::file::noted;
use crate::error::RuntimeError;

/// T-004. The last act. A testament that could not be written leaves zeros, and the death goes on (M-182).
pub(crate) fn settle<S: Store>(life: &Life, store: &S) -> Result<Act, RuntimeError> {
    let written = noted(store)?;
    let ticks_lived = life.death().map_or(life.tick().get(), |death| death.ticks_alive);
    let testament = written.unwrap_or_else(|| SettledTestament { ticks_lived, ..SettledTestament::default() });
    let economic = life.vitals().economic();
    let stain = Stain {
        regime: regime_name(life),
        loss: economic.lifetime_funded().saturating_sub(economic.balance()),
        evidence: life.hash(),
    };
    Ok(Act::Settle { testament, stain })
}

/// The regime in which it died, as the market's last volatility names it, in bytes a person can read on an explorer.
fn regime_name(life: &Life) -> B256 {
    let name = life.trader().map_or("unknown", Trader::regime_name);
    let mut bytes = [0u8; 32];
    bytes[..name.len().min(32)].copy_from_slice(&name.as_bytes()[..name.len().min(32)]);
    B256::from(bytes)
}
