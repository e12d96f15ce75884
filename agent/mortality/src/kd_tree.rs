//! A k-d tree over points under the max norm, exact and deterministic.
//!
//! Own, and small, because the estimator of M-265 asks for three things together that no crate on the registry gives:
//! the max norm, counts *strictly* inside a radius, and any number of equal coordinates (actions and responses repeat;
//! bucket trees that split by value refuse or overflow on them). It splits by position in the sorted order, so equal
//! values never unbalance it.

use crate::ksg::{MAX_NEIGHBOURS, MIN_NEIGHBOURS};

/// Points in a leaf; below this a scan is faster than a descent.
const LEAF_POINTS: usize = 16;

/// Points of `D` coordinates, arranged so that every node is a range of them.
#[derive(Debug)]
pub(crate) struct KdTree<const D: usize> {
    points: Vec<[f64; D]>,
    /// Where each point stood in the caller's order.
    origin: Vec<u32>,
    /// The box around each node's points, children of `n` at `2n + 1` and `2n + 2`.
    boxes: Vec<Bounds<D>>,
}

/// Whether points at exactly the radius count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// Strictly inside.
    Open,
    /// At the radius too.
    Closed,
}

impl Edge {
    fn admits(self, distance: f64, radius: f64) -> bool {
        match self {
            Self::Open => distance < radius,
            Self::Closed => distance <= radius,
        }
    }
}

/// The `K` smallest distances seen so far, ascending.
#[derive(Debug, Clone, Copy)]
struct Nearest<const K: usize>([f64; K]);

impl<const K: usize> Nearest<K> {
    const NONE: Self = Self([f64::INFINITY; K]);

    /// Beyond this nothing matters.
    fn worst(&self) -> f64 {
        self.0[K - 1]
    }

    /// Sifts a distance in. Each place keeps the smaller and passes the larger on, without a branch: whether a distance
    /// belongs is a coin toss, and a guess would cost more than the places.
    #[inline]
    fn offer(&mut self, mut distance: f64) {
        for kept in &mut self.0 {
            let (low, high) = if distance < *kept { (distance, *kept) } else { (*kept, distance) };
            (*kept, distance) = (low, high);
        }
    }
}

/// The points of one leaf with what each has found: they are near one another, so one descent serves them all.
struct Batch<const K: usize> {
    leaf: usize,
    low: usize,
    high: usize,
    nearest: [Nearest<K>; LEAF_POINTS],
    /// The largest of the worst distances: a node farther from the leaf than this helps none of its points.
    reach: f64,
}

impl<const K: usize> Batch<K> {
    fn update_reach(&mut self) {
        let found = &self.nearest[..self.high - self.low];
        self.reach = found.iter().fold(0.0, |reach, n| if n.worst() > reach { n.worst() } else { reach });
    }
}

impl<const D: usize> KdTree<D> {
    /// Arranges `points`; they must be finite and fewer than 2^32.
    pub(crate) fn new(points: &[[f64; D]]) -> Self {
        let mut indexed: Vec<([f64; D], u32)> = points.iter().copied().zip(0..).collect();
        let mut boxes = Vec::new();
        arrange(&mut indexed, 0, &mut boxes);
        let (points, origin) = indexed.into_iter().unzip();
        Self { points, origin, boxes }
    }

    /// The distance from each point to its `k`-th nearest other point, in the caller's order. There must be more than
    /// `k` points.
    pub(crate) fn kth_distances(&self, k: usize) -> Vec<f64> {
        let mut distances = vec![0.0; self.points.len()];
        let (all, out) = (self.points.len(), &mut distances);
        match k {
            3 => self.serve_leaves::<3>(0, 0, all, out),
            4 => self.serve_leaves::<4>(0, 0, all, out),
            5 => self.serve_leaves::<5>(0, 0, all, out),
            6 => self.serve_leaves::<6>(0, 0, all, out),
            7 => self.serve_leaves::<7>(0, 0, all, out),
            _ => unreachable!("the estimator takes {MIN_NEIGHBOURS} to {MAX_NEIGHBOURS} neighbours"),
        }
        distances
    }

    fn serve_leaves<const K: usize>(&self, node: usize, low: usize, high: usize, distances: &mut [f64]) {
        if high - low > LEAF_POINTS {
            let middle = low + (high - low) / 2;
            self.serve_leaves::<K>(2 * node + 1, low, middle, distances);
            self.serve_leaves::<K>(2 * node + 2, middle, high, distances);
            return;
        }
        let mut batch =
            Batch::<K> { leaf: node, low, high, nearest: [Nearest::NONE; LEAF_POINTS], reach: f64::INFINITY };
        let own = &self.points[low..high];
        for (i, (point, nearest)) in own.iter().zip(&mut batch.nearest).enumerate() {
            for (j, other) in own.iter().enumerate() {
                nearest.offer(if i == j { f64::INFINITY } else { max_norm(point, other) });
            }
        }
        batch.update_reach();
        self.search(&mut batch, 0, 0, self.points.len());
        for (nearest, origin) in batch.nearest.iter().zip(&self.origin[low..high]) {
            distances[*origin as usize] = nearest.worst();
        }
    }

