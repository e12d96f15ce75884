//! Many reads of one block in one call.

use std::marker::PhantomData;

use alloy::primitives::{Address, Bytes};
use alloy::sol_types::SolCall;
use golem_ports::Blindness;

use crate::bindings::IMulticall3;
use crate::node::{At, Call, Node};

/// Reads to be asked together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    calls: Vec<IMulticall3::Call3>,
}

/// The place of one answer.
#[derive(Debug)]
pub(crate) struct Slot<C> {
    index: usize,
    call: PhantomData<C>,
}

impl<C> Clone for Slot<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Slot<C> {}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answers {
    results: Vec<IMulticall3::Result>,
}

impl Batch {
    pub(crate) fn add<C: SolCall>(&mut self, target: Address, call: &C) -> Slot<C> {
        self.calls.push(IMulticall3::Call3 { target, allowFailure: true, callData: call.abi_encode().into() });
        Slot { index: self.calls.len() - 1, call: PhantomData }
    }

    pub(crate) async fn ask(self, node: &Node, multicall: Address, at: &At) -> Result<Answers, Blindness> {
        let wanted = self.calls.len();
        let data: Bytes = IMulticall3::aggregate3Call { calls: self.calls }.abi_encode().into();
        let call = Call { from: Address::ZERO, to: multicall, data };
        let said = node.call(&call, at).await?;
        let said = said.map_err(|revert| Blindness { why: format!("the multicall failed: {}", revert.message) })?;
        let results = IMulticall3::aggregate3Call::abi_decode_returns(&said)
            .map_err(|error| Blindness { why: format!("the multicall answered in no known form: {error}") })?;
        if results.len() != wanted {
            let why = format!("the multicall answered {} of {wanted} questions", results.len());
            return Err(Blindness { why });
        }
        Ok(Answers { results })
    }
}

impl Answers {
    /// The answer; that it failed or has another form is blindness.
    pub(crate) fn get<C: SolCall>(&self, slot: Slot<C>) -> Result<C::Return, Blindness> {
        let unreadable = |what: &str| Blindness { why: format!("{} {what} at this block", C::SIGNATURE) };
        let result = &self.results[slot.index];
        if !result.success {
            return Err(unreadable("failed"));
        }
        C::abi_decode_returns(&result.returnData).map_err(|_| unreadable("answered in no known form"))
    }

    /// The answer, when there is one: `None` for a call that reverted.
    pub(crate) fn maybe<C: SolCall>(&self, slot: Slot<C>) -> Result<Option<C::Return>, Blindness> {
        if self.results[slot.index].success { self.get(slot).map(Some) } else { Ok(None) }
    }
}
