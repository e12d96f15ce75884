//! The forward pass of BERT over several texts at once, without padding: their tokens stand below each other, and only
//! attention looks at where one text ends.

use std::ops::Range;

use super::pointwise::{AddAndNorm, Gelu, Softmax};
use super::product::{Multiplier, Packed, Rows};
use super::weights::{HEAD, HEADS, HIDDEN, INNER, Layer, Norm, Weights};

/// The mean of each text's last hidden states, not yet of length one. Every id is of the vocabulary, every text has at
/// least one and at most as many as the model has positions.
pub(super) fn forward(weights: &Weights, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(texts.len());
    for ids in texts {
        let start = ranges.last().map_or(0, |range| range.end);
        ranges.push(start..start + ids.len());
    }
    let mut pass = Pass::new(weights, texts);
    for layer in &weights.layers {
        pass.attend(layer, &ranges);
        pass.think(layer);
    }
    ranges.iter().map(|range| mean(&pass.hidden[range.start * HIDDEN..range.end * HIDDEN])).collect()
}

fn mean(rows: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0_f32; HIDDEN];
    for row in rows.chunks_exact(HIDDEN) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    let count = (rows.len() / HIDDEN) as f32;
    sums.iter().map(|sum| sum / count).collect()
}

/// The memory of one pass.
struct Pass {
    multiplier: Multiplier,
    hidden: Vec<f32>,
    /// Queries, keys and values of each token.
    attention: Vec<f32>,
    context: Vec<f32>,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    scores: Vec<f32>,
    side: Packed,
}

impl Pass {
    fn new(weights: &Weights, texts: &[Vec<u32>]) -> Self {
        let tokens = texts.iter().map(Vec::len).sum::<usize>();
        let longest = texts.iter().map(Vec::len).max().unwrap_or(0);
        let mut hidden = Vec::with_capacity(tokens * HIDDEN);
        let mut places = Vec::with_capacity(tokens * HIDDEN);
        for ids in texts {
            for id in ids {
                hidden.extend_from_slice(&weights.words[*id as usize * HIDDEN..][..HIDDEN]);
            }
            places.extend_from_slice(&weights.places[..ids.len() * HIDDEN]);
        }
        let mut pass = Self {
            multiplier: Multiplier::new(),
            hidden,
            attention: vec![0.0; tokens * 3 * HIDDEN],
            context: vec![0.0; tokens * HIDDEN],
            wide: vec![0.0; tokens * INNER],
            narrow: places,
            scores: vec![0.0; longest * longest],
            side: Packed::default(),
        };
        pass.absorb(&weights.norm);
        pass
    }

    fn rows(&self, stride: usize) -> Rows {
        Rows { count: self.hidden.len() / HIDDEN, stride }
    }

    /// Adds what is in `narrow` to the hidden states and norms them.
    fn absorb(&mut self, norm: &Norm) {
        self.multiplier.arch().dispatch(AddAndNorm { rows: &mut self.hidden, more: &self.narrow, norm });
    }

    fn attend(&mut self, layer: &Layer, ranges: &[Range<usize>]) {
        let rows = self.rows(HIDDEN);
        let (weight, bias) = (&layer.attention.weight, &layer.attention.bias);
        self.multiplier.multiply(&self.hidden, rows, weight, bias, &mut self.attention, 3 * HIDDEN);
        for range in ranges {
            for head in 0..HEADS {
                self.attend_with(head, range.clone());
            }
        }
        let (weight, bias) = (&layer.attended.weight, &layer.attended.bias);
        self.multiplier.multiply(&self.context, rows, weight, bias, &mut self.narrow, HIDDEN);
        self.absorb(&layer.attended_norm);
    }

    /// One head over one text: how much each token looks at each other, and what it sees there.
    fn attend_with(&mut self, head: usize, text: Range<usize>) {
        let count = text.len();
        let stride = 3 * HIDDEN;
        let states = &self.attention[text.start * stride..text.end * stride];
        let (queries, keys, values) = (head * HEAD, HIDDEN + head * HEAD, 2 * HIDDEN + head * HEAD);
        self.side.refill(HEAD, count, |k, token| states[token * stride + keys + k]);
        let scores = &mut self.scores[..count * count];
        self.multiplier.multiply(&states[queries..], Rows { count, stride }, &self.side, &[], scores, count);
        self.multiplier.arch().dispatch(Softmax { scores: &mut *scores, width: count });
        self.side.refill(count, HEAD, |token, k| states[token * stride + values + k]);
        let context = &mut self.context[text.start * HIDDEN + head * HEAD..];
        self.multiplier.multiply(scores, Rows { count, stride: count }, &self.side, &[], context, HIDDEN);
    }

    fn think(&mut self, layer: &Layer) {
        let (rows, wide_rows) = (self.rows(HIDDEN), self.rows(INNER));
        let (weight, bias) = (&layer.inner.weight, &layer.inner.bias);
        self.multiplier.multiply(&self.hidden, rows, weight, bias, &mut self.wide, INNER);
        self.multiplier.arch().dispatch(Gelu(&mut self.wide));
        let (weight, bias) = (&layer.outer.weight, &layer.outer.bias);
        self.multiplier.multiply(&self.wide, wide_rows, weight, bias, &mut self.narrow, HIDDEN);
        self.absorb(&layer.outer_norm);
    }
}
