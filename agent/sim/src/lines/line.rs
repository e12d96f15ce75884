//! One line: a body by `core::step`, a hand and an understanding by the law of the book, and what becomes of them at a death.

use golem_core::life::Life;
use golem_core::record::{Observation, Outcome, SiblingRule, TickInput};
use golem_core::step::step;
use golem_mortality::behaviour::Behaviour;
use golem_mortality::cause::CauseKind;
use golem_mortality::law::Law;
use golem_mortality::phase::Phase;
use golem_mortality::ring::Ring;
use golem_mortality::stochastic::hazard::{HazardLaw, HazardNumbers};
use golem_mortality::stochastic::roll::Salt;
use golem_mortality::vitals::{BirthError, Chance};
use golem_playbook::choice::{Circumstances, Decision, HandOrder, Limits, Stand};
use golem_playbook::cost::ONCE;
use golem_playbook::hand::Hand;
use golem_playbook::information::InformationReading;
use golem_playbook::promotion::{Founding, RuleChange, Standing, Tried};
use golem_playbook::rewriting::Rewrite;
use golem_playbook::rule::{Manner, Rule};
use golem_playbook::search::{EVERY, STAGED};
use golem_playbook::understanding::{Learnt, PRICE_EVERY, Sighting, Understanding};
use golem_playbook::{Book, Difference, Look};
use golem_primitives::{GolemId, Ppm, Tick, Usdc, UtcTime};

use super::clade::{CladeLog, SiblingPlace};
use super::purse::LinePurse;
use super::{DreamArm, Ending, LineArm, LinesStudy};
use crate::population::answer;
use crate::world::gas_wei;

/// The Curator's turn, in looks.
const CURATOR_EVERY: u64 = 50;
/// What a body has to live on. Nobody starves here: hosts are paid out of the capital.
const CREDITS: Usdc = Usdc::whole(1_000);
/// I-365. How far from its predecessor an heir's book must be.
const LEAST_DISTANCE: Ppm = Ppm::of(150_000);
/// What a threshold is multiplied by, in percent, where a rule has to become another one.
const ALTERED: i64 = 130;

/// What a line counts of itself.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineCount {
    pub(super) deaths: u32,
    pub(super) senescent: u32,
    pub(super) staged: u32,
    pub(super) promoted: u32,
    pub(super) guards: u32,
    pub(super) forced: u32,
    /// Rules that siblings were told, rules of theirs that were tried, and times such a one came to move money.
    pub(super) told: u64,
    pub(super) crossed: u64,
    pub(super) upheld: u64,
    /// Sums over births of how far an heir's book is from the dead one's, in millionths.
    pub(super) apart: u64,
    pub(super) fitness: f64,
    pub(super) looks: u64,
}

/// What a death leaves.
pub(super) struct Legacy {
    pub(super) hand: Hand,
    pub(super) learnt: Learnt,
}

/// Somebody who lives, and who stood there before.
pub(super) struct Line {
    number: u32,
    seed: u64,
    generation: u32,
    law: Law,
    life: Option<Life>,
    answers: Vec<Outcome>,
    pub(super) hand: Hand,
    understanding: Understanding,
    frozen: Option<Learnt>,
    prices: Ring<f64, 64>,
    outlook: Option<(f64, f64)>,
    age: u64,
    /// Who has siblings to hear.
    kin: Option<SiblingPlace>,
    pub(super) purse: LinePurse,
    pending: Option<Decision>,
    /// The look at which the next life begins.
    pub(super) begins: usize,
    pub(super) count: LineCount,
}

/// The law of an arm: nothing but the end differs, so age drags on nobody.
pub(super) fn law_of(death: Ending, mean_life: u64) -> Law {
    let mut law = Law::self_hosted();
    law.vitality.age_drag = 0.0;
    let (base, is_frail) = match death {
        Ending::Chance => (1.0 / mean_life.max(1) as f64, false),
        // Half as fit is twice as mortal: at a usual fitness of 0.75 a life lasts what it is told to.
        Ending::Law => (1.0 / (1.5 * mean_life.max(1) as f64), true),
        Ending::None | Ending::Epistemic | Ending::Worst | Ending::Oldest => (f64::MIN_POSITIVE, false),
    };
    let epistemic_multiplier = if is_frail { 3.0 } else { 1.0 };
    let numbers = HazardNumbers {
        base: base.min(1e-3),
        age_coefficient: 0.0,
        aging_rate: 0.0,
        epistemic_multiplier,
        ..*HazardLaw::DEFAULT.numbers()
    };
    law.hazard = HazardLaw::new(numbers).unwrap_or(HazardLaw::DEFAULT);
    if !matches!(death, Ending::Epistemic | Ending::Law) {
        law.epistemic.senescence.threshold = Ppm::ZERO;
    }
    law
}

