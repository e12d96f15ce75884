//! Metrics of one process, in the OpenMetrics text that Prometheus reads: every series is of one Golem, by its name.

mod sleep;
mod temper;
mod worth;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use golem_core::life::{Body, Life};
use golem_core::record::{Curated, Event, Partition, SourceName, TickInput, Tier, Unbought};
use golem_core::trader::Trader;
use golem_ports::drift::Health;
use golem_primitives::GolemId;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry};
use std::sync::atomic::AtomicU64;

use sleep::Sleep;
use temper::Temperature;
use worth::Worth;

/// The format of [`Metrics::encode`], as HTTP names it.
pub const METRICS_MEDIA: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Whose {
    golem: String,
}

/// Whose, and which of a few words known beforehand: nobody can make a new series by naming something.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    golem: String,
    name: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Called {
    golem: String,
    id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WhosePartition {
    golem: String,
    partition: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WhoseTier {
    golem: String,
    tier: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WhoseGood {
    golem: String,
    good: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WhoseSource {
    golem: String,
    source: String,
}

type Level = Gauge<f64, AtomicU64>;

/// Where a Golem of this process stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GolemStanding {
    /// It has not begun and is tried again.
    Waiting,
    Alive,
    /// It lives and cannot see its chain.
    Blind,
    Dying,
    /// It is dead, which is no defect.
    Dead,
    /// It cannot go on in this process.
    Failed,
}

impl GolemStanding {
    /// One word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Alive => "alive",
            Self::Blind => "blind",
            Self::Dying => "dying",
            Self::Dead => "dead",
            Self::Failed => "failed",
        }
    }

    /// Whether nobody has to look.
    #[must_use]
    pub const fn is_well(self) -> bool {
        matches!(self, Self::Alive | Self::Dying | Self::Dead)
    }

    fn of(life: &Life) -> Self {
        match life.body() {
            Body::Dead(_) => Self::Dead,
            Body::Dying(_) => Self::Dying,
            _ if life.trader().is_some_and(Trader::is_blind) => Self::Blind,
            _ => Self::Alive,
        }
    }
}

/// Everything that is counted.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// What people call those whose ids the events carry.
    names: RwLock<BTreeMap<GolemId, String>>,
    standings: RwLock<BTreeMap<String, GolemStanding>>,
    info: Family<Called, Gauge>,
    up: Family<Whose, Gauge>,
    passed: Family<Whose, Gauge>,
    events: Family<Kind, Counter>,
    effects: Family<Kind, Counter>,
    vitality: Family<Whose, Level>,
    economic: Family<Whose, Level>,
    epistemic: Family<Whose, Level>,
    phase: Family<Whose, Gauge>,
    tick: Family<Whose, Gauge>,
    alive: Family<Whose, Gauge>,
    blind: Family<Whose, Gauge>,
    credits: Family<WhosePartition, Level>,
    reserve: Family<Whose, Level>,
    owed: Family<Whose, Level>,
    positions: Family<Whose, Gauge>,
    active: Family<Whose, Gauge>,
    candidates: Family<Whose, Gauge>,
    rules: Family<Whose, Gauge>,
    embedder: Family<Whose, Gauge>,
    episodes: Family<Whose, Counter>,
    thinking_cost: Family<WhoseTier, Counter<f64, AtomicU64>>,
    bought: Family<WhoseSource, Counter>,
    data_cost: Family<WhoseSource, Counter<f64, AtomicU64>>,
    cheated: Family<WhoseSource, Counter>,
    ledger_differs: Family<WhosePartition, Counter>,
    sales: Family<WhoseGood, Counter>,
    income: Family<WhoseGood, Counter<f64, AtomicU64>>,
    temper: Temperature,
    sleep: Sleep,
    worth: Worth,
    curator_seconds: Family<Whose, Histogram>,
    tick_seconds: Family<Whose, Histogram>,
    chain_seconds: Family<Whose, Histogram>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("golem");
        let all = &mut registry;
        Self {
            names: RwLock::default(),
            standings: RwLock::default(),
            info: series(all, "info", "Always 1; by which id the chain knows a Golem"),
            up: series(all, "up", "1 while it goes on in this process, 0 when somebody should look"),
            passed: series(all, "last_pass_timestamp_seconds", "When its last pass ended, in seconds since 1970"),
            events: series(all, "events", "Events by name"),
            effects: series(all, "effects", "Effects driven to their end, by name"),
            vitality: series(all, "vitality", "Composite vitality, 0 to 1"),
            economic: series(all, "economic", "Economic score, 0 to 1"),
            epistemic: series(all, "epistemic", "Epistemic fitness, 0 to 1"),
            phase: series(all, "phase", "Phase, 0 Terminal to 4 Thriving"),
            tick: series(all, "tick", "Ticks lived"),
            alive: series(all, "alive", "1 alive, 0 dying or dead"),
            blind: series(all, "blind", "1 when the chain cannot be seen"),
            credits: series(all, "credits_usdc", "Credits by partition, in USDC"),
            reserve: series(all, "reserve_usdc", "The locked reserve, in USDC"),
            owed: series(all, "owed_usdc", "What the host is owed, in USDC"),
            positions: series(all, "positions", "Open positions"),
            active: series(all, "grimoire_active", "Entries that decisions use"),
            candidates: series(all, "grimoire_candidates", "Entries that wait to be trusted"),
            rules: series(all, "playbook_rules", "Rules in PLAYBOOK.md"),
            embedder: series(
                all,
                "embedder_drift",
                "G-006: the embedding model, 0 as ever, 1 it moves, 2 another under its name and no longer used",
            ),
            episodes: series(all, "episodes", "Episodes lived since the start"),
            thinking_cost: series(all, "deliberation_cost_usdc", "What models were paid, by tier"),
            bought: series(all, "purchases", "Purchases that were served, by source"),
            data_cost: series(all, "data_cost_usdc", "What sources were paid, in USDC"),
            cheated: series(all, "cheated", "Purchases that were paid and not served, by source"),
            ledger_differs: series(all, "ledger_differs", "Alarms: vault and own books differ"),
            sales: series(all, "sales", "Payments taken over x402, by good"),
            income: series(all, "income_usdc", "What they brought, in USDC"),
            temper: Temperature::new(all),
            sleep: Sleep::new(all),
            worth: Worth::new(all),
            curator_seconds: durations(all, "curator_seconds", "Time of a Curator cycle", || buckets(0.000_1)),
            tick_seconds: durations(all, "tick_own_seconds", "Time of a tick beside the chain's", || buckets(0.000_1)),
            chain_seconds: durations(all, "tick_chain_seconds", "Time of a tick spent waiting for the chain", || {
                buckets(0.001)
            }),
            registry,
        }
    }
}

