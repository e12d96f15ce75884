//! The Library of Babel: what an owner keeps of all their Golems (I-240 to I-253).
//!
//! Knowledge comes in by five [ways](inflow), most reliable first, and keeps its provenance, its confidence and the mark
//! of the dead. A Golem is [equipped](equip) from it at its creation or by its owner's hand, never by itself; what proves
//! itself there becomes [bundles](bundle), and what five Golems proved is battle-tested. What is [sold](sale) names its
//! evidence.

pub mod bundle;
pub mod equip;
pub mod inflow;
pub mod sale;
