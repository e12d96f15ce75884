//! Who buys for a life: in a task of its own, so that no tick and no death ever waits for a seller.

use std::collections::BTreeMap;

use golem_core::record::{Bought, CostSource, Excerpt, Offers, Outcome, OutcomeResult, SOURCES, SourceName, Unbought};
use golem_ports::{Buyer, Delivery, OpenEffect, Payment, PaymentState, Purchased, WantedPurchase};
use golem_primitives::{EffectId, Tick, Usdc, keccak256};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::errand::{Standing, paid};

#[derive(Debug)]
enum Word {
    Buy(WantedPurchase),
    Reconcile,
}

/// Who buys. What is on its way ends with this, and is gone on with by the next one: its payment is on disk.
#[derive(Debug)]
pub struct Shopper {
    offers: Offers,
    words: mpsc::Sender<Word>,
    answers: mpsc::Receiver<(EffectId, Purchased)>,
    task: JoinHandle<()>,
    asked: BTreeMap<EffectId, Asked>,
}

#[derive(Debug)]
enum Asked {
    Waiting,
    Came(Purchased),
    /// Not over; asked for again in a later tick than this.
    Resting(Tick),
}

impl Drop for Shopper {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shopper {
    /// Puts a buyer to work. Must be called within the runtime that shall drive it.
    #[must_use]
    pub fn hire<B: Buyer>(mut buyer: B) -> Self {
        let offers = buyer.offers();
        let (words, mut told) = mpsc::channel::<Word>(SOURCES + 1);
        let (tell, answers) = mpsc::channel(SOURCES + 1);
        let task = tokio::spawn(async move {
            // What was given away by a process before this one is looked after first.
            buyer.reconcile().await;
            while let Some(word) = told.recv().await {
                match word {
                    Word::Reconcile => buyer.reconcile().await,
                    Word::Buy(wanted) => {
                        let came = buyer.buy(wanted).await;
                        if tell.send((wanted.effect, came)).await.is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Self { offers, words, answers, task, asked: BTreeMap::new() }
    }

    /// What may be bought; nothing once the task is gone.
    #[must_use]
    pub fn offers(&self) -> Offers {
        if self.task.is_finished() { Offers::default() } else { self.offers.clone() }
    }

    /// Lets what is open be looked up on chain, when there is time for it.
    pub(crate) fn reconcile(&self) {
        let _ = self.words.try_send(Word::Reconcile);
    }

    /// Sends a wish on its way; when it cannot be taken now it is tried again.
    pub(crate) fn ask(&mut self, wanted: WantedPurchase) {
        if self.words.try_send(Word::Buy(wanted)).is_ok() {
            self.asked.insert(wanted.effect, Asked::Waiting);
        }
    }

    /// T-003. Ends the task and waits until it is ended: after this nothing more is signed. It gives way at its next
    /// pause, so no seller is waited for.
    pub(crate) async fn dismiss(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }

    /// Where a purchase stands. Never waits.
    pub(crate) fn look(&mut self, effect: EffectId, tick: Tick) -> Standing<Purchased> {
        while let Ok((of, came)) = self.answers.try_recv() {
            let stands = if came == Purchased::Pending { Asked::Resting(tick) } else { Asked::Came(came) };
            self.asked.insert(of, stands);
        }
        match self.asked.get(&effect) {
            Some(Asked::Came(_)) => match self.asked.remove(&effect) {
                Some(Asked::Came(came)) => Standing::Over(came),
                _ => Standing::Unasked,
            },
            _ if self.task.is_finished() => Standing::Lost,
            Some(Asked::Waiting) => Standing::Waiting,
            Some(Asked::Resting(since)) if *since >= tick => Standing::Waiting,
            Some(Asked::Resting(_)) | None => Standing::Unasked,
        }
    }
}

/// What a purchase came to, with its cost.
pub(crate) fn purchased(open: &OpenEffect, came: Purchased) -> Option<Outcome> {
    let (result, cost) = match came {
        Purchased::Served { bought, paid } => (OutcomeResult::Bought(bought), paid),
        Purchased::Unserved { why, paid } => (OutcomeResult::Unbought(why), paid),
        Purchased::Pending => return None,
    };
    Some(paid(open, CostSource::Data, cost, result))
}

/// The end of a purchase that nobody will go on with: what may have been taken is booked whole, and what was served
/// for it and lies on disk is what it brought.
pub(crate) fn given_up(source: SourceName, payment: Option<&Payment>) -> Purchased {
    let Some(payment) = payment.filter(|payment| payment.state != PaymentState::Void) else {
        return Purchased::Unserved { why: Unbought::Refused, paid: Usdc::ZERO };
    };
    let paid = payment.authorisation.amount;
    let Delivery::Served { receipt, answer: Some(answer) } = &payment.delivery else {
        return Purchased::Unserved { why: Unbought::Unknown, paid };
    };
    let bought = Bought {
        source,
        host: payment.host.clone(),
        bytes: u32::try_from(answer.body.len()).unwrap_or(u32::MAX),
        digest: keccak256(&answer.body),
        excerpt: Excerpt::from(String::from_utf8_lossy(&answer.body).as_ref()),
        // Where in it a price stands is the owner's list to say, and nobody has that here.
        reading: None,
        receipt: receipt.as_ref().and_then(|receipt| receipt.tx),
    };
    Purchased::Served { bought: Box::new(bought), paid }
}
