//! All that can be asked.

use golem_primitives::{Address, B256, Usdc};

/// What a page or an assistant wants to know, mostly of the Golem of a name. Everything of it is a name or a number; who answers
/// checks them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The Golems of this machine.
    Fleet,
    Portrait(String),
    /// The Golems of this machine in a line each, without curves.
    Golems,
    /// Where one of them stands, without curves and lists.
    Status(String),
    /// What it made and what living cost.
    Profit(String),
    /// What it wrote when it died.
    Testament(String),
    /// The experiments that were registered, and what came of each.
    Experiments,
    /// One of them with its report.
    Experiment(String),
    /// How its life went.
    History(String),
    /// Its newest trades.
    Trades(String),
    /// Why it decided as it did.
    Why {
        golem: String,
        /// When; at its newest tick where nothing is said.
        tick: Option<u64>,
    },
    /// What it said of the future and what came.
    Claims(String),
    /// The rules it acts by, and what each has shown.
    Playbook(String),
    /// What it knows, a page of it, or what answers some words.
    Grimoire {
        golem: String,
        /// Words that are looked for.
        words: Option<String>,
        /// Only entries in this state.
        status: Option<String>,
        /// Entries to leave out first.
        skip: usize,
    },
    /// One entry of it, whole.
    Entry {
        golem: String,
        entry: String,
    },
    Dreams(String),
    /// What moves it and what presses on it.
    Mind(String),
    /// Its market, and the deaths in it.
    Market(String),
    /// Its siblings, and what is in the air.
    Clade(String),
    /// What living cost.
    Costs(String),
    /// Its line, the dead of it, and what they left.
    Lineage(String),
    /// The same by the chain's own logs, proved where asked.
    Chronicle {
        golem: String,
        /// Whether everything is checked.
        verify: bool,
    },
    /// What its chain says of it now.
    Chain(String),
    /// The chain it lives on: newest blocks, and what the suite said last.
    Explorer {
        golem: String,
        /// The newest block that is shown; the head where nothing is said.
        newest: Option<u64>,
    },
    /// One block of that chain.
    Block {
        golem: String,
        number: u64,
    },
    /// One transaction of that chain.
    Transaction {
        golem: String,
        hash: B256,
    },
    /// Begins what takes several transactions; the owner's wallet is handed one after the other.
    Begin(UndertakingWanted),
    /// How far what was begun last has come.
    Undertaking,
    /// What the wallet did with the transaction that an undertaking handed it.
    Answer {
        number: u64,
        answer: WalletAnswer,
    },
    /// The transactions by which an owner would do something; nothing is sent here.
    Act {
        golem: String,
        wanted: ActWanted,
    },
}

/// What an owner wants to do with his own wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActWanted {
    pub from: Address,
    pub kind: WantedKind,
}

/// The kinds of acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedKind {
    Kill {
        reason: String,
        /// Whether its key is made powerless in the same block.
        revoke: bool,
    },
    /// Gives it USDC.
    Fund {
        amount: Usdc,
        /// To trade with instead of to live on.
        into_capital: bool,
    },
    /// Takes USDC of its capital back.
    Withdraw { amount: Usdc },
}

/// What an owner wants that takes several steps: a command is run, and his wallet sends what it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndertakingWanted {
    pub from: Address,
    pub kind: UndertakingKind,
}

/// A book, as a page names it: never a file of the server's machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookWanted {
    /// One that ships with the program, by its name.
    Founding(String),
    /// The owner's own, as he wrote it.
    Written(String),
}

/// The kinds of undertakings. Each is the command of that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UndertakingKind {
    /// `bardo golem create`.
    Birth {
        name: String,
        /// To live on; what is recommended where nothing is said.
        credits: Option<Usdc>,
        capital: Usdc,
        /// The book it is founded on.
        playbook: BookWanted,
    },
    /// `bardo line successor`.
    Successor {
        golem: String,
        /// To live on; what the predecessor's settings say where nothing is said.
        credits: Option<Usdc>,
        capital: Usdc,
        /// The book it is founded on; the predecessor's own where nothing is said.
        playbook: Option<BookWanted>,
        /// Whether it takes over what was learnt.
        inherit: bool,
    },
    /// `bardo line mandate commit`.
    Mandate {
        golem: String,
        budget: Usdc,
        successors: u64,
        days: u64,
        /// Who may bring the birth about.
        executor: Address,
        /// Put aside now.
        escrow: Usdc,
    },
    /// `bardo owner rotate-key`.
    RotateKey { golem: String },
    /// `bardo owner accept`.
    Accept {
        golem: String,
        /// Whether the former owner's lists stay.
        keep_lists: bool,
    },
    /// `bardo owner wallet --link`.
    Link { golem: String },
}

/// What a wallet did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalletAnswer {
    /// Sent it, under this hash.
    Sent(B256),
    /// Did not, for this reason.
    Refused(String),
}
