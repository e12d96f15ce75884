//! One question on its way to an answer: attempts, at most one repair, and a ledger of what they cost.

use std::time::Duration;

use golem_ports::{Charge, InferenceError, InferenceFault, Metering, Request, Thought, Usage};
use golem_primitives::{Usdc, keccak256};
use serde_json::Value;

use crate::http::{LARGEST_ANSWER, Lost, Raw};
use crate::meter::Bounds;
use crate::models::Seat;
use crate::patience::{Hold, TimeAndChance, pause};
use crate::schema;
use crate::wire::style::is_prose;
use crate::wire::{Ending, Reply, Said, Style, error_words, parse};

/// Times a question is sent, its repair not counted.
const ATTEMPTS: u32 = 4;

/// The state of one question.
pub(crate) struct Asking<'a, P> {
    seat: &'a Seat,
    pace: &'a P,
    request: &'a Request,
    deadline: Duration,
    /// How it is asked, and how it was refused already.
    style: Style,
    refused: Vec<Style>,
    /// What all attempts have cost so far.
    spent: Charge,
    usage: Usage,
    metering: Metering,
}

/// What came of one attempt.
enum Attempt {
    Replied(Reply, Bounds),
    /// Not now; perhaps later, after this long if the provider said so.
    Later {
        fault: InferenceFault,
        after: Option<Duration>,
    },
    /// In another form, at once.
    Reword,
    Never(InferenceFault),
}

impl<'a, P: TimeAndChance> Asking<'a, P> {
    pub(crate) fn new(seat: &'a Seat, pace: &'a P, request: &'a Request) -> Self {
        Self {
            seat,
            pace,
            request,
            deadline: pace.now() + request.within.map_or(seat.patience, |within| within.min(seat.patience)),
            style: seat.style(),
            refused: Vec::new(),
            spent: Charge::None,
            usage: Usage::default(),
            metering: Metering::Reported,
        }
    }

    /// Asks, and once more with the complaint if the first answer does not fit and the budget bears it.
    pub(crate) async fn answer(mut self) -> Result<Thought, InferenceError> {
        let reply = self.round(None).await?;
        match self.fit(&reply) {
            Ok(json) => Ok(self.finish(json, reply, false)),
            Err(complaint) => {
                let unfit = InferenceError {
                    fault: InferenceFault::Unfit { complaint: complaint.clone() },
                    charge: self.spent,
                };
                let reply = match self.round(Some(&complaint)).await {
                    // Too dear to repair: what was wrong first is what is told.
                    Err(InferenceError { fault: InferenceFault::OverBudget { .. }, .. }) => return Err(unfit),
                    other => other?,
                };
                match self.fit(&reply) {
                    Ok(json) => Ok(self.finish(json, reply, true)),
                    Err(complaint) => Err(self.fail(InferenceFault::Unfit { complaint })),
                }
            }
        }
    }

    fn fit(&self, reply: &Reply) -> Result<Value, String> {
        let no_json = || "the answer must be one JSON object and nothing else".to_owned();
        match &reply.said {
            Said::Json(value) => schema::check(&self.request.schema, value),
            Said::Text(text) if is_prose(self.request) => schema::check(&self.request.schema, &text.as_str().into()),
            Said::Text(text) => schema::check(&self.request.schema, &parse(text).ok_or_else(no_json)?),
            Said::Nothing => Err("the answer is empty".to_owned()),
        }
    }

    fn finish(self, json: Value, reply: Reply, repaired: bool) -> Thought {
        Thought {
            json,
            usage: self.usage,
            cost: self.spent.booked(),
            metering: self.metering,
            model: reply.model,
            prompt_version: self.request.prompt.id,
            repaired,
        }
    }

    fn fail(&self, fault: InferenceFault) -> InferenceError {
        InferenceError { fault, charge: self.spent }
    }

    /// Attempts until one is replied to, within time and budget.
    async fn round(&mut self, complaint: Option<&str>) -> Result<Reply, InferenceError> {
        let mut attempt = 0;
        let mut last: Option<InferenceFault> = None;
        loop {
            let (body, bounds) = self.seat.write(self.request, complaint, self.style);
            if let Err(fault) = self.affords(&bounds) {
                // Attempts that may have cost something leave too little for another.
                return Err(self.fail(last.unwrap_or(fault)));
            }
            self.enter().await?;
            match self.attempt(body, bounds).await {
                Attempt::Replied(reply, bounds) => return self.receive(reply, &bounds),
                Attempt::Never(fault) => return Err(self.fail(fault)),
                Attempt::Reword => {}
                Attempt::Later { fault, after } => {
                    attempt += 1;
                    let wait = after.unwrap_or_else(|| pause(attempt - 1, self.pace.jitter()));
                    if attempt >= ATTEMPTS || self.pace.now() + wait >= self.deadline {
                        return Err(self.fail(fault));
                    }
                    self.pace.wait(wait).await;
                    last = Some(fault);
                }
            }
        }
    }

    /// Whether one call more fits what is left of the budget.
    fn affords(&self, bounds: &Bounds) -> Result<(), InferenceFault> {
        let most = self.spent.booked().saturating_add(bounds.most(&self.seat.price));
        let budget = self.request.budget;
        if most > budget { Err(InferenceFault::OverBudget { most, budget }) } else { Ok(()) }
    }

