//! Werfel, Ingber and Bar-Yam (2015), "Programed death is favored by natural selection in spatial systems": consumers that die of
//! themselves leave their resource to grow again, and where offspring stay near that feeds their own line.
//!
//! Sites are empty, resource, or resource with a consumer, all changed at once: each resource seeds an empty neighbour with
//! probability g, each consumer a neighbouring resource with its own p, a consumer uses its site up with probability v
//! and dies of itself with its own q, leaving the resource. Offspring have p and q of their parent, now and then a little more or
//! less. Well mixed, the four neighbours are drawn anew from everywhere at every step.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::draw::Draw;

/// A lattice, arm by arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WerfelStudy {
    /// Sites on a side; its edges meet.
    pub side: usize,
    pub steps: u32,
    /// g: how fast the resource grows back.
    pub growth: f64,
    /// v: how fast a consumer uses its site up.
    pub consumption: f64,
    /// How often an offspring differs from its parent in p, and in q.
    pub mutation: f64,
    /// By how much.
    pub change: f64,
    /// q of the first consumers.
    pub first_mortality: f64,
    /// p of the first consumers.
    pub first_reproduction: f64,
    pub arms: Vec<WerfelArm>,
}

/// One arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WerfelArm {
    /// As reports say it.
    pub name: String,
    /// Whether neighbours are neighbours.
    pub spatial: bool,
}

/// What is measured of it.
pub const WERFEL_MEASURES: [(&str, &str); 5] = [
    ("mortality", "mean q of the consumers over the last fifth of the steps"),
    ("least-mortality", "the least q among them at the end"),
    ("reproduction", "mean p of the consumers over the last fifth"),
    ("consumers", "share of sites with a consumer over the last fifth"),
    ("survived", "1 where there are consumers at the end"),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Site {
    Empty,
    Resource,
    Consumer { p: f32, q: f32 },
}

impl WerfelStudy {
    /// Lives one arm under a seed.
    #[must_use]
    pub fn live(&self, arm: &WerfelArm, seed: u64) -> BTreeMap<String, f64> {
        let mut draw = Draw::named(seed, "lattice");
        let sites = self.side * self.side;
        let first = Site::Consumer { p: self.first_reproduction as f32, q: self.first_mortality as f32 };
        let mut now: Vec<Site> = (0..sites)
            .map(|_| match draw.unit() {
                share if share < 0.1 => first,
                share if share < 0.6 => Site::Resource,
                _ => Site::Empty,
            })
            .collect();
        let mut next = now.clone();
        let (mut q_sum, mut p_sum, mut share, mut counted) = (0.0, 0.0, 0.0, 0.0);
        let last_fifth = self.steps - self.steps / 5;
        for step in 0..self.steps {
            self.step(arm, &now, &mut next, &mut draw);
            std::mem::swap(&mut now, &mut next);
            if step >= last_fifth {
                let consumers = consumers(&now);
                if !consumers.is_empty() {
                    q_sum += mean(consumers.iter().map(|(_, q)| *q), consumers.len());
                    p_sum += mean(consumers.iter().map(|(p, _)| *p), consumers.len());
                    counted += 1.0;
                }
                share += consumers.len() as f64 / sites.max(1) as f64;
            }
        }
        let left = consumers(&now);
        let least = left.iter().map(|(_, q)| *q).fold(f64::INFINITY, f64::min);
        let of = f64::max(counted, 1.0);
        let measured = [
            ("mortality", q_sum / of),
            ("least-mortality", if least.is_finite() { least } else { 0.0 }),
            ("reproduction", p_sum / of),
            ("consumers", share / f64::from((self.steps / 5).max(1))),
            ("survived", f64::from(u8::from(!left.is_empty()))),
        ];
        measured.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn step(&self, arm: &WerfelArm, now: &[Site], next: &mut [Site], draw: &mut Draw) {
        for (place, site) in now.iter().enumerate() {
            next[place] = match *site {
                Site::Consumer { .. } if draw.happens(self.consumption) => Site::Empty,
                Site::Consumer { q, .. } if draw.happens(f64::from(q)) => Site::Resource,
                Site::Consumer { .. } => *site,
                Site::Empty => {
                    let around = self.around(arm, place, draw);
                    let seeds = around.iter().filter(|near| now[**near] == Site::Resource).count();
                    let grows = seeds > 0 && !draw.happens(libm::pow(1.0 - self.growth, seeds as f64));
                    if grows { Site::Resource } else { Site::Empty }
                }
                Site::Resource => {
                    let around = self.around(arm, place, draw);
                    self.taken(now, around, draw).unwrap_or(Site::Resource)
                }
            };
        }
    }

    /// The offspring that takes a resource, where one does; of several each as likely.
    fn taken(&self, now: &[Site], around: [usize; 4], draw: &mut Draw) -> Option<Site> {
        let mut parents = [(0.0_f32, 0.0_f32); 4];
        let mut count = 0;
        for near in around {
            if let Site::Consumer { p, q } = now[near]
                && draw.happens(f64::from(p))
            {
                parents[count] = (p, q);
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        let (p, q) = parents[draw.index(count)];
        Some(Site::Consumer { p: self.changed(p, draw), q: self.changed(q, draw) })
    }

    fn changed(&self, value: f32, draw: &mut Draw) -> f32 {
        if !draw.happens(self.mutation) {
            return value;
        }
        let change = if draw.happens(0.5) { self.change } else { -self.change };
        (value + change as f32).clamp(0.0, 1.0)
    }

    fn around(&self, arm: &WerfelArm, place: usize, draw: &mut Draw) -> [usize; 4] {
        let side = self.side;
        if !arm.spatial {
            return std::array::from_fn(|_| draw.index(side * side));
        }
        let (row, column) = (place / side, place % side);
        let at = |row: usize, column: usize| row % side * side + column % side;
        [at(row + side - 1, column), at(row + 1, column), at(row, column + side - 1), at(row, column + 1)]
    }
}

/// p and q of everybody.
fn consumers(sites: &[Site]) -> Vec<(f64, f64)> {
    let all = sites.iter().filter_map(|site| match site {
        Site::Consumer { p, q } => Some((f64::from(*p), f64::from(*q))),
        _ => None,
    });
    all.collect()
}

fn mean(values: impl Iterator<Item = f64>, count: usize) -> f64 {
    values.sum::<f64>() / count.max(1) as f64
}

#[cfg(test)]
#[path = "../tests/werfel.rs"]
mod tests;
