//! Inputs drawn from bytes: everything a life can be told, in every variant that its type has.
//!
//! What is drawn stands together, so that a variant that is not drawn is seen by whoever adds it.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use golem_core::deliberation::ModelAdvice;
use golem_core::record::{
    Acknowledged, Bar, BlockRef, BookWord, Bought, ChainLife, Checked, CladeNews, Command, Confession, CostSource,
    Curated, CycleId, Diagnosis, Distilled, DreamCounts, DreamTerms, DreamTier, DreamTrigger, Dreamt, Due, Effect,
    EffectKind, EmotionReply, EntryAdvice, Fill, InKind, Inflows, Learnt, MarketReading, MissCause, Moved,
    MovedPosition, Observation, Offered, Offers, Order, Outcome, OutcomeResult, PeerMessage, PoolAccess, PoolReading,
    PositionReading, PurchaseOccasion, RECORD_VERSION, Received, Recollection, Reconsidered, Rule, RuleShown, Says,
    Scar, Scent, SiblingCrisis, SiblingDeath, SiblingRule, Sight, SignClass, SourceKind, SourceName, StudyQuotes,
    SufferingReply, Temper, TickInput, TokenReading, Turn, Unbought, VaultReading, Wake, WakeSource,
};
use golem_daimon::Pad;
use golem_daimon::personality::Personality;
use golem_dreams::integration::journal::{CycleEnding, EngineLabel};
use golem_dreams::law::DreamLaw;
use golem_dreams::words::{DreamPhase, ScheduleMode};
use golem_grimoire::curator::Duty;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Domain;
use golem_grimoire::regime::Regime;
use golem_mortality::cause::{CauseKind, KillOrder, Reason};
use golem_mortality::economic::partitions::{Partition, Partitions};
use golem_mortality::economic::tier::Tier;
use golem_mortality::epistemic::domain::{Level, MarketState};
use golem_mortality::epistemic::window::Pair;
use golem_mortality::phase::Phase;
use golem_mortality::stochastic::roll::{Roll, Salt};
use golem_mortality::vitals::{BalanceReading, Chance};
use golem_primitives::{
    Address, B256, Decimals, Denomination, EffectId, GolemId, PoolName, Ppm, Tick, U256, Usdc, UtcTime,
};
use golem_suffering::Band;
use golem_suffering::condition::CompiledCondition;
use golem_suffering::domain::WorkDomain;
use golem_suffering::kind::{Canonical, StressorKind};
use golem_suffering::severity::Severity;
use golem_suffering::stressor::{Closure, RaisedBy};
use golem_suffering::text::{Key, Line};

use crate::temper::whole;
use crate::world::{BIRTH, trade};
use crate::{brisk, readings};

