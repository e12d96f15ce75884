//! What was done, as it is acknowledged.

use std::path::PathBuf;

use golem_primitives::{Address, AgentId, B256, Tick, U256, Usdc, UtcTime};

use crate::{AsKept, ByteCount, Wei, picture};

picture! {
    /// What an owner did to a Golem on chain. What it was about is told with it (see [`Picture::with`](crate::Picture::with)).
    pub struct DeedPicture {
        golem: String,
        agent: AgentId,
        vault: Address,
        /// What was sent, if anything had to be.
        act: Option<&'static str>,
        tx: Option<B256>,
        block: Option<u64>,
        gas_used: Option<u64>,
        cost: Option<Wei>,
    }

    /// USDC that was given to a Golem.
    pub struct Funded { amount: Usdc, into_capital: bool }

    /// Native coin that was given to its key.
    pub struct GasGiven { amount: Wei, key: Address }

    /// USDC that its owner took back.
    pub struct TakenBack { amount: Usdc }

    /// What the dead had left and its owner took.
    pub struct ClaimedPicture { amount_smallest_units: U256, asset: Option<Address> }

    /// An NFT of that.
    pub struct ClaimedNft { collection: Address, id: U256 }

    /// Where USDC can be sent by a plain transfer.
    pub struct DepositPicture { golem: String, vault: Address, usdc_address: Address, chain_id: u64, uri: String }

    /// M-200. A death that its owner began.
    pub struct KillPicture { reason: String, revoked: bool, deadline: UtcTime }

    /// What a switch tripped for.
    pub struct TripPicture { reason: String }

    /// A death that was ended.
    pub struct Finalised { life: String, epitaph_written: bool, waits: bool }

    /// How long something that was begun lasts.
    pub struct UntilPicture { until: UtcTime }

    /// Who may trip the kill switch.
    pub struct GuardianPicture { guardian: Option<Address> }

    /// L-013. The wallet a Golem is linked with.
    pub struct LinkPicture { wallet: Option<Address>, linked: bool }

    /// The same, looked at.
    pub struct WalletPicture { golem: String, agent: AgentId, wallet: Option<Address>, key: Address, linked: bool }

    /// Its key after a rotation.
    pub struct KeyPicture {
        key: Option<Address>,
        old_key: Option<Address>,
        old_file: Option<PathBuf>,
        wallet: Option<Address>,
    }

    /// What a new owner took over.
    pub struct TakeoverPicture {
        key: Option<Address>,
        guardian: Option<Address>,
        lists_kept: bool,
        policy_kept: Option<B256>,
        wallet: Option<Address>,
    }

    /// What the registration file says of x402 now.
    pub struct Advertised { x402_support: bool, endpoint: Option<String> }

    /// A file that was written of a Golem.
    pub struct FileWritten { golem: String, file: PathBuf, entries: Option<u64>, tick: Option<Tick>, certificate: Option<PathBuf> }

    /// A copy of a life.
    pub struct SnapshotLine {
        file: PathBuf = "file",
        size: ByteCount = "size",
        tick: Option<Tick> = "tick",
        error: Option<String> = "cannot be used",
    }

    /// A life that went back to a copy.
    pub struct RestoredPicture { golem: String, from: PathBuf, tick: Tick, pass: u64, replaced: Option<PathBuf> }

    /// A life that goes on from what lies there.
    pub struct TakenAsIs { golem: String, damaged: Vec<String> }

    /// A life that came from another machine.
    pub struct BroughtHere { golem: String, tick: Tick, folder: PathBuf, has_key: bool }

    /// A word that was left for a Golem, and what it answered in time.
    pub struct WordLeft { golem: String, said: AsKept, is_running: bool, answer: Option<String> }

    /// T-004. Whether the chain lacked a testament and was given it.
    pub struct Attached { golem: String, attached: bool }

    /// Something that was forgotten.
    pub struct Forgotten { name: String, forgotten: bool }
}
