//! What a page shows of one life: its past as curves, its moment, its market, its cost.

use golem_core::life::Life;
use golem_primitives::{Address, AgentId, LineageId, Ppm, Tick, Usdc, UtcTime};
use serde_json::{Value, json};

use crate::shown::shown;
use crate::{
    CounselPicture, CounselVersion, CreditsPicture, DreamLine, DreamPicture, Gain, GravePicture, HoldingPicture,
    LifeHistory, LifePicture, LifeSummary, MoodPicture, Number, ProfitPicture, PurchasesPicture, SensedMark, Series,
    SpentPicture, SufferingPicture, Ticks, TradeLine, TriedBook, WhyInPool, Witness, picture,
};

/// A series for a program: four lists of equal length, a place each for neighbouring ticks.
fn places(series: &Series) -> Value {
    let of = |value: fn(&crate::Extent) -> Value| series.extents().iter().map(value).collect::<Vec<_>>();
    json!({
        "from_tick": of(|extent| extent.from.get().into()),
        "least": of(|extent| extent.least.into()),
        "greatest": of(|extent| extent.greatest.into()),
        "last": of(|extent| extent.last.into()),
    })
}

/// How many places it has, for a person.
fn counted(series: &Series) -> String {
    format!("{} places", series.extents().len())
}

