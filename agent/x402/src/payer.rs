//! The payer: a 402 answer is paid from the float, within caps, to listed servers, and never twice.
//!
//! An authorisation is recorded before it is sent. Its name follows from the purchase, so that whoever dies in between
//! finds it, asks the chain whether it was used, and otherwise sends the very same one again.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use golem_ports::{Authorisation, Delivery, Float, Goods, Payment, PaymentState, Payments};
use golem_primitives::{Usdc, UtcTime};
use reqwest::{StatusCode, Url};

use crate::fetch::{Fetch, FetchError, Reply};
use crate::float::available;
use crate::host::{Host, HostError, Listed, short};
use crate::offer::{NoOffer, Offer, choose};
use crate::payload::{header, header_name, nonce, receipt};
use crate::purchase::{BoughtAnswer, Cap, Purchase, PurchaseError, PurchaseRequest, REQUEST_BYTES};

/// The shortest and the longest an authorisation stands. A server's wish beyond either is not followed: the longer one
/// stands, the longer it holds a part of the day's cap.
const STANDS_SECONDS: (u64, u64) = (60, 600);
/// What is left of an authorisation's time when it is no longer worth sending.
const TOO_LATE_SECONDS: u64 = 10;

/// What the owner allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayerSettings {
    /// Who may be paid.
    pub hosts: Vec<Listed>,
    /// The most one call may cost.
    pub per_call: Usdc,
    /// The most a UTC day may cost.
    pub per_day: Usdc,
    /// The longest answer that is read, in bytes.
    pub longest_answer: usize,
    /// How long one question may take; a settlement waits for its block.
    pub patience: Duration,
}

impl Default for PayerSettings {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            per_call: Usdc::from_micros(50_000),
            per_day: Usdc::from_micros(500_000),
            longest_answer: 256 * 1024,
            patience: Duration::from_secs(60),
        }
    }
}

/// Buys over HTTP 402.
#[derive(Debug)]
pub struct Payer<F> {
    float: F,
    settings: PayerSettings,
    fetch: Fetch,
}

/// An address that may be asked.
struct Target {
    url: Url,
    host: Host,
    payee: Option<golem_primitives::Address>,
}

impl<F: Float> Payer<F> {
    /// A payer from this float.
    ///
    /// # Errors
    /// [`PurchaseError::Unreachable`] when this machine cannot ask over https at all.
    pub fn new(float: F, settings: PayerSettings) -> Result<Self, PurchaseError> {
        let fetch = Fetch::new(settings.patience, settings.longest_answer);
        let fetch = fetch.map_err(|error| unreachable_host("this machine's own https", &error))?;
        Ok(Self { float, settings, fetch })
    }

    /// The float it pays from.
    pub const fn float(&self) -> &F {
        &self.float
    }

    /// Buys, or gives again what this effect bought before.
    ///
    /// # Errors
    /// [`PurchaseError`]; what was given away is recorded whatever happens, and asking again never pays twice.
    pub async fn buy(
        &self,
        purchase: &Purchase,
        payments: &mut (dyn Payments + Send),
    ) -> Result<BoughtAnswer, PurchaseError> {
        let target = self.admit(purchase)?;
        if let Some(payment) = payments.payment_of(purchase.effect)? {
            return self.resume(purchase, &target, payment, payments).await;
        }
        let host = || target.host.to_string();
        if let Some(until) = payments.barred_until(target.host.as_str())?.filter(|until| purchase.now < *until) {
            return Err(PurchaseError::Barred { host: host(), until });
        }
        let asked = self.fetch.ask(&target.url, &purchase.request, None).await;
        let reply = asked.map_err(|error| unreachable_host(target.host.as_str(), &error))?;
        if reply.status.is_success() {
            let answer = Goods { media: reply.media, body: reply.body };
            return Ok(BoughtAnswer { answer, paid: Usdc::ZERO, receipt: None });
        }
        if reply.status != StatusCode::PAYMENT_REQUIRED {
            return Err(PurchaseError::Refused { host: host(), status: reply.status.as_u16() });
        }
        let offer = choose(reply.required.as_deref(), &reply.body, self.float.place()).map_err(|none| match none {
            NoOffer::Unreadable => PurchaseError::NoOffer { host: host(), why: "neither version 1 nor 2 is there" },
            NoOffer::Unfit(why) => PurchaseError::Unfit { host: host(), why },
        })?;
        self.afford(purchase, &target, &offer, payments).await?;
        let payment = self.authorise(purchase, &target, &offer).await?;
        payments.intend(&payment)?;
        self.deliver(purchase, &target, &payment, payments).await
    }

