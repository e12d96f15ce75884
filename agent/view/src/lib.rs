//! What a person looks at, as types: each picture says its values once, with the unit of every number, and is printed as a
//! table or as JSON in one way. Whoever shows something (the command line, a screen, a page, a tool) draws from here and adds
//! nothing of its own. A picture can change nothing.
//!
//! Begin with [`picture!`] and [`Shown`]; [`LifePicture`] is the largest of them.

mod acts;
mod backtest;
mod births;
mod chain;
mod clade;
mod claims;
mod document;
mod dreams;
mod explorer;
mod feed;
mod findings;
mod graves;
mod heritage;
mod history;
mod holding;
mod identity;
mod knowledge;
mod library;
mod life;
mod lineage;
mod list;
mod local_chain;
mod mandate;
mod measures;
mod mood;
mod page;
mod picture;
mod playbook;
mod plot;
mod policy;
mod settings;
mod shown;
mod status;
mod story;
mod suffering;
mod summary;
mod table;
mod trades;
mod understanding;
pub mod words;

pub use acts::{
    Advertised, Attached, BroughtHere, ClaimedNft, ClaimedPicture, DeedPicture, DepositPicture, FileWritten, Finalised,
    Forgotten, Funded, GasGiven, GuardianPicture, KeyPicture, KillPicture, LinkPicture, RestoredPicture, SnapshotLine,
    TakenAsIs, TakenBack, TakeoverPicture, TripPicture, UntilPicture, WalletPicture, WordLeft,
};
pub use backtest::{BacktestPicture, FoldPicture, IntervalPicture, RuleEndPicture, RuleEvent, RunPicture, TurnoverPpm};
pub use births::{
    BirthPicture, BirthToBe, FirstDays, FirstTried, FundingPicture, InheritancePreview, MemorialPicture,
    StillbornPicture, SuccessionPicture, VaultToBe, WouldInherit, WouldSend,
};
pub use chain::{
    ChainCredits, ChainPicture, HeldTokenPicture, PaperAccount, PaperGiven, PaperPoolPicture, PaperTokenPicture,
    WatchedPicture,
};
pub use clade::{CladePicture, SensedMark, SiblingLine, SignLine, WirePicture};
pub use claims::{ClaimPicture, ClaimsPage};
pub use document::{document, escaped, markup};
pub use dreams::{AsleepPicture, CapsPicture, DreamLine, DreamPicture, SpentPicture, StagePicture, YieldPicture};
pub use explorer::{
    ActPicture, AddressPicture, BlockPicture, ChainEventPicture, ExplorerPage, OnChainPage, PartPicture, SaidPicture,
    TransactionPicture, UndertakingPicture, UnsignedPicture,
};
pub use feed::{FeedPicture, PricesPicture, SharingPicture, SoldPicture};
pub use findings::{
    AuditPicture, BundleKept, BundlePicture, DivergedPicture, FindingPicture, FlawPicture, LayersPicture,
    RelivedPicture, ShortcutPicture, SoundnessPicture,
};
pub use graves::{
    AdjustmentPicture, AdvicePicture, GravePicture, HeirPicture, LearntPicture, StainPicture, TestamentPicture,
    TombstonePicture,
};
pub use heritage::{HeirloomLine, HeritagePicture};
pub use history::{Extent, LifeHistory, Series};
pub use holding::{Holding, HoldingPicture, SeenWorth};
pub use identity::{ProfilePicture, ServicePicture};
pub use knowledge::{
    AnswerPicture, ArrivalLine, ArrivalsPicture, BodyPicture, CausePicture, CountedPicture, CyclePicture, DriftPicture,
    EarnedPicture, EmbeddedPicture, EntriesPage, EntryCounts, EntryLine, EntryPicture, EpisodeLine, FragmentPicture,
    GroundsPicture, HealthPicture, HeuristicPicture, HistoryLine, HitPicture, KnowledgePicture, ReembeddedPicture,
    StatsPicture, VectorPicture, VectorsPicture, WarningPicture,
};
pub use library::{
    BoughtLine, BoughtPicture, CreditLine, DefaultJoined, DepositedPicture, EntryEvidencePicture, JoinedPicture,
    LibraryDetail, LibraryLine, LibraryRule, NamedBundle, NamedVersion, PublishedPicture, RuleEvidencePicture,
    SetPicture, ShelfLine, TendedPicture,
};
pub use life::{
    ClocksPicture, CountsPicture, CreditsPicture, HandPicture, LifePicture, OpenEffectPicture, PaymentPicture,
    PositionPicture, ProfitPicture, PurchasesPicture, TradedPool, standing,
};
pub use lineage::{
    CheckPicture, GenerationPicture, LinePicture, LineagePicture, MemberPicture, OrderPicture, ProofPicture,
    StopPicture, TracePicture,
};
pub use list::GolemLine;
pub use local_chain::{AccountLine, AddressesPicture, ContractLine, LocalChainPicture, StoppedChain};
pub use mandate::{EscrowPicture, MandateLine, MandatePicture, TermsPicture};
pub use measures::{Measures, MeasuresPicture};
pub use mood::{FeltPicture, InfluencePicture, MoodPicture, PadPicture};
pub use page::{
    CostsPage, DreamsPage, EvidenceCurve, ExperimentLine, ExperimentPage, FamilyLine, FamilyPage, FleetLine, FleetNews,
    FleetPicture, FleetTick, HistoryPicture, LoggedLine, MarketPage, MindPage, MoneySeries, NewsPicture, PhaseSpan,
    PlaybookPage, PortraitPicture, ProfitPage, RecalledMark, RuleStep, ScoreSeries, ShareSeries, StainMark,
    StandingPicture, StatusPage, TestamentPage, TimeSeries,
};
pub use picture::{Field, Picture, columns_of, csv_of, key_of, table_of};
pub use playbook::{
    BookCheck, BookDifference, BookPicture, CounselChange, CounselDiff, CounselPicture, CounselRule, CounselVersion,
    FoundingText, MistakePicture, RemarkPicture, ReturnPpm, RulePicture, SharedRule, TriedBook, TriedRule, WhyInPool,
    WhyPicture, WordPicture,
};
pub use plot::{Curve, Panel, PlotMark, PlotPoint, PlotSpan, figure};
pub use policy::{
    ChangedNumber, ListedPicture, PayeeLine, PolicyChanges, PolicyInForce, PolicyPicture, PoolLeaves, PoolLine,
    PoolListed, PoolPicture, WorstPicture,
};
pub use serde_json::Value;
pub use settings::{ChangedKey, CheckedFile, KeyLine};
pub use shown::{AsKept, ByteCount, Gain, Millionths, Number, Seconds, Shown, Tested, Ticks, TokenUnits, Wei};
pub use status::{StatusPicture, Witness};
pub use story::{DreamtStory, FeltStory, LearntStory, Story, StoryPicture, TriedStory, WrongStory};
pub use suffering::{EasedPicture, PressingPicture, SufferingPicture};
pub use summary::{LifeSummary, break_even};
pub use table::{Table, plain};
pub use trades::{RecordedTrade, TokenChange, TradeLine};
pub use understanding::{BeliefPicture, BelievedAmount};
