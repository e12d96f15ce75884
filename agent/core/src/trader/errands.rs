//! What keeps a Golem going beside its trades: reports, rent, gas, profit.

use std::mem::discriminant;
use std::time::Duration;

use golem_mortality::phase::Phase;
use golem_mortality::vitals::Vitals;
use golem_primitives::{Usdc, UtcTime};

use crate::budget::PurseRequest;
use crate::pass::Pass;
use crate::record::{EffectKind, Partition, VaultReading};
use crate::trader::Trader;

/// L-025. The longest silence between two reports, with an hour in hand for a stuck transaction.
const BEAT_EVERY: Duration = Duration::from_secs(5 * 3_600);
/// What is paid to the host at once, so that rent is not eaten by gas; less when less is left to pay it from.
const RENT: Usdc = Usdc::from_micros(250_000);
/// The least that is moved at all.
const RENT_LEAST: Usdc = Usdc::from_micros(20_000);
/// V-005. What the vault allocates at least.
pub const ALLOCATE_LEAST: Usdc = Usdc::whole(1);
/// V-014. Profit below which a harvest is not worth its gas.
const HARVEST_LEAST: Usdc = Usdc::whole(1);
/// V-008. What is refuelled at once, at most.
const REFUEL: Usdc = Usdc::from_micros(500_000);
/// Gas of a report with the rolls of five hours in it, and of the dearest trade, with room.
pub(crate) const BEAT_GAS: u128 = 240_000;
pub(crate) const TRADE_GAS: u128 = 900_000;
/// L-025. Reports whose gas nothing else may touch.
pub(crate) const BEATS_KEPT: u128 = 30;

/// Wants every errand that is due and not yet on its way, the report first.
pub(crate) fn want(trader: &mut Trader, vitals: &Vitals, may_harvest: bool, pass: &mut Pass<'_>) {
    let now = pass.now();
    let Some(vault) = trader.vault().cloned() else { return };
    if beat_is_due(&vault, vitals.phase(), now) && !trader.flies(|kind| matches!(kind, EffectKind::Beat { .. })) {
        let beat = EffectKind::Beat { phase: vitals.phase(), vitality: vitals.vitality().composite };
        send_up_to(trader, beat, beat_budget(now.since(vault.beat_at)), vitals, pass);
    }
    if vault.barred.is_some() {
        return;
    }
    // V-009. The vault follows the phase that was reported: the report goes first.
    let owes_split = trader.owes_split && vault.reported_phase <= Phase::Declining;
    let due = [
        owes_split.then_some(EffectKind::ResplitCredits { phase: Phase::Declining }),
        refuel(trader, &vault),
        rent(trader, &vault).filter(|_| !pass.is_apart),
        (vault.unallocated >= ALLOCATE_LEAST).then_some(EffectKind::Allocate),
        (may_harvest && vault.harvestable >= HARVEST_LEAST).then_some(EffectKind::Harvest),
    ];
    for kind in due.into_iter().flatten() {
        if !trader.flies(|flying| discriminant(flying) == discriminant(&kind)) {
            send(trader, kind, vitals, pass);
        }
    }
}

/// Wants one thing and remembers that it is on its way; answers whether it is.
pub(crate) fn send(trader: &mut Trader, kind: EffectKind, vitals: &Vitals, pass: &mut Pass<'_>) -> bool {
    send_up_to(trader, kind, PurseRequest::of(kind).budget, vitals, pass)
}

/// The same with a bound of its own on what it may cost.
pub(crate) fn send_up_to(
    trader: &mut Trader,
    kind: EffectKind,
    most: Usdc,
    vitals: &Vitals,
    pass: &mut Pass<'_>,
) -> bool {
    let asked = pass.ask_up_to(kind, most, vitals);
    if let Some(effect) = asked {
        trader.fly(effect, kind);
    }
    asked.is_some()
}

/// L-025. At each change of phase, and before six hours of silence.
fn beat_is_due(vault: &VaultReading, phase: Phase, now: UtcTime) -> bool {
    vault.reported_phase != phase || now.since(vault.beat_at) >= BEAT_EVERY
}

/// L-025. What a report may cost: little while it is early, more when it is late, and whatever the key has before silence
/// is taken for death (T-001).
const fn beat_budget(silence: Duration) -> Usdc {
    match silence.as_secs() / 3_600 {
        0..=5 => Usdc::from_micros(50_000),
        6..=23 => Usdc::from_micros(500_000),
        24..=47 => Usdc::whole(2),
        _ => Usdc::whole(100),
    }
}

/// V-008. When the key could not pay for sixty reports any more.
fn refuel(trader: &Trader, vault: &VaultReading) -> Option<EffectKind> {
    let low = beat_wei(trader).saturating_mul(2 * BEATS_KEPT);
    let amount = REFUEL.min(vault.spendable_today[Partition::Gas as usize]).min(vault.credits.get(Partition::Gas));
    (vault.key_wei < low && amount >= RENT_LEAST).then_some(EffectKind::Refuel { amount })
}

/// What a report costs at the base fee seen, twice over as fees are offered.
pub(crate) fn beat_wei(trader: &Trader) -> u128 {
    let base = trader.sight().map_or(0, |sight| sight.market.base_fee_wei);
    u128::from(base.max(1)).saturating_mul(2 * BEAT_GAS)
}

/// V-006. The rent, from the first partition that can still pay today; data before gas, as gas keeps the reports going.
fn rent(trader: &Trader, vault: &VaultReading) -> Option<EffectKind> {
    let operating = [Partition::Llm, Partition::Data, Partition::Gas];
    let left: Usdc = operating.into_iter().map(|partition| vault.credits.get(partition)).sum();
    if trader.owed < RENT.min(left).max(RENT_LEAST) {
        return None;
    }
    operating.into_iter().find_map(|partition| {
        let can = vault.spendable_today[partition as usize].min(vault.credits.get(partition));
        let amount = trader.owed.min(can);
        (!amount.is_zero()).then_some(EffectKind::PayHost { partition, amount })
    })
}
