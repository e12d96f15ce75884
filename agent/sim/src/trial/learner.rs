//! One life that trades in a made-up market and learns, lived through the same functions as a real one: `step` decides, `episodes`
//! tells what was lived, the Curator counts it, and what it made of it speaks to the next decision.

use std::time::Duration;

use golem_core::counsel::Counsellor;
use golem_core::curation::{Curation, Sources, audit, cycle, last_cycle};
use golem_core::life::Life;
use golem_core::memory::{Before, Past, Venue, Voices, episodes};
use golem_core::record::{
    BlockRef, ChainLife, ChainState, Chance, Due, Effect, EffectKind, Event, Moved, Observation, Order, Outcome,
    OutcomeResult, OutcomeVerification, Receipt, Salt, Sight, SimulatedOutcome, TickInput,
};
use golem_core::step::step;
use golem_core::tending::due;
use golem_core::trade::TokenPrice;
use golem_core::trader::{Foundation, TraderSettings};
use golem_dreams::law::DreamLaw;
use golem_grimoire::episode::Episode;
use golem_grimoire::id::Moment;
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::regime::Regime;
use golem_grimoire::strength::Reinforcement;
use golem_mortality::law::Law;
use golem_mortality::vitals::BirthError;
use golem_primitives::{BlockHash, Decimals, EffectId, GolemId, Ppm, Tick, Usdc, UtcTime};

use super::dreamer::{DreamPlace, DreamTally, Dreamer};
use super::library::{Library, Turned};
use super::pool::{LIQUIDITY, Pool};
use super::settings::{BOOK, TrialSettings};
use super::till::Till;

/// Passes after which a death is taken as over. Here it needs fewer than twenty.
const LAST_PASSES: u32 = 64;
/// Episodes without an outcome that a dreaming life keeps.
const KEPT_FOR_DREAMS: usize = 256;
/// Credits at birth. Nobody is charged here.
const CREDITS: Usdc = Usdc::whole(50);

/// Where and how every life of a trial trades.
#[derive(Debug, Clone)]
pub(crate) struct Trade {
    pub(crate) venue: Venue,
    pub(crate) settings: TraderSettings,
    pub(crate) foundation: Foundation,
    pub(crate) fee_ppm: u32,
    pub(crate) seed: u64,
}

impl Trade {
    pub(crate) fn new(settings: &TrialSettings, seed: u64) -> Self {
        let venue = Venue { chain: 8_453, pair: "WETH/USDC".to_owned() };
        Self { venue, settings: settings.trader(), foundation: settings.foundation(), fee_ppm: settings.fee_ppm, seed }
    }
}

/// What a tick brought that the trials count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ticked {
    /// A purchase that a rule forbade.
    pub(crate) held_back: bool,
    /// A purchase that was made.
    pub(crate) bought: bool,
    /// What happened to entries.
    pub(crate) turned: Vec<Turned>,
    /// The regime as the life saw it.
    pub(crate) regime: Option<Regime>,
    /// Dreams dreamt to their end, what they imagined, and dreamt claims that were let in.
    pub(crate) dreams: u32,
    pub(crate) imagined: u32,
    pub(crate) dreamt: u32,
}

/// A life and what it knows.
#[derive(Debug)]
pub(crate) struct Learner {
    pub(crate) life: Life,
    pub(crate) library: Library,
    trade: Trade,
    pool: Pool,
    law: GrimoireLaw,
    past: Past,
    voices: Voices,
    counsellor: Counsellor,
    inbox: Vec<Outcome>,
    /// Whether its Curator works and its knowledge speaks; what is true is measured by one that does not learn.
    learns: bool,
    dreamer: Option<Box<Dreamer>>,
    till: Till,
}

impl Learner {
    /// A life that begins with this capital and knows nothing.
    pub(crate) fn born(trade: &Trade, law: Law, name: &str, capital: Usdc, now: UtcTime) -> Result<Self, BirthError> {
        let id = GolemId::new(name).expect("a short printable name");
        let life = Life::birth(id, law, CREDITS, 0, now)?.with_trader(trade.settings, trade.foundation.clone());
        Ok(Self {
            life,
            library: Library::new(),
            trade: trade.clone(),
            pool: Pool::new(trade.fee_ppm),
            law: GrimoireLaw::default(),
            past: Past::new(),
            voices: Voices::default(),
            counsellor: Counsellor::default(),
            inbox: Vec::new(),
            learns: true,
            dreamer: None,
            till: Till::new(capital),
        })
    }

    /// The same life, never the wiser.
    pub(crate) fn unlearning(self) -> Self {
        Self { learns: false, ..self }
    }

