//! A life as its own memory tells it.

use golem_core::ledger::Ledger;
use golem_core::life::{Body, Life};
use golem_core::record::{ChainLife, Partition, PositionReading, Sight, Tier};
use golem_core::trader::Trader;
use golem_primitives::{PoolName, Ppm, Tick, Usdc, UtcTime};

use crate::{BeliefPicture, Gain, HoldingPicture, KnowledgePicture, Number, Ticks, TokenUnits, Witness, picture};

picture! {
    /// M-001. The three clocks.
    pub struct ClocksPicture {
        economic: Ppm = "economic clock",
        epistemic: Ppm = "epistemic clock",
        hazard_per_tick: Number = "hazard a tick",
        /// The chance of having lived this long.
        survival: Number,
        /// What does not end has no number.
        credits_last: Option<Ticks> = "credits last, ticks",
        burn_per_day: Usdc = "burns a day",
    }

    /// V-003. Credits by partition.
    pub struct CreditsPicture in "usdc_micros" {
        llm: Usdc = "llm",
        gas: Usdc = "gas",
        data: Usdc = "data",
        legacy: Usdc = "legacy",
        spendable: Usdc = "spendable",
    }

    /// V-014. What it made: of round trips, and after everything that living cost.
    pub struct ProfitPicture {
        closed: u32 = "round trips closed",
        won: u32 = "won",
        lost: u32 = "lost",
        /// Proceeds less cost, before gas.
        gain: Gain = "before gas",
        /// After the gas of getting in and out.
        trips_net: Gain = "after gas",
        worst: Gain = "the worst",
        fees: Usdc = "pool fees",
        impact: Gain,
        trade_gas: Usdc,
        gas: Usdc = "all gas",
        upkeep: Usdc = "upkeep",
        net: Gain = "after everything",
        /// What was never closed had cost.
        open_cost: Usdc = "still open, at cost",
        told: String,
    }

    /// One position of liquidity.
    pub struct PositionPicture {
        id: u64 = "liquidity",
        /// P-057. Where it lies.
        pool: String = "pool",
        lower_pool_tick: i32 = "from tick",
        upper_pool_tick: i32 = "to tick",
        worth: Usdc = "USDC in it",
        held: TokenUnits = "token in it",
        fees: Usdc = "fees",
    }

    /// P-057. One of the pools it trades in.
    pub struct TradedPool {
        pool: String = "pool",
        /// What its owner lets be done there.
        access: Option<String> = "is",
        price: Option<Usdc> = "price",
        symbol: Option<String>,
        decimals: Option<u8>,
        /// What its hand there bought and still has, and what is provided there.
        at_work: Usdc = "at work",
        /// Who led there at the last look.
        leads: Option<String> = "leads",
    }

    /// What the hand last saw and holds.
    pub struct HandPicture {
        book: String = "acts by",
        regime: &'static str = "regime",
        blind: bool = "blind",
        owed: Usdc = "owed to the host",
        /// P-020. By its own receipts.
        swap_gas: u64 = "gas of a swap",
        profit: ProfitPicture,
        price: Option<Usdc> = "price",
        block: Option<u64> = "block",
        idle: Option<Usdc> = "idle capital",
        held: Option<TokenUnits> = "token held",
        held_cost: Option<Usdc> = "that cost",
        /// P-057. The pools it trades in, the home pool first.
        pools: Vec<TradedPool>,
        positions: Vec<PositionPicture>,
        predictions_open: usize = "predictions open",
        /// Why the vault lets it do nothing.
        barred: Option<String> = "barred",
        chain_life: Option<&'static str>,
    }

    /// A payment.
    pub struct PaymentPicture {
        host: String = "paid",
        amount: Usdc = "amount",
        state: String = "state",
    }

    /// What is bought, for how much, and the last payments.
    pub struct PurchasesPicture {
        sources: Vec<String> = "sources",
        spent_today: Usdc = "spent today",
        per_day: Usdc = "a day at most",
        float: Usdc = "float",
        on_its_way: bool = "on its way",
        last: Vec<PaymentPicture>,
    }

    /// An effect that has not come to its end.
    pub struct OpenEffectPicture {
        effect: String,
        tick: Tick = "since tick",
        kind: String = "what",
        budget: Usdc = "at most",
    }

    /// What its memory counts.
    pub struct CountsPicture {
        passes: u64 = "passes",
        events: u64 = "events",
        transactions: u64 = "transactions",
        outcomes: u64 = "outcomes",
    }

    /// A life as its own memory tells it. What lies beside a life in its store is filled in by who reads the store.
    pub struct LifePicture {
        life: &'static str = "life",
        /// The process that lives it now.
        process: Option<u32> = "process",
        tick: Tick = "tick",
        phase: String = "phase",
        in_phase: Ticks,
        vitality: Ppm = "vitality",
        clocks: ClocksPicture,
        credits: CreditsPicture,
        reserve: Usdc = "locked for its death",
        hand: Option<HandPicture>,
        /// What it made beside holding the token, or why that is not known.
        holding: Option<Witness<HoldingPicture>>,
        understanding: Vec<BeliefPicture>,
        models: String = "models",
        death: Option<&'static str> = "death",
        succession: Option<String> = "succession",
        last_seen: UtcTime = "last tick at",
        purchases: Option<PurchasesPicture>,
        grimoire: Option<KnowledgePicture>,
        open_effects: Vec<OpenEffectPicture>,
        counts: Option<CountsPicture>,
    }
}

