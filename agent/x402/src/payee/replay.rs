//! One header, one sale: whoever shows it again, at once or later, is given what it bought, and nothing runs again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use golem_primitives::B256;
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::payee::wares::Taken;

/// Sales that are remembered.
const SALES: usize = 256;
/// What they may weigh together.
const BYTES: usize = 16 * 1024 * 1024;

/// What was sold.
#[derive(Debug, Clone)]
pub(crate) struct Sold {
    pub(crate) media: String,
    pub(crate) body: Bytes,
    /// The facilitator's words.
    pub(crate) receipt: Value,
}

/// A sale: paid at most once, and handed out at most once. What was paid and not handed out is owed.
#[derive(Debug, Default)]
pub(crate) struct Sale {
    pub(crate) paid: OnceCell<Taken>,
    pub(crate) sold: OnceCell<Sold>,
}

/// The last sales by the name of their header. One that was forgotten is refused by the token: its authorisation is used.
#[derive(Debug, Default)]
pub(crate) struct Sales {
    known: Mutex<VecDeque<(B256, Arc<Sale>)>>,
}

impl Sales {
    /// What was paid before, and may not have been handed out.
    pub(crate) fn after(taken: Vec<Taken>) -> Self {
        let newest = taken.len().saturating_sub(SALES);
        let known = taken.into_iter().skip(newest);
        let known = known.map(|one| (one.sale, Arc::new(Sale { paid: one.into(), sold: OnceCell::new() })));
        Self { known: Mutex::new(known.collect()) }
    }

    /// Whether the header of that name has paid.
    pub(crate) fn is_paid(&self, name: B256) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().any(|(other, sale)| *other == name && sale.paid.initialized())
    }

    /// The sale of a header, begun or not.
    pub(crate) fn of(&self, name: B256) -> Arc<Sale> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sale)) = known.iter().find(|(other, _)| *other == name) {
            return Arc::clone(sale);
        }
        trim(&mut known);
        let sale = Arc::<Sale>::default();
        known.push_back((name, Arc::clone(&sale)));
        sale
    }
}

/// Forgets what came to nothing, and then the oldest until there is room. What somebody waits for stays: forgotten, it
/// could be run twice. What is owed stays too; it costs money to owe.
fn trim(known: &mut VecDeque<(B256, Arc<Sale>)>) {
    let is_awaited = |sale: &Arc<Sale>| Arc::strong_count(sale) > 1;
    let weight = |sale: &Sale| sale.sold.get().map_or(0, |sold| sold.body.len());
    known.retain(|(_, sale)| is_awaited(sale) || sale.paid.initialized());
    let mut bytes: usize = known.iter().map(|(_, sale)| weight(sale)).sum();
    let mut count = known.iter().filter(|(_, sale)| sale.sold.initialized()).count();
    known.retain(|(_, sale)| {
        let is_owed = !sale.sold.initialized();
        if is_owed || is_awaited(sale) || (count < SALES && bytes <= BYTES) {
            return true;
        }
        count -= 1;
        bytes -= weight(sale);
        false
    });
}

#[cfg(test)]
mod tests {
    use golem_ports::PaymentReceipt;
    use golem_primitives::Usdc;

    use super::*;
    use crate::payee::wares::Good;

    fn name(number: usize) -> B256 {
        golem_primitives::keccak256(number.to_be_bytes())
    }

    fn taken(sale: B256) -> Taken {
        let receipt = PaymentReceipt { tx: None, payer: None, network: String::new() };
        Taken { sale, good: Good::Insights, amount: Usdc::ZERO, receipt, words: Value::Null }
    }

    fn pay(sale: &Sale) {
        sale.paid.set(taken(B256::ZERO)).expect("new");
    }

    fn sell(sale: &Sale, size: usize) {
        pay(sale);
        sale.sold.set(Sold { media: String::new(), body: vec![0; size].into(), receipt: Value::Null }).expect("new");
    }

    /// memory is bounded by number and by weight, and nothing anybody waits for or is owed is forgotten.
    #[test]
    fn r_034_the_oldest_sales_are_forgotten_and_awaited_ones_are_not() {
        for (size, sales, kept) in [(1, 1_000, SALES + 2), (BYTES / 4, 20, 7)] {
            let memory = Sales::default();
            let awaited = memory.of(name(usize::MAX));
            pay(&memory.of(name(usize::MAX - 1)));
            for number in 0..sales {
                sell(&memory.of(name(number)), size);
            }
            let known = memory.known.lock().expect("not poisoned").len();
            assert!(known <= kept, "{known} of {sales}");
            assert!(Arc::ptr_eq(&memory.of(name(usize::MAX)), &awaited));
            assert!(memory.of(name(usize::MAX - 1)).paid.initialized(), "owed");
            assert!(memory.of(name(sales - 1)).sold.initialized(), "the newest is known");
            assert!(!memory.of(name(0)).sold.initialized(), "the oldest is not");
        }
    }

    /// of what was paid before the stall opened the newest are owed, and no more of them than are ever remembered.
    #[test]
    fn r_034_what_was_paid_before_is_owed() {
        let memory = Sales::after((0..1_000).map(|number| taken(name(number))).collect());
        assert_eq!(memory.known.lock().expect("not poisoned").len(), SALES);
        assert!(memory.is_paid(name(999)) && memory.is_paid(name(1_000 - SALES)) && !memory.is_paid(name(0)));
        for number in 1_000..1_010 {
            sell(&memory.of(name(number)), 1);
        }
        assert!(memory.of(name(1_000)).sold.initialized(), "what was sold since is known beside it");
    }

    /// whoever shows a thousand headers that pay nothing drives nobody's sale out.
    #[test]
    fn r_034_headers_that_pay_nothing_leave_no_trace() {
        let memory = Sales::default();
        sell(&memory.of(name(0)), 10);
        for number in 1..1_000 {
            drop(memory.of(name(number)));
        }
        assert!(memory.of(name(0)).sold.initialized());
        assert!(memory.known.lock().expect("not poisoned").len() <= 2);
    }
}
