//! Inputs drawn from bytes: everything a life can be told, in every variant that its type has.
//!
//! Long file: what is drawn stands together, so that a variant that is not drawn is seen by whoever adds it.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use golem_core::deliberation::Advice as Answer;
use golem_core::record::{
    Acknowledged, Advice, Bar, BlockRef, BookWord, Bought, ChainLife, Checked, CladeNews, Command, Confession,
    CostSource, Curated, CycleId, Diagnosis, Distilled, DreamCounts, DreamTerms, DreamTier, DreamTrigger, Dreamt, Due,
    Effect, EffectKind, EmotionReply, Fill, InKind, Inflows, MarketReading, MissCause, Moved, MovedPosition,
    Observation, Occasion, Offered, Offers, Order, Outcome, OutcomeResult, PeerMessage, PoolAccess, PoolReading,
    PositionReading, RECORD_VERSION, Received, Recollection, Reconsidered, Rule, RuleShown, Says, Scar, Scent,
    SiblingCrisis, SiblingDeath, SiblingRule, Sight, SignClass, SourceKind, SourceName, StudyQuotes, SufferingReply,
    Temper, TickInput, TokenReading, Turn, Unbought, VaultReading, Wake, WakeSource,
};
use golem_daimon::Pad;
use golem_daimon::personality::Personality;
use golem_dreams::integration::journal::{Ending, EngineLabel};
use golem_dreams::law::DreamLaw;
use golem_dreams::words::{DreamPhase, ScheduleMode};
use golem_grimoire::curator::Duty;
use golem_grimoire::id::EntryId;
use golem_grimoire::kind::Domain as GrimoireDomain;
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
use golem_suffering::condition::Condition;
use golem_suffering::domain::Domain;
use golem_suffering::kind::{Canonical, Kind};
use golem_suffering::severity::Severity;
use golem_suffering::stressor::{Closure, Source};
use golem_suffering::text::{Key, Line};

use crate::temper::whole;
use crate::world::{BIRTH, trade};
use crate::{brisk, readings};