/// A series that is registered as it is made.
fn series<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, told: &str) -> M {
    let series = M::default();
    registry.register(name, told, series.clone());
    series
}

/// The same of durations, by buckets that double.
fn durations(registry: &mut Registry, name: &str, told: &str, empty: fn() -> Histogram) -> Family<Whose, Histogram> {
    let series = Family::new_with_constructor(empty);
    registry.register(name, told, series.clone());
    series
}

/// Sixteen buckets from so many seconds on.
fn buckets(least: f64) -> Histogram {
    Histogram::new(exponential_buckets(least, 2.0, 16))
}

impl Metrics {
    /// All of it, in the format of [`METRICS_MEDIA`].
    #[must_use]
    pub fn encode(&self) -> String {
        let mut text = String::new();
        if encode(&mut text, &self.registry).is_err() {
            let _ = writeln!(text, "# could not be written");
        }
        text
    }

    /// Says what people call a Golem: every series of it has that name from then on.
    pub fn introduce(&self, golem: &GolemId, name: &str) {
        self.names.write().unwrap_or_else(PoisonError::into_inner).insert(*golem, name.to_owned());
        self.info.get_or_create(&Called { golem: name.to_owned(), id: golem.as_str().to_owned() }).set(1);
    }

    /// Says where a Golem stands, by the name it was introduced with; one that lives says so itself.
    pub fn stands(&self, name: &str, standing: GolemStanding) {
        self.standings.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), standing);
        self.up.get_or_create(&Whose { golem: name.to_owned() }).set(i64::from(standing.is_well()));
    }

    /// Where each Golem of this process stands, by name.
    #[must_use]
    pub fn standings(&self) -> BTreeMap<String, GolemStanding> {
        self.standings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A payment was taken for something a Golem sells.
    pub fn sold(&self, golem: &GolemId, good: &'static str, amount: golem_primitives::Usdc) {
        let label = WhoseGood { golem: self.name(golem), good };
        self.sales.get_or_create(&label).inc();
        self.income.get_or_create(&label).inc_by(amount.micros() as f64 / 1e6);
    }

    pub(crate) fn count(&self, golem: &GolemId, event: &Event) {
        let golem = self.name(golem);
        self.events.get_or_create(&Kind { golem: golem.clone(), name: event.telemetry_name() }).inc();
        if let Event::Deliberated(told) = event {
            let whose = WhoseTier { golem: golem.clone(), tier: tier_name(told.tier) };
            self.thinking_cost.get_or_create(&whose).inc_by(told.cost.micros() as f64 / 1e6);
        }
        self.temper.count(&golem, event);
        self.sleep.count(&golem, event);
        self.count_money(&golem, event);
    }

    fn count_money(&self, golem: &str, event: &Event) {
        let whose = |source: SourceName| WhoseSource { golem: golem.to_owned(), source: source.to_string() };
        match event {
            Event::Bought(told) => {
                let whose = whose(told.bought.source);
                self.bought.get_or_create(&whose).inc();
                self.data_cost.get_or_create(&whose).inc_by(told.cost.micros() as f64 / 1e6);
            }
            Event::Unbought(missed) => {
                let whose = whose(missed.source);
                self.data_cost.get_or_create(&whose).inc_by(missed.cost.micros() as f64 / 1e6);
                if matches!(missed.why, Unbought::Cheated { .. }) {
                    self.cheated.get_or_create(&whose).inc();
                }
            }
            Event::LedgerDiffers { partition, .. } => {
                let whose = WhosePartition { golem: golem.to_owned(), partition: partition_name(*partition) };
                self.ledger_differs.get_or_create(&whose).inc();
            }
            Event::CapitalDiffers { .. } => {
                let whose = WhosePartition { golem: golem.to_owned(), partition: "capital" };
                self.ledger_differs.get_or_create(&whose).inc();
            }
            _ => {}
        }
    }

    pub(crate) fn drove(&self, golem: &GolemId, name: &'static str) {
        self.effects.get_or_create(&Kind { golem: self.name(golem), name }).inc();
    }

    pub(crate) fn ticked(&self, golem: &GolemId, own: Duration, chain: Duration) {
        let whose = self.whose(golem);
        self.tick_seconds.get_or_create(&whose).observe(own.as_secs_f64());
        self.chain_seconds.get_or_create(&whose).observe(chain.as_secs_f64());
    }

    pub(crate) fn remembered(&self, golem: &GolemId, episodes: usize) {
        self.episodes.get_or_create(&self.whose(golem)).inc_by(episodes as u64);
    }

    /// G-006. What may be done with the model that embeds for a life.
    pub(crate) fn embeds(&self, golem: &GolemId, health: Health) {
        let level = match health {
            Health::Healthy => 0,
            Health::Warn => 1,
            Health::StopWrites => 2,
        };
        self.embedder.get_or_create(&self.whose(golem)).set(level);
    }

    pub(crate) fn curated(&self, golem: &GolemId, curated: &Curated, took: Duration) {
        let whose = self.whose(golem);
        self.active.get_or_create(&whose).set(i64::from(curated.active));
        self.candidates.get_or_create(&whose).set(i64::from(curated.candidates));
        self.rules.get_or_create(&whose).set(i64::from(curated.rules));
        self.curator_seconds.get_or_create(&whose).observe(took.as_secs_f64());
    }

    pub(crate) fn show(&self, life: &Life, input: &TickInput) {
        let whose = self.whose(life.id());
        self.temper.show(&whose, life, input.now);
        self.sleep.show(&whose, life);
        self.worth.show(&whose, life);
        self.stands(&whose.golem, GolemStanding::of(life));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        self.passed.get_or_create(&whose).set(i64::try_from(now).unwrap_or(i64::MAX));
        let (vitals, vitality) = (life.vitals(), life.vitals().vitality());
        self.vitality.get_or_create(&whose).set(vitality.composite.as_f64());
        self.economic.get_or_create(&whose).set(vitality.economic.as_f64());
        self.epistemic.get_or_create(&whose).set(vitality.epistemic.as_f64());
        self.phase.get_or_create(&whose).set(vitality.phase as i64);
        self.tick.get_or_create(&whose).set(i64::try_from(life.tick().get()).unwrap_or(i64::MAX));
        self.alive.get_or_create(&whose).set(i64::from(life.is_alive()));
        for partition in Partition::ALL {
            let label = WhosePartition { golem: whose.golem.clone(), partition: partition_name(partition) };
            self.credits.get_or_create(&label).set(usdc(vitals.economic().purse().partitions().get(partition)));
        }
        self.reserve.get_or_create(&whose).set(usdc(vitals.economic().reserve()));
        self.positions.get_or_create(&whose).set(i64::from(vitals.open_positions()));
        if let Some(trader) = life.trader() {
            self.blind.get_or_create(&whose).set(i64::from(trader.is_blind()));
            self.owed.get_or_create(&whose).set(usdc(trader.owed));
        }
    }

    fn whose(&self, golem: &GolemId) -> Whose {
        Whose { golem: self.name(golem) }
    }

    /// What a Golem is called; its id where nobody was introduced.
    #[must_use]
    pub fn name(&self, golem: &GolemId) -> String {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        names.get(golem).map_or_else(|| golem.as_str().to_owned(), Clone::clone)
    }
}

/// A picture for dashboards: the only place where money is shown as a fraction.
fn usdc(amount: golem_primitives::Usdc) -> f64 {
    amount.micros() as f64 / 1e6
}

const fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::T0 => "T0",
        Tier::T1 => "T1",
        Tier::T2 => "T2",
        Tier::T3 => "T3",
    }
}

const fn partition_name(partition: Partition) -> &'static str {
    match partition {
        Partition::Llm => "llm",
        Partition::Gas => "gas",
        Partition::Data => "data",
        Partition::Legacy => "legacy",
    }
}
