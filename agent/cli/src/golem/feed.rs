//! What a Golem takes and sells over x402: the owner's choice, the stall beside the life, what was sold, and the
//! word of it in the registration file.

mod advertise;
pub(super) mod choice;
mod goods;
mod keeping;
mod sales;
mod stall;

pub(crate) use advertise::AdvertiseArguments;
pub(crate) use keeping::{Beside, keep};