/// What can be drawn from bytes.
trait Drawn: Sized {
    fn drawn(bytes: &mut Bytes<'_>) -> Self;
}

/// How values without parts are drawn.
macro_rules! plain {
    ($($type:ty = |$bytes:ident| $make:expr,)+) => {
        $(impl Drawn for $type {
            fn drawn($bytes: &mut Bytes<'_>) -> Self {
                $make
            }
        })+
    };
}

/// Draws every field by its type, but for those that are given.
macro_rules! of_fields {
    ($($type:ident { $($field:ident),* $(; |$bytes:ident| $($given:ident: $make:expr),+)? $(,)? })+) => {
        $(impl Drawn for $type {
            #[allow(unused_variables, reason = "not everything that is given is drawn")]
            fn drawn(bytes: &mut Bytes<'_>) -> Self {
                Self { $($field: bytes.draw(),)* $($($given: { let $bytes = &mut *bytes; $make },)+)? }
            }
        })+
    };
}

/// Draws one variant of a type, with its parts by their types or as it is given. A variant that is not named is not matched, and
/// what is not matched does not compile.
macro_rules! of_variants {
    ($($type:ident { $($variant:ident $({ $($field:ident),+ })? $(($part:ident))? $(= $make:expr)?),+ $(,)? })+) => {
        $(impl Drawn for $type {
            fn drawn(bytes: &mut Bytes<'_>) -> Self {
                const _: fn(&$type) = |known| match known { $($type::$variant { .. } => (),)+ };
                let makers: &[fn(&mut Bytes<'_>) -> $type] = &[
                    $(of_variants!(@ $type $variant $({ $($field),+ })? $(($part))? $(= $make)?)),+
                ];
                let maker = makers[usize::from(bytes.byte()) % makers.len()];
                maker(bytes)
            }
        })+
    };
    (@ $type:ident $variant:ident) => { |_| $type::$variant };
    (@ $type:ident $variant:ident { $($field:ident),+ }) => { |bytes| $type::$variant { $($field: bytes.draw()),+ } };
    (@ $type:ident $variant:ident ($part:ident)) => { |bytes| $type::$variant(bytes.draw()) };
    (@ $type:ident $variant:ident = $make:expr) => { $make };
}

/// Effects that are remembered, to be answered or taken back.
const WANTED: usize = 8;

/// Reads whatever is asked for from bytes; when they are used up it reads zeros.
pub(crate) struct Bytes<'a> {
    left: &'a [u8],
    wanted: VecDeque<Effect>,
    /// The tick that is due.
    due: u64,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(left: &'a [u8]) -> Self {
        Self { left, wanted: VecDeque::new(), due: 1 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// What a pass wanted: some of it is answered later.
    pub(crate) fn want(&mut self, effects: &[Effect]) {
        self.wanted.extend(effects.iter().cloned());
        let extra = self.wanted.len().saturating_sub(WANTED);
        self.wanted.drain(..extra);
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.left.split_first() else { return 0 };
        self.left = rest;
        *first
    }

    fn draw<T: Drawn>(&mut self) -> T {
        T::drawn(self)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }

    /// At most three.
    fn some<T: Drawn, C: FromIterator<T>>(&mut self) -> C {
        (0..self.byte() % 4).map(|_| self.draw()).collect()
    }

    /// Small mostly, anything sometimes.
    fn number(&mut self) -> u64 {
        match self.byte() {
            0..=199 => u64::from(self.byte()) * 1_000,
            200..=239 => u64::from(self.byte()) << 20,
            _ => u64::from_be_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    fn signed(&mut self) -> i64 {
        let number = self.number() as i64;
        if self.draw() { number } else { number.wrapping_neg() }
    }

    /// The number of the tick that is due, mostly.
    fn due_or_any(&mut self) -> u64 {
        if self.byte() < 220 { self.due } else { self.number() }
    }

    /// The name of an effect: of one that was wanted, mostly.
    fn effect(&mut self) -> EffectId {
        let at = usize::from(self.byte() % 12);
        if let Some(wanted) = self.wanted.get(at) {
            return wanted.id;
        }
        let golem = GolemId::new("golem-0001").expect("a name");
        let tick = self.due.saturating_sub(u64::from(self.byte() % 3));
        EffectId::derive(&golem, Tick::new(tick), 4, u32::from(self.byte() % 3))
    }

    /// What was wanted and is taken back, and sometimes what never was.
    fn withdrawn(&mut self) -> Observation {
        let at = usize::from(self.byte() % 12);
        let (effect, kind) = match self.wanted.get(at) {
            Some(wanted) => (wanted.id, wanted.kind),
            None => (EffectId(self.draw()), self.draw()),
        };
        Observation::Withdrawn { effect, kind, was_refused: self.draw() }
    }

    fn market(&mut self) -> MarketReading {
        let price = Usdc::from_micros(3_000_000_000 + u64::from(self.byte()) * 100_000);
        if self.byte() < 220 { readings::market(price) } else { self.draw() }
    }

    fn vault(&mut self) -> VaultReading {
        if self.byte() < 180 {
            let held = if self.draw() { 0 } else { self.draw::<u128>() >> 8 };
            let held_cost = self.draw();
            return VaultReading { held, held_cost, ..readings::vault(UtcTime::from_seconds(BIRTH)) };
        }
        self.draw()
    }

    /// The look a decision begins with, mostly.
    pub(crate) fn look(&mut self) -> Option<Observation> {
        (self.byte() > 40).then(|| Observation::Sight(self.draw()))
    }

    fn dream_terms(&mut self) -> DreamTerms {
        let mut law = DreamLaw { enabled: self.byte() < 220, tier: self.draw(), ..DreamLaw::default() };
        law.schedule.mode = self.pick(ScheduleMode::ALL);
        DreamTerms::new(&law, self.draw(), "ETH")
    }

    fn scar(&mut self) -> Scar {
        let (onset, severity) = (self.draw(), self.draw());
        Scar {
            kind: StressorKind::Canonical(self.pick(Canonical::ALL)),
            source: self.pick(RaisedBy::ALL),
            description: Line::new("it was hard"),
            condition: CompiledCondition::named("projected_life_hours >= 96", self.draw()),
            severity,
            peak: severity,
            onset,
            last_escalated: onset,
            resolved_at: self.draw(),
            closure: self.pick(Closure::ALL),
            note: Line::new(""),
            claimed_reason: None,
            raise_count: self.draw(),
            domain: WorkDomain::default(),
            watched: None,
            fitness_at_onset: self.draw(),
            inherited: self.draw(),
        }
    }

    fn sibling_rule(&mut self) -> SiblingRule {
        let shown = RuleShown { trips: self.draw(), evidence: self.draw(), mean_ppm: 0 };
        let text =
            "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%\n- until: since >= 30\n- expects: +0.8% within 100";
        SiblingRule::read(self.draw(), text, shown).expect("a rule")
    }

    fn rule(&mut self) -> Rule {
        let rules = brisk::foundation("mean-reversion").book.rules;
        rules[usize::from(self.byte()) % rules.len()].clone()
    }

    fn verified(&mut self) -> OutcomeResult {
        let trade = trade(EffectId(B256::ZERO), self.due, self.signed(), self.signed());
        let OutcomeResult::Verified(mut record) = trade.result else { panic!("a trade is verified") };
        (record.receipt.moved, record.receipt.success) = (self.draw(), self.byte() < 200);
        OutcomeResult::Verified(record)
    }

    /// A pass that is due, mostly; sometimes one that is not.
    pub(crate) fn input(&mut self, due: u64, turns: &[Turn]) -> TickInput {
        self.due = due;
        let tick = if self.byte() < 8 { self.number() } else { due };
        let turn = self.pick(turns);
        let seconds = if self.byte() < 8 { self.number() } else { BIRTH + due * 40 };
        let many = |byte: u8, rare: u8| if byte < rare { usize::from(byte) % 5 } else { 0 };
        TickInput {
            version: if self.byte() < 2 { 7 } else { RECORD_VERSION },
            tick: Tick::new(tick),
            turn,
            now: UtcTime::from_seconds(seconds),
            chance: self.draw(),
            roll_block: None,
            observations: (0..many(self.byte(), 200)).map(|_| self.draw()).collect(),
            outcomes: (0..many(self.byte(), 120)).map(|_| self.draw()).collect(),
            commands: (0..many(self.byte(), 6)).map(|_| self.draw()).collect(),
        }
    }
}

impl<T: Drawn> Drawn for Box<T> {
    fn drawn(bytes: &mut Bytes<'_>) -> Self {
        Self::new(bytes.draw())
    }
}

impl<T: Drawn> Drawn for Option<T> {
    fn drawn(bytes: &mut Bytes<'_>) -> Self {
        bytes.draw::<bool>().then(|| bytes.draw())
    }
}

impl<T: Drawn> Drawn for Vec<T> {
    fn drawn(bytes: &mut Bytes<'_>) -> Self {
        bytes.some()
    }
}

impl<T: Drawn, const N: usize> Drawn for ArrayVec<T, N> {
    fn drawn(bytes: &mut Bytes<'_>) -> Self {
        bytes.some()
    }
}

impl<T: Drawn, const N: usize> Drawn for [T; N] {
    fn drawn(bytes: &mut Bytes<'_>) -> Self {
        std::array::from_fn(|_| bytes.draw())
    }
}

impl<A: Drawn, B: Drawn> Drawn for (A, B) {
    fn drawn(bytes: &mut Bytes<'_>) -> Self {
        (bytes.draw(), bytes.draw())
    }
}

plain! {
    bool = |bytes| bytes.byte().is_multiple_of(2),
    u8 = |bytes| bytes.byte(),
    u32 = |bytes| bytes.number() as u32,
    u64 = |bytes| bytes.number(),
    u128 = |bytes| u128::from(bytes.number()) << (bytes.byte() % 65),
    i32 = |bytes| bytes.signed() as i32,
    i64 = |bytes| bytes.signed(),
    i128 = |bytes| i128::from(bytes.signed()),
    U256 = |bytes| U256::from(bytes.draw::<u128>()),
    String = |bytes| bytes.pick(&["no", "the vault sleeps", "insufficient funds", ""]).to_owned(),
    Usdc = |bytes| Usdc::from_micros(bytes.number()),
    Ppm = |bytes| Ppm::saturating(u64::from(bytes.byte()) * 4_000),
    Tick = |bytes| Tick::new(bytes.number()),
    UtcTime = |bytes| UtcTime::from_seconds(if bytes.byte() < 8 { bytes.number() } else { BIRTH + bytes.number() % 1_000_000 }),
    B256 = |bytes| B256::repeat_byte(bytes.byte()),
    GolemId = |bytes| GolemId::new(if bytes.draw() { "sibling" } else { "golem-0001" }).expect("a name"),
    EffectId = |bytes| bytes.effect(),
    // The home pool, one that may be listed, or one that never is.
    PoolName = |bytes| bytes.pick(&[PoolName::HOME, "beside".parse().expect("a name"), "nowhere".parse().expect("a name")]),
    Decimals = |bytes| Decimals::new(bytes.byte() % 25).expect("few"),
    Denomination = |bytes| Denomination { decimals: bytes.draw(), ..Denomination::default() },
    SourceName = |bytes| SourceName::new(bytes.pick(&["a", "b", "c"])).expect("a name"),
    Partitions = |bytes| Partitions::observed(bytes.draw()),
    MarketState = |bytes| MarketState(bytes.draw()),
    Pair = |bytes| Pair::new(f64::from(bytes.byte()), f64::from(bytes.byte())).expect("a pair"),
    Severity = |bytes| Severity::of(bytes.draw()),
    Pad = |bytes| Pad::thousandths(i32::from(bytes.byte()), i32::from(bytes.byte()), 0),
    CycleId = |bytes| CycleId(bytes.number()),
    Reason = |_bytes| Reason::new("a test").expect("short"),
    Learnt = |_bytes| Learnt::default(),
    Phase = |bytes| bytes.pick(&Phase::ALL),
    Tier = |bytes| bytes.pick(&Tier::ALL),
    Partition = |bytes| bytes.pick(&Partition::ALL),
    CauseKind = |bytes| bytes.pick(CauseKind::ALL),
    CostSource = |bytes| bytes.pick(CostSource::ALL),
    MissCause = |bytes| bytes.pick(MissCause::ALL),
    DreamTrigger = |bytes| bytes.pick(DreamTrigger::ALL),
    DreamTier = |bytes| bytes.pick(DreamTier::ALL),
    DreamPhase = |bytes| bytes.pick(DreamPhase::ALL),
    WakeSource = |bytes| bytes.pick(WakeSource::ALL),
    SourceKind = |bytes| bytes.pick(SourceKind::ALL),
    PurchaseOccasion = |bytes| bytes.pick(PurchaseOccasion::ALL),
    SignClass = |bytes| bytes.pick(SignClass::ALL),
    Domain = |bytes| bytes.pick(Domain::ALL),
    Regime = |bytes| bytes.pick(Regime::ALL),
    Band = |bytes| bytes.pick(Band::ALL),
    Duty = |bytes| bytes.pick(&[Duty::Rest, Duty::Austerity, Duty::Housekeeping, Duty::Whole]),
    Says = |bytes| bytes.pick(&[Says::Avoid, Says::Use, Says::Beware]),
    Due = |bytes| bytes.pick(&[Due::Episodes, Due::Housekeeping]),
    DreamTerms = |bytes| bytes.dream_terms(),
    Scar = |bytes| bytes.scar(),
    SiblingRule = |bytes| bytes.sibling_rule(),
    Rule = |bytes| bytes.rule(),
    Temper = |bytes| {
        let whole = whole(Personality::born(&bytes.draw(), None));
        if bytes.byte() < 200 { whole } else { Temper { affect: None, ..whole } }
    },
    Chance = |bytes| match bytes.byte() {
        0..=3 => Chance::Given(Roll(bytes.number())),
        4..=20 => Chance::Named(Salt::Block(bytes.draw())),
        _ => Chance::Named(Salt::Seed(7)),
    },
}

of_fields! {
    MarketReading {
        price, access, denomination, twap, pool_tick, tick_spacing, token_is_first, liquidity, fee_ppm, base_fee_wei, ether;
        |bytes| pool: PoolName::HOME, token: 0, fee_growth: [bytes.draw(), U256::MAX - bytes.draw::<U256>()]
    }
    PositionReading { pool, lower, upper, liquidity, token, usdc, fees, book; |bytes| id: u64::from(bytes.byte() % 3) }
    TokenReading { held, cost }
    VaultReading {
        credits, reserve, idle, held, held_cost, others, harvestable, capital, unallocated, positions, key_wei, reported_phase,
        reported_tick, beat_at, spendable_today, barred;
        |bytes| life: if bytes.byte() < 200 { ChainLife::Alive } else { bytes.draw() }
    }
    BlockRef {
        hash;
        |bytes| number: bytes.due,
        time: if bytes.byte() < 8 { bytes.draw() } else { UtcTime::from_seconds(BIRTH + bytes.due * 40) }
    }
    // P-057. Pools beside the home pool, whatever they say of themselves.
    Sight {
        block;
        |bytes| market: bytes.market(),
        elsewhere: (0..bytes.byte() % 4)
            .map(|_| MarketReading { pool: bytes.draw(), token: bytes.byte() % 5, access: bytes.draw(), ..bytes.market() })
            .collect(),
        vault: (bytes.byte() > 20).then(|| bytes.vault())
    }
    Offered {
        name, kind, at_most, every_seconds, when;
        |bytes| host: bytes.pick(&["a:443", "b:443"]).to_owned()
    }
    Offers { sources, per_day, call_cap, float_cap }
    Inflows {
        settled, recent, capital, funded, earned, owner_spoke;
        |bytes| at: bytes.due_or_any(),
        after: bytes.draw::<bool>().then(|| if bytes.byte() < 220 { bytes.due.saturating_sub(1) } else { bytes.number() }),
        settled_to: bytes.due_or_any(),
        is_resplit: std::array::from_fn(|_| bytes.byte() < 40)
    }
    StudyQuotes { reflection, distillation, last_words }
    Recollection { episodes, unreplayed, arousal, surprises, is_window_open, glance }
    Wake { source, reason, at }
    PoolReading { sqrt_price, tick, liquidity, fee_ppm, ends, ticks, token_is_first }
    Fill {
        effect, order, block, at, usdc_micros, token, decimals, price, gas, pool;
        |bytes| tick: Tick::new(bytes.due)
    }
    PeerMessage { load, is_over; |_bytes| types: Key::new("existential_threat").into_iter().collect() }
    SiblingCrisis { golem, message }
    SiblingDeath { golem, cause, overlap }
    Acknowledged {
        golem, is_upheld;
        |_bytes| what: "dip".to_owned(), shared_at: UtcTime::from_seconds(BIRTH)
    }
    Checked { golem, is_upheld }
    Scent { domain, class, intensity, confirmations }
    CladeNews {
        through, siblings, crises, deaths, moods, alerts, rules, acknowledged, checked, air, shared;
        |_bytes| stains: Vec::new()
    }
    EntryAdvice {
        says, regime, confidence;
        |bytes| entry: EntryId::derive(UtcTime::from_seconds(BIRTH), &bytes.draw(), &[bytes.byte() % 4]),
        tool: bytes.pick(&["mean-reversion", "mean-reversion/sell", ""]).to_owned()
    }
    ModelAdvice { about; |bytes| index: bytes.byte() % 4, rationale: "so".into() }
    Dreamt {
        cycle, trigger, tier, ending, calls, wasted, duration_ticks, rules, playbook_version, quality;
        |bytes| engine: EngineLabel::Rules,
        counts: DreamCounts { replayed: bytes.draw(), admitted: bytes.draw(), ..DreamCounts::default() },
        mood: None
    }
    Curated {
        duty, added, promoted, demoted, archived, restored, burned, archived_recently, active_at_start, active, candidates, rules,
        playbook_version, mean_before, mean_after, taught
    }
    InKind { id, amount; |_bytes| asset: Address::ZERO }
    Received { usdc, wei, in_kind, waiting, is_whole, why_in_kind; |_bytes| owner: Address::ZERO }
    MovedPosition { before, after; |bytes| id: u64::from(bytes.byte() % 3) }
    Moved { usdc_micros, token, held_before, denomination, price, position }
    Bought {
        source, bytes, digest, reading, receipt;
        |_bytes| host: "a:443".to_owned(), excerpt: "buy everything".into()
    }
    Confession {
        ;
        |bytes| feeling: bytes.draw::<bool>().then(|| EmotionReply { primary: "fear".to_owned(), ..EmotionReply::default() }),
        suffering: bytes.draw::<bool>().then(SufferingReply::default)
    }
    Diagnosis { cause, certainty, rules; |_bytes| lessons: Vec::new() }
    Reconsidered { improved, diagnosis }
    Distilled { tier, claimed, admitted }
    Outcome { effect, cost, result }
}

of_variants! {
    Level { Low, Middle, High }
    BalanceReading { Ledger, Blind, Observed(partitions) }
    KillOrder { Owner(reason), Switch(reason) }
    Order {
        Buy { pool, spend, least },
        Sell { pool, amount, least },
        Provide { pool, lower, upper, usdc, token },
        Withdraw { pool, position, liquidity },
    }
    EffectKind {
        Declare { cause },
        EmergencyDream,
        UnwindPositions { open },
        ResplitCredits { phase },
        MoveCredits { source, destination, amount },
        RaiseReserve { to },
        OfferFeed { amount, deadline },
        Reflect { ceiling },
        TakeDeathSnapshot,
        TakeInsuranceSnapshot,
        Curate,
        Trade(order),
        Beat { phase, vitality },
        PayHost { partition, amount },
        Refuel { amount },
        Harvest,
        Allocate,
        WriteTestament,
        Settle,
        Deliberate { tier, about },
        Buy { source },
        DrawFloat { partition, amount },
        Distil { tier },
        Rehearse(order),
        Dream { cycle, trigger, tier },
    }
    PoolAccess { Open, Leaving, Closed }
    ChainLife { Alive, Dying { order, deadline }, Dead { order } }
    Bar { OwnerChanged, Hibernating, KeyRotated, EndUnconfirmed }
    Observation {
        Balance(reading),
        Upkeep { source, cost },
        Funded { amount },
        Revenue { amount },
        Market { predicted, observed },
        Resolved { pair },
        Regime { is_novel },
        Positions { open },
        Pruned { archived, archived_recently, active_at_start },
        Sight(sight),
        Blind,
        Withdrawn = |bytes| bytes.withdrawn(),
        Counsel { advice },
        Faculties { quotes },
        CuratorDue { why },
        Precedents { ttl_ticks },
        Offers(offers),
        Inflows(log),
        Studies { quotes },
        Temper(temper),
        Dreams(terms),
        Recalled(recollection),
        Roused(wake),
        Filled(fill),
        Scars(scars),
        Clade(news),
        Learnt(learnt),
    }
    Command { Kill(order), BecomeMortal, Sleep, Wake, Conclude, Book(word) }
    BookWord {
        Propose(rules),
        Search,
        Judge = |bytes| BookWord::Judge { rule: bytes.pick(&["dip", "never", ""]).to_owned(), is_wanted: bytes.draw() },
    }
    Unbought { Cheated { until }, Barred { until }, FloatShort { short }, Unknown, Refused, Unaffordable, Suffering(band) }
    CycleEnding { Complete, Degraded, BudgetExhausted(phase), Aborted, Interrupted { phase, wake } }
    OutcomeResult {
        Done,
        Verified = |bytes| bytes.verified(),
        Simulated(moved),
        Reflected { improved },
        Refused { reason },
        Curated(cycle),
        Advised { advice },
        Bought(bought),
        Unbought(why),
        Reconsidered(answer),
        Distilled(answer),
        Confided { advice, confession },
        Dreamt(dreamt),
        Settled(received),
    }
}
