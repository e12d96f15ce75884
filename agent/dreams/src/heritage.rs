//! What becomes of dreams beyond a life.

use std::collections::BTreeSet;

use crate::inputs::InheritedHypothesis;
use crate::rem::hypothesis::Hypothesis;

/// How a line of the last dream could be confirmed: it names no condition of its own.
const COUNTED_AWAKE: &str = "it comes again awake and is counted";

/// D-020, D-021, D-206, D-247. What dreams leave to a testament: the lines of the last one, then what the last whole one supposed;
/// each once.
#[must_use]
pub fn bequeathed(last: Vec<String>, supposed: &[Hypothesis]) -> Vec<InheritedHypothesis> {
    let lines = last.into_iter().map(|text| InheritedHypothesis { text, criterion: COUNTED_AWAKE.to_owned() });
    let supposed = supposed
        .iter()
        .map(|one| InheritedHypothesis { text: one.description.clone(), criterion: one.minimum_test.clone() });
    let mut said = BTreeSet::new();
    lines.chain(supposed).filter(|one| said.insert(one.text.clone())).collect()
}
