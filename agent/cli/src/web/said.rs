//! What a call says, and a transaction that a wallet is shown.

use golem_chain::Unsigned;
use golem_chain::explorer::{DecodedData, NamedValue};
use golem_view::{PartPicture, SaidPicture, UnsignedPicture, Wei};

pub(super) fn said(decoded: DecodedData) -> SaidPicture {
    let part = |part: NamedValue| PartPicture { name: part.name, kind: part.kind, value: part.value };
    SaidPicture { contract: decoded.contract, name: decoded.name, parts: decoded.parts.into_iter().map(part).collect() }
}

/// A transaction that a wallet is shown.
pub(crate) fn unsigned(one: Unsigned) -> UnsignedPicture {
    UnsignedPicture {
        act: one.act,
        to: one.to,
        data: one.data.to_string(),
        value: Wei(one.value.saturating_to()),
        call: one.call.map(said),
    }
}
