//! Populations of an experiment: several lines on one market, who of them dies, who follows, whom the owner funds, and what they
//! tell each other.

mod clade;
mod line;
mod purse;

use std::collections::BTreeMap;

use golem_mortality::cause::CauseKind;
use golem_mortality::vitals::BirthError;
use golem_playbook::{Difference, Look};
use golem_primitives::{Ppm, Usdc, UtcTime};
use serde::{Deserialize, Serialize};

use self::clade::CladeLog;
use self::line::Line;
use self::purse::LinePurse;
use crate::world::{MarketPath, WorldLaw};

/// Lines on markets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinesStudy {
    pub world: WorldLaw,
    /// Lines of each arm.
    pub lines: u32,
    /// What each of them begins with, in whole USDC.
    pub capital: u32,
    /// What its host costs a look, in micro-USDC.
    pub host_micros: u64,
    /// Transactions that a death and a birth take beside the sale.
    pub death_acts: u32,
    /// Looks between a death and the first look of the heir.
    pub interregnum: usize,
    /// Looks a life lasts on average where chance ends it, and between the reviews of an owner.
    pub mean_life: u64,
    pub arms: Vec<LineArm>,
}

/// One arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineArm {
    /// As reports say it.
    pub name: String,
    /// Golems, or what anybody could do instead.
    #[serde(default)]
    pub who: Who,
    /// What ends a life.
    #[serde(default)]
    pub death: Ending,
    #[serde(default)]
    pub heir: HeirOf,
    /// I-365. Whether an heir that is too much alike has to become another.
    #[serde(default)]
    pub gate: bool,
    /// Whether what would end a life renews it in place: nothing has to be sold, no gas, no wait.
    #[serde(default)]
    pub in_place: bool,
    /// Whom the owner funds.
    #[serde(default)]
    pub owner: Owner,
    /// P-070 to P-072. What a dream brings to the book.
    #[serde(default)]
    pub dreams: DreamArm,
    /// P-008. The founding book, at a quarter of its stake; none where it is not named.
    #[serde(default)]
    pub founding: Option<String>,
    /// An assumption and no default: at this age, in looks, a life stops to learn.
    #[serde(default)]
    pub stiffens_after: Option<u64>,
    /// P-075. Whether its lines are a Clade. What is not so is not written: registrations from before there was one stay what they
    /// were.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// Looks between the reviews of its owner, where they are not a mean life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<u64>,
}

/// Who lives in an arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    #[default]
    Golems,
    /// Nobody: the capital stays USDC.
    Cash,
    /// Nobody: the capital is the token from the first look on.
    Holding,
}

/// What ends lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Nothing.
    #[default]
    None,
    /// A hazard that asks for nothing.
    Chance,
    /// Senescence alone: who no longer understands its market.
    Epistemic,
    /// The law as it is: a hazard that the unfit meet more often, and senescence.
    Law,
    /// At each review the line that earned least since the last.
    Worst,
    /// Turnover: at each review the one that has lived longest.
    Oldest,
}

/// Who follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeirOf {
    /// The heir of the dead one.
    #[default]
    Own,
    /// An heir of the line that earned most.
    Fitter,
    /// One that was left nothing.
    Blank,
}

/// Whom an owner funds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// Every line keeps what it has.
    #[default]
    Even,
    /// Half of what a death brings in goes to the line that earned most; without deaths half of the cash of the worst at a review.
    Fitter,
}

/// What dreams bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DreamArm {
    Off,
    /// P-070. The record is searched.
    #[default]
    Nrem,
    /// P-071, P-072. Threats are rehearsed and rules rewritten too.
    Full,
}

