//! O-013. A chain as a person looks at it.

use golem_primitives::{Address, B256, UtcTime};

use crate::{ChainPicture, ContractLine, GolemLine, ProfilePicture, Wei, Witness, picture};

picture! {
    /// An address, and what is known to stand there.
    pub struct AddressPicture { address: Address = "address", name: Option<String> = "name" }

    /// One part of a call or an event.
    pub struct PartPicture { name: String = "name", kind: String = "type", value: String = "value" }

    /// A call or an event by the names its contract gave it.
    pub struct SaidPicture { contract: &'static str = "contract", name: String = "name", parts: Vec<PartPicture> }

    /// Something that a contract said.
    pub struct ChainEventPicture {
        by: AddressPicture = "by",
        /// None where nobody here knows it.
        said: Option<SaidPicture> = "said",
        topic: Option<B256>,
        block: u64 = "block",
        time: Option<UtcTime> = "time",
        tx: B256 = "transaction",
    }

    /// A transaction, and what came of it.
    pub struct TransactionPicture {
        hash: B256 = "transaction",
        block: Option<u64> = "block",
        from: AddressPicture = "from",
        to: Option<AddressPicture> = "to",
        value: Wei = "value",
        of_suite: bool,
        call: Option<SaidPicture> = "call",
        input_bytes: usize,
        /// None where that was not asked, or it waits for its block.
        succeeded: Option<bool> = "stands",
        gas_used: Option<u64> = "gas",
        cost: Option<Wei> = "cost",
        refusal: Option<String> = "refused",
        events: Vec<ChainEventPicture>,
        /// At the chain's public explorer, where there is one.
        link: Option<String>,
    }

    /// A block.
    pub struct BlockPicture {
        number: u64 = "block",
        hash: B256 = "hash",
        parent: B256,
        time: UtcTime = "time",
        gas_used: u64 = "gas",
        base_fee: Wei = "base fee",
        count: usize = "transactions",
        /// Of them, those that call the suite or a vault known here.
        of_suite: usize = "of the suite",
        transactions: Vec<TransactionPicture>,
        link: Option<String>,
    }

    /// A chain: its newest blocks, where the suite stands, and what it said last.
    pub struct ExplorerPage {
        chain_id: u64,
        chain: String,
        /// Whether it is the local L2 of this machine.
        local: bool,
        /// The chain's public explorer.
        link: Option<String>,
        head: u64,
        confirmations: u64,
        contracts: Vec<ContractLine>,
        vaults: Vec<GolemLine>,
        blocks: Vec<BlockPicture>,
        said: Vec<ChainEventPicture>,
    }

    /// A Golem by the registries alone: its identity as others meet it, and what its chain says of it.
    pub struct OnChainPage {
        golem: String,
        link: Option<String>,
        status: Witness<ChainPicture>,
        profile: Witness<ProfilePicture>,
    }

    /// A transaction that its owner's own wallet signs.
    pub struct UnsignedPicture {
        act: &'static str = "what",
        to: Address = "to",
        data: String,
        value: Wei = "value",
        /// The same as its wallet will read it.
        call: Option<SaidPicture>,
    }

    /// O-011. What an owner would sign, in its order; nothing was sent.
    pub struct ActPicture {
        golem: String,
        chain_id: u64,
        chain: String,
        from: Address,
        /// What it does, in a sentence.
        says: String,
        transactions: Vec<UnsignedPicture>,
    }

    /// O-011. How far something has come that takes several transactions of its owner's wallet.
    pub struct UndertakingPicture {
        number: u64,
        /// What was begun, in words.
        says: String,
        /// Who is born of it or whom it is done to, once that is known.
        golem: Option<String>,
        from: Address,
        /// What was done so far, in order.
        notes: Vec<String>,
        /// The chain and the transaction that the wallet is waited for with.
        chain_id: Option<u64>,
        wants: Option<UnsignedPicture>,
        over: bool,
        error: Option<String>,
    }
}
