//! M-139. Choices put to the models an owner configured: words, shape, bound and price of the question.

use std::sync::Arc;

use golem_core::deliberation::{Choices, Preview, PreviewedOrder};
use golem_core::means::call_budget;
use golem_core::record::{MarketReading, Order, Phase, PoolAccess, StudyQuotes, Tier};
use golem_dreams::words::Grade;
use golem_ports::{
    Advised, Charge, ChoiceQuestion, Considered, Inference, InferenceError, InferenceFault, Matter, Mused, Request,
    Reverie, Schema, Thinker, Thinking, Thought,
};
use golem_primitives::{B256, EffectId, PoolName, Ppm, Tick, Usdc};

use crate::confession;
use crate::models::Models;
use crate::musing;
use crate::patience::{TimeAndChance, WallPace};
use crate::pondering::{self, Room, STATE_BYTES};
use crate::prompts::{Deliberate, Foreign, TextSource};
use crate::settings::InferenceSettings;

/// The longest answer to a deliberation, in tokens: an index and two sentences, with some room for thinking.
const ANSWER_TOKENS: u32 = 512;

/// Memories and words of peers that go into a question, and the bytes each may have there. The price of a question
/// follows from its bytes, and a question must stay within what the small model may cost (M-021).
const MEMORIES: Room = Room { pieces: 3, bytes: 200 };
const PEERS: Room = Room { pieces: 2, bytes: 160 };
/// The same where the answer also says something of the Golem itself, whose shape takes their room.
const CONFIDING: [Room; 2] = [Room { pieces: 1, bytes: 80 }, Room { pieces: 0, bytes: 0 }];

/// What else an owner wants thought, beside which action to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Duties {
    /// M-067. Why predictions fail, when the epistemic clock warns.
    pub reflect: bool,
    /// G-142. What episodes have in common, in each Curator cycle.
    pub distil: bool,
    /// M-195, M-211. How the life was, once, by the largest model the death may ask.
    pub last_words: bool,
}

impl Duties {
    /// As the owner chose.
    #[must_use]
    pub const fn of(settings: &InferenceSettings) -> Self {
        Self { reflect: settings.reflect, distil: settings.distil, last_words: settings.last_words }
    }
}

/// Asks [`Models`] which of the offered actions to take, and what else a life wants thought.
#[derive(Debug)]
pub struct Deliberator<P = WallPace> {
    models: Arc<Models<P>>,
    duties: Duties,
    confides: bool,
}

impl<P: TimeAndChance> Deliberator<P> {
    /// One that asks these which action to take, and nothing else. Those who share models share their limits.
    #[must_use]
    pub fn new(models: impl Into<Arc<Models<P>>>) -> Self {
        Self { models: models.into(), duties: Duties::default(), confides: false }
    }

    /// The same with more to think about.
    #[must_use]
    pub fn with_duties(self, duties: Duties) -> Self {
        Self { duties, ..self }
    }

    /// A-040, S-044. One that also lets the model say what it makes of the Golem's own state, in the same answer.
    #[must_use]
    pub fn confiding(self, confides: bool) -> Self {
        Self { confides, ..self }
    }

    /// Whether a model of this tier is asked for that too: only where the longest answer with it still fits what a
    /// call of the tier may cost. Otherwise nobody would be asked at all, and rules appraise instead.
    fn confides_to(&self, tier: Tier) -> bool {
        let most = || self.models.quote(&request(&widest(tier), true)).ok();
        self.confides && most().is_some_and(|most| most <= call_budget(tier))
    }

    /// The tiers somebody serves, smallest first; rules are always there.
    #[must_use]
    pub fn tiers(&self) -> Vec<Tier> {
        self.models.tiers()
    }
}

impl<P: TimeAndChance + Sync> Thinker for Deliberator<P> {
    fn quotes(&self) -> [Option<Usdc>; 4] {
        // The longest question there can be, so that no real one costs more than was said of it.
        Tier::ALL.map(|tier| self.models.quote(&request(&widest(tier), self.confides_to(tier))).ok())
    }

    async fn think(&self, question: &ChoiceQuestion) -> Result<Advised, InferenceError> {
        let confides = self.confides_to(question.tier);
        let thought = self.models.ask(&request(question, confides)).await?;
        match thought.advice(question.choices.digest()) {
            Some(advice) => {
                let confession = confides.then(|| Box::new(confession::read(&thought.json)));
                Ok(Advised { advice, cost: thought.cost, confession })
            }
            None => Err(unfit(&thought, "it names no index")),
        }
    }

    fn study_quotes(&self) -> StudyQuotes {
        let quote = |purpose, is_wanted: bool| {
            let most = |tier| self.models.quote(&pondering::request(&pondering::widest(purpose, tier))).ok();
            if is_wanted { Tier::ALL.map(most) } else { [None; 4] }
        };
        StudyQuotes {
            reflection: quote(Thinking::Reflection, self.duties.reflect),
            distillation: quote(Thinking::Distillation, self.duties.distil),
            // M-211. How large a model the one look back may ask is the death's to say.
            last_words: quote(Thinking::DeathReflection, self.duties.last_words),
        }
    }