macro_rules! series {
    ($($(#[$about:meta])* $name:ident in $unit:literal;)*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $name(pub Series);

        shown! { $name as series: counted(&series.0) => places(&series.0), $unit; }
    )*};
}

series! {
    /// A share over a life.
    ShareSeries in "ppm";
    /// Money over a life.
    MoneySeries in "usdc_micros";
    /// A score over a life.
    ScoreSeries in "micros";
    /// A time over a life, in seconds since 1970.
    TimeSeries in "seconds";
}

picture! {
    /// M-120. Neighbouring ticks of one phase.
    pub struct PhaseSpan { phase: String = "phase", from: Tick = "from tick", to: Tick = "to tick" }
}

impl Eq for PhaseSpan {}

picture! {
    /// How a life went, a curve each.
    pub struct HistoryPicture {
        golem: String,
        tick: Tick,
        vitality: ShareSeries,
        economic: ShareSeries,
        epistemic: ShareSeries,
        survival: ShareSeries,
        equity: MoneySeries,
        held: MoneySeries,
        price: MoneySeries,
        spent: MoneySeries,
        time: TimeSeries,
        phases: Vec<PhaseSpan>,
    }
}

impl HistoryPicture {
    /// Of what was kept of a life up to a tick.
    #[must_use]
    pub fn of(golem: &str, tick: Tick, history: &LifeHistory) -> Self {
        let LifeHistory { vitality, economic, epistemic, survival, equity, held, price, spent, time, phases } =
            history.clone();
        Self {
            golem: golem.to_owned(),
            tick,
            vitality: ShareSeries(vitality),
            economic: ShareSeries(economic),
            epistemic: ShareSeries(epistemic),
            survival: ShareSeries(survival),
            equity: MoneySeries(equity),
            held: MoneySeries(held),
            price: MoneySeries(price),
            spent: MoneySeries(spent),
            time: TimeSeries(time),
            phases,
        }
    }
}

picture! {
    /// One Golem of a machine among the others; what cannot be read is said in its place.
    #[derive(Default)]
    pub struct FleetLine {
        name: String = "name",
        agent: Option<AgentId> = "agent",
        chain: Option<u64> = "chain",
        paper: bool,
        life: &'static str = "life",
        cause: Option<&'static str> = "cause",
        phase: Option<String> = "phase",
        tick: Option<Tick> = "tick",
        vitality: Option<Ppm> = "vitality",
        credits: Option<Usdc> = "credits",
        credits_last: Option<Ticks> = "credits last",
        equity: Option<Usdc> = "capital is worth",
        marked: Option<Gain> = "made at the prices of now",
        after_everything: Option<Gain> = "after everything",
        ahead: Option<Gain> = "ahead of holding",
        process: Option<u32> = "process",
        last_seen: Option<UtcTime> = "last tick at",
        worth: MoneySeries,
        liveliness: ShareSeries,
        error: Option<String>,
    }

    /// The Golems of a machine.
    pub struct FleetPicture { home: String, golems: Vec<FleetLine> }

    /// Where a life stands, in sentences.
    pub struct StandingPicture {
        has: Vec<String> = "has",
        made: Option<String> = "made",
        costs: String = "costs",
        waits: String = "waits",
    }
}

impl StandingPicture {
    /// What a life has, made, costs and waits for.
    #[must_use]
    pub fn of(golem: &str, life: &Life) -> Self {
        let told = LifeSummary(life);
        Self { has: told.has(), made: told.made(), costs: told.costs(), waits: told.waits(golem) }
    }
}

picture! {
    /// Something that happened, in words.
    pub struct LoggedLine { time: UtcTime = "time", tick: Tick = "tick", words: String = "what" }

    /// One life as it stands.
    pub struct PortraitPicture {
        golem: String,
        place: String,
        paper: bool,
        agent: Option<AgentId>,
        vault: Option<Address>,
        owner: Option<Address>,
        chain_id: Option<u64>,
        life: LifePicture,
        standing: StandingPicture,
        why: Vec<WhyInPool>,
        trades: Vec<TradeLine>,
        log: Vec<LoggedLine>,
    }

    /// What came in the passes since a page last heard of a life.
    pub struct NewsPicture {
        golem: String,
        tick: Tick,
        life: &'static str,
        phase: String,
        vitality: Ppm,
        economic: Ppm,
        epistemic: Ppm,
        log: Vec<LoggedLine>,
    }

    /// What came to a fleet: who stands where.
    pub struct FleetNews { golems: Vec<FleetTick> }

    /// How far one of them is.
    pub struct FleetTick { name: String, passes: u64 }

    /// Everything that a life dreams.
    pub struct DreamsPage {
        golem: String,
        /// None where it does not dream.
        dreaming: Option<DreamPicture>,
        dreams: Vec<DreamLine>,
    }

    /// What moves a life and what presses on it; none where it has no moods or cannot suffer.
    pub struct MindPage { golem: String, mood: Option<MoodPicture>, suffering: Option<SufferingPicture> }

    /// I-340, O-012. A death, where the market was then.
    pub struct StainMark {
        golem: String = "who",
        cause: &'static str = "of",
        at: UtcTime = "when",
        block: u64,
        ticks: u64 = "after ticks",
        net: Gain = "made",
        regime: Option<&'static str> = "regime",
        excerpt: String = "it said",
        warnings: Vec<String>,
        own: bool,
    }

    /// G-100, O-012. When the market looked like one that somebody of the line died of.
    pub struct RecalledMark { tick: Tick, pool: String, died_of: &'static str, died: UtcTime }
    /// O-012. A market with what was done and suffered in it.
    pub struct MarketPage {
        golem: String,
        tick: Tick,
        price: MoneySeries,
        time: TimeSeries,
        trades: Vec<TradeLine>,
        stains: Vec<StainMark>,
        recalled: Vec<RecalledMark>,
        sensed: Vec<SensedMark>,
    }

    /// M-022 and V-014. What living cost, and what of it there is left to live on.
    pub struct CostsPage {
        golem: String,
        tick: Tick,
        funded: Usdc = "given to live on",
        spent: Usdc = "spent on living",
        burn_per_day: Usdc = "burns a day",
        credits: CreditsPicture,
        reserve: Usdc = "locked for its death",
        credits_last: Option<Ticks> = "credits last",
        profit: Option<ProfitPicture>,
        purchases: Option<PurchasesPicture>,
        dreams: Option<SpentPicture>,
        each_tick: MoneySeries,
    }
}

impl CostsPage {
    /// Of a life, its picture and its past.
    #[must_use]
    pub fn of(
        golem: &str,
        life: &Life,
        told: &LifePicture,
        dreams: Option<SpentPicture>,
        history: &LifeHistory,
    ) -> Self {
        let economic = life.vitals().economic();
        Self {
            golem: golem.to_owned(),
            tick: life.tick(),
            funded: economic.lifetime_funded(),
            spent: economic.lifetime_spent(),
            burn_per_day: told.clocks.burn_per_day,
            credits: told.credits.clone(),
            reserve: told.reserve,
            credits_last: told.clocks.credits_last,
            profit: told.hand.as_ref().map(|hand| hand.profit.clone()),
            purchases: told.purchases.clone(),
            dreams,
            each_tick: MoneySeries(history.spent.clone()),
        }
    }
}

picture! {
    /// O-014. Where a life stands, for a program that asks for one thing at a time.
    pub struct StatusPage { golem: String, place: String, life: LifePicture, standing: StandingPicture }

    /// O-014. What a life made, beside holding, and what living cost.
    pub struct ProfitPage {
        golem: String,
        tick: Tick,
        /// None of one that has not looked at a market yet.
        profit: Option<ProfitPicture>,
        holding: Option<Witness<HoldingPicture>>,
        funded: Usdc,
        spent: Usdc,
        burn_per_day: Usdc,
        credits: CreditsPicture,
        credits_last: Option<Ticks>,
    }
}

impl ProfitPage {
    /// Of a life and its picture.
    #[must_use]
    pub fn of(golem: &str, life: &Life, told: LifePicture) -> Self {
        let economic = life.vitals().economic();
        Self {
            golem: golem.to_owned(),
            tick: life.tick(),
            profit: told.hand.map(|hand| hand.profit),
            holding: told.holding,
            funded: economic.lifetime_funded(),
            spent: economic.lifetime_spent(),
            burn_per_day: told.clocks.burn_per_day,
            credits: told.credits,
            credits_last: told.clocks.credits_last,
        }
    }
}

picture! {
    /// O-014. What a Golem wrote when it died, as Markdown.
    pub struct TestamentPage { golem: String, testament: String }

    /// An experiment that was registered, and what came of it so far.
    pub struct ExperimentLine {
        name: String = "experiment",
        question: String = "asks",
        programme: String = "programme",
        lived: u64 = "seeds lived",
        registered: u64 = "of",
        verdict: &'static str = "verdict",
    }

    /// One experiment with its report, as Markdown.
    pub struct ExperimentPage { experiment: ExperimentLine, report: String }

    /// One of a line that was raised on this machine.
    pub struct FamilyLine {
        name: String = "name",
        agent: AgentId = "agent",
        generation: u64 = "generation",
        life: &'static str = "life",
        born: UtcTime = "born",
        credits: Usdc = "born with credits",
        capital: Usdc = "born with capital",
        /// What is left of it, where it is dead.
        grave: Option<GravePicture>,
        /// I-262. Its testament as it wrote it, or why there is none to read.
        testament: Option<Witness<String>>,
        own: bool,
    }

    /// A line as this machine knows it; of one on paper itself alone.
    pub struct FamilyPage { golem: String, lineage: Option<LineageId>, members: Vec<FamilyLine> }

    /// One change of one rule, when it came.
    pub struct RuleStep {
        tick: Tick = "tick",
        pool: String = "pool",
        rule: String = "rule",
        number: u64,
        change: String = "what",
        evidence: Option<Number> = "evidence",
    }

    /// P-050. What a rule's evidence was, over the life.
    pub struct EvidenceCurve { pool: String, rule: String, number: u64, evidence: ScoreSeries }

    /// The rules of a life, what each has shown over it, and what its Curator counsels.
    pub struct PlaybookPage {
        golem: String,
        tick: Tick,
        book: TriedBook,
        curves: Vec<EvidenceCurve>,
        steps: Vec<RuleStep>,
        counsel: CounselPicture,
        versions: Vec<CounselVersion>,
    }
}