/// What is measured of an arm of lines on one market.
pub const LINE_MEASURES: [(&str, &str); 21] = [
    ("growth", "log growth of all capital, in hundredths"),
    ("edge-growth", "the part of it made while an edge was true"),
    ("pause-growth", "the part made while none was"),
    ("crash-growth", "the part made while a crash was on"),
    ("fall", "deepest fall of all capital, %"),
    ("exposure", "mean share in the token, %"),
    (
        "differs",
        "looks at which it held something else than the arm it is compared with, % of those where either holds",
    ),
    ("trips", "round trips"),
    ("costs", "fees, impact and gas, % of the capital"),
    ("deaths", "deaths"),
    ("senescent", "deaths of senescence"),
    ("staged", "rules tried"),
    ("promoted", "rules promoted"),
    ("guards", "guards that dreams staged"),
    ("forced", "rules that the gate had written anew"),
    ("heir-distance", "distance of an heir's book from the dead one's, %"),
    ("fitness", "mean fitness"),
    ("told", "rules that siblings were told"),
    ("crossed", "rules of siblings that were tried"),
    ("upheld", "times a rule of a sibling came to move money"),
    ("apart", "mean distance between the books of two lines, %"),
];

/// What one arm did on one market.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmRun {
    pub measures: BTreeMap<String, f64>,
    /// What all lines held at each look, as a share of what they owned in thousandths.
    pub exposure: Vec<u16>,
}

/// Looks between two looks at how far the books of lines lie apart.
const COMPARED_EVERY: usize = 1_000;

impl LinesStudy {
    /// Whether an arm of it is a Clade: then what crosses between lines is counted in all of them.
    fn has_clade(&self) -> bool {
        self.arms.iter().any(|arm| arm.shares)
    }

    /// Lives one arm through a market.
    pub fn live(&self, arm: &LineArm, path: &MarketPath, seed: u64) -> Result<ArmRun, BirthError> {
        match arm.who {
            Who::Golems => Population::new(self, arm, seed).live(path),
            Who::Cash => Ok(self.stand(Ppm::ZERO, path)),
            Who::Holding => Ok(self.stand(Ppm::ONE, path)),
        }
    }

    /// What anybody could do: nothing, or buy once.
    fn stand(&self, share: Ppm, path: &MarketPath) -> ArmRun {
        let capital = Usdc::from_micros(Usdc::whole(self.capital).micros().saturating_mul(u64::from(self.lines)));
        let mut purse = LinePurse::new(capital);
        let mut course = Course::new(capital);
        for (at, look) in path.looks.iter().enumerate() {
            purse.see(look.price);
            if at == 1 {
                purse.fill(share, look);
            }
            course.note(path, at, &Standing { value: purse.value(), held: purse.held() });
        }
        let mut run = course.finish();
        run.measures.insert("costs".to_owned(), 100.0 * purse.paid.total().micros() as f64 / capital.micros() as f64);
        run
    }
}

/// What is owned at a look.
struct Standing {
    value: Usdc,
    held: Usdc,
}

/// The way of an arm's capital.
struct Course {
    capital: f64,
    before: f64,
    height: f64,
    fall: f64,
    exposure: Vec<u16>,
    edge: f64,
    crash: f64,
    all: f64,
}

impl Course {
    fn new(capital: Usdc) -> Self {
        let capital = capital.micros() as f64;
        let exposure = Vec::new();
        Self { capital, before: capital, height: capital, fall: 0.0, exposure, edge: 0.0, crash: 0.0, all: 0.0 }
    }

    fn note(&mut self, path: &MarketPath, at: usize, standing: &Standing) {
        let value = (standing.value.micros() as f64).max(1.0);
        let growth = libm::log(value / self.before);
        self.all += growth;
        self.edge += if path.is_edge[at] { growth } else { 0.0 };
        self.crash += if path.is_crash[at] { growth } else { 0.0 };
        self.before = value;
        self.height = self.height.max(value);
        self.fall = self.fall.max(1.0 - value / self.height);
        self.exposure.push((standing.held.ratio_of(standing.value).get() / 1_000) as u16);
    }

    fn finish(self) -> ArmRun {
        let looks = self.exposure.len().max(1) as f64;
        let exposure = self.exposure.iter().map(|share| f64::from(*share)).sum::<f64>() / looks / 10.0;
        let growth = 100.0 * libm::log(self.before / self.capital);
        let measures = [
            ("growth", growth),
            ("edge-growth", 100.0 * self.edge),
            ("pause-growth", 100.0 * (self.all - self.edge)),
            ("crash-growth", 100.0 * self.crash),
            ("fall", 100.0 * self.fall),
            ("exposure", exposure),
        ];
        let measures = measures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        ArmRun { measures, exposure: self.exposure }
    }
}