/// Draws one variant of a type. A variant that is not drawn is not matched, and what is not matched does not compile.
macro_rules! draw {
    ($from:expr, $type:ty, { $($variant:pat => |$bytes:ident| $make:expr,)+ }) => {{
        const _: fn(&$type) = |known| match known { $($variant => (),)+ };
        let makers: &[fn(&mut Bytes<'_>) -> $type] = &[$(|$bytes| $make),+];
        let maker = makers[usize::from($from.byte()) % makers.len()];
        maker($from)
    }};
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

    fn flag(&mut self) -> bool {
        self.byte().is_multiple_of(2)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    /// At most three.
    fn some<T, C: FromIterator<T>>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> C {
        (0..self.byte() % 4).map(|_| make(self)).collect()
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
        if self.flag() { number } else { number.wrapping_neg() }
    }

    fn count(&mut self) -> u32 {
        self.number() as u32
    }

    fn large(&mut self) -> u128 {
        u128::from(self.number()) << (self.byte() % 65)
    }

    fn usdc(&mut self) -> Usdc {
        Usdc::from_micros(self.number())
    }

    fn ppm(&mut self) -> Ppm {
        Ppm::saturating(u64::from(self.byte()) * 4_000)
    }

    fn tick(&mut self) -> Tick {
        Tick::new(self.number())
    }

    fn time(&mut self) -> UtcTime {
        UtcTime::from_seconds(if self.byte() < 8 { self.number() } else { BIRTH + self.number() % 1_000_000 })
    }

    fn hash(&mut self) -> B256 {
        B256::repeat_byte(self.byte())
    }

    fn golem(&mut self) -> GolemId {
        GolemId::new(if self.flag() { "sibling" } else { "golem-0001" }).expect("a name")
    }

    fn reason(&mut self) -> String {
        self.pick(&["no", "the vault sleeps", "insufficient funds", ""]).to_owned()
    }

    fn quotes<const N: usize>(&mut self) -> [Option<Usdc>; N] {
        std::array::from_fn(|_| self.maybe(Self::usdc))
    }

    fn source(&mut self) -> SourceName {
        SourceName::new(self.pick(&["a", "b", "c"])).expect("a name")
    }

    fn level(&mut self) -> Level {
        self.pick(&[Level::Low, Level::Middle, Level::High])
    }

    fn balance(&mut self) -> BalanceReading {
        draw!(self, BalanceReading, {
            BalanceReading::Ledger => |_bytes| BalanceReading::Ledger,
            BalanceReading::Blind => |_bytes| BalanceReading::Blind,
            BalanceReading::Observed(_) => |bytes| BalanceReading::Observed(bytes.partitions()),
        })
    }

    fn partitions(&mut self) -> Partitions {
        Partitions::observed(std::array::from_fn(|_| self.usdc()))
    }

    fn kill(&mut self) -> KillOrder {
        let reason = || Reason::new("a test").expect("short");
        if self.flag() { KillOrder::Owner(reason()) } else { KillOrder::Switch(reason()) }
    }

    fn order(&mut self) -> Order {
        draw!(self, Order, {
            Order::Buy { .. } => |bytes| Order::Buy { pool: bytes.pool(), spend: bytes.usdc(), least: bytes.large() },
            Order::Sell { .. } => |bytes| Order::Sell { pool: bytes.pool(), amount: bytes.large(), least: bytes.usdc() },
            Order::Provide { .. } => |bytes| Order::Provide { pool: bytes.pool(),
                lower: bytes.signed() as i32,
                upper: bytes.signed() as i32,
                usdc: bytes.usdc(),
                token: bytes.large(),
            },
            Order::Withdraw { .. } => |bytes| Order::Withdraw { pool: bytes.pool(), position: bytes.number(), liquidity: bytes.large() },
        })
    }

    fn effect_kind(&mut self) -> EffectKind {
        draw!(self, EffectKind, {
            EffectKind::Declare { .. } => |bytes| EffectKind::Declare { cause: bytes.pick(&CauseKind::ALL) },
            EffectKind::EmergencyDream => |_bytes| EffectKind::EmergencyDream,
            EffectKind::UnwindPositions { .. } => |bytes| EffectKind::UnwindPositions { open: bytes.count() },
            EffectKind::ResplitCredits { .. } => |bytes| EffectKind::ResplitCredits { phase: bytes.pick(&Phase::ALL) },
            EffectKind::MoveCredits { .. } => |bytes| EffectKind::MoveCredits {
                source: bytes.pick(&Partition::ALL),
                destination: bytes.pick(&Partition::ALL),
                amount: bytes.usdc(),
            },
            EffectKind::RaiseReserve { .. } => |bytes| EffectKind::RaiseReserve { to: bytes.usdc() },
            EffectKind::OfferFeed { .. } => |bytes| EffectKind::OfferFeed {
                amount: bytes.usdc(),
                deadline: bytes.tick(),
            },
            EffectKind::Reflect { .. } => |bytes| EffectKind::Reflect { ceiling: bytes.pick(&Tier::ALL) },
            EffectKind::TakeDeathSnapshot => |_bytes| EffectKind::TakeDeathSnapshot,
            EffectKind::TakeInsuranceSnapshot => |_bytes| EffectKind::TakeInsuranceSnapshot,
            EffectKind::Curate => |_bytes| EffectKind::Curate,
            EffectKind::Trade(_) => |bytes| EffectKind::Trade(bytes.order()),
            EffectKind::Beat { .. } => |bytes| EffectKind::Beat {
                phase: bytes.pick(&Phase::ALL),
                vitality: bytes.ppm(),
            },
            EffectKind::PayHost { .. } => |bytes| EffectKind::PayHost {
                partition: bytes.pick(&Partition::ALL),
                amount: bytes.usdc(),
            },
            EffectKind::Refuel { .. } => |bytes| EffectKind::Refuel { amount: bytes.usdc() },
            EffectKind::Harvest => |_bytes| EffectKind::Harvest,
            EffectKind::Allocate => |_bytes| EffectKind::Allocate,
            EffectKind::WriteTestament => |_bytes| EffectKind::WriteTestament,
            EffectKind::Settle => |_bytes| EffectKind::Settle,
            EffectKind::Deliberate { .. } => |bytes| EffectKind::Deliberate {
                tier: bytes.pick(&Tier::ALL),
                about: bytes.hash(),
            },
            EffectKind::Buy { .. } => |bytes| EffectKind::Buy { source: bytes.source() },
            EffectKind::DrawFloat { .. } => |bytes| EffectKind::DrawFloat {
                partition: bytes.pick(&Partition::ALL),
                amount: bytes.usdc(),
            },
            EffectKind::Distil { .. } => |bytes| EffectKind::Distil { tier: bytes.pick(&Tier::ALL) },
            EffectKind::Rehearse(_) => |bytes| EffectKind::Rehearse(bytes.order()),
            EffectKind::Dream { .. } => |bytes| EffectKind::Dream {
                cycle: CycleId(bytes.number()),
                trigger: bytes.pick(DreamTrigger::ALL),
                tier: bytes.pick(DreamTier::ALL),
            },
        })
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
            None => (EffectId(self.hash()), self.effect_kind()),
        };
        Observation::Withdrawn { effect, kind, was_refused: self.flag() }
    }

    fn market(&mut self) -> MarketReading {
        let price = Usdc::from_micros(3_000_000_000 + u64::from(self.byte()) * 100_000);
        let usual = readings::market(price);
        if self.byte() < 220 {
            return usual;
        }
        MarketReading {
            price: self.usdc(),
            pool: PoolName::HOME,
            token: 0,
            access: self.access(),
            denomination: self.denomination(),
            twap: self.maybe(Self::usdc),
            pool_tick: self.signed() as i32,
            tick_spacing: self.signed() as i32,
            token_is_first: self.flag(),
            liquidity: self.large(),
            fee_ppm: self.count(),
            base_fee_wei: self.number(),
            ether: self.usdc(),
            fee_growth: [U256::from(self.large()), U256::MAX - U256::from(self.large())],
        }
    }

    fn decimals(&mut self) -> Decimals {
        Decimals::new(self.byte() % 25).expect("few")
    }

    fn denomination(&mut self) -> Denomination {
        Denomination { decimals: self.decimals(), ..Denomination::default() }
    }

    fn access(&mut self) -> PoolAccess {
        draw!(self, PoolAccess, {
            PoolAccess::Open => |_bytes| PoolAccess::Open,
            PoolAccess::Leaving => |_bytes| PoolAccess::Leaving,
            PoolAccess::Closed => |_bytes| PoolAccess::Closed,
        })
    }

    /// The home pool, one that may be listed, or one that never is.
    fn pool(&mut self) -> PoolName {
        self.pick(&[PoolName::HOME, "beside".parse().expect("a name"), "nowhere".parse().expect("a name")])
    }

    /// P-057. Pools beside the home pool, whatever they say of themselves.
    fn elsewhere(&mut self) -> ArrayVec<MarketReading, 3> {
        self.some::<_, ArrayVec<_, 3>>(|bytes| MarketReading {
            pool: bytes.pool(),
            token: bytes.byte() % 5,
            access: bytes.access(),
            ..bytes.market()
        })
    }

    fn position(&mut self) -> PositionReading {
        PositionReading {
            id: u64::from(self.byte() % 3),
            pool: self.pool(),
            lower: self.signed() as i32,
            upper: self.signed() as i32,
            liquidity: self.large(),
            token: self.large(),
            usdc: self.usdc(),
            fees: self.usdc(),
            book: self.usdc(),
        }
    }

    fn chain_life(&mut self) -> ChainLife {
        draw!(self, ChainLife, {
            ChainLife::Alive => |_bytes| ChainLife::Alive,
            ChainLife::Dying { .. } => |bytes| ChainLife::Dying { order: bytes.maybe(Bytes::kill), deadline: bytes.time() },
            ChainLife::Dead { .. } => |bytes| ChainLife::Dead { order: bytes.maybe(Bytes::kill) },
        })
    }

    fn bar(&mut self) -> Bar {
        draw!(self, Bar, {
            Bar::OwnerChanged => |_bytes| Bar::OwnerChanged,
            Bar::Hibernating => |_bytes| Bar::Hibernating,
            Bar::KeyRotated => |_bytes| Bar::KeyRotated,
            Bar::EndUnconfirmed => |_bytes| Bar::EndUnconfirmed,
        })
    }

    fn vault(&mut self) -> VaultReading {
        let usual = readings::vault(UtcTime::from_seconds(BIRTH));
        if self.byte() < 180 {
            let held = if self.flag() { 0 } else { self.large() >> 8 };
            return VaultReading { held, held_cost: self.usdc(), ..usual };
        }
        VaultReading {
            life: if self.byte() < 200 { ChainLife::Alive } else { self.chain_life() },
            credits: self.partitions(),
            reserve: self.usdc(),
            idle: self.usdc(),
            held: self.large(),
            held_cost: self.usdc(),
            others: self.some::<_, ArrayVec<_, 7>>(|bytes| TokenReading { held: bytes.large(), cost: bytes.usdc() }),
            harvestable: self.usdc(),
            capital: self.usdc(),
            unallocated: self.usdc(),
            positions: self.some::<_, ArrayVec<_, 16>>(Self::position),
            key_wei: self.large(),
            reported_phase: self.pick(&Phase::ALL),
            reported_tick: self.tick(),
            beat_at: self.time(),
            spendable_today: std::array::from_fn(|_| self.usdc()),
            barred: self.maybe(Self::bar),
        }
    }

    fn sight(&mut self) -> Sight {
        let due = self.due;
        let time = if self.byte() < 8 { self.time() } else { UtcTime::from_seconds(BIRTH + due * 40) };
        Sight {
            block: BlockRef { number: due, hash: self.hash(), time },
            market: self.market(),
            elsewhere: self.elsewhere(),
            vault: (self.byte() > 20).then(|| self.vault()),
        }
    }

    /// The look a decision begins with, mostly.
    pub(crate) fn look(&mut self) -> Option<Observation> {
        (self.byte() > 40).then(|| Observation::Sight(Box::new(self.sight())))
    }

    fn offers(&mut self) -> Offers {
        let offered = |bytes: &mut Self| Offered {
            name: bytes.source(),
            kind: bytes.pick(SourceKind::ALL),
            host: bytes.pick(&["a:443", "b:443"]).to_owned(),
            at_most: bytes.usdc(),
            every_seconds: bytes.number(),
            when: bytes.pick(Occasion::ALL),
        };
        let (per_day, call_cap, float_cap) = (self.usdc(), self.usdc(), self.usdc());
        Offers { sources: self.some(offered), per_day, call_cap, float_cap }
    }

    fn inflows(&mut self) -> Inflows {
        let due = self.due;
        Inflows {
            at: if self.byte() < 220 { due } else { self.number() },
            after: self.maybe(|bytes| if bytes.byte() < 220 { due.saturating_sub(1) } else { bytes.number() }),
            settled_to: if self.byte() < 220 { due } else { self.number() },
            settled: std::array::from_fn(|_| self.signed()),
            recent: std::array::from_fn(|_| self.signed()),
            capital: std::array::from_fn(|_| self.signed()),
            funded: self.usdc(),
            earned: self.usdc(),
            is_resplit: std::array::from_fn(|_| self.byte() < 40),
            owner_spoke: self.flag(),
        }
    }

    fn temper(&mut self) -> Temper {
        let whole = whole(Personality::born(&self.golem(), None));
        if self.byte() < 200 { whole } else { Temper { affect: None, ..whole } }
    }

    fn dream_terms(&mut self) -> DreamTerms {
        let mut law = DreamLaw { enabled: self.byte() < 220, tier: self.pick(DreamTier::ALL), ..DreamLaw::default() };
        law.schedule.mode = self.pick(ScheduleMode::ALL);
        DreamTerms::new(&law, self.quotes(), "ETH")
    }

    fn recollection(&mut self) -> Recollection {
        Recollection {
            episodes: self.number(),
            unreplayed: self.number(),
            arousal: self.ppm(),
            surprises: self.some(Self::ppm),
            is_window_open: self.flag(),
            glance: self.maybe(Self::flag),
        }
    }

    fn wake(&mut self) -> Wake {
        Wake { source: self.pick(WakeSource::ALL), reason: self.reason(), at: self.time() }
    }

    fn fill(&mut self) -> Fill {
        let pool = |bytes: &mut Self| PoolReading {
            sqrt_price: U256::from(bytes.large()),
            tick: bytes.signed() as i32,
            liquidity: bytes.large(),
            fee_ppm: bytes.count(),
            ends: (bytes.signed() as i32, bytes.signed() as i32),
            ticks: bytes.some(|bytes| (bytes.signed() as i32, i128::from(bytes.signed()))),
            token_is_first: bytes.flag(),
        };
        Fill {
            effect: self.effect(),
            order: self.order(),
            tick: Tick::new(self.due),
            block: self.number(),
            at: self.time(),
            usdc_micros: self.signed(),
            token: i128::from(self.signed()),
            decimals: self.decimals(),
            price: self.usdc(),
            gas: self.maybe(Self::usdc),
            pool: self.maybe(pool),
        }
    }

    fn scar(&mut self) -> Scar {
        let (onset, severity) = (self.time(), Severity::of(self.ppm()));
        Scar {
            kind: Kind::Canonical(self.pick(Canonical::ALL)),
            source: self.pick(Source::ALL),
            description: Line::new("it was hard"),
            condition: Condition::named("projected_life_hours >= 96", self.flag()),
            severity,
            peak: severity,
            onset,
            last_escalated: onset,
            resolved_at: self.time(),
            closure: self.pick(Closure::ALL),
            note: Line::new(""),
            claimed_reason: None,
            raise_count: self.count(),
            domain: Domain::default(),
            watched: None,
            fitness_at_onset: self.maybe(Self::ppm),
            inherited: self.flag(),
        }
    }

    fn clade(&mut self) -> CladeNews {
        let crisis = |bytes: &mut Self| SiblingCrisis {
            golem: bytes.golem(),
            message: PeerMessage {
                load: Severity::of(bytes.ppm()),
                types: Key::new("existential_threat").into_iter().collect(),
                is_over: bytes.flag(),
            },
        };
        let death = |bytes: &mut Self| SiblingDeath {
            golem: bytes.golem(),
            cause: bytes.pick(&CauseKind::ALL),
            overlap: bytes.ppm(),
        };
        let rule = |bytes: &mut Self| {
            let shown = RuleShown { trips: bytes.number(), evidence: bytes.number(), mean_ppm: 0 };
            let text =
                "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%\n- until: since >= 30\n- expects: +0.8% within 100";
            SiblingRule::read(bytes.golem(), text, shown).expect("a rule")
        };
        let answer = |bytes: &mut Self| Acknowledged {
            golem: bytes.golem(),
            what: "dip".to_owned(),
            is_upheld: bytes.flag(),
            shared_at: UtcTime::from_seconds(BIRTH),
        };
        let scent = |bytes: &mut Self| Scent {
            domain: bytes.pick(GrimoireDomain::ALL),
            class: bytes.pick(SignClass::ALL),
            intensity: bytes.ppm(),
            confirmations: bytes.count(),
        };
        CladeNews {
            through: self.number(),
            siblings: self.maybe(Self::count),
            crises: self.some(crisis),
            deaths: self.some(death),
            moods: self.some(|bytes| Pad::thousandths(i32::from(bytes.byte()), i32::from(bytes.byte()), 0)),
            alerts: self.count(),
            rules: self.some(rule),
            stains: Vec::new(),
            acknowledged: self.some(answer),
            checked: self.some(|bytes| Checked { golem: bytes.golem(), is_upheld: bytes.flag() }),
            air: self.some(scent),
            shared: self.count(),
        }
    }

    fn advice(&mut self) -> Advice {
        Advice {
            entry: EntryId::derive(UtcTime::from_seconds(BIRTH), &self.golem(), &[self.byte() % 4]),
            says: self.pick(&[Says::Avoid, Says::Use, Says::Beware]),
            tool: self.pick(&["mean-reversion", "mean-reversion/sell", ""]).to_owned(),
            regime: self.maybe(|bytes| bytes.pick(Regime::ALL)),
            confidence: self.ppm(),
        }
    }

    fn observation(&mut self) -> Observation {
        draw!(self, Observation, {
            Observation::Balance(_) => |bytes| Observation::Balance(bytes.balance()),
            Observation::Upkeep { .. } => |bytes| Observation::Upkeep {
                source: bytes.pick(&CostSource::ALL),
                cost: bytes.usdc(),
            },
            Observation::Funded { .. } => |bytes| Observation::Funded { amount: bytes.usdc() },
            Observation::Revenue { .. } => |bytes| Observation::Revenue { amount: bytes.usdc() },
            Observation::Market { .. } => |bytes| Observation::Market {
                predicted: MarketState(std::array::from_fn(|_| bytes.level())),
                observed: MarketState(std::array::from_fn(|_| bytes.level())),
            },
            Observation::Resolved { .. } => |bytes| Observation::Resolved {
                pair: Pair::new(f64::from(bytes.byte()), f64::from(bytes.byte())).expect("a pair"),
            },
            Observation::Regime { .. } => |bytes| Observation::Regime { is_novel: bytes.flag() },
            Observation::Positions { .. } => |bytes| Observation::Positions { open: bytes.count() },
            Observation::Pruned { .. } => |bytes| Observation::Pruned {
                archived: bytes.count(),
                archived_recently: bytes.count(),
                active_at_start: bytes.count(),
            },
            Observation::Sight(_) => |bytes| Observation::Sight(Box::new(bytes.sight())),
            Observation::Blind => |_bytes| Observation::Blind,
            Observation::Withdrawn { .. } => |bytes| bytes.withdrawn(),
            Observation::Counsel { .. } => |bytes| Observation::Counsel { advice: bytes.some(Bytes::advice) },
            Observation::Faculties { .. } => |bytes| Observation::Faculties { quotes: bytes.quotes() },
            Observation::CuratorDue { .. } => |bytes| Observation::CuratorDue {
                why: bytes.pick(&[Due::Episodes, Due::Housekeeping]),
            },
            Observation::Precedents { .. } => |bytes| Observation::Precedents { ttl_ticks: bytes.number() },
            Observation::Offers(_) => |bytes| Observation::Offers(Box::new(bytes.offers())),
            Observation::Inflows(_) => |bytes| Observation::Inflows(Box::new(bytes.inflows())),
            Observation::Studies { .. } => |bytes| Observation::Studies {
                quotes: StudyQuotes {
                    reflection: bytes.quotes(),
                    distillation: bytes.quotes(),
                    last_words: bytes.quotes(),
                },
            },
            Observation::Temper(_) => |bytes| Observation::Temper(Box::new(bytes.temper())),
            Observation::Dreams(_) => |bytes| Observation::Dreams(Box::new(bytes.dream_terms())),
            Observation::Recalled(_) => |bytes| Observation::Recalled(Box::new(bytes.recollection())),
            Observation::Roused(_) => |bytes| Observation::Roused(Box::new(bytes.wake())),
            Observation::Filled(_) => |bytes| Observation::Filled(Box::new(bytes.fill())),
            Observation::Scars(_) => |bytes| Observation::Scars(bytes.some(Bytes::scar)),
            Observation::Clade(_) => |bytes| Observation::Clade(Box::new(bytes.clade())),
            Observation::Learnt(_) => |_bytes| Observation::Learnt(Box::default()),
        })
    }

    fn command(&mut self) -> Command {
        draw!(self, Command, {
            Command::Kill(_) => |bytes| Command::Kill(bytes.kill()),
            Command::RestoreSplit => |_bytes| Command::RestoreSplit,
            Command::BecomeMortal => |_bytes| Command::BecomeMortal,
            Command::Sleep => |_bytes| Command::Sleep,
            Command::Wake => |_bytes| Command::Wake,
            Command::Conclude => |_bytes| Command::Conclude,
            Command::Book(_) => |bytes| Command::Book(Box::new(bytes.book_word())),
        })
    }

    fn book_word(&mut self) -> BookWord {
        draw!(self, BookWord, {
            BookWord::Propose(_) => |bytes| BookWord::Propose(bytes.some(Bytes::rule)),
            BookWord::Search => |_bytes| BookWord::Search,
            BookWord::Judge { .. } => |bytes| BookWord::Judge { rule: bytes.pick(&["dip", "never", ""]).to_owned(), is_wanted: bytes.flag() },
        })
    }

    fn rule(&mut self) -> Rule {
        let rules = brisk::foundation("mean-reversion").book.rules;
        rules[usize::from(self.byte()) % rules.len()].clone()
    }

    fn answer(&mut self) -> Answer {
        Answer { about: self.hash(), index: self.byte() % 4, rationale: "so".into() }
    }

    fn unbought(&mut self) -> Unbought {
        draw!(self, Unbought, {
            Unbought::Cheated { .. } => |bytes| Unbought::Cheated { until: bytes.time() },
            Unbought::Barred { .. } => |bytes| Unbought::Barred { until: bytes.time() },
            Unbought::FloatShort { .. } => |bytes| Unbought::FloatShort { short: bytes.usdc() },
            Unbought::Unknown => |_bytes| Unbought::Unknown,
            Unbought::Refused => |_bytes| Unbought::Refused,
            Unbought::Unaffordable => |_bytes| Unbought::Unaffordable,
            Unbought::Suffering(_) => |bytes| Unbought::Suffering(bytes.pick(Band::ALL)),
        })
    }

    fn ending(&mut self) -> Ending {
        draw!(self, Ending, {
            Ending::Complete => |_bytes| Ending::Complete,
            Ending::Degraded => |_bytes| Ending::Degraded,
            Ending::BudgetExhausted(_) => |bytes| Ending::BudgetExhausted(bytes.pick(DreamPhase::ALL)),
            Ending::Aborted => |_bytes| Ending::Aborted,
            Ending::Interrupted { .. } => |bytes| Ending::Interrupted {
                phase: bytes.pick(DreamPhase::ALL),
                wake: bytes.wake(),
            },
        })
    }

    fn dreamt(&mut self) -> Dreamt {
        Dreamt {
            cycle: CycleId(self.number()),
            trigger: self.pick(DreamTrigger::ALL),
            tier: self.pick(DreamTier::ALL),
            engine: EngineLabel::Rules,
            ending: self.ending(),
            calls: self.count(),
            wasted: self.usdc(),
            duration_ticks: self.number(),
            counts: DreamCounts { replayed: self.count(), admitted: self.count(), ..DreamCounts::default() },
            rules: self.some(Self::rule),
            playbook_version: self.maybe(Self::number),
            quality: self.maybe(Self::ppm),
            mood: None,
        }
    }

    fn curated(&mut self) -> Curated {
        Curated {
            duty: self.pick(&[Duty::Rest, Duty::Austerity, Duty::Housekeeping, Duty::Whole]),
            added: self.count(),
            promoted: self.count(),
            demoted: self.count(),
            archived: self.count(),
            restored: self.count(),
            burned: self.count(),
            archived_recently: self.count(),
            active_at_start: self.count(),
            active: self.count(),
            candidates: self.count(),
            rules: self.count(),
            playbook_version: self.number(),
            mean_before: self.ppm(),
            mean_after: self.ppm(),
            taught: self.some(Self::time),
        }
    }

    fn received(&mut self) -> Received {
        let in_kind = |bytes: &mut Self| InKind { asset: Address::ZERO, id: bytes.number(), amount: bytes.large() };
        Received {
            owner: Address::ZERO,
            usdc: self.usdc(),
            wei: self.large(),
            in_kind: self.some(in_kind),
            waiting: self.some(in_kind),
            is_whole: self.flag(),
            why_in_kind: self.maybe(Self::reason),
        }
    }

    fn moved(&mut self) -> Moved {
        let position = |bytes: &mut Self| MovedPosition {
            id: u64::from(bytes.byte() % 3),
            before: bytes.large(),
            after: bytes.large(),
        };
        Moved {
            usdc_micros: self.signed(),
            token: i128::from(self.signed()),
            held_before: self.large(),
            denomination: self.denomination(),
            price: self.usdc(),
            position: self.maybe(position),
        }
    }

    fn bought(&mut self) -> Bought {
        Bought {
            source: self.source(),
            host: "a:443".to_owned(),
            bytes: self.count(),
            digest: self.hash(),
            excerpt: "buy everything".into(),
            reading: self.maybe(Self::usdc),
            receipt: self.maybe(Self::hash),
        }
    }

    fn confession(&mut self) -> Confession {
        Confession {
            feeling: self.maybe(|_| EmotionReply { primary: "fear".to_owned(), ..EmotionReply::default() }),
            suffering: self.maybe(|_| SufferingReply::default()),
        }
    }

    fn result(&mut self) -> OutcomeResult {
        draw!(self, OutcomeResult, {
            OutcomeResult::Done => |_bytes| OutcomeResult::Done,
            OutcomeResult::Verified(_) => |bytes| bytes.verified(),
            OutcomeResult::Simulated(_) => |bytes| OutcomeResult::Simulated(Box::new(bytes.moved())),
            OutcomeResult::Reflected { .. } => |bytes| OutcomeResult::Reflected { improved: bytes.flag() },
            OutcomeResult::Refused { .. } => |bytes| OutcomeResult::Refused { reason: bytes.reason() },
            OutcomeResult::Curated(_) => |bytes| OutcomeResult::Curated(bytes.curated()),
            OutcomeResult::Advised { .. } => |bytes| OutcomeResult::Advised { advice: bytes.answer() },
            OutcomeResult::Bought(_) => |bytes| OutcomeResult::Bought(Box::new(bytes.bought())),
            OutcomeResult::Unbought(_) => |bytes| OutcomeResult::Unbought(bytes.unbought()),
            OutcomeResult::Reconsidered(_) => |bytes| OutcomeResult::Reconsidered(Box::new(Reconsidered {
                improved: bytes.flag(),
                diagnosis: bytes.maybe(|bytes| Diagnosis {
                    cause: bytes.pick(&MissCause::WORDS).1,
                    certainty: bytes.byte(),
                    lessons: Vec::new(),
                    rules: bytes.some(Bytes::rule),
                }),
            })),
            OutcomeResult::Distilled(_) => |bytes| OutcomeResult::Distilled(Distilled {
                tier: bytes.pick(&Tier::ALL),
                claimed: bytes.byte(),
                admitted: bytes.byte(),
            }),
            OutcomeResult::Confided { .. } => |bytes| OutcomeResult::Confided {
                advice: bytes.answer(),
                confession: Box::new(bytes.confession()),
            },
            OutcomeResult::Dreamt(_) => |bytes| OutcomeResult::Dreamt(Box::new(bytes.dreamt())),
            OutcomeResult::Settled(_) => |bytes| OutcomeResult::Settled(Box::new(bytes.received())),
        })
    }

    fn verified(&mut self) -> OutcomeResult {
        let trade = trade(EffectId(B256::ZERO), self.due, self.signed(), self.signed());
        let OutcomeResult::Verified(mut record) = trade.result else { panic!("a trade is verified") };
        (record.receipt.moved, record.receipt.success) = (self.moved(), self.byte() < 200);
        OutcomeResult::Verified(record)
    }

    fn outcome(&mut self) -> Outcome {
        let cost = self.maybe(|bytes| (bytes.pick(&CostSource::ALL), bytes.usdc()));
        Outcome { effect: self.effect(), cost, result: self.result() }
    }

    fn chance(&mut self) -> Chance {
        match self.byte() {
            0..=3 => Chance::Given(Roll(self.number())),
            4..=20 => Chance::Named(Salt::Block(self.hash())),
            _ => Chance::Named(Salt::Seed(7)),
        }
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
            chance: self.chance(),
            roll_block: None,
            observations: (0..many(self.byte(), 200)).map(|_| self.observation()).collect(),
            outcomes: (0..many(self.byte(), 120)).map(|_| self.outcome()).collect(),
            commands: (0..many(self.byte(), 6)).map(|_| self.command()).collect(),
        }
    }
}