    async fn ponder(&self, matter: &Matter) -> Result<Considered, InferenceError> {
        let thought = self.models.ask(&pondering::request(matter)).await?;
        pondering::considered(matter, &thought).ok_or_else(|| unfit(&thought, "it does not answer what was asked"))
    }

    fn dream_quotes(&self) -> [Option<Usdc>; 3] {
        let served = self.models.tiers();
        [Grade::T0, Grade::T1, Grade::T2].map(|grade| {
            let tier = musing::tier(grade, &served);
            let quotes = musing::widest(grade).map(|reverie| self.models.quote(&musing::request(&reverie, tier)).ok());
            quotes.max().flatten()
        })
    }

    async fn muse(&self, reverie: &Reverie) -> Result<Mused, InferenceError> {
        let tier = musing::tier(reverie.ask.grade, &self.models.tiers());
        let thought = self.models.ask(&musing::request(reverie, tier)).await?;
        musing::mused(&reverie.ask, &thought).ok_or_else(|| unfit(&thought, "it does not answer what was dreamt"))
    }
}

/// Paid for, and no use.
fn unfit(thought: &Thought, complaint: &str) -> InferenceError {
    let fault = InferenceFault::Unfit { complaint: complaint.to_owned() };
    InferenceError { fault, charge: Charge::Known(thought.cost) }
}

/// The question in words and in its shape.
fn request(question: &ChoiceQuestion, confides: bool) -> Request {
    let market = described(&question.market.0, question.market.1);
    let [most_memories, most_peers] = if confides { CONFIDING } else { [MEMORIES, PEERS] };
    let (memories, peers) = (most_memories.cut(&question.memories), most_peers.cut(&question.peers));
    let memories: Vec<_> = memories.iter().map(|text| Foreign::new(TextSource::Model, text)).collect();
    let peers: Vec<_> = peers.iter().map(|text| Foreign::new(TextSource::Peer, text)).collect();
    let deliberate = Deliberate {
        tick: question.tick,
        phase: question.phase,
        vitality: question.vitality,
        surprise: question.surprise,
        uncertainty: question.uncertainty,
        choices: &question.choices,
        market: &[Foreign::new(TextSource::Market, &market)],
        memories: &memories,
        peers: &peers,
    };
    let prompt = pondering::under(question.state.as_deref(), deliberate.prompt());
    let mut schema = deliberate.schema();
    if let (true, Schema::Object(fields)) = (confides, &mut schema) {
        fields.extend(confession::fields());
    }
    Request {
        tier: question.tier,
        purpose: Thinking::Deliberation,
        prompt,
        schema,
        max_output_tokens: ANSWER_TOKENS,
        budget: question.budget,
        idempotency: question.effect,
        temperature: None,
        within: None,
    }
}

/// The market as a model reads it. Numbers alone: nobody can write words into a price.
fn described(market: &MarketReading, regime: &str) -> String {
    let twap = market.twap.map_or_else(|| "unknown".to_owned(), |twap| twap.to_string());
    format!(
        "price {}; time-weighted price {twap}; pool fee {} ppm; base fee {} wei; regime {regime}",
        market.price, market.fee_ppm, market.base_fee_wei
    )
}

/// A question whose every number is as long as numbers get.
fn widest(tier: Tier) -> ChoiceQuestion {
    let longest = Usdc::from_micros(u64::MAX);
    let preview = Preview { value_micros: i64::MIN, gas: longest, would_revert: false };
    let orders = [u128::MAX, 1].map(|least| Order::Provide {
        pool: PoolName::HOME,
        lower: 0,
        upper: 1,
        usdc: longest,
        token: least,
    });
    let choices = Choices::permitted(&orders.map(|order| PreviewedOrder { order, preview }), Phase::Thriving);
    let market = MarketReading {
        price: longest,
        pool: PoolName::HOME,
        token: 0,
        access: PoolAccess::Open,
        denomination: golem_primitives::Denomination::default(),
        twap: Some(longest),
        pool_tick: i32::MIN,
        tick_spacing: i32::MAX,
        token_is_first: false,
        liquidity: u128::MAX,
        fee_ppm: u32::MAX,
        base_fee_wei: u64::MAX,
        ether: longest,
        fee_growth: Default::default(),
    };
    ChoiceQuestion {
        effect: EffectId(B256::repeat_byte(0xff)),
        tier,
        budget: longest,
        tick: Tick::new(u64::MAX),
        phase: Phase::Conservation,
        vitality: Ppm::of(123_456),
        surprise: Ppm::of(123_456),
        uncertainty: Ppm::of(123_456),
        choices,
        market: (market, "trend-down"),
        memories: MEMORIES.full(),
        peers: PEERS.full(),
        state: Some("x".repeat(STATE_BYTES)),
    }
}
