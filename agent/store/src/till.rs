//! Payments from beside the life: a second connection to the same file, which writes nothing else.

use golem_core::record::Partition;
use golem_ports::{FloatBook, Goods, Payment, PaymentReceipt, PaymentState, Payments, StoreError};
use golem_primitives::{Address, B256, EffectId, Usdc, UtcTime};

use crate::store::SqliteStore;

/// Where who pays beside a life records it. The life's own lock stands over both.
#[derive(Debug)]
pub struct Till(SqliteStore);

impl Till {
    pub(crate) const fn new(hand: SqliteStore) -> Self {
        Self(hand)
    }
}

impl Payments for Till {
    fn intend(&mut self, payment: &Payment) -> Result<(), StoreError> {
        self.0.intend(payment)
    }

    fn payment_of(&self, effect: EffectId) -> Result<Option<Payment>, StoreError> {
        self.0.payment_of(effect)
    }

    fn open_payments(&self) -> Result<Vec<Payment>, StoreError> {
        self.0.open_payments()
    }

    fn conclude(&mut self, nonce: B256, state: PaymentState) -> Result<(), StoreError> {
        self.0.conclude(nonce, state)
    }

    fn served(&mut self, nonce: B256, receipt: Option<&PaymentReceipt>, answer: &Goods) -> Result<(), StoreError> {
        self.0.served(nonce, receipt, answer)
    }

    fn unserved(&mut self, nonce: B256, why: &str, bar_until: Option<UtcTime>) -> Result<(), StoreError> {
        self.0.unserved(nonce, why, bar_until)
    }

    fn spent_on(&self, day: u64) -> Result<Usdc, StoreError> {
        self.0.spent_on(day)
    }

    fn barred_until(&self, host: &str) -> Result<Option<UtcTime>, StoreError> {
        self.0.barred_until(host)
    }

    fn payee_of(&self, host: &str) -> Result<Option<Address>, StoreError> {
        self.0.payee_of(host)
    }

    fn drew(&mut self, effect: EffectId, partition: Partition, amount: Usdc) -> Result<(), StoreError> {
        self.0.drew(effect, partition, amount)
    }

    fn float_book(&self) -> Result<FloatBook, StoreError> {
        self.0.float_book()
    }
}