impl Line {
    pub(super) fn new(study: &LinesStudy, arm: &LineArm, number: u32, seed: u64) -> Self {
        Self {
            number,
            seed,
            generation: 0,
            law: law_of(arm.death, study.mean_life),
            life: None,
            answers: Vec::new(),
            hand: Hand::new(),
            understanding: Understanding::default(),
            frozen: None,
            prices: Ring::new(),
            outlook: None,
            age: 0,
            kin: None,
            purse: LinePurse::new(Usdc::whole(study.capital)),
            pending: None,
            // Who begins at another look finds other things.
            begins: 251 * number as usize,
            count: LineCount::default(),
        }
    }

    /// One look of the world: what was decided is filled and the host is paid.
    pub(super) fn wake(&mut self, study: &LinesStudy, look: &Look) {
        self.purse.see(look.price);
        if let Some(Decision { target, manner: Manner::Hold, order: Some(_) }) = self.pending.take() {
            self.purse.fill(target, look);
        }
        self.purse.pay(Usdc::from_micros(study.host_micros));
    }

    /// The rest of the look; the cause where the life ended in it.
    pub(super) fn live(
        &mut self,
        arm: &LineArm,
        at: usize,
        look: &Look,
        log: &CladeLog,
    ) -> Result<Option<CauseKind>, BirthError> {
        if at < self.begins {
            return Ok(None);
        }
        let now = UtcTime::from_seconds(look.time);
        let life = match self.life.take() {
            Some(life) => life,
            None => self.born(arm, look, now)?,
        };
        self.age += 1;
        let is_stiff = arm.stiffens_after.is_some_and(|age| self.age > age);
        let (life, cause) = self.step_body(life, look, now, is_stiff);
        if cause.is_some() {
            return Ok(cause);
        }
        let phase = life.vitals().phase();
        self.count.fitness += life.vitals().epistemic().fitness().get();
        self.count.looks += 1;
        self.life = Some(life);
        let capital = self.purse.value();
        if !is_stiff {
            self.learn(arm, phase, look, capital);
            self.listen_and_tell(look, capital, log);
        }
        let decision = self.hand.look(look, &self.circumstances(phase, capital));
        if matches!(decision.manner, Manner::Provide { .. }) && decision.order.is_some() {
            // Liquidity has no place in these markets.
            self.hand.put_back(Stand::default());
        }
        self.pending = Some(decision);
        self.count_changes();
        Ok(None)
    }

    fn count_changes(&mut self) {
        while let Some(event) = self.hand.next_event() {
            self.count.staged += u32::from(matches!(event.change, RuleChange::Staged { .. }));
            self.count.promoted += u32::from(matches!(event.change, RuleChange::Promoted { .. }));
            if matches!(event.change, RuleChange::OnTrial { .. }) {
                let of_sibling =
                    |tried: &&Tried| tried.number() == event.number && SiblingRule::is_named(&tried.rule.name);
                self.count.upheld += u64::from(self.hand.tried().iter().any(|tried| of_sibling(&tried)));
            }
        }
    }

    /// What siblings said is tried, and what moves money here is told them.
    fn listen_and_tell(&mut self, look: &Look, capital: Usdc, log: &CladeLog) {
        let Some(kin) = self.kin.as_mut().filter(|_| !capital.is_zero()) else { return };
        self.count.crossed += kin.hear(log, &mut self.hand, look, capital);
        kin.tell(&self.hand, Tick::new(self.age));
        self.count.told += kin.says.len() as u64;
    }

    /// What it said at this look goes to the others.
    pub(super) fn speak(&mut self, log: &mut CladeLog, now: UtcTime) {
        if let Some(kin) = self.kin.as_mut().filter(|kin| !kin.says.is_empty()) {
            log.file(kin.name(), std::mem::take(&mut kin.says), now);
        }
    }