/// All lines of an arm.
struct Population<'arm> {
    study: &'arm LinesStudy,
    arm: &'arm LineArm,
    lines: Vec<Line>,
    /// What each line would be worth without gifts and takings, now and at the last review.
    worth: Vec<f64>,
    reviewed: Vec<f64>,
    before: Vec<f64>,
    /// Lines whose estate the owner divides at the next look, when it is sold.
    estates: Vec<usize>,
    log: CladeLog,
    apart: Apart,
}

/// How far the books of lines lie apart, in sum over the pairs that were looked at.
#[derive(Debug, Default)]
struct Apart {
    millionths: u64,
    pairs: u64,
}

impl<'arm> Population<'arm> {
    fn new(study: &'arm LinesStudy, arm: &'arm LineArm, seed: u64) -> Self {
        let lines: Vec<Line> = (0..study.lines).map(|number| Line::new(study, arm, number, seed)).collect();
        let capital = Usdc::whole(study.capital).micros() as f64;
        let (worth, before) = (vec![1.0; lines.len()], vec![capital; lines.len()]);
        let (estates, log, apart) = (Vec::new(), CladeLog::default(), Apart::default());
        Self { study, arm, lines, reviewed: worth.clone(), worth, before, estates, log, apart }
    }

    fn live(mut self, path: &MarketPath) -> Result<ArmRun, BirthError> {
        let capital = Usdc::whole(self.study.capital).micros().saturating_mul(u64::from(self.study.lines));
        let mut course = Course::new(Usdc::from_micros(capital));
        for at in 0..path.looks.len() {
            self.look(path, at)?;
            let sum = |of: fn(&LinePurse) -> Usdc| {
                self.lines.iter().map(|line| of(&line.purse)).fold(Usdc::ZERO, Usdc::saturating_add)
            };
            course.note(path, at, &Standing { value: sum(LinePurse::value), held: sum(LinePurse::held) });
        }
        Ok(self.measure(course.finish(), capital))
    }

    /// One look of all lines, and what their owner does after it.
    fn look(&mut self, path: &MarketPath, at: usize) -> Result<(), BirthError> {
        let look = &path.looks[at];
        let mut dead = Vec::new();
        for (place, line) in self.lines.iter_mut().enumerate() {
            line.wake(self.study, look);
            if let Some(cause) = line.live(self.arm, at, look, &self.log)? {
                dead.push((place, cause));
            }
        }
        // What is said at a look is heard at the next, whoever of them lives first.
        for line in &mut self.lines {
            line.speak(&mut self.log, UtcTime::from_seconds(look.time));
        }
        self.weigh();
        for place in std::mem::take(&mut self.estates) {
            self.fund_the_fitter(place);
        }
        for (place, cause) in dead {
            self.end(place, cause, at, look);
        }
        if at > 0 && (at as u64).is_multiple_of(self.arm.review.unwrap_or(self.study.mean_life).max(1)) {
            self.review(at, look);
        }
        if self.study.has_clade() && at.is_multiple_of(COMPARED_EVERY) {
            self.compare();
        }
        Ok(())
    }

    /// What a look did to each line.
    fn weigh(&mut self) {
        for ((worth, before), line) in self.worth.iter_mut().zip(&mut self.before).zip(&self.lines) {
            let value = (line.purse.value().micros() as f64).max(1.0);
            *worth *= value / *before;
            *before = value;
        }
    }

    fn forget_flows(&mut self) {
        for (before, line) in self.before.iter_mut().zip(&self.lines) {
            *before = (line.purse.value().micros() as f64).max(1.0);
        }
    }

    /// How far what they act by lies apart now.
    fn compare(&mut self) {
        let books: Vec<_> = self.lines.iter().filter(|line| line.is_alive()).map(Line::acts_by).collect();
        for (place, one) in books.iter().enumerate() {
            for other in &books[place + 1..] {
                self.apart.millionths += u64::from(Difference::between(one, other).distance().get());
                self.apart.pairs += 1;
            }
        }
    }

    fn earned(&self, place: usize) -> f64 {
        self.worth[place] / self.reviewed[place]
    }

    /// The line that earned most since the last review; the first of equals.
    fn fittest(&self) -> usize {
        let better = |best: usize, place: usize| if self.earned(place) > self.earned(best) { place } else { best };
        (1..self.lines.len()).fold(0, better)
    }

