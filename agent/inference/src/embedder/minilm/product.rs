//! Matrix products with the widest vectors the machine has, chosen at run time and without unsafe code.
//!
//! The right side is packed once into panels of sixteen columns, so that a product reads it from start to end; the left
//! side is packed for each product. Every element is summed in the same order whatever stands beside it, so a text's
//! vector does not depend on the texts it is embedded with.

use pulp::{Arch, Simd, WithSimd};

/// Columns of a panel: one register of the widest machine, two or four of others.
const PANEL: usize = 16;

/// The right side of a product: `depth` rows, `width` columns, padded with zeros to whole panels.
#[derive(Debug, Default)]
pub(super) struct Packed {
    panels: Vec<f32>,
    depth: usize,
    width: usize,
}

impl Packed {
    /// Packs the matrix whose element in row `k` and column `n` is `at(k, n)`.
    pub(super) fn new(depth: usize, width: usize, at: impl Fn(usize, usize) -> f32) -> Self {
        let mut packed = Self::default();
        packed.refill(depth, width, at);
        packed
    }

    /// Packs another matrix into the same memory.
    pub(super) fn refill(&mut self, depth: usize, width: usize, at: impl Fn(usize, usize) -> f32) {
        (self.depth, self.width) = (depth, width);
        self.panels.clear();
        self.panels.resize(depth * width.next_multiple_of(PANEL), 0.0);
        for (panel, rows) in self.panels.chunks_exact_mut(depth * PANEL).enumerate() {
            let first = panel * PANEL;
            let columns = PANEL.min(width - first);
            for (k, row) in rows.chunks_exact_mut(PANEL).enumerate() {
                for (n, element) in row[..columns].iter_mut().enumerate() {
                    *element = at(k, first + n);
                }
            }
        }
    }
}

/// Rows inside a larger matrix: where they begin in it and how far apart they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows {
    pub(super) count: usize,
    pub(super) stride: usize,
}

/// What a product needs beside its operands; kept, so that a whole forward pass allocates it once.
#[derive(Debug)]
pub(super) struct Multiplier {
    arch: Arch,
    blocks: Vec<f32>,
}

impl Multiplier {
    pub(super) fn new() -> Self {
        Self { arch: Arch::new(), blocks: Vec::new() }
    }

    /// What the vector instructions of this machine are for.
    pub(super) const fn arch(&self) -> Arch {
        self.arch
    }

    /// `out = left * right + bias`, where an empty bias is zero. `left` has as many columns as `right` is deep.
    pub(super) fn multiply(
        &mut self,
        left: &[f32],
        from: Rows,
        right: &Packed,
        bias: &[f32],
        out: &mut [f32],
        to: usize,
    ) {
        let blocks = &mut self.blocks;
        self.arch.dispatch(Product { left, from, right, bias, out, to, blocks });
    }
}

struct Product<'a> {
    left: &'a [f32],
    from: Rows,
    right: &'a Packed,
    bias: &'a [f32],
    out: &'a mut [f32],
    to: usize,
    blocks: &'a mut Vec<f32>,
}

impl WithSimd for Product<'_> {
    type Output = ();

    // Inlined into the one function that may use the wide registers; otherwise it would not use them.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // The sums of a tile fill most of the registers, and none of them spills.
        match S::F32_LANES {
            16 => self.tiles::<S, 12, 1>(simd),
            8 => self.tiles::<S, 6, 2>(simd),
            4 => self.tiles::<S, 4, 4>(simd),
            _ => self.tiles::<S, 1, 16>(simd),
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn tiles<S: Simd, const R: usize, const V: usize>(self, simd: S) {
        let Self { left, from, right, bias, out, to, blocks } = self;
        let depth = right.depth;
        pack_rows::<R>(left, from, depth, blocks);
        for (panel, weights) in right.panels.chunks_exact(depth * PANEL).enumerate() {
            let first = panel * PANEL;
            let columns = PANEL.min(right.width - first);
            let mut start = [0.0; PANEL];
            if !bias.is_empty() {
                start[..columns].copy_from_slice(&bias[first..first + columns]);
            }
            for (block, rows) in blocks.chunks_exact(depth * R).enumerate() {
                let sums = tile::<S, R, V>(simd, rows, weights, &start);
                for (r, sum) in sums.iter().enumerate().take(from.count - block * R) {
                    let place = (block * R + r) * to + first;
                    out[place..place + columns].copy_from_slice(&sum[..columns]);
                }
            }
        }
    }
}

/// R rows at a time, the R elements of a column side by side; missing rows are zero.
#[inline(always)]
fn pack_rows<const R: usize>(left: &[f32], from: Rows, depth: usize, blocks: &mut Vec<f32>) {
    blocks.clear();
    blocks.resize(from.count.next_multiple_of(R) * depth, 0.0);
    for (block, rows) in blocks.chunks_exact_mut(depth * R).enumerate() {
        for r in 0..R.min(from.count - block * R) {
            let row = &left[(block * R + r) * from.stride..][..depth];
            for (column, element) in rows.as_chunks_mut::<R>().0.iter_mut().zip(row) {
                column[r] = *element;
            }
        }
    }
}

/// R rows against one panel.
#[inline(always)]
fn tile<S: Simd, const R: usize, const V: usize>(
    simd: S,
    rows: &[f32],
    panel: &[f32],
    start: &[f32; PANEL],
) -> [[f32; PANEL]; R] {
    let begin: [S::f32s; V] = std::array::from_fn(|v| S::as_simd_f32s(start).0[v]);
    let mut sums = [begin; R];
    let panel = S::as_simd_f32s(panel).0.as_chunks::<V>().0;
    for (column, weights) in rows.as_chunks::<R>().0.iter().zip(panel) {
        for r in 0..R {
            let element = simd.splat_f32s(column[r]);
            for v in 0..V {
                sums[r][v] = simd.mul_add_e_f32s(element, weights[v], sums[r][v]);
            }
        }
    }
    let mut out = [[0.0; PANEL]; R];
    for (out, sums) in out.iter_mut().zip(sums) {
        S::as_mut_simd_f32s(out).0.copy_from_slice(&sums);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(left: &[f32], count: usize, right: impl Fn(usize, usize) -> f32, depth: usize, width: usize) -> Vec<f64> {
        let sum =
            |r: usize, n: usize| (0..depth).map(|k| f64::from(left[r * depth + k]) * f64::from(right(k, n))).sum();
        (0..count).flat_map(|r| (0..width).map(move |n| (r, n))).map(|(r, n)| sum(r, n)).collect()
    }

    proptest! {
        #[test]
        fn a_product_is_what_three_plain_loops_say(count in 1_usize..30, depth in 1_usize..50, width in 1_usize..50, seed in any::<u32>()) {
            let number = |i: usize| ((i as u32).wrapping_mul(2_654_435_761).wrapping_add(seed) >> 8) as f32 / 8_388_608.0 - 1.0;
            let left: Vec<f32> = (0..count * depth).map(number).collect();
            let right = |k: usize, n: usize| number(k * width + n + 7);
            let mut out = vec![f32::NAN; count * width];
            let packed = Packed::new(depth, width, right);
            let bias: Vec<f32> = (0..width).map(|n| n as f32).collect();
            Multiplier::new().multiply(&left, Rows { count, stride: depth }, &packed, &bias, &mut out, width);
            for (place, (got, expected)) in out.iter().zip(plain(&left, count, right, depth, width)).enumerate() {
                let expected = expected + (place % width) as f64;
                prop_assert!((f64::from(*got) - expected).abs() < 1e-4, "{place}: {got} is not {expected}");
            }
        }
    }
}