    fn search<const K: usize>(&self, batch: &mut Batch<K>, node: usize, low: usize, high: usize) {
        if node == batch.leaf {
            return;
        }
        if high - low <= LEAF_POINTS {
            let others = &self.points[low..high];
            for (point, nearest) in self.points[batch.low..batch.high].iter().zip(&mut batch.nearest) {
                // At exactly the worst distance nothing would change.
                if self.boxes[node].gap(point) >= nearest.worst() {
                    continue;
                }
                for other in others {
                    nearest.offer(max_norm(point, other));
                }
            }
            batch.update_reach();
            return;
        }
        let middle = low + (high - low) / 2;
        let own = self.boxes[batch.leaf];
        let left = (2 * node + 1, low, middle, self.boxes[2 * node + 1].gap_to(&own));
        let right = (2 * node + 2, middle, high, self.boxes[2 * node + 2].gap_to(&own));
        for (node, low, high, gap) in if left.3 <= right.3 { [left, right] } else { [right, left] } {
            if gap < batch.reach {
                self.search(batch, node, low, high);
            }
        }
    }

    /// How many points lie within `radius` of `centre`, the centre itself included when it is one of them.
    pub(crate) fn count_within(&self, centre: &[f64; D], radius: f64, edge: Edge) -> usize {
        self.count(centre, radius, edge, 0, 0, self.points.len())
    }

    fn count(&self, centre: &[f64; D], radius: f64, edge: Edge, node: usize, low: usize, high: usize) -> usize {
        if !edge.admits(self.boxes[node].gap(centre), radius) {
            return 0;
        }
        if high - low <= LEAF_POINTS {
            return self.points[low..high].iter().filter(|p| edge.admits(max_norm(centre, p), radius)).count();
        }
        let middle = low + (high - low) / 2;
        self.count(centre, radius, edge, 2 * node + 1, low, middle)
            + self.count(centre, radius, edge, 2 * node + 2, middle, high)
    }
}

/// The largest coordinate difference.
pub(crate) fn max_norm<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).fold(0.0, |largest, (a, b)| {
        let difference = (a - b).abs();
        if difference > largest { difference } else { largest }
    })
}

/// The corners of the smallest box around some points.
#[derive(Debug, Clone, Copy)]
struct Bounds<const D: usize> {
    low: [f64; D],
    high: [f64; D],
}

impl<const D: usize> Bounds<D> {
    const EMPTY: Self = Self { low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D] };

    fn around(points: &[([f64; D], u32)]) -> Self {
        let mut bounds = Self::EMPTY;
        for (point, _) in points {
            for (axis, &value) in point.iter().enumerate() {
                bounds.low[axis] = if value < bounds.low[axis] { value } else { bounds.low[axis] };
                bounds.high[axis] = if value > bounds.high[axis] { value } else { bounds.high[axis] };
            }
        }
        bounds
    }

    /// The distance no point in the box can be below; zero inside.
    #[inline]
    fn gap(&self, query: &[f64; D]) -> f64 {
        let mut gap = 0.0;
        for (axis, &value) in query.iter().enumerate() {
            let (below, above) = (self.low[axis] - value, value - self.high[axis]);
            gap = if below > gap { below } else { gap };
            gap = if above > gap { above } else { gap };
        }
        gap
    }

    /// The distance no two points of both boxes can be below; zero when they touch.
    #[inline]
    fn gap_to(&self, other: &Self) -> f64 {
        let mut gap = 0.0;
        for axis in 0..D {
            let (below, above) = (self.low[axis] - other.high[axis], other.low[axis] - self.high[axis]);
            gap = if below > gap { below } else { gap };
            gap = if above > gap { above } else { gap };
        }
        gap
    }

    fn widest_axis(&self) -> usize {
        let width = |axis: usize| self.high[axis] - self.low[axis];
        (1..D).fold(0, |widest, axis| if width(axis) > width(widest) { axis } else { widest })
    }
}

fn arrange<const D: usize>(points: &mut [([f64; D], u32)], node: usize, boxes: &mut Vec<Bounds<D>>) {
    if boxes.len() <= node {
        boxes.resize(node + 1, Bounds::EMPTY);
    }
    boxes[node] = Bounds::around(points);
    if points.len() <= LEAF_POINTS {
        return;
    }
    let axis = boxes[node].widest_axis();
    let middle = points.len() / 2;
    // Any arrangement of ties gives the same distances and counts.
    points.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]));
    let (left, right) = points.split_at_mut(middle);
    arrange(left, 2 * node + 1, boxes);
    arrange(right, 2 * node + 2, boxes);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kth_naively<const D: usize>(points: &[[f64; D]], k: usize) -> Vec<f64> {
        (0..points.len())
            .map(|i| {
                let mut others: Vec<f64> =
                    (0..points.len()).filter(|j| *j != i).map(|j| max_norm(&points[i], &points[j])).collect();
                others.sort_by(f64::total_cmp);
                others[k - 1]
            })
            .collect()
    }

    /// Coarse grids give ties in every coordinate and many equal points.
    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![(-4i32..4).prop_map(f64::from), -1e6..1e6, Just(0.0), Just(-0.0)]
    }

    proptest! {
        #[test]
        fn distances_and_counts_are_those_of_a_plain_scan(
            points in proptest::collection::vec([coordinate(), coordinate(), coordinate()], 8..120),
            k in 3usize..=7,
            radius in prop_oneof![Just(0.0), (0u8..5).prop_map(f64::from), 0.0..1e6],
        ) {
            let tree = KdTree::new(&points);
            prop_assert_eq!(tree.kth_distances(k), kth_naively(&points, k));
            for centre in &points {
                for edge in [Edge::Open, Edge::Closed] {
                    let plain = points.iter().filter(|p| edge.admits(max_norm(centre, p), radius)).count();
                    prop_assert_eq!(tree.count_within(centre, radius, edge), plain);
                }
            }
        }
    }
}