    /// Asks the chain what became of every authorisation that is still open. What is neither used nor able to be frees
    /// its part of the day's cap and of the float.
    ///
    /// # Errors
    /// [`PurchaseError`] when the chain or the record cannot be read.
    pub async fn reconcile(&self, payments: &mut (dyn Payments + Send)) -> Result<(), PurchaseError> {
        for payment in payments.open_payments()? {
            self.look_up(&payment, payments).await?;
        }
        Ok(())
    }

    /// Everything that can be said before anybody is asked.
    fn admit(&self, purchase: &Purchase) -> Result<Target, PurchaseError> {
        if let PurchaseRequest::Post { body, .. } = &purchase.request
            && body.len() > REQUEST_BYTES
        {
            return Err(PurchaseError::RequestTooLong { bytes: body.len(), most: REQUEST_BYTES });
        }
        let unreadable = |_| HostError::Unreadable { text: short(&purchase.url) };
        let url = Url::parse(&purchase.url).map_err(unreadable)?;
        let host = Host::of(&url)?;
        match self.settings.hosts.iter().find(|listed| listed.host == host) {
            Some(listed) => Ok(Target { url, host, payee: listed.payee }),
            None => Err(PurchaseError::NotListed { host: host.to_string() }),
        }
    }

    /// Every bound, before anything is signed.
    async fn afford(
        &self,
        purchase: &Purchase,
        target: &Target,
        offer: &Offer,
        payments: &mut (dyn Payments + Send),
    ) -> Result<(), PurchaseError> {
        let (price, host) = (offer.price, || target.host.to_string());
        for (most, cap) in [(purchase.at_most, Cap::Purchase), (self.settings.per_call, Cap::PerCall)] {
            if price > most {
                return Err(PurchaseError::TooDear { host: host(), price, most, cap });
            }
        }
        let left = self.settings.per_day.saturating_sub(payments.spent_on(purchase.now.day())?);
        if price > left {
            return Err(PurchaseError::DayCap { host: host(), price, left });
        }
        let known = target.payee.map_or_else(|| payments.payee_of(target.host.as_str()), |pinned| Ok(Some(pinned)))?;
        if let Some(known) = known.filter(|known| *known != offer.payee) {
            return Err(PurchaseError::PayeeChanged { host: host(), known, offered: offer.payee });
        }
        let book = payments.float_book()?;
        // The partition's own share, so that one never pays for another; and the wallet itself, should money be gone
        // from it that the book does not know of.
        let promised = book.open.iter().fold(Usdc::ZERO, |sum, open| sum.saturating_add(*open));
        let of_book = price.saturating_sub(available(&book, purchase.partition));
        let of_wallet = price.saturating_add(promised).saturating_sub(self.float.held().await?);
        match of_book.max(of_wallet) {
            Usdc::ZERO => Ok(()),
            short => Err(PurchaseError::FloatShort { partition: purchase.partition, short }),
        }
    }

    async fn authorise(&self, purchase: &Purchase, target: &Target, offer: &Offer) -> Result<Payment, PurchaseError> {
        let (shortest, longest) = STANDS_SECONDS;
        let stands = Duration::from_secs(offer.seconds.clamp(shortest, longest));
        let authorisation = Authorisation {
            payee: offer.payee,
            amount: offer.price,
            // The facilitator reads its own clock and the token the chain's: it has to stand by both.
            valid_before: purchase.now.max(clock()).plus(stands),
            nonce: nonce(purchase.effect, &target.host, offer),
        };
        let signature = self.float.sign(&authorisation).await?;
        let header = header(offer, self.float.place(), &authorisation, signature).ok_or_else(|| {
            PurchaseError::NoOffer { host: target.host.to_string(), why: "its terms are longer than a header may be" }
        })?;
        Ok(Payment {
            effect: purchase.effect,
            partition: purchase.partition,
            host: target.host.to_string(),
            authorisation,
            at: purchase.now,
            version: offer.version(),
            header,
            state: PaymentState::Open,
            delivery: Delivery::Awaited,
        })
    }

    /// Sends what is recorded and takes in what comes back.
    async fn deliver(
        &self,
        purchase: &Purchase,
        target: &Target,
        payment: &Payment,
        payments: &mut (dyn Payments + Send),
    ) -> Result<BoughtAnswer, PurchaseError> {
        let paying = Some((header_name(payment.version), payment.header.as_str()));
        let mut asked = self.fetch.ask(&target.url, &purchase.request, paying).await;
        // Cut off after it was paid: a good server gives again what it sold, and showing the same costs nothing more.
        let was_cut = matches!(asked, Err(FetchError::Transport(_) | FetchError::Cut(_)));
        if was_cut && self.look_up(payment, payments).await? == PaymentState::Settled {
            asked = self.fetch.ask(&target.url, &purchase.request, paying).await;
        }
        match asked {
            Ok(reply) if reply.status.is_success() => self.take(reply, payment, payments).await,
            Ok(reply) => self.complain(purchase, payment, refusal(&reply), payments).await,
            Err(error) => self.complain(purchase, payment, error.to_string(), payments).await,
        }
    }

