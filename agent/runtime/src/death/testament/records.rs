//! What a testament is filled from: outcomes, episodes and entries, counted and nothing else (I-300, I-301).

use std::collections::BTreeMap;

use golem_core::ledger::{Ledger, LedgerLine, OrderTerms};
use golem_core::life::Life;
use golem_core::record::{CostSource, OutcomeResult, Sight};
use golem_dreams::inputs::InheritedHypothesis;
use golem_grimoire::confidence::Confidence;
use golem_grimoire::entry::Knowledge;
use golem_grimoire::episode::{Episode, EpisodeKind, Recorded};
use golem_grimoire::id::EntryId;
use golem_grimoire::regime::Regime;
use golem_grimoire::shelf::Grimoire;
use golem_inheritance::dissection::about;
pub(super) use golem_inheritance::dissection::dissect;
use golem_inheritance::testament::fill::{MOST, Refutation, StrategyRecord};
use golem_inheritance::testament::section::{HypothesisStrength, TestamentHypothesis};
use golem_inheritance::testament::{Bearing, SettlementAction, SettlementRecord};
use golem_playbook::Book;
use golem_ports::FinishedTrade;
use golem_primitives::{Tick, Usdc};

/// The least share of capital a golem.toml takes as a stake, in parts per million.
const LEAST_STAKE: u32 = 1_000;
/// G-054, D-247. What a dream that nobody tried is worth to an heir.
const UNTRIED: Confidence = Confidence::of(150_000);

/// What a life's book did by its ledger; nothing when no round trip closed.
pub(super) fn strategies(life: &Life, episodes: &[Recorded]) -> Vec<StrategyRecord> {
    let Some(trader) = life.trader() else { return Vec::new() };
    let trips = trader.ledger().earned();
    let Some(last) = trips.last else { return Vec::new() };
    vec![StrategyRecord {
        name: trader.book_name().to_string(),
        trades: trips.closed,
        won: trips.won,
        net_micros: trips.net_micros,
        worst_micros: trips.worst_micros,
        last,
        regime: most_common(episodes.iter().map(|one| &one.episode).filter(|one| one.kind == EpisodeKind::Action)),
    }]
}

/// I-304. What a successor might set otherwise, in the words of golem.toml, of a life that lost: another book, and
/// half of what it may use. Of one that earned nothing is to be changed.
pub(super) fn hints(life: &Life, strategies: &[StrategyRecord]) -> Vec<(String, String)> {
    let Some(trader) = life.trader() else { return Vec::new() };
    if strategies.iter().map(|one| one.net_micros).fold(0, i64::saturating_add) >= 0 {
        return Vec::new();
    }
    let settings = &trader.settings;
    let name = trader.book_name();
    // The one after its own, the first after the last and after one of the owner's.
    let after = Book::founding_names().skip_while(|founding| *founding != name.as_str()).nth(1);
    let other = after.or_else(|| Book::founding_names().next()).unwrap_or_default();
    let half = f64::from((settings.stake.get() / 2).max(LEAST_STAKE)) / 1e6;
    vec![("golem.playbook".to_owned(), other.to_owned()), ("golem.stake".to_owned(), half.to_string())]
}

/// D-020, D-247. What was never tested, with what dreams supposed before what was counted and is as untried: half of the
/// section is theirs at most. What the Grimoire holds as an entry is told as that entry.
pub(super) fn untested(
    supposed: &[InheritedHypothesis],
    counted: Vec<TestamentHypothesis>,
) -> Vec<TestamentHypothesis> {
    let is_new = |one: &&InheritedHypothesis| counted.iter().all(|known| known.statement != one.text);
    let dreamt = supposed.iter().filter(is_new).map(|one| TestamentHypothesis {
        statement: one.text.clone(),
        strength: HypothesisStrength::of(UNTRIED),
        validation: one.criterion.clone(),
        entry: None,
        is_dreamt: true,
    });
    let mut all: Vec<TestamentHypothesis> = dreamt.take(MOST / 2).collect();
    all.extend(counted);
    all.truncate(MOST);
    all
}

fn most_common<'a>(episodes: impl Iterator<Item = &'a Episode>) -> Option<Regime> {
    let mut counts: BTreeMap<Regime, u32> = BTreeMap::new();
    episodes.filter_map(|episode| episode.regime).for_each(|regime| *counts.entry(regime).or_default() += 1);
    // Of equals the first by name, so that the same life is told the same.
    counts.into_iter().max_by_key(|(regime, count)| (*count, std::cmp::Reverse(*regime))).map(|(regime, _)| regime)
}

/// Entries a life contradicted more than it confirmed, with when that was last seen and what it had cost by then.
pub(super) fn refutations(grimoire: &Grimoire, episodes: &[Recorded]) -> BTreeMap<EntryId, Refutation> {
    let known = grimoire.entries().filter_map(|entry| entry.knowledge());
    known
        .filter(|entry| entry.contradicted > entry.validated)
        .map(|entry| (entry.id, refutation(entry, episodes)))
        .collect()
}

fn refutation(entry: &Knowledge, episodes: &[Recorded]) -> Refutation {
    let failed: Vec<&Episode> = about(entry, episodes).filter(|episode| episode.held() == Some(false)).collect();
    let lost =
        |episode: &&Episode| episode.pnl_micros.filter(|micros| *micros < 0 && episode.kind == EpisodeKind::Action);
    Refutation {
        at: failed.iter().map(|episode| episode.happened.tick).max().unwrap_or(entry.last_validated.tick),
        cost: failed.iter().filter_map(lost).map(|micros| Usdc::from_micros(micros.unsigned_abs())).sum(),
    }
}

