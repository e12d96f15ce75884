//! A venue and a vault in a few lines, so that whole trading lives can be lived in a test.

use golem_core::life::Life;
use golem_core::memory::Before;
use golem_core::mind::Pending;
use golem_core::record::{
    BlockRef, ChainLife, Chance, Command, CostSource, DreamTerms, Effect, EffectKind, Event, Inflows, KillOrder,
    Learnt, MarketReading, Moved, Observation, Offers, Order, Outcome, OutcomeResult, OutcomeVerification, Partition,
    Partitions, Phase, PoolAccess, PositionReading, Reason, Receipt, Received, Recollection, Roll, Sight,
    SimulatedOutcome, Temper, TickInput, TokenReading, Turn, Unbought, VaultReading,
};
use golem_core::step::step;
use golem_core::trader::{Foundation, Trader, TraderSettings};
use golem_mortality::epistemic::window::Pair;
use golem_mortality::law::Law;
use golem_playbook::hand::Hand;
use golem_primitives::{B256, Denomination, EffectId, GolemId, PoolName, Ppm, Tick, U256, Usdc, UtcTime};

use crate::brisk;
use crate::cycle::CYCLE;
use crate::mind::Mind;
use crate::readings;

pub(crate) const BIRTH: u64 = 1_767_225_600;

/// The world of one Golem: what it holds, what is refused, what happened.
pub(crate) struct Venue {
    pub(crate) life: Life,
    pub(crate) vault: VaultReading,
    /// P-057. The pools beside the home pool.
    pub(crate) beside: Vec<Beside>,
    pub(crate) price: fn(u64) -> u64,
    /// All that was ever traded, in units of some eight USDC.
    pub(crate) traded: fn(u64) -> f64,
    pub(crate) gas: fn(u64) -> u64,
    /// What a trade uses of gas; nothing where nobody reads it.
    pub(crate) gas_used: u64,
    pub(crate) is_blind: bool,
    pub(crate) refuses: fn(&EffectKind) -> bool,
    /// Trades that land and revert.
    pub(crate) reverts: fn(&EffectKind) -> bool,
    /// What it is told of itself at its next look.
    pub(crate) temper: Option<Temper>,
    pub(crate) events: Vec<Event>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) pass: u64,
    pub(crate) seconds_per_pass: u64,
    /// Whether it understands everything but its prices: an ageing mind promotes nothing (G-199).
    pub(crate) is_wise: bool,
    /// What models cost at most, when there are any.
    pub(crate) quotes: Option<[Option<Usdc>; 4]>,
    /// For how long advice answers again, when it is remembered.
    pub(crate) remembers: Option<u64>,
    /// What a model answers, and what that costs; nothing comes while this is `None`.
    pub(crate) thinks: fn(&Pending) -> Option<(OutcomeResult, Usdc)>,
    /// Questions that wait for an answer.
    pub(crate) unanswered: Vec<Effect>,
    /// What it is offered, told once.
    pub(crate) offers: Option<Offers>,
    /// What comes of a purchase.
    pub(crate) sells: fn(&Effect) -> Outcome,
    /// What the vault's log says at each look, when its books are kept.
    pub(crate) log: Option<fn(u64) -> [i64; 4]>,
    /// What its owner receives when it is settled.
    pub(crate) receives: Option<Received>,
    /// What its owner did to its capital, told at the next look.
    pub(crate) capital_moved: i64,
    /// What of it was earned, in micro-USDC; the rest was given.
    pub(crate) earns: fn(u64) -> u64,
    /// Whether the vault's log tells of the owner's own doing at the next look.
    pub(crate) owner_speaks: bool,
    /// What its predecessor had learnt, told at the next look.
    pub(crate) tells: Option<Learnt>,
    /// Whether a Curator's cycle comes to something where nobody keeps a Grimoire.
    pub(crate) has_curator: bool,
    /// What it remembers, when it has a Grimoire.
    pub(crate) mind: Option<Mind>,
    /// What it is told of dreams at its next look, and what memory says at the end of every tick.
    pub(crate) dreams: Option<DreamTerms>,
    pub(crate) recalls: Option<Recollection>,
    /// Dreams that are dreamt; whoever tests them ends them.
    pub(crate) dreaming: Vec<Effect>,
    /// Every input, for those who live it again.
    pub(crate) journal: Vec<TickInput>,
    pub(crate) waiting: Vec<Outcome>,
}