impl LifePicture {
    /// What a life says of itself.
    #[must_use]
    pub fn of(life: &Life) -> Self {
        let (vitals, vitality) = (life.vitals(), life.vitals().vitality());
        let economic = vitals.economic();
        let partition = |partition| economic.purse().partitions().get(partition);
        Self {
            life: standing(life),
            process: None,
            tick: life.tick(),
            phase: vitals.phase().to_string(),
            in_phase: Ticks(vitality.ticks_in_phase),
            vitality: vitality.composite,
            clocks: ClocksPicture {
                economic: vitality.economic,
                epistemic: vitality.epistemic,
                hazard_per_tick: Number(vitals.stochastic().hazard.get()),
                survival: Number(vitals.stochastic().cumulative_survival),
                credits_last: Some(economic.ttl_ticks()).filter(|ticks| *ticks != u64::MAX).map(Ticks),
                burn_per_day: economic.burn().per_day(),
            },
            credits: CreditsPicture {
                llm: partition(Partition::Llm),
                gas: partition(Partition::Gas),
                data: partition(Partition::Data),
                legacy: partition(Partition::Legacy),
                spendable: economic.spendable(),
            },
            reserve: economic.reserve(),
            hand: life.trader().map(HandPicture::of),
            holding: None,
            understanding: BeliefPicture::all(life),
            models: models(life),
            death: life.death().map(|death| death.cause.kind().name()),
            succession: None,
            last_seen: vitality.last_computed,
            purchases: None,
            grimoire: None,
            open_effects: Vec::new(),
            counts: None,
        }
    }
}

impl From<&Ledger> for ProfitPicture {
    fn from(ledger: &Ledger) -> Self {
        let trips = ledger.earned();
        Self {
            closed: trips.closed,
            won: trips.won,
            lost: trips.lost,
            gain: Gain(trips.gain_micros),
            trips_net: Gain(trips.net_micros),
            worst: Gain(trips.worst_micros),
            fees: trips.fees,
            impact: Gain(trips.impact_micros),
            trade_gas: trips.trade_gas,
            gas: ledger.gas(),
            upkeep: ledger.upkeep,
            net: Gain(ledger.net_micros()),
            open_cost: ledger.open_cost(),
            told: ledger.told(),
        }
    }
}

impl PositionPicture {
    fn of(position: &PositionReading, sight: &Sight) -> Self {
        let denomination = sight.market_of(position.pool).unwrap_or(&sight.market).denomination;
        Self {
            id: position.id,
            pool: position.pool.to_string(),
            lower_pool_tick: position.lower,
            upper_pool_tick: position.upper,
            worth: position.usdc,
            held: TokenUnits { amount: position.token, denomination },
            fees: position.fees,
        }
    }
}

impl HandPicture {
    fn of(trader: &Trader) -> Self {
        let (sight, vault) = (trader.sight(), trader.vault());
        Self {
            book: trader.book_name().to_string(),
            regime: trader.regime_name(),
            blind: trader.is_blind(),
            owed: trader.owed,
            swap_gas: trader.swap_gas(),
            profit: trader.ledger().into(),
            price: sight.map(|sight| sight.market.price),
            block: sight.map(|sight| sight.block.number),
            idle: vault.map(|vault| vault.idle),
            held: sight
                .zip(vault)
                .map(|(sight, vault)| TokenUnits { amount: vault.held, denomination: sight.market.denomination }),
            held_cost: vault.map(|vault| vault.held_cost),
            pools: pools(trader),
            positions: sight.into_iter().flat_map(positions).collect(),
            predictions_open: trader.predictions.len(),
            barred: vault.and_then(|vault| vault.barred).map(|bar| bar.to_string()),
            chain_life: vault.map(|vault| match &vault.life {
                ChainLife::Alive => "alive",
                ChainLife::Dying { .. } => "dying",
                ChainLife::Dead { .. } => "dead",
            }),
        }
    }
}

