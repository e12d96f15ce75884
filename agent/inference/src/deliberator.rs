//! M-139. Choices put to the models an owner configured: words, shape, bound and price of the question.

use golem_core::deliberation::{Candidate, Choices, Preview};
use golem_core::record::{MarketReading, Order, Phase, Tier};
use golem_ports::{
    Advised, Charge, Inference, InferenceError, InferenceFault, Question, Request, Schema, Thinker, Thinking,
};
use golem_primitives::{B256, EffectId, Ppm, Tick, Usdc};

use crate::confession;
use crate::models::Models;
use crate::patience::{Pace, WallPace};
use crate::prompts::{Deliberate, Foreign, Source};

/// The longest answer to a deliberation, in tokens: an index and two sentences, with some room for thinking.
const ANSWER_TOKENS: u32 = 512;

/// S-107, A-044. The longest a Golem's own state is, in bytes: 350 tokens of what presses and 150 of its mood.
const STATE_BYTES: usize = 4 * (350 + 150);

/// Asks [`Models`] which of the offered actions to take.
#[derive(Debug)]
pub struct Deliberator<P = WallPace> {
    models: Models<P>,
    confides: bool,
}

impl<P: Pace> Deliberator<P> {
    /// One that asks these.
    #[must_use]
    pub const fn new(models: Models<P>) -> Self {
        Self { models, confides: false }
    }

    /// A-040, S-044. One that also lets the model say what it makes of the Golem's own state, in the same answer.
    #[must_use]
    pub fn confiding(self, confides: bool) -> Self {
        Self { confides, ..self }
    }

    /// The tiers somebody serves, smallest first; rules are always there.
    #[must_use]
    pub fn tiers(&self) -> Vec<Tier> {
        self.models.tiers()
    }
}

impl<P: Pace + Sync> Thinker for Deliberator<P> {
    fn quotes(&self) -> [Option<Usdc>; 4] {
        // The longest question there can be, so that no real one costs more than was said of it.
        Tier::ALL.map(|tier| self.models.quote(&request(&widest(tier), self.confides)).ok())
    }

    async fn think(&self, question: &Question) -> Result<Advised, InferenceError> {
        let thought = self.models.ask(&request(question, self.confides)).await?;
        match thought.advice(question.choices.digest()) {
            Some(advice) => {
                let confession = self.confides.then(|| Box::new(confession::read(&thought.json)));
                Ok(Advised { advice, cost: thought.cost, confession })
            }
            None => Err(InferenceError {
                fault: InferenceFault::Unfit { complaint: "it names no index".to_owned() },
                charge: Charge::Known(thought.cost),
            }),
        }
    }
}

/// The question in words and in its shape.
fn request(question: &Question, confides: bool) -> Request {
    let market = described(&question.market.0, question.market.1);
    let deliberate = Deliberate {
        tick: question.tick,
        phase: question.phase,
        vitality: question.vitality,
        surprise: question.surprise,
        uncertainty: question.uncertainty,
        choices: &question.choices,
        market: &[Foreign::new(Source::Market, &market)],
        memories: &[],
        peers: &[],
    };
    let mut prompt = deliberate.prompt();
    if let Some(state) = &question.state {
        // S-100. Above the goals, as the agent's own state.
        let mut end = state.len().min(STATE_BYTES);
        while !state.is_char_boundary(end) {
            end -= 1;
        }
        prompt.user = format!("{}\n\n{}", &state[..end], prompt.user);
    }
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
fn widest(tier: Tier) -> Question {
    let longest = Usdc::from_micros(u64::MAX);
    let preview = Preview { value_micros: i64::MIN, gas: longest, would_revert: false };
    let orders = [u128::MAX, 1].map(|least| Order::Provide { lower: 0, upper: 1, usdc: longest, token: least });
    let choices = Choices::permitted(&orders.map(|order| Candidate { order, preview }), Phase::Thriving);
    let market = MarketReading {
        price: longest,
        twap: Some(longest),
        pool_tick: i32::MIN,
        tick_spacing: i32::MAX,
        token_is_first: false,
        liquidity: u128::MAX,
        fee_ppm: u32::MAX,
        base_fee_wei: u64::MAX,
    };
    Question {
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
        state: Some("x".repeat(STATE_BYTES)),
    }
}