pub(crate) fn swing(tick: u64) -> u64 {
    let wave = libm::sin(tick as f64 / 6.0) * 12_000_000.0;
    (3_000_000_000.0 + wave) as u64
}

/// Falls of two percent that come back within some thirty looks, in noise.
pub(crate) fn dips(tick: u64) -> u64 {
    let noise = (tick.wrapping_mul(2_654_435_761) % 1_000) as f64 / 1e6;
    let dip = if tick % 97 < 30 { 0.02 * (1.0 - (tick % 97) as f64 / 30.0) } else { 0.0 };
    (3_000_000_000.0 * (1.0 + noise - dip)) as u64
}

/// P-057. A pool beside the home pool.
pub(crate) struct Beside {
    pub(crate) pool: PoolName,
    /// Which of the vault's tokens it trades.
    pub(crate) token: u8,
    /// What its owner lets be done there.
    pub(crate) access: PoolAccess,
    pub(crate) denomination: Denomination,
    pub(crate) price: fn(u64) -> u64,
}

impl Venue {
    pub(crate) fn new(book: &str) -> Self {
        Self::founded(book, TraderSettings::default(), Law::hosted().on_chain())
    }

    pub(crate) fn with(settings: TraderSettings, law: Law) -> Self {
        Self::founded("mean-reversion", settings, law)
    }

    pub(crate) fn founded(book: &str, settings: TraderSettings, law: Law) -> Self {
        Self::on(brisk::foundation(book), settings, law)
    }

    pub(crate) fn on(foundation: Foundation, settings: TraderSettings, law: Law) -> Self {
        let id = GolemId::new("0x00000000000000000000000000000000000000a1").expect("a name");
        let born = UtcTime::from_seconds(BIRTH);
        let life = Life::birth(id, law, Usdc::whole(50), 0, born).expect("funded");
        let life = life.with_trader(settings, foundation);
        let vault = readings::vault(born);
        Self {
            life,
            vault,
            beside: Vec::new(),
            price: swing,
            // Half as much again or half of it as the hours go.
            traded: |pass| 1_000.0 * pass as f64 + 3_000.0 * libm::sin(pass as f64 / 6.0),
            gas: |_| 10_000_000,
            gas_used: 0,
            is_blind: false,
            refuses: |_| false,
            reverts: |_| false,
            temper: None,
            events: Vec::new(),
            effects: Vec::new(),
            pass: 0,
            seconds_per_pass: 40,
            is_wise: false,
            quotes: None,
            remembers: None,
            thinks: |_| None,
            unanswered: Vec::new(),
            offers: None,
            sells: |effect| Outcome {
                effect: effect.id,
                cost: None,
                result: OutcomeResult::Unbought(Unbought::Refused),
            },
            log: None,
            receives: None,
            capital_moved: 0,
            earns: |_| 0,
            owner_speaks: false,
            tells: None,
            has_curator: false,
            mind: None,
            dreams: None,
            recalls: None,
            dreaming: Vec::new(),
            journal: Vec::new(),
            waiting: Vec::new(),
        }
    }

    pub(crate) fn now(&self) -> UtcTime {
        UtcTime::from_seconds(BIRTH + self.pass * self.seconds_per_pass)
    }

    fn market(&self) -> MarketReading {
        let grown = U256::from((self.traded)(self.pass).max(0.0) as u128) << 80;
        let market = readings::market(Usdc::from_micros((self.price)(self.pass)));
        MarketReading { fee_growth: [grown, U256::ZERO], base_fee_wei: (self.gas)(self.pass), ..market }
    }