/// P-057. The pools a life trades in, as it last saw them.
fn pools(trader: &Trader) -> Vec<TradedPool> {
    let leads = |pool: PoolName| {
        let (_, hand) = trader.hands().find(|(name, _)| *name == pool)?;
        hand.leader().map(|tried| tried.rule.name.clone())
    };
    let pools = trader.pool_names().map(|pool| {
        let market = trader.sight().and_then(|sight| sight.market_of(pool));
        TradedPool {
            pool: pool.to_string(),
            access: market.map(|market| market.access.to_string()),
            price: market.map(|market| market.price),
            symbol: market.map(|market| market.denomination.symbol.to_string()),
            decimals: market.map(|market| market.denomination.decimals.get()),
            at_work: trader.at_work_in(pool),
            leads: leads(pool),
        }
    });
    pools.collect()
}

fn positions(sight: &Sight) -> impl Iterator<Item = PositionPicture> {
    let open = sight.vault.iter().flat_map(|vault| &vault.positions);
    open.map(|position| PositionPicture::of(position, sight))
}

/// One word for where a life stands.
#[must_use]
pub const fn standing(life: &Life) -> &'static str {
    match life.body() {
        Body::Active(_) => "alive",
        Body::Dreaming(_) => "dreaming",
        Body::Dying(_) => "dying",
        Body::Dead(_) => "dead",
    }
}

/// Which tiers are asked and what a question costs at most, or that rules decide.
fn models(life: &Life) -> String {
    let quotes = life.mind().map(|mind| mind.quotes).unwrap_or_default();
    let served = Tier::ALL.into_iter().zip(quotes).filter_map(|(tier, quote)| Some((tier, quote?)));
    let words: Vec<String> = served.map(|(tier, quote)| format!("{tier:?} up to {quote} a question")).collect();
    if words.is_empty() { "none; rules decide".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use golem_core::record::{Observation, TickInput};
    use golem_core::step::step;
    use golem_mortality::economic::burn::CostSource;
    use golem_mortality::law::Law;
    use golem_mortality::stochastic::roll::Roll;
    use golem_mortality::vitals::Chance;
    use golem_primitives::GolemId;

    use super::*;
    use crate::{LifeSummary, Picture as _, Shown as _, Value};

    /// A life that pays 0.1 USDC a tick, after so many.
    fn lived(ticks: u64) -> Life {
        let id = GolemId::new("ada").expect("a name");
        let mut life = Life::birth(id, Law::hosted(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
        for tick in 1..=ticks {
            let now = UtcTime::from_seconds(tick * Tick::NOMINAL_SECONDS);
            let mut input = TickInput::quiet(Tick::new(tick), now, Chance::Given(Roll(u64::MAX)));
            let cost = Usdc::from_micros(100_000);
            input.observations = vec![Observation::Upkeep { source: CostSource::Compute, cost }];
            life = step(life, &input).life;
        }
        life
    }

    /// O-004: a picture says what the life says: credits that were paid are gone from it, and what they last is told in the
    /// unit of its key.
    #[test]
    fn o_004_a_picture_tells_what_a_life_is() {
        let (young, older) = (LifePicture::of(&lived(1)).json(), LifePicture::of(&lived(101)).json());
        let credits = |told: &Value| told["credits_usdc_micros"]["spendable"].as_u64().expect("an amount");
        assert_eq!(credits(&young) - credits(&older), 10_000_000, "{older}");
        assert_eq!((&older["tick"], &older["life"]), (&101.into(), &"alive".into()));
        let lasts = older["clocks"]["credits_last_ticks"].as_u64().expect("it burns");
        assert!(lasts.abs_diff(credits(&older) / 100_000) <= 1, "{older}");
        assert!(older["vitality_ppm"].as_u64() < young["vitality_ppm"].as_u64(), "{older}");
        assert!(LifeSummary(&lived(101)).standing().contains("tick 101"));
    }

    /// M-154: a life that is over says of what.
    #[test]
    fn m_154_a_picture_of_the_dead_names_the_cause() {
        let picture = LifePicture::of(&lived(1_000));
        assert_eq!((picture.death, picture.clocks.credits_last), (Some("economic"), Some(Ticks(0))));
        assert!(picture.rows().iter().any(|row| row == &["death", "economic"]));
    }
}