    /// The same life, told of dreams by these numbers.
    pub(crate) fn dreaming(self, law: &DreamLaw) -> Self {
        let dreamer = Some(Box::new(Dreamer::new(law)));
        Self { dreamer, library: self.library.keeping(KEPT_FOR_DREAMS), ..self }
    }

    /// What it owns at a price.
    pub(crate) fn capital(&self, price: Usdc) -> Usdc {
        self.till.worth(price)
    }

    /// One tick: two passes, and what lies between them.
    pub(crate) fn tick(mut self, price: Usdc, now: UtcTime) -> (Self, Ticked) {
        let sight = self.sight(price, now);
        let mut observations = Vec::new();
        if self.learns {
            let regime = self.past.regime_with(price);
            let advice = self.counsellor.speak(regime, now, &self.law.retention);
            if !advice.is_empty() {
                observations.push(Observation::Counsel { advice });
            }
            observations.extend(self.due());
        }
        observations.insert(0, Observation::Sight(Box::new(sight)));
        let next = self.life.next_pass().0;
        if let Some(dreamer) = &mut self.dreamer {
            dreamer.look(next, now, price, LIQUIDITY);
            observations.extend(dreamer.terms(&self.life));
        }
        let mut ticked = Ticked::default();
        let chance = Chance::Named(Salt::Seed(self.trade.seed));
        let decided = self.pass(observations, Chance::default(), price, now, &mut ticked);
        let recalled = decided.dreamer.as_ref().and_then(|dreamer| dreamer.recalled(&decided.life, &decided.library));
        let slept = decided.pass(recalled.into_iter().collect(), chance, price, now, &mut ticked);
        ticked.regime = slept.past.regime();
        (slept, ticked)
    }

    /// M-178. Carries a death out: what is held is sold, the last cycle puts in order what is left behind.
    pub(crate) fn die(mut self, price: Usdc, mut now: UtcTime) -> Self {
        let mut ticked = Ticked::default();
        for _ in 0..LAST_PASSES {
            if !matches!(self.life.body(), golem_core::life::Body::Dying(_)) {
                break;
            }
            now = now.plus(Duration::from_secs(1));
            let sight = vec![Observation::Sight(Box::new(self.sight(price, now)))];
            self = self.pass(sight, Chance::default(), price, now, &mut ticked);
        }
        self
    }

    /// G-143, C32. Whether the Grimoire wants its Curator beside its turns.
    fn due(&self) -> Option<Observation> {
        let why = due(&self.life, self.life.next_pass().0)?;
        (why != Due::Episodes || self.library.is_ripe()).then_some(Observation::CuratorDue { why })
    }

    fn sight(&mut self, price: Usdc, now: UtcTime) -> Sight {
        let market = self.pool.at(price);
        let block = BlockRef { number: self.life.tick().get() + 1, hash: BlockHash::default(), time: now };
        Sight { block, market, elsewhere: Default::default(), vault: Some(self.till.reading(&self.life, now)) }
    }

    /// One pass: the input is taken in, the law steps, what was lived is written down, what is wanted is done.
    fn pass(
        mut self,
        mut observations: Vec<Observation>,
        chance: Chance,
        price: Usdc,
        now: UtcTime,
        ticked: &mut Ticked,
    ) -> Self {
        let (tick, turn) = self.life.next_pass();
        if let Some(dreamer) = &mut self.dreamer {
            observations.extend(dreamer.fills(&self.life));
        }
        let input = TickInput {
            turn,
            observations,
            outcomes: std::mem::take(&mut self.inbox),
            ..TickInput::quiet(tick, now, chance)
        };
        self.past.take(&input);
        self.voices.take(&input);
        let before = Before::of(&self.life);
        let next = step(self.life, &input);
        self.life = next.life;
        ticked.held_back |= next.events.iter().any(is_held_back);
        let lived = episodes(&self.trade.venue, &self.past, &before, &self.life, &input, &next.events);
        self.remember(&input, lived);
        for effect in &next.effects {
            let outcome = self.carry_out(effect, tick, price, now, ticked);
            self.inbox.push(outcome);
        }
        self
    }

    fn remember(&mut self, input: &TickInput, lived: Vec<Episode>) {
        let owed = self.voices.owed(self.life.id(), input, &lived);
        self.library.note(lived);
        for (_, entry, result) in &owed {
            self.library.reinforce(*entry, Reinforcement::Live(*result));
        }
        if !owed.is_empty() {
            self.keep_at_hand();
        }
    }

    fn keep_at_hand(&mut self) {
        self.counsellor = Counsellor::of(self.library.grimoire(), &self.trade.venue, BOOK);
    }