    fn born(&mut self, arm: &LineArm, look: &Look, now: UtcTime) -> Result<Life, BirthError> {
        let id = GolemId::new(&format!("line-{}-{}", self.number, self.generation)).expect("a short printable name");
        let life = Life::birth(id, self.law, CREDITS, 0, now)?;
        self.kin = arm.shares.then(|| SiblingPlace::new(&id, self.seed));
        (self.age, self.frozen, self.outlook) = (0, None, None);
        if let Some(book) = arm.founding.as_deref().and_then(Book::founding) {
            self.hand.found_on(&book, Founding::Trial, look, self.purse.value());
        }
        Ok(life)
    }

    /// The clocks: what was claimed of the market and came goes to the body as it does in a real life.
    fn step_body(&mut self, life: Life, look: &Look, now: UtcTime, is_stiff: bool) -> (Life, Option<CauseKind>) {
        let mut input = TickInput::quiet(life.tick().next(), now, Chance::Named(Salt::Seed(self.seed)));
        input.outcomes = std::mem::take(&mut self.answers);
        let seen = Sighting { price: look.price, volume: look.volume, gas_wei: gas_wei(look) };
        let looked = self.understanding.look(&seen);
        let mut pairs: Vec<_> = looked.judged.iter().filter_map(|judged| judged.pair).collect();
        let price = look.price.micros() as f64;
        self.prices.push(price);
        if self.age.is_multiple_of(PRICE_EVERY) {
            if let Some((from, expected)) = self.outlook {
                pairs.extend(self.understanding.price(expected, price / from - 1.0, PRICE_EVERY));
            }
            let mean = self.prices.iter().sum::<f64>() / self.prices.len() as f64;
            self.outlook = Some((price, 0.5 * (mean / price - 1.0)));
        }
        if is_stiff {
            let frozen = *self.frozen.get_or_insert(*self.understanding.learnt());
            self.understanding.take_up(&frozen);
        }
        input.observations.extend(pairs.into_iter().map(|pair| Observation::Resolved { pair }));
        let next = step(life, &input);
        self.answers = next.effects.iter().filter_map(answer).collect();
        let cause = next.life.death().map(|death| death.cause.kind());
        (next.life, cause)
    }

    /// M-269, P-051. What the phase leaves, and what it leaves of that who sees nothing any more.
    fn circumstances(&self, phase: Phase, capital: Usdc) -> Circumstances {
        let by_phase = Behaviour::of(phase).risk_within(Ppm::ONE);
        let saving = Behaviour::of(Phase::Conservation).risk.min(by_phase);
        let is_lost = self.hand.information().last().is_some_and(InformationReading::is_lost);
        let left = if by_phase == Ppm::ZERO {
            Ppm::ONE
        } else {
            Ppm::round(f64::from(saving.get()) / f64::from(by_phase.get()))
        };
        let information = if is_lost { left } else { Ppm::ONE };
        let limits = Limits { phase: by_phase, information, ..Limits::NONE };
        Circumstances { capital, held: self.purse.held(), limits, caution_ppm: ONCE }
    }

    /// The Curator's turn and the dreams, as the decision of a real life follows them.
    fn learn(&mut self, arm: &LineArm, phase: Phase, look: &Look, capital: Usdc) {
        if capital.is_zero() {
            return;
        }
        if self.age.is_multiple_of(CURATOR_EVERY) {
            self.hand.count_links();
            self.hand.read_information();
            if self.hand.looks_since_tuning() >= EVERY {
                self.hand.tune(look, capital, None);
            }
        }
        if arm.dreams == DreamArm::Off || self.hand.looks_since_search() < EVERY {
            return;
        }
        let mut left = STAGED;
        if arm.dreams == DreamArm::Full {
            self.count.guards += u32::from(self.hand.rehearse(look, capital, None));
            let ways: &[Rewrite] = match phase {
                Phase::Thriving | Phase::Stable => {
                    &[Rewrite::Combinational, Rewrite::Exploratory, Rewrite::Transformational]
                }
                _ => &[Rewrite::Combinational, Rewrite::Exploratory],
            };
            left -= usize::from(self.hand.imagine(look, capital, None, ways));
        }
        self.hand.search(look, capital, None, left);
    }

