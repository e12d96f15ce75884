//! The local L2.

use golem_primitives::Address;

use crate::{AsKept, Seconds, picture};

picture! {
    /// A local L2 that runs.
    pub struct LocalChainPicture {
        rpc_url: String = "RPC",
        chain_id: u64 = "chain id",
        market: String = "market",
        seed: u64 = "seed",
        /// In the chain's own time.
        block: Seconds = "block time",
        facilitator: Option<String> = "facilitator",
    }

    /// What stands where.
    pub struct ContractLine { name: &'static str = "contract", address: Address = "address" }

    /// Who has which key of the local L2. The keys are public and worthless elsewhere.
    pub struct AccountLine { role: String = "role", address: Address = "address", key: String = "key" }

    /// What `chain.json` says, and who has which key.
    pub struct AddressesPicture { chain: AsKept, accounts: Vec<AccountLine> }

    /// A local L2 that was stopped.
    pub struct StoppedChain { stopped_pid: u32 }
}