    fn market_beside(&self, beside: &Beside) -> MarketReading {
        let market = readings::market(Usdc::from_micros((beside.price)(self.pass)));
        let Beside { pool, token, access, denomination, .. } = *beside;
        MarketReading { pool, token, access, denomination, base_fee_wei: (self.gas)(self.pass), ..market }
    }

    /// The pool of a name.
    pub(crate) fn market_of(&self, pool: PoolName) -> MarketReading {
        let beside = self.beside.iter().find(|beside| beside.pool == pool);
        beside.map_or_else(|| self.market(), |beside| self.market_beside(beside))
    }

    pub(crate) fn see(&self) -> Observation {
        if self.is_blind {
            return Observation::Blind;
        }
        let block = BlockRef { number: self.pass, hash: B256::repeat_byte(1), time: self.now() };
        let elsewhere = self.beside.iter().map(|beside| self.market_beside(beside)).collect();
        let (market, vault) = (self.market(), Some(self.vault.clone()));
        Observation::Sight(Box::new(Sight { block, market, elsewhere, vault }))
    }

    /// One tick, or one pass of a death. What is wanted is answered in the next pass.
    pub(crate) fn tick(&mut self) {
        self.pass += 1;
        if self.life.is_alive() {
            let mut seen = vec![self.see()];
            seen.extend(self.quotes.take().map(|quotes| Observation::Faculties { quotes }));
            seen.extend(self.remembers.take().map(|ttl_ticks| Observation::Precedents { ttl_ticks }));
            seen.extend(self.offers.take().map(|offers| Observation::Offers(Box::new(offers))));
            if let Some(log) = self.log {
                let after = self.life.books().and_then(|books| books.settled_to);
                let settled = log(self.pass);
                let came: u64 = settled.iter().filter_map(|part| u64::try_from(*part).ok()).sum();
                let earned = Usdc::from_micros((self.earns)(self.pass));
                let funded = Usdc::from_micros(came).saturating_sub(earned);
                let capital = [std::mem::take(&mut self.capital_moved), 0];
                let log = Inflows { after, settled, capital, funded, earned, ..no_inflows(self.pass) };
                seen.push(Observation::Inflows(Box::new(log)));
            }
            if std::mem::take(&mut self.owner_speaks) {
                let log = Inflows { owner_spoke: true, ..no_inflows(self.pass) };
                seen.push(Observation::Inflows(Box::new(log)));
            }
            seen.extend(self.tells.take().map(|learnt| Observation::Learnt(Box::new(learnt))));
            seen.extend(self.temper.take().map(|temper| Observation::Temper(Box::new(temper))));
            seen.extend(self.dreams.take().map(|terms| Observation::Dreams(Box::new(terms))));
            if let (Some(mind), Observation::Sight(sight)) = (&self.mind, &seen[0]) {
                seen.push(Observation::Counsel { advice: mind.counsel(sight) });
            }
            if self.is_wise {
                let sure = if self.pass.is_multiple_of(2) { 0.1 } else { -0.1 };
                seen.push(Observation::Resolved { pair: Pair::new(sure, sure).expect("finite") });
            }
            self.pass_turn(Turn::Deciding, seen);
            if self.life.is_alive() {
                self.end_tick();
            }
        } else {
            self.pass_turn(Turn::Sleeping, vec![self.see()]);
        }
    }

    /// The pass that ends a tick, with what memory says.
    pub(crate) fn end_tick(&mut self) {
        let recalled = self.recalls.clone().map(|recalled| Observation::Recalled(Box::new(recalled)));
        self.pass_turn(Turn::Sleeping, recalled.into_iter().collect());
    }

    pub(crate) fn run(&mut self, ticks: u64) -> &mut Self {
        (0..ticks).for_each(|_| self.tick());
        self
    }

    /// Lives until this holds.
    pub(crate) fn run_until(&mut self, holds: impl Fn(&Self) -> bool) {
        self.run_until_before(u64::MAX, holds);
    }

