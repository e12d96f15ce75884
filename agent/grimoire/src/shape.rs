//! The shape of what is known, and what lies far outside of it (I-071, I-072).

/// I-072. Entries below which nothing can be called unusual.
const LEAST_ENTRIES: usize = 50;
/// I-072. Clusters at most.
const MOST_CLUSTERS: usize = 5;
/// Rounds of the clustering; it settles long before on any Grimoire.
const ROUNDS: usize = 25;
/// How many standard deviations beyond the mean distance of a cluster are far outside. The sources say far; this is ours.
const FAR: f64 = 3.0;

/// I-072. Clusters of a Grimoire of `entries` entries; `None` when it is too small and layer 2 carries the load.
fn cluster_count(entries: usize) -> Option<usize> {
    (entries >= LEAST_ENTRIES).then(|| MOST_CLUSTERS.min(entries / 10))
}

/// I-071, I-072. The shape of what is known: centres and how far their own lie from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    centres: Vec<(Vec<f32>, f64)>,
}

/// One less the cosine; what has no direction is as far as what has nothing in common.
fn distance(a: &[f32], b: &[f32]) -> f64 {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    let norms = libm::sqrt(dot(a, a)) * libm::sqrt(dot(b, b));
    1.0 - if norms > 0.0 { (dot(a, b) / norms).clamp(-1.0, 1.0) } else { 0.0 }
}

fn nearest(centres: &[Vec<f32>], of: &[f32]) -> (usize, f64) {
    let distances = centres.iter().map(|centre| distance(centre, of)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))).unwrap_or((0, 1.0))
}

impl Shape {
    /// I-072. Clusters the vectors of a Grimoire, given in the order of their ids, so that the same Grimoire has the same
    /// shape. Starts are not drawn: each next one is the farthest from those before. `None` below fifty.
    #[must_use]
    pub fn of(vectors: &[&[f32]]) -> Option<Self> {
        let count = cluster_count(vectors.len())?;
        let mut centres: Vec<Vec<f32>> = vec![vectors[0].to_vec()];
        while centres.len() < count {
            let far = vectors.iter().enumerate().map(|(at, of)| (nearest(&centres, of).1, at));
            let (_, at) = far.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
            centres.push(vectors[at].to_vec());
        }
        let mut homes: Vec<usize> = Vec::new();
        for _ in 0..ROUNDS {
            let next: Vec<usize> = vectors.iter().map(|of| nearest(&centres, of).0).collect();
            if next == homes {
                break;
            }
            homes = next;
            for (at, centre) in centres.iter_mut().enumerate() {
                let own = vectors.iter().zip(&homes).filter(|(_, home)| **home == at).map(|(of, _)| *of);
                recentre(centre, own);
            }
        }
        let limits = (0..centres.len()).map(|at| {
            let own = vectors.iter().zip(&homes).filter(|(_, home)| **home == at);
            limit(&own.map(|(of, _)| distance(&centres[at], of)).collect::<Vec<_>>())
        });
        let limits: Vec<f64> = limits.collect();
        Some(Self { centres: centres.into_iter().zip(limits).collect() })
    }

    /// I-071. Whether a vector lies far outside: beyond the limit of every cluster.
    #[must_use]
    pub fn is_anomalous(&self, vector: &[f32]) -> bool {
        self.centres.iter().all(|(centre, limit)| distance(centre, vector) > *limit)
    }
}

fn recentre<'a>(centre: &mut [f32], own: impl Iterator<Item = &'a [f32]>) {
    let mut sum = vec![0.0f64; centre.len()];
    let mut count = 0.0;
    for vector in own {
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += f64::from(*value));
        count += 1.0;
    }
    if count > 0.0 {
        centre.iter_mut().zip(sum).for_each(|(centre, sum)| *centre = (sum / count) as f32);
    }
}

fn limit(distances: &[f64]) -> f64 {
    let count = distances.len().max(1) as f64;
    let mean = distances.iter().sum::<f64>() / count;
    let variance = distances.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / count;
    // A cluster of equals has no spread; what is nearly equal to it is still at home.
    mean + FAR * libm::sqrt(variance) + 0.01
}

#[cfg(test)]
mod tests {
    use super::*;

    /// I-072: W-51.
    #[test]
    fn i_072_w_51_small_grimoires_are_not_clustered() {
        for (entries, clusters) in [(49, None), (50, Some(5)), (200, Some(5)), (0, None)] {
            assert_eq!(cluster_count(entries), clusters, "W-51 {entries}");
        }
        assert_eq!(Shape::of(&vec![&[1.0f32, 0.0][..]; 49]), None);
    }

    /// I-071: what lies with the others is at home, the opposite is not; the same entries give the same shape.
    #[test]
    fn i_071_the_far_outside_is_flagged() {
        let vectors: Vec<Vec<f32>> =
            (0..60).map(|n| vec![1.0, 0.02 * (n % 7) as f32, if n % 2 == 0 { 1.0 } else { 0.0 }]).collect();
        let slices: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        let shape = Shape::of(&slices).expect("enough");
        assert!(vectors.iter().filter(|vector| shape.is_anomalous(vector)).count() <= 3);
        assert!(shape.is_anomalous(&[-1.0, 0.0, 0.0]) && shape.is_anomalous(&[0.0, 1.0, 0.0]));
        assert!(shape.is_anomalous(&[0.0, 0.0, 0.0]), "no direction is no home");
        assert_eq!(Shape::of(&slices), Some(shape));
    }
}
