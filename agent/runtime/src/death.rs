//! A death beside the law: it is declared on chain ([`declare`]), written down ([`testament`]), left to an heir
//! ([`legacy`]) and to the archive ([`farewell`]), and settled on chain ([`settle`]).

pub(crate) mod acceptance;
pub(crate) mod bloodstain;
pub(crate) mod declare;
pub(crate) mod emergency;
pub(crate) mod farewell;
pub(crate) mod legacy;
pub(crate) mod settle;
pub(crate) mod testament;