    fn worst(&self) -> usize {
        let worse = |worst: usize, place: usize| if self.earned(place) < self.earned(worst) { place } else { worst };
        (1..self.lines.len()).fold(0, worse)
    }

    fn end(&mut self, place: usize, cause: CauseKind, at: usize, look: &Look) {
        if self.arm.in_place {
            self.lines[place].renew(self.arm.heir == HeirOf::Blank);
            return;
        }
        let source = match self.arm.heir {
            HeirOf::Own => Some(place),
            HeirOf::Fitter => Some(self.fittest()),
            HeirOf::Blank => None,
        };
        let left = source.map(|source| self.lines[source].legacy(cause));
        self.lines[place].die(self.study, at, look, cause);
        self.lines[place].succeed(left, self.arm.gate, look);
        if self.arm.owner == Owner::Fitter {
            self.estates.push(place);
        }
    }

    fn fund_the_fitter(&mut self, from: usize) {
        let to = self.fittest();
        if to != from {
            let half = self.lines[from].purse.halve();
            self.lines[to].purse.receive(half);
            self.forget_flows();
        }
    }

    /// What an owner does once in a mean life.
    fn review(&mut self, at: usize, look: &Look) {
        let worst = self.worst();
        let oldest = (1..self.lines.len()).fold(0, |oldest, place| {
            if self.lines[place].lived() > self.lines[oldest].lived() { place } else { oldest }
        });
        if self.arm.death == Ending::Worst && self.lines[worst].is_alive() {
            self.end(worst, CauseKind::Stochastic, at, look);
        } else if self.arm.death == Ending::Oldest && self.lines[oldest].is_alive() {
            self.end(oldest, CauseKind::Stochastic, at, look);
        } else if self.arm.death == Ending::None && self.arm.owner == Owner::Fitter {
            self.fund_the_fitter(worst);
        }
        self.reviewed.clone_from(&self.worth);
    }

    fn measure(&self, mut run: ArmRun, capital: u64) -> ArmRun {
        let sum = |of: fn(&Line) -> f64| self.lines.iter().map(of).sum::<f64>();
        let deaths = sum(|line| f64::from(line.count.deaths));
        let births = deaths.max(1.0);
        let looks = sum(|line| line.count.looks as f64).max(1.0);
        let counted = [
            ("trips", sum(|line| line.purse.trips as f64)),
            ("costs", 100.0 * sum(|line| line.purse.paid.total().micros() as f64) / capital.max(1) as f64),
            ("deaths", deaths),
            ("senescent", sum(|line| f64::from(line.count.senescent))),
            ("staged", sum(|line| f64::from(line.count.staged))),
            ("promoted", sum(|line| f64::from(line.count.promoted))),
            ("guards", sum(|line| f64::from(line.count.guards))),
            ("forced", sum(|line| f64::from(line.count.forced))),
            ("heir-distance", sum(|line| line.count.apart as f64) / births / 1e4),
            ("fitness", sum(|line| line.count.fitness) / looks),
        ];
        run.measures.extend(counted.map(|(name, value)| (name.to_owned(), value)));
        if self.study.has_clade() {
            let of_clade = [
                ("told", sum(|line| line.count.told as f64)),
                ("crossed", sum(|line| line.count.crossed as f64)),
                ("upheld", sum(|line| line.count.upheld as f64)),
                ("apart", self.apart.millionths as f64 / self.apart.pairs.max(1) as f64 / 1e4),
            ];
            run.measures.extend(of_clade.map(|(name, value)| (name.to_owned(), value)));
        }
        run
    }
}

/// How often two arms held something else, in percent of the looks at which either held anything.
#[must_use]
pub fn decisions_that_differ(one: &ArmRun, other: &ArmRun) -> f64 {
    /// Half a point is the same.
    const SAME: u16 = 5;
    let both = || one.exposure.iter().zip(&other.exposure).filter(|(a, b)| **a > 0 || **b > 0);
    let differ = both().filter(|(a, b)| a.abs_diff(**b) > SAME).count();
    100.0 * differ as f64 / both().count().max(1) as f64
}

#[cfg(test)]
#[path = "tests/lines.rs"]
mod tests;