    /// What it leaves to an heir, its own or another's.
    pub(super) fn legacy(&self, cause: CauseKind) -> Legacy {
        let mut hand = self.hand.heir();
        hand.remember_death(cause);
        Legacy { hand, learnt: *self.understanding.learnt() }
    }

    /// The body goes; what is held is sold at the next look, the acts of a death and a birth are paid, and the next one begins a
    /// while later.
    pub(super) fn die(&mut self, study: &LinesStudy, at: usize, look: &Look, cause: CauseKind) {
        self.count.deaths += 1;
        self.count.senescent += u32::from(cause == CauseKind::EpistemicSenescence);
        self.generation += 1;
        self.life = None;
        self.answers.clear();
        let order = Some(HandOrder { from: self.hand.stands().share, to: Ppm::ZERO });
        self.pending = Some(Decision { target: Ppm::ZERO, manner: Manner::Hold, order });
        self.purse.pay_gas(look, study.death_acts);
        self.begins = at + study.interregnum.max(1);
    }

    /// The body is renewed where it stands: nothing has to be sold and nothing is paid. It keeps what an heir would have, or forgets
    /// everything.
    pub(super) fn renew(&mut self, forgets: bool) {
        self.count.deaths += 1;
        self.generation += 1;
        self.life = None;
        self.answers.clear();
        if forgets {
            (self.hand, self.understanding) = (Hand::new(), Understanding::default());
        } else {
            self.hand = self.hand.heir();
        }
    }

    /// Who comes after it, from what was left; nothing for one that begins blank.
    pub(super) fn succeed(&mut self, left: Option<Legacy>, has_gate: bool, look: &Look) {
        let dead = self.acts_by();
        self.understanding = Understanding::default();
        self.hand = match left {
            Some(Legacy { hand, learnt }) => {
                self.understanding.take_up(&learnt);
                hand
            }
            None => Hand::new(),
        };
        if has_gate {
            self.force_difference(&dead, look);
        }
        self.count.apart += u64::from(Difference::between(&dead, &self.acts_by()).distance().get());
    }

    /// I-365. Whoever is too much alike becomes another: its least proved rule is written anew until the gate lets it pass.
    fn force_difference(&mut self, dead: &Book, look: &Look) {
        let (capital, tries) = (self.purse.value(), dead.rules.len());
        let mut altered: Vec<String> = Vec::new();
        for _ in 0..tries {
            let mine = self.acts_by();
            if Difference::between(dead, &mine).distance() >= LEAST_DISTANCE {
                return;
            }
            let evidence = |rule: &Rule| {
                let tried = self.hand.tried().iter().find(|tried| tried.rule.name == rule.name);
                tried.map_or(0.0, |tried| tried.evidence())
            };
            let open = mine.rules.iter().filter(|rule| !altered.contains(&rule.name));
            let Some(rule) = open.min_by(|a, b| evidence(a).total_cmp(&evidence(b))) else { return };
            let mut other = rule.clone();
            for (_, comparison) in &mut other.when.parts {
                comparison.threshold = comparison.threshold.saturating_mul(ALTERED) / 100;
            }
            altered.push(other.name.clone());
            self.count.forced += 1;
            let book = Book { title: dead.title.clone(), rules: vec![other] };
            self.hand.found_on(&book, Founding::Paper, look, capital);
        }
    }

    /// P-001. The rules that move money; before any does, all of them.
    pub(super) fn acts_by(&self) -> Book {
        let acting = self.hand.tried().iter().filter(|tried| tried.standing() > Standing::Paper);
        let mut rules: Vec<Rule> = acting.map(|tried| tried.rule.clone()).collect();
        if rules.is_empty() {
            rules = self.hand.tried().iter().map(|tried| tried.rule.clone()).collect();
        }
        Book { title: "acts by".to_owned(), rules }
    }

    /// Whether somebody lives in it.
    pub(super) const fn is_alive(&self) -> bool {
        self.life.is_some()
    }

    /// Looks that whoever lives in it has lived; none where nobody does.
    pub(super) const fn lived(&self) -> u64 {
        if self.is_alive() { self.age } else { 0 }
    }
}
