//! OutcomeVerification: what was simulated against what the receipt says. No model is asked whether they differ (M-072).

pub mod confirmation;
pub mod deviation;
pub mod record;
