//! A sale: verified, settled, and only then handed out; once, whatever the payer shows again.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use golem_ports::{Goods, PaymentReceipt};
use golem_primitives::{B256, Usdc, keccak256};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::payee::gate::Counter;
use crate::payee::replay::{Sales, Sold};
use crate::payee::till::{Till, TillError};
use crate::payee::wares::{Good, Taken, Wares};
use crate::payee::{PayeeSettings, PriceList};

/// Sales that are made at once.
const AT_ONCE: usize = 32;
/// How long handing out may take.
const HAND_OUT_PATIENCE: Duration = Duration::from_secs(30);

/// Everything a sale needs.
pub(crate) struct Shop {
    pub(crate) counter: Counter,
    pub(crate) base: String,
    pub(crate) prices: PriceList,
    pub(crate) name: String,
    pub(crate) agent: Option<String>,
    pub(crate) till: Till,
    pub(crate) wares: Arc<dyn Wares>,
    sales: Sales,
    places: Semaphore,
}

impl fmt::Debug for Shop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shop").field("base", &self.base).field("counter", &self.counter).finish_non_exhaustive()
    }
}

/// Why nothing was sold.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SaleError {
    #[error(transparent)]
    Till(#[from] TillError),
    #[error("too many sales at once")]
    Busy,
    #[error("paid, and the good could not be handed out")]
    Gone,
    #[error("the sale broke off")]
    Broken,
}

impl Shop {
    pub(crate) fn new(
        settings: PayeeSettings,
        counter: Counter,
        base: String,
        till: Till,
        wares: Arc<dyn Wares>,
    ) -> Self {
        let PayeeSettings { prices, name, agent, .. } = settings;
        let (sales, places) = (Sales::after(wares.taken()), Semaphore::new(AT_ONCE));
        Self { counter, base, prices, name, agent, till, wares, sales, places }
    }

    /// Makes the sale of this header, or gives again what it bought. Whoever hangs up in the middle does not stop it:
    /// what is settled is kept for when he comes back.
    pub(crate) async fn sell(
        self: &Arc<Self>,
        good: Good,
        price: Usdc,
        header: &[u8],
        asked: Value,
    ) -> Result<Sold, SaleError> {
        let name = name(good, header);
        let (sale, shop) = (self.sales.of(name), Arc::clone(self));
        let making = tokio::spawn(async move {
            let made = sale.sold.get_or_try_init(|| async {
                let _place = shop.places.try_acquire().map_err(|_| SaleError::Busy)?;
                let paid = sale.paid.get_or_try_init(|| shop.take(name, good, price, &asked)).await?;
                shop.hand_out(good, paid).await
            });
            made.await.cloned()
        });
        making.await.unwrap_or(Err(SaleError::Broken))
    }

    /// Whether that header has paid for it already: then it is owed, whatever was withdrawn since.
    pub(crate) fn is_paid(&self, good: Good, header: &[u8]) -> bool {
        self.sales.is_paid(name(good, header))
    }

    async fn take(&self, sale: B256, good: Good, price: Usdc, asked: &Value) -> Result<Taken, SaleError> {
        self.till.verify(asked).await?;
        let (receipt, words) = self.till.settle(asked).await?;
        let amount = settled(asked).unwrap_or(price);
        let taken = Taken { sale, good, amount, receipt, words };
        self.wares.took(&taken);
        Ok(taken)
    }

    async fn hand_out(&self, good: Good, paid: &Taken) -> Result<Sold, SaleError> {
        let answer = match good {
            Good::Feed => Some(self.thanks(paid.amount, &paid.receipt)),
            Good::Insights | Good::Bundle | Good::Set(_) => {
                timeout(HAND_OUT_PATIENCE, self.wares.hand_out(good)).await.unwrap_or_default()
            }
        };
        let Goods { media, body } = answer.ok_or(SaleError::Gone)?;
        Ok(Sold { media, body: Bytes::from(body), receipt: paid.words.clone() })
    }

    fn thanks(&self, amount: Usdc, receipt: &PaymentReceipt) -> Goods {
        let said = json!({
            "fed": amount.micros(), "unit": "micro-USDC", "vault": self.counter.vault.to_checksum(None),
            "transaction": receipt.tx,
        });
        Goods { media: "application/json".to_owned(), body: said.to_string().into_bytes() }
    }
}

/// What a payment moves when it is settled: the amount its payer signed for, which may be more than was asked. The token
/// moves neither more nor less.
fn settled(asked: &Value) -> Option<Usdc> {
    let value = asked.pointer("/paymentPayload/payload/authorization/value")?;
    let micros = value.as_str().map_or_else(|| value.as_u64(), |digits| digits.parse().ok())?;
    Some(Usdc::from_micros(micros))
}

/// The name of a sale: what is bought by which header. What it costs meanwhile is no part of it: what was paid is owed at any price.
fn name(good: Good, header: &[u8]) -> B256 {
    let which = if let Good::Set(hash) = good { hash } else { B256::ZERO };
    keccak256([good.path().as_bytes(), &[0], which.as_slice(), header].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// what was signed for is what comes; where nobody can read it, what was asked is the best that is known.
    #[test]
    fn r_034_what_is_settled_is_what_was_signed() {
        let asked = |value: Value| json!({ "paymentPayload": { "payload": { "authorization": { "value": value } } } });
        assert_eq!(settled(&asked(json!("2500000"))), Some(Usdc::from_micros(2_500_000)));
        assert_eq!(settled(&asked(json!(7))), Some(Usdc::from_micros(7)));
        for none in [asked(json!("0x5")), asked(json!(-1)), asked(Value::Null), json!({})] {
            assert_eq!(settled(&none), None, "{none}");
        }
    }
}