    /// Lives until this holds, which has to be before that pass.
    pub(crate) fn run_until_before(&mut self, limit: u64, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            self.tick();
            assert!(self.pass < limit, "not before pass {limit}");
        }
    }

    /// Lives until it holds its token.
    pub(crate) fn run_until_it_holds(&mut self) {
        self.run_until(|venue| venue.vault.held > 0);
    }

    pub(crate) fn run_until_asleep(&mut self) {
        self.run_until(|venue| !venue.dreaming.is_empty());
    }

    pub(crate) fn run_until_dead(&mut self, limit: u64) -> &mut Self {
        for _ in 0..limit {
            if matches!(self.life.body(), golem_core::life::Body::Dead(_)) {
                return self;
            }
            self.tick();
        }
        panic!("still not dead after {limit} passes");
    }

    pub(crate) fn pass_turn(&mut self, turn: Turn, observations: Vec<Observation>) {
        assert_eq!(self.life.next_pass().1, turn);
        self.pass_in_which(observations, Vec::new());
    }

    /// The pass that is due, in which this is seen and said.
    fn pass_in_which(&mut self, observations: Vec<Observation>, commands: Vec<Command>) {
        let (tick, turn) = self.life.next_pass();
        let input = TickInput {
            turn,
            observations,
            outcomes: std::mem::take(&mut self.waiting),
            commands,
            ..TickInput::quiet(tick, self.now(), Chance::Given(Roll(u64::MAX)))
        };
        self.take(&input);
    }

    /// One tick in which it sees this beside the look itself, and is told of nothing else.
    pub(crate) fn tick_seeing(&mut self, more: Observation) {
        self.pass += 1;
        self.pass_turn(Turn::Deciding, vec![self.see(), more]);
        self.pass_turn(Turn::Sleeping, Vec::new());
    }

    /// One tick in which its owner says this.
    pub(crate) fn tick_told(&mut self, command: Command) {
        self.pass += 1;
        self.pass_in_which(vec![self.see()], vec![command]);
        self.pass_turn(Turn::Sleeping, Vec::new());
    }

    pub(crate) fn command(&mut self, command: Command) {
        self.pass_in_which(Vec::new(), vec![command]);
    }

    pub(crate) fn take(&mut self, input: &TickInput) {
        let before = Before::of(&self.life);
        let next = step(self.life.clone(), input);
        self.life = next.life;
        if let Some(mind) = &mut self.mind {
            mind.live(&before, &self.life, input, &next.events);
        }
        self.journal.push(input.clone());
        self.events.extend(next.events);
        for effect in next.effects {
            if matches!(effect.kind, EffectKind::Deliberate { .. }) {
                self.effects.push(effect.clone());
                self.unanswered.push(effect);
                self.answer(self.thinks);
                continue;
            }
            if matches!(effect.kind, EffectKind::Dream { .. }) {
                self.effects.push(effect.clone());
                self.dreaming.push(effect);
                continue;
            }
            let outcome = self.perform(&effect, input.tick);
            self.effects.push(effect);
            self.waiting.push(outcome);
        }
    }

    /// Lets the open question be answered so.
    pub(crate) fn answer(&mut self, thinks: fn(&Pending) -> Option<(OutcomeResult, Usdc)>) {
        let Some((result, cost)) = self.life.mind().and_then(|mind| mind.pending.as_ref()).and_then(thinks) else {
            return;
        };
        if let Some(effect) = self.unanswered.pop() {
            self.waiting.push(Outcome { effect: effect.id, cost: Some((CostSource::Inference, cost)), result });
        }
    }

    pub(crate) fn kill(&mut self, reason: &str) {
        let order = Some(KillOrder::Owner(Reason::new(reason).expect("short")));
        self.vault.life = ChainLife::Dying { order, deadline: self.now() };
    }

    pub(crate) fn wanted(&self, like: impl Fn(&EffectKind) -> bool) -> usize {
        self.effects.iter().filter(|effect| like(&effect.kind)).count()
    }

    /// What was wanted, in order.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = EffectKind> {
        self.effects.iter().map(|effect| effect.kind)
    }

    pub(crate) fn first(&self, like: impl Fn(&EffectKind) -> bool) -> Effect {
        self.effects.iter().find(|effect| like(&effect.kind)).expect("wanted").clone()
    }

    pub(crate) fn last(&self, like: impl Fn(&EffectKind) -> bool) -> Effect {
        self.effects.iter().rfind(|effect| like(&effect.kind)).expect("wanted").clone()
    }

    pub(crate) fn told(&self, like: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|event| like(event)).count()
    }

    pub(crate) fn trader(&self) -> &Trader {
        self.life.trader().expect("a hand")
    }

    /// The hand at its home pool.
    pub(crate) fn hand(&self) -> &Hand {
        self.trader().hands().next().expect("tried").1
    }

    pub(crate) fn phase(&self) -> Phase {
        self.life.vitals().phase()
    }

    /// Puts these micro-USDC into its partitions, in place of what was there.
    pub(crate) fn set_credits(&mut self, micros: [u64; 4]) {
        self.vault.credits = Partitions::observed(micros.map(Usdc::from_micros));
    }

    /// Adds so many micro-USDC to each partition, or takes them from it.
    pub(crate) fn move_credits(&mut self, micros: [i64; 4]) {
        let moved = |part| self.vault.credits.get(part).micros().saturating_add_signed(micros[part as usize]);
        self.set_credits(Partition::ALL.map(moved));
    }

    /// What a vault and a venue would do.
    fn perform(&mut self, effect: &Effect, tick: Tick) -> Outcome {
        let cost = Some((CostSource::Gas, Usdc::from_micros(700)));
        if (self.refuses)(&effect.kind) {
            let reason = "refused".to_owned();
            return Outcome { effect: effect.id, cost: None, result: OutcomeResult::Refused { reason } };
        }
        let mut result = OutcomeResult::Done;
        match effect.kind {
            EffectKind::Curate => {
                if let Some(mind) = &mut self.mind {
                    result = mind.curate(&self.life, tick);
                } else if self.has_curator {
                    result = OutcomeResult::Curated(CYCLE);
                }
            }
            EffectKind::Trade(order) if (self.reverts)(&effect.kind) => result = reverted(order, (tick, effect.id)),
            EffectKind::Trade(order) => result = self.trade(order, (tick, effect.id)),
            EffectKind::Rehearse(Order::Buy { spend, .. }) => {
                let token = i128::try_from(self.market().token_price().buys(spend)).expect("small");
                let usdc_micros = -i64::try_from(spend.micros()).expect("small");
                result = OutcomeResult::Simulated(Box::new(Moved { usdc_micros, token, ..Moved::default() }));
            }
            EffectKind::Beat { phase, .. } => {
                (self.vault.reported_phase, self.vault.reported_tick) = (phase, tick);
                self.vault.beat_at = self.now();
            }
            EffectKind::Buy { .. } => return (self.sells)(effect),
            EffectKind::PayHost { partition, amount } | EffectKind::DrawFloat { partition, amount } => {
                let mut moved = [0; 4];
                moved[partition as usize] = -i64::try_from(amount.micros()).expect("small");
                self.move_credits(moved);
            }
            EffectKind::Declare { .. } if self.vault.life == ChainLife::Alive => {
                self.vault.life = ChainLife::Dying { order: None, deadline: self.now() };
            }
            EffectKind::Settle => {
                self.vault.life = ChainLife::Dead { order: None };
                if let Some(received) = self.receives.take() {
                    result = OutcomeResult::Settled(Box::new(received));
                }
            }
            _ => {}
        }
        Outcome { effect: effect.id, cost, result }
    }

    fn trade(&mut self, order: Order, id: (Tick, EffectId)) -> OutcomeResult {
        let market = self.market_of(order.pool());
        let MarketReading { price, token: place, denomination, .. } = market;
        let fee = |usdc: Usdc| usdc.share_down(Ppm::of(999_500));
        let (usdc, token, notional) = match order {
            Order::Buy { spend, .. } => {
                let bought = market.token_price().buys(fee(spend));
                (-i64::try_from(spend.micros()).expect("small"), i128::try_from(bought).expect("small"), spend)
            }
            Order::Sell { amount, .. } => {
                let got = fee(market.token_price().worth(amount));
                (i64::try_from(got.micros()).expect("small"), -i128::try_from(amount).expect("small"), got)
            }
            Order::Provide { .. } | Order::Withdraw { .. } => {
                return OutcomeResult::Refused { reason: "no range".into() };
            }
        };
        let before = self.vault.token(place);
        let told = Moved { usdc_micros: usdc, token, held_before: before.held, denomination, price, position: None };
        let moved = Usdc::from_micros(usdc.unsigned_abs());
        let (return_micros, cost) = if usdc < 0 {
            self.vault.idle = self.vault.idle.saturating_sub(moved);
            (-25_000, before.cost.saturating_add(moved))
        } else {
            self.vault.idle = self.vault.idle.saturating_add(moved);
            let sold = u128::from(before.cost.micros()) * token.unsigned_abs() / before.held.max(1);
            let cost = u64::try_from(sold).expect("small");
            let gained = i64::try_from(moved.micros()).expect("small") - i64::try_from(cost).expect("small");
            (gained, before.cost.saturating_sub(Usdc::from_micros(cost)))
        };
        let held = before.held.saturating_add_signed(token);
        match usize::from(place).checked_sub(1) {
            None => (self.vault.held, self.vault.held_cost) = (held, cost),
            Some(other) => self.vault.others[other] = TokenReading { held, cost },
        }
        let prediction = SimulatedOutcome { expected_return_micros: return_micros, notional, ..Default::default() };
        let receipt = Receipt {
            success: true,
            gas_used: self.gas_used,
            realised_return_micros: return_micros,
            moved: told,
            ..Default::default()
        };
        verified(id, prediction, receipt)
    }
}