    /// Waits until the provider may be called, if there is time for it.
    async fn enter(&self) -> Result<(), InferenceError> {
        loop {
            let now = self.pace.now();
            let Err(hold) = self.seat.record(|record| record.admit(now)) else { return Ok(()) };
            let provider = self.seat.provider.clone();
            match hold {
                Hold::Limited { after } if now + after < self.deadline => self.pace.wait(after).await,
                Hold::Limited { after } => return Err(self.fail(InferenceFault::Limited { provider, after })),
                Hold::Resting { failures, after } => {
                    return Err(self.fail(InferenceFault::Resting { provider, failures, after }));
                }
            }
        }
    }

    async fn attempt(&mut self, body: Vec<u8>, bounds: Bounds) -> Attempt {
        // The same body is the same question, so that a provider that remembers names charges it once; another body gets
        // another name, or the second would be answered by the first.
        let [a, b, c, d, ..] = keccak256(&body).0;
        let name = format!("{:x}-{:08x}", self.request.idempotency.0, u32::from_be_bytes([a, b, c, d]));
        let left = self.deadline.saturating_sub(self.pace.now()).max(Duration::from_millis(1));
        let came = self.seat.http.post(self.seat.format.path(), body, &name, left).await;
        let now = self.pace.now();
        match came {
            Ok(raw) => self.judge(raw, bounds, now),
            Err(lost) => {
                // Whoever gives a provider half a second learns nothing of its health when nothing came (D-177).
                let is_hurried = matches!(lost, Lost::TimedOut(_)) && self.request.within.is_some();
                if !is_hurried {
                    self.seat.record(|record| record.failed(now));
                }
                if !matches!(lost, Lost::Unconnected(_)) {
                    self.risk(&bounds);
                }
                self.mourn(lost)
            }
        }
    }

    fn mourn(&self, lost: Lost) -> Attempt {
        let provider = self.seat.provider.clone();
        let later = |fault| Attempt::Later { fault, after: None };
        match lost {
            Lost::Unconnected(why) => later(InferenceFault::Unreachable { provider, why }),
            Lost::TimedOut(limit) => later(InferenceFault::TimedOut { provider, limit }),
            Lost::Broken => later(InferenceFault::Cut { provider }),
            Lost::Oversized => Attempt::Never(InferenceFault::Oversized { bound: LARGEST_ANSWER }),
        }
    }

    fn judge(&mut self, raw: Raw, bounds: Bounds, now: Duration) -> Attempt {
        let provider = self.seat.provider.clone();
        // Whoever refuses is well.
        if !matches!(raw.status, 408 | 500..=599) {
            self.seat.record(|record| record.answered());
        }
        match raw.status {
            200..=299 => match self.seat.format.read(&raw.body) {
                Ok(reply) => {
                    self.seat.adopt(self.style);
                    Attempt::Replied(reply, bounds)
                }
                Err(why) => {
                    self.risk(&bounds);
                    Attempt::Never(InferenceFault::Malformed { provider, why })
                }
            },
            429 => {
                let after = raw.retry_after;
                self.seat.record(|record| record.close(now, after.unwrap_or_default()));
                Attempt::Later { fault: InferenceFault::Limited { provider, after: after.unwrap_or_default() }, after }
            }
            status @ (408 | 500..=599) => {
                self.seat.record(|record| record.failed(now));
                // A gateway that gave up does not know whether the model behind it worked; a provider that fails
                // charges nothing.
                if matches!(status, 408 | 504 | 524) {
                    self.risk(&bounds);
                }
                Attempt::Later { fault: InferenceFault::Unwell { provider, status }, after: raw.retry_after }
            }
            status => {
                let why = error_words(&raw.body);
                if matches!(status, 400 | 422) && self.reword(&why) {
                    return Attempt::Reword;
                }
                Attempt::Never(InferenceFault::Refused { provider, status, why: self.seat.clean(why) })
            }
        }
    }

    /// Says it another way, once each; answers whether there is one left that the refusal may mean.
    fn reword(&mut self, why: &str) -> bool {
        self.refused.push(self.style);
        let next = self.style.others(self.seat.format, self.request, why).find(|next| !self.refused.contains(next));
        next.inspect(|next| self.style = *next).is_some()
    }

    /// The question arrived and no numbers came: it may have cost the maximum.
    fn risk(&mut self, bounds: &Bounds) {
        let most = bounds.most(&self.seat.price);
        if most > Usdc::ZERO {
            self.spent = self.spent.and(Charge::AtMost(most));
            self.metering = Metering::Missing;
        }
    }

    /// Charges a reply, and takes it for an answer only if it ended as one.
    fn receive(&mut self, reply: Reply, bounds: &Bounds) -> Result<Reply, InferenceError> {
        let (cost, usage, metering) = bounds.charge(&self.seat.price, reply.counted);
        let charge = if metering == Metering::Reported { Charge::Known(cost) } else { Charge::AtMost(cost) };
        self.spent = self.spent.and(charge);
        self.usage.input = self.usage.input.saturating_add(usage.input);
        self.usage.output = self.usage.output.saturating_add(usage.output);
        self.usage.cached = self.usage.cached.saturating_add(usage.cached);
        if metering != Metering::Reported {
            self.metering = metering;
            tracing::warn!(provider = %self.seat.provider, ?metering, %cost, "a call is charged at its maximum");
        }
        match reply.ending {
            Ending::Whole => Ok(reply),
            // D-057: a piece of prose may break off; that is what was asked for.
            Ending::Length if is_prose(self.request) => Ok(reply),
            Ending::Length => Err(self.fail(InferenceFault::Unfinished { bound: self.seat.max_tokens(self.request) })),
            Ending::Declined(reason) => Err(self.fail(InferenceFault::Declined { reason })),
        }
    }
}