    async fn take(
        &self,
        reply: Reply,
        payment: &Payment,
        payments: &mut (dyn Payments + Send),
    ) -> Result<BoughtAnswer, PurchaseError> {
        let receipt = reply.receipt.as_deref().and_then(receipt);
        let answer = Goods { media: reply.media, body: reply.body };
        payments.served(payment.authorisation.nonce, receipt.as_ref(), &answer)?;
        // Whether the money is gone is the chain's to say; while it cannot be seen it counts as spent.
        if let Err(error) = self.look_up(payment, payments).await {
            tracing::warn!(%error, host = payment.host, "served, and the chain does not yet say whether it was paid");
        }
        Ok(BoughtAnswer { answer, paid: payment.authorisation.amount, receipt })
    }

    /// Nothing was served: whose fault it is depends on whether the money is gone.
    async fn complain(
        &self,
        purchase: &Purchase,
        payment: &Payment,
        why: String,
        payments: &mut (dyn Payments + Send),
    ) -> Result<BoughtAnswer, PurchaseError> {
        let Authorisation { amount, nonce, .. } = payment.authorisation;
        let host = payment.host.clone();
        if self.look_up(payment, payments).await? != PaymentState::Settled {
            return Err(PurchaseError::NotTaken { host, amount, why });
        }
        payments.unserved(nonce, &why, Some(end_of_day(purchase.now)))?;
        tracing::warn!(host, %amount, why, "paid and not served; nothing more is bought there today");
        Err(PurchaseError::Unserved { host, amount, why })
    }

    /// Goes on with what was begun. What ran out is over: an effect gives leave once, or a seller that never takes it would
    /// be given leave for ever.
    async fn resume(
        &self,
        purchase: &Purchase,
        target: &Target,
        payment: Payment,
        payments: &mut (dyn Payments + Send),
    ) -> Result<BoughtAnswer, PurchaseError> {
        let (amount, host) = (payment.authorisation.amount, payment.host.clone());
        if host != target.host.as_str() {
            return Err(PurchaseError::AnotherPurchase { effect: purchase.effect, host });
        }
        match payment.delivery {
            Delivery::Served { receipt, answer: Some(answer) } => {
                return Ok(BoughtAnswer { answer, paid: amount, receipt });
            }
            Delivery::Served { answer: None, .. } => {
                let why = "it was served, and the answer is no longer kept".to_owned();
                return Err(PurchaseError::Unserved { host, amount, why });
            }
            Delivery::Unserved { why } => return Err(PurchaseError::Unserved { host, amount, why }),
            Delivery::Awaited => {}
        }
        match self.look_up(&payment, payments).await? {
            PaymentState::Void => Err(PurchaseError::RanOut { host, amount }),
            PaymentState::Open if is_late(&payment) => {
                let why = "its time is running out, and the chain has not yet said that it is over".to_owned();
                Err(PurchaseError::NotTaken { host, amount, why })
            }
            // Whether it was taken or not, the same authorisation is shown again: it costs nothing more, and a good
            // server gives again what it sold.
            PaymentState::Open | PaymentState::Settled => self.deliver(purchase, target, &payment, payments).await,
        }
    }

    /// What the chain says of the money, recorded.
    async fn look_up(
        &self,
        payment: &Payment,
        payments: &mut (dyn Payments + Send),
    ) -> Result<PaymentState, PurchaseError> {
        if payment.state != PaymentState::Open {
            return Ok(payment.state);
        }
        let nonce = payment.authorisation.nonce;
        let usage = self.float.usage(nonce).await?;
        let state = match usage.used {
            true => PaymentState::Settled,
            false if usage.settled_to > payment.authorisation.valid_before => PaymentState::Void,
            false => return Ok(PaymentState::Open),
        };
        payments.conclude(nonce, state)?;
        Ok(state)
    }
}

fn is_late(payment: &Payment) -> bool {
    clock().plus(Duration::from_secs(TOO_LATE_SECONDS)) >= payment.authorisation.valid_before
}

/// The end of a moment's UTC day.
fn end_of_day(now: UtcTime) -> UtcTime {
    UtcTime::from_seconds((now.day() + 1) * UtcTime::DAY_SECONDS)
}

/// This machine's clock: the one a facilitator's is compared with.
fn clock() -> UtcTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UtcTime::from_seconds(since.as_secs())
}

fn refusal(reply: &Reply) -> String {
    format!("it answered {} and {} bytes", reply.status.as_u16(), reply.body.len())
}

fn unreachable_host(host: &str, error: &FetchError) -> PurchaseError {
    PurchaseError::Unreachable { host: host.to_owned(), why: error.to_string() }
}
