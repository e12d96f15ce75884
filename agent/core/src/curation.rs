//! The Curator's turn: from a life and its Grimoire to what shall change in it, and to what its one writer writes.

use std::collections::{BTreeMap, BTreeSet};

use golem_grimoire::confidence::Votes;
use golem_grimoire::curator::{CountedLink, CuratorInput, CuratorPass, curate, curate_at_once, put_in_order};
use golem_grimoire::episode::Recorded;
use golem_grimoire::event::GrimoireEvent;
use golem_grimoire::gate::Quarantined;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{CausalBasis, CausalLink, Domain};
use golem_grimoire::law::GrimoireLaw;
use golem_grimoire::playbook::{Holder, Playbook, Writership};
use golem_grimoire::reflection::{Legacy, ReflectionLaw};
use golem_grimoire::shelf::Grimoire;
use golem_mortality::demurrage::KnowledgePressure;
use golem_mortality::vitals::Vitals;
use golem_playbook::hand::Hand;
use golem_playbook::links::{Link, Variable};
use golem_primitives::{PoolName, Ppm, Tick};

use crate::dreams::LifeDreams;
use crate::life::Life;

/// What a cycle reads.
#[derive(Debug, Clone, Copy)]
pub struct CurationSources<'a> {
    pub grimoire: &'a Grimoire,
    pub episodes: &'a [Recorded],
    pub votes: &'a BTreeMap<EntryId, Votes>,
    /// Predictions checked since.
    pub checks: &'a [(EntryId, bool)],
    pub quarantine: &'a [Quarantined],
    pub playbook: &'a Playbook,
    /// I-051. What was inherited and waits for its turn to be tried.
    pub held: &'a BTreeSet<EntryId>,
}

/// What a cycle comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Curation {
    pub pass: CuratorPass,
    /// What the writer wrote; `None` when nothing changed or nobody may write.
    pub written: Option<WrittenBook>,
}

/// G-162. A new version of PLAYBOOK.md.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenBook {
    pub playbook: Playbook,
    pub cycle: String,
    pub event: GrimoireEvent,
}

/// G-139. One cycle of a living Golem, at the tick that asked for it.
#[must_use]
pub fn cycle(life: &Life, law: &GrimoireLaw, now: Moment, sources: &CurationSources<'_>) -> Curation {
    work(life, law, now, sources, curate, Holder::Curator)
}

/// M-067. A cycle out of turn, when the epistemic clock warns: what was lived is distilled and PLAYBOOK.md audited now.
#[must_use]
pub fn audit(life: &Life, law: &GrimoireLaw, now: Moment, sources: &CurationSources<'_>) -> Curation {
    work(life, law, now, sources, curate_at_once, Holder::Curator)
}

/// G-163, C32. The last cycle: what is to be kept is put in order, and the death protocol's pen writes the final PLAYBOOK.
#[must_use]
pub fn last_cycle(life: &Life, law: &GrimoireLaw, now: Moment, sources: &CurationSources<'_>) -> Curation {
    work(life, law, now, sources, put_in_order, Holder::DeathProtocol)
}