/// A trade that was simulated, landed and reverted.
fn reverted(order: Order, id: (Tick, EffectId)) -> OutcomeResult {
    let notional = if let Order::Buy { spend, .. } = order { spend } else { Usdc::whole(1) };
    let prediction = SimulatedOutcome { expected_return_micros: -25_000, notional, ..Default::default() };
    verified(id, prediction, Receipt { success: false, ..Default::default() })
}

/// What was simulated for an effect beside what its receipt says.
pub(crate) fn verified(id: (Tick, EffectId), prediction: SimulatedOutcome, receipt: Receipt) -> OutcomeResult {
    let (before, after) = Default::default();
    OutcomeResult::Verified(Box::new(OutcomeVerification::compare(id.0, id.1, before, prediction, after, receipt)))
}

/// Ten USDC in the home pool, over all its prices.
pub(crate) fn position() -> PositionReading {
    PositionReading {
        id: 7,
        pool: PoolName::HOME,
        lower: i32::MIN,
        upper: i32::MAX,
        liquidity: 1,
        token: 0,
        usdc: Usdc::whole(10),
        fees: Usdc::ZERO,
        book: Usdc::whole(10),
    }
}

/// That a reorganisation took back what came of this effect.
pub(crate) fn withdrawn(effect: &Effect) -> Observation {
    Observation::Withdrawn { effect: effect.id, kind: effect.kind, was_refused: false }
}

/// A vault's log that tells of nothing.
pub(crate) fn no_inflows(at: u64) -> Inflows {
    Inflows {
        at,
        after: None,
        settled_to: at,
        settled: [0; 4],
        recent: [0; 4],
        capital: [0; 2],
        funded: Usdc::ZERO,
        earned: Usdc::ZERO,
        is_resplit: [false; 2],
        owner_spoke: false,
    }
}

pub(crate) fn is_trade(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Trade(_))
}

pub(crate) fn opens(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Trade(order) if order.raises_exposure())
}

pub(crate) fn sells(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Trade(Order::Sell { .. }))
}

pub(crate) fn pays(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::PayHost { .. })
}

pub(crate) fn beats(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Beat { .. })
}

/// Whether a model is asked about an entry.
pub(crate) fn asks(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Deliberate { .. })
}
