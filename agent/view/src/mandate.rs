//! What shall be born when a Golem dies, and what is put aside for it.

use golem_primitives::{Address, B256, Usdc, UtcTime};

use crate::{AsKept, picture};

picture! {
    /// Where a mandate stands by the chain.
    pub struct MandatePicture {
        mandate: B256,
        committer: Address = "made by",
        escrow: Usdc = "put aside",
        born: u64 = "born of it",
        last_birth: Option<UtcTime> = "last birth",
    }

    /// A mandate whose terms are on this machine.
    pub struct MandateLine {
        mandate: B256 = "mandate",
        lineage: String = "lineage",
        budget: Usdc = "credits of each",
        successors: u64 = "successors",
        born: Option<u64> = "born",
        escrow: Option<Usdc> = "put aside",
        expiry: String = "until",
        executor: Address,
        stands: bool = "stands",
    }

    /// I-281. The terms of one that was made.
    pub struct TermsPicture {
        mandate: B256,
        lineage: String,
        budget: Usdc,
        successors: u64,
        expiry: String,
        executor: Address,
        listings: AsKept,
        guardian: Option<Address>,
        keys: Vec<Address>,
        nonce: String,
        escrow: Usdc,
    }

    /// What is put aside after more was, or less.
    pub struct EscrowPicture { mandate: B256, tx: B256, block: u64, escrow: Usdc }
}