    /// The world does what it is asked. Trades are those of a pool at the price that was seen, less its fee.
    fn carry_out(&mut self, effect: &Effect, tick: Tick, price: Usdc, now: UtcTime, ticked: &mut Ticked) -> Outcome {
        let result = match effect.kind {
            EffectKind::Trade(order) => {
                ticked.bought |= order.raises_exposure();
                match moved(order, price, self.trade.fee_ppm) {
                    Some(moved) => {
                        self.till.apply(order, &moved);
                        if let Some(dreamer) = &mut self.dreamer {
                            dreamer.filled(effect, order, &moved, (tick, now, price));
                        }
                        landed(effect.id, tick, moved)
                    }
                    None => OutcomeResult::Refused {
                        reason: "this market has no place for liquidity; trade by price".to_owned(),
                    },
                }
            }
            EffectKind::Declare { .. } => {
                self.till.becomes(ChainLife::Dying { order: None, deadline: now.plus(Duration::from_secs(3_600)) });
                OutcomeResult::Done
            }
            EffectKind::Settle => {
                self.till.becomes(ChainLife::Dead { order: None });
                OutcomeResult::Done
            }
            EffectKind::Dream { .. } => self.dream(effect, tick, ticked),
            EffectKind::Curate if self.learns => self.curate(effect.id, tick, cycle, ticked),
            EffectKind::Reflect { .. } if self.learns => {
                self.curate(effect.id, tick, audit, ticked);
                OutcomeResult::Reflected { improved: false }
            }
            EffectKind::WriteTestament if self.learns => {
                self.curate(effect.id, tick, last_cycle, ticked);
                OutcomeResult::Done
            }
            EffectKind::Reflect { .. } => OutcomeResult::Reflected { improved: false },
            _ => OutcomeResult::Done,
        };
        Outcome { effect: effect.id, cost: None, result }
    }

    /// D-185. A dream between two passes.
    fn dream(&mut self, effect: &Effect, tick: Tick, ticked: &mut Ticked) -> OutcomeResult {
        let Some(dreamer) = &mut self.dreamer else { return OutcomeResult::Done };
        let now = Moment::new(tick, self.life.vitals().vitality().last_computed);
        let mut tally = DreamTally::default();
        let place = DreamPlace { venue: &self.trade.venue, law: &self.law, now };
        let result = dreamer.dream(&self.life, effect, &mut self.library, place, &mut tally);
        ticked.dreams += tally.dreams;
        ticked.imagined += tally.imagined;
        ticked.dreamt += tally.admitted;
        ticked.turned.extend(tally.turned);
        self.keep_at_hand();
        result
    }

    /// G-139. The Curator's turn.
    fn curate(
        &mut self,
        effect: EffectId,
        tick: Tick,
        curator: fn(&Life, &GrimoireLaw, Moment, &Sources<'_>) -> Curation,
        ticked: &mut Ticked,
    ) -> OutcomeResult {
        let now = Moment::new(tick, self.life.vitals().vitality().last_computed);
        self.library.mark(self.voices.spoke(), tick);
        let made = curator(&self.life, &self.law, now, &self.library.sources());
        let (curated, turned) = self.library.land(effect, now, made);
        ticked.turned.extend(turned);
        self.voices.count_all();
        self.keep_at_hand();
        OutcomeResult::Curated(curated)
    }
}

fn is_held_back(event: &Event) -> bool {
    matches!(event, Event::TradeForgone { reason: golem_core::record::Forgone::Counsel, .. })
}

/// What a trade moves: that of a pool at this price, less its fee; nothing where there is no place for it.
fn moved(order: Order, price: Usdc, fee_ppm: u32) -> Option<Moved> {
    let kept = Ppm::saturating(u64::from(fee_ppm)).complement();
    let at = TokenPrice { whole: price, decimals: Decimals::ETHER };
    let signed = |amount: Usdc| i64::try_from(amount.micros()).unwrap_or(i64::MAX);
    let moved = |usdc_micros, token| Some(Moved { usdc_micros, token, price, ..Moved::default() });
    match order {
        Order::Buy { spend, .. } => {
            let token = at.buys(spend.share_down(kept));
            moved(-signed(spend), i128::try_from(token).unwrap_or(i128::MAX))
        }
        Order::Sell { amount, .. } => {
            let usdc = at.worth(amount).share_down(kept);
            moved(signed(usdc), -i128::try_from(amount).unwrap_or(i128::MAX))
        }
        Order::Provide { .. } | Order::Withdraw { .. } => None,
    }
}

/// The record of a trade that came as it was ordered; with nothing foreseen it says nothing of understanding.
fn landed(effect: EffectId, tick: Tick, moved: Moved) -> OutcomeResult {
    let receipt = Receipt { success: true, moved, ..Receipt::default() };
    let (before, after) = (ChainState::default(), ChainState::default());
    let record = OutcomeVerification::compare(tick, effect, before, SimulatedOutcome::default(), after, receipt);
    OutcomeResult::Verified(Box::new(record))
}