/// M-193, M-223. What became of positions after death was triggered: every trade that ended since, with its transaction
/// and what it cost. What they closed was bought before, so all trades are booked.
pub(super) fn settlement(trades: &[FinishedTrade], since: Tick, sight: Option<&Sight>) -> SettlementRecord {
    let mut ledger = Ledger::default();
    let booked = trades.iter().map(|trade| {
        let market = sight.and_then(|sight| sight.market_of(trade.order.pool()));
        let deal = OrderTerms { order: trade.order, fee_ppm: 0, token: market.map_or(0, |market| market.token) };
        (trade, ledger.land(Some(deal), &trade.outcome, trade.tick))
    });
    let settled = booked.filter(|(trade, _)| trade.tick > since).map(|(trade, line)| settled(trade, line.as_ref()));
    SettlementRecord { actions: settled.collect() }
}

fn settled(trade: &FinishedTrade, line: Option<&LedgerLine>) -> SettlementAction {
    let gas = match trade.outcome.cost {
        Some((CostSource::Gas, cost)) => cost,
        _ => Usdc::ZERO,
    };
    let failure = match &trade.outcome.result {
        OutcomeResult::Verified(record) if !record.receipt.success => Some("it reverted".to_owned()),
        OutcomeResult::Refused { reason } => Some(reason.clone()),
        _ => None,
    };
    let pnl_micros = line.and_then(|line| line.closed).map_or(0, |closed| closed.net_micros());
    let notional = line.map_or(Usdc::ZERO, |line| line.cost);
    let recovered = line.map_or(0, |line| u64::try_from(line.moved.usdc_micros.max(0)).unwrap_or(0));
    SettlementAction {
        what: format!("{} of {notional}, wanted in pass {}", trade.order.name(), trade.tick),
        tx: trade.tx,
        recovered: Usdc::from_micros(recovered),
        gas,
        pnl_micros,
        bearing: Bearing::of(failure.is_some(), pnl_micros, notional),
        failure,
    }
}

#[cfg(test)]
mod tests {
    use golem_core::record::CauseKind;
    use golem_grimoire::confidence::Votes;
    use golem_grimoire::entry::{Draft, Method};
    use golem_grimoire::episode::EpisodeCircumstances;
    use golem_grimoire::finding::{Finding, PatternKey};
    use golem_grimoire::gate::{Admission, GateExcuse, GateReading, admit};
    use golem_grimoire::id::Moment;
    use golem_grimoire::kind::EntryBody;
    use golem_grimoire::provenance::Source;
    use golem_grimoire::shelf::Change;
    use golem_mortality::epistemic::window::Pair;
    use golem_primitives::{GolemId, Ppm, Tick, UtcTime};

    use super::*;

    const SURE: Ppm = Ppm::of(900_000);
    const READING: GateReading = GateReading {
        utility: SURE,
        factual: SURE,
        recency: SURE,
        nearest: None,
        known: 0,
        contradicts: None,
        occasion: GateExcuse::Ordinary,
    };

    /// M-201, M-222: an epistemic death names the entry that misled, by the episodes that failed under its key, and the
    /// regime in which that was; another death has no autopsy.
    #[test]
    fn m_201_an_autopsy_names_what_misled() {
        let golem = GolemId::new("ada").expect("a name");
        let at = |tick: u64| Moment::new(Tick::new(tick), UtcTime::from_seconds(1_767_225_600 + tick * 40));
        let key = PatternKey { tool: "momentum".to_owned(), chain: 1, pair: "WETH/USDC".to_owned() };
        let finding = Finding { key: key.clone(), regime: Some(Regime::Bull), trials: 12, held: 11, earned: None };
        let mut draft = Draft::new(&finding.statement(), EntryBody::Insight, Source::own(golem), at(0).at);
        (draft.regime, draft.method) = (Some(Regime::Bull), Method::Rules(finding));
        let id = EntryId::derive(at(0).at, &golem, b"one");
        let Admission::Admitted(candidate) = admit(id, draft, &READING, at(0)) else { panic!("not admitted") };
        let mut grimoire = Grimoire::default();
        grimoire.apply(Change::Add(candidate), at(0)).expect("new");
        grimoire.apply(Change::Vote { id, votes: Votes { up: 0, down: 2 } }, at(1)).expect("alive");
        let seen = |tick: u64, regime, actual: f64| {
            let here =
                EpisodeCircumstances { golem, now: at(tick), key: key.clone(), regime: Some(regime), emotion: None };
            Recorded::from(here.resolved(Pair::new(0.01, actual).expect("finite"), 0))
        };
        let episodes = [seen(1, Regime::Bear, 0.02), seen(2, Regime::Bull, -0.01), seen(3, Regime::Bull, -0.02)];
        let found = dissect(CauseKind::EpistemicSenescence, &grimoire, &episodes).expect("an autopsy");
        assert_eq!(
            found.toxic.iter().map(|toxic| (toxic.id, toxic.contribution)).collect::<Vec<_>>(),
            [(id, Ppm::ONE)]
        );
        assert_eq!((found.broke_in, found.last_valid), (Some(Regime::Bull), Some(Regime::Bear)));
        assert_eq!(dissect(CauseKind::Economic, &grimoire, &episodes), None);
        assert_eq!(refutations(&grimoire, &episodes)[&id].at, Tick::new(3), "when it was last seen to fail");
    }
}