fn work(
    life: &Life,
    law: &GrimoireLaw,
    now: Moment,
    sources: &CurationSources<'_>,
    curator: fn(&CuratorInput<'_>) -> CuratorPass,
    holder: Holder,
) -> Curation {
    let vitals = life.vitals();
    let links = links(life, now.tick);
    let pass = curator(&CuratorInput {
        golem: *life.id(),
        law,
        grimoire: sources.grimoire,
        episodes: sources.episodes,
        votes: sources.votes,
        checks: sources.checks,
        links: links.as_deref(),
        quarantine: sources.quarantine,
        domain_fitness: &domain_fitness(life),
        fitness: age(vitals),
        phase: vitals.phase(),
        pressure: knowledge_pressure(life, now),
        held: sources.held,
        now,
    });
    let cycle = format!("{holder} at tick {}", now.tick);
    let written = write(life, holder, cycle, sources.playbook, &pass.grimoire, &law.reflection);
    Curation { pass, written }
}

/// G-128, G-132. What the hands of a life know to follow what, in all its pools; `None` for one that tries no rules.
fn links(life: &Life, now: Tick) -> Option<Vec<CountedLink>> {
    let trader = life.trader()?;
    let (home, _) = trader.hands().next()?;
    let domain = |effect: Variable| match effect {
        Variable::Price => Domain::PriceDirection,
        Variable::Moves => Domain::Volatility,
        Variable::Volume => Domain::Yield,
        Variable::Gas => Domain::GasMev,
        Variable::Depth => Domain::MarketStructure,
    };
    let of = |(pool, hand)| {
        let away = (pool != home).then_some(pool);
        let counted = move |link: &Link| CountedLink {
            link: causal_link(hand, link, away, now),
            domain: domain(link.effect),
            upheld: link.upheld,
            missed: link.missed,
        };
        hand.links().known().iter().map(counted).collect::<Vec<_>>()
    };
    Some(trader.hands().flat_map(of).collect())
}

/// A link of a hand as the Grimoire has it; what happens in another pool than the home pool is named by it.
pub(crate) fn causal_link(hand: &Hand, link: &Link, away: Option<PoolName>, now: Tick) -> CausalLink {
    let named = |variable: Variable| away.map_or(variable.to_string(), |pool| format!("{variable} in {pool}"));
    let since = hand.record().pushed().saturating_sub(link.fired);
    CausalLink {
        cause: named(link.cause),
        effect: named(link.effect),
        weight: Ppm::saturating(u64::from(link.held) * 1_000_000 / u64::from(link.moves.max(1))),
        evidence: link.moves,
        lag_ticks: u64::from(link.within),
        is_alike: link.is_alike,
        last_fired: Tick::new(now.get().saturating_sub(since)),
        basis: CausalBasis::Associational,
        mechanism: None,
    }
}

/// G-199. The fitness by which promotion is weighed. Who was never measured is young, not old: the half that fitness begins with
/// (MG-04) says nothing of age.
pub(crate) fn age(vitals: &Vitals) -> Ppm {
    let is_measured = vitals.epistemic().score(&vitals.law().epistemic).is_some();
    if is_measured { vitals.vitality().epistemic } else { Ppm::ONE }
}

/// G-151. Fitness by domain. The epistemic clock knows five; what is counted of tools is the structure of the market, and
/// as well understood as the whole.
pub(crate) fn domain_fitness(life: &Life) -> BTreeMap<Domain, Ppm> {
    let epistemic = life.vitals().epistemic();
    let [price, volatility, income, gas, protocol] = epistemic.domains().0.map(|score| score.ppm());
    BTreeMap::from([
        (Domain::PriceDirection, price),
        (Domain::Volatility, volatility),
        (Domain::Yield, income),
        (Domain::GasMev, gas),
        (Domain::Protocol, protocol),
        (Domain::MarketStructure, epistemic.domains().composite().ppm()),
    ])
}

/// G-078. What the three clocks press for; whose credits are not counted is never poor.
pub(crate) fn knowledge_pressure(life: &Life, now: Moment) -> KnowledgePressure {
    let (vitals, law) = (life.vitals(), life.vitals().law());
    KnowledgePressure {
        economic_critical: is_poor(vitals),
        senescent: vitals.epistemic().senescence().is_senescent(),
        now: now.tick,
        reference_lifespan: law.vitality.reference_lifespan_ticks,
    }
}

/// G-153. Whether there is too little to live on for the Curator to do more than let go.
pub(crate) fn is_poor(vitals: &Vitals) -> bool {
    let law = vitals.law();
    law.mode.counts_credits() && vitals.economic().score().ppm() < law.conservation_threshold
}

/// G-158, C18, C30, D-164. The one writer's turn. Whoever dreams leaves the pen to Integration until death.
pub(crate) fn write(
    life: &Life,
    holder: Holder,
    cycle: String,
    before: &Playbook,
    grimoire: &Grimoire,
    reflection: &ReflectionLaw,
) -> Option<WrittenBook> {
    let mut playbook = before.clone();
    let edits = playbook.wanted_edits(grimoire);
    let writership = Writership {
        // Integration writes only what a dream brought.
        dreams: holder == Holder::Integration || life.dreams().is_some_and(LifeDreams::is_on),
        is_dying: !life.is_alive(),
        phase: life.vitals().phase(),
    };
    let mut pen = playbook.pen(holder, writership).ok()?;
    let committed = if holder == Holder::DeathProtocol {
        // G-168. Nothing was handed down to this Golem, so its own document is held against an empty one.
        let divergence = |last: &Playbook| last.divergence(&Playbook::default());
        let is_low = |last: &Playbook| Legacy::of(grimoire, divergence(last), 0).shortfall(reflection).divergence;
        pen.close(&cycle, &edits, is_low)
    } else {
        pen.commit(&cycle, &edits)
    };
    // Edits that follow from active rules with evidence are never refused; were they, the document stays as it was.
    let event = committed.ok()??.event;
    Some(WrittenBook { playbook, cycle, event })
}
