//! One question to every endpoint, and the answer most of them give.

use alloy::rpc::json_rpc::RpcRecv;
use serde::Serialize;

use super::http::{Fault, Refusal};
use super::wire::Wire;
use super::{EndpointError, Endpoints, Failure, note, to_raw};

/// What an endpoint says to a question.
enum Vote<R> {
    Value(R),
    Reverted(Refusal),
    /// It cannot say: it lacks the block, or the method.
    Abstains(Refusal),
}

impl<R: PartialEq> Vote<R> {
    /// Nodes word a revert differently; its data is the contract's own.
    fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(one), Self::Value(other)) => one == other,
            (Self::Reverted(one), Self::Reverted(other)) => one.data == other.data,
            (Self::Abstains(_), Self::Abstains(_)) => true,
            _ => false,
        }
    }
}

impl Endpoints {
    /// Asks every endpoint in health at once and answers what more than half of those that speak say. For what money
    /// follows from: one that lies, lags or withholds decides nothing.
    ///
    /// Of three and more at least half of all there are have to say it, so that nobody decides alone because the others
    /// were silenced. Two cannot outvote each other: both agree, or the one that is left is believed. One is believed.
    ///
    /// # Errors
    /// As [`Endpoints::request`], and [`EndpointError::Disagreement`] when no answer has enough voices.
    pub async fn agreed<P, R>(&self, method: &'static str, params: P) -> Result<R, EndpointError>
    where
        P: Serialize + Send,
        R: RpcRecv + PartialEq,
    {
        let all = self.shared.wires.len();
        if all == 1 {
            return self.request(method, params).await;
        }
        let least = if all > 2 { all / 2 + 1 } else { 1 };
        let params = to_raw(&params).map_err(|detail| EndpointError::BadRequest { method, detail })?;
        let (mut failures, mut voices) = (Vec::new(), Vec::new());
        for round in 0..self.shared.settings.rounds.max(1) {
            self.back_off(round).await;
            voices.clear();
            let is_enough = self.shared.wires.iter().filter(|wire| wire.may_be_asked()).count() >= least;
            let mut votes = Vec::new();
            for (index, answer) in self.ask_all::<R>(method, &params, |wire| !is_enough || wire.may_be_asked()).await {
                let wire = &self.shared.wires[index];
                votes.push(match answer {
                    Ok(value) => Vote::Value(value),
                    Err(Fault::Refused(refusal)) if refusal.is_revert() => Vote::Reverted(refusal),
                    Err(Fault::Refused(refusal)) => Vote::Abstains(refusal),
                    Err(fault) => {
                        self.fail(wire, fault, &mut failures);
                        continue;
                    }
                });
                voices.push(wire.name().to_owned());
            }
            let counts: Vec<usize> =
                votes.iter().map(|vote| votes.iter().filter(|other| vote.agrees_with(other)).count()).collect();
            let needed = least.max(votes.len() / 2 + 1);
            let Some(chosen) = counts.iter().position(|count| *count >= needed) else { continue };
            return match votes.swap_remove(chosen) {
                Vote::Value(value) => Ok(value),
                Vote::Reverted(refusal) => Err(EndpointError::reverted(method, refusal)),
                Vote::Abstains(refusal) => Err(EndpointError::rpc(method, &voices[chosen], refusal)),
            };
        }
        if voices.is_empty() {
            return Err(EndpointError::unanswered(method, failures));
        }
        Err(EndpointError::Disagreement { method, voices, all })
    }

    /// Notes what an endpoint did wrong. One of another chain was punished for it when it was found out.
    pub(super) fn fail(&self, wire: &Wire, fault: Fault, failures: &mut Vec<Failure>) {
        let failure = match fault {
            Fault::ForeignChain { .. } => fault.into_failure(wire.name()),
            _ => wire.blame(fault, self.shared.settings.penalty),
        };
        note(failures, failure);
    }
}
