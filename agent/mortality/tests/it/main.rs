//! Whole lives against the traces of the catalogue.

mod traces;
