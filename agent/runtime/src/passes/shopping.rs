//! Purchases and the float they are paid from, and the log the books are kept by (V-003).

use std::time::Instant;

use golem_core::record::{Inflows, Observation, Offers, Outcome, OutcomeResult, SourceName};
use golem_ports::{Act, Chain, Memory, OpenEffect, TickSource, WantedPurchase};

use super::Runtime;
use crate::errand::Standing;
use crate::error::RuntimeError;
use crate::shopper::{Shopper, given_up, purchased};

impl<C: Chain, S: Memory, T: TickSource> Runtime<C, S, T> {
    /// What may be bought now, when that is not what the life last heard. Where nothing ever could, nothing is said.
    pub(super) fn offers(&self) -> Option<Observation> {
        let offers = self.shopper.as_ref().map(Shopper::offers);
        match (self.life.data_purchases(), offers) {
            (None, None) => None,
            (Some(data_purchases), offers) if data_purchases.offers == offers.clone().unwrap_or_default() => None,
            (_, offers) => Some(Observation::Offers(Box::new(offers.unwrap_or_else(Offers::default)))),
        }
    }

    /// V-003. The vault's log up to the block of a look. A node that refuses it is asked again with the next look.
    pub(super) async fn inflows(&mut self, at: u64) -> Option<Inflows> {
        let after = self.life.books().and_then(|books| books.settled_to);
        let began = Instant::now();
        let read = self.chain.inflows(after, at).await;
        self.waited += began.elapsed();
        read.unwrap_or_else(|error| {
            tracing::warn!(golem = %self.life.id(), %error, "the vault's log could not be read; the books wait");
            None
        })
    }

    /// Buys once, beside the ticks: a payment is on disk before it is sent, so asking again after a restart
    /// goes on with it. The dying buy nothing (T-003): what they may have paid is booked.
    pub(super) async fn shop(
        &mut self,
        open: &OpenEffect,
        source: SourceName,
    ) -> Result<Option<Outcome>, RuntimeError> {
        let (effect, tick) = (open.effect.id, self.life.tick());
        if !self.life.is_alive()
            && let Some(shopper) = self.shopper.take()
        {
            // Whoever goes on buying pays for what is booked as never paid.
            shopper.dismiss().await;
        }
        let errand = self.shopper.as_mut().map_or(Standing::Lost, |shopper| shopper.look(effect, tick));
        Ok(match errand {
            Standing::Waiting => None,
            Standing::Over(came) => purchased(open, came),
            Standing::Lost => {
                let payment = self.store.payments().map(|payments| payments.payment_of(effect)).transpose()?.flatten();
                purchased(open, given_up(source, payment.as_ref()))
            }
            Standing::Unasked => {
                let wanted =
                    WantedPurchase { effect, source, at_most: open.effect.budget, now: self.ticks.now().await };
                if let Some(shopper) = &mut self.shopper {
                    shopper.ask(wanted);
                }
                None
            }
        })
    }

    /// V-006. What was drawn is the partition's share of the float. On disk before the life hears of it; noted twice it
    /// counts once.
    pub(super) fn note_draw(&mut self, act: &Act, outcome: &Outcome) -> Result<(), RuntimeError> {
        if let (Act::DrawFloat { partition, amount }, Some(payments)) = (act, self.store.payments())
            && !matches!(outcome.result, OutcomeResult::Refused { .. })
        {
            payments.drew(outcome.effect, *partition, *amount)?;
        }
        Ok(())
    }
}
