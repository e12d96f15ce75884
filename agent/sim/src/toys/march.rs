//! March (1991), "Exploration and exploitation in organizational learning": members learn from a code, the code from those who know
//! more than it does, and newcomers bring in what nobody believes any more.
//!
//! As the text has it: beliefs are -1, 0 or 1 on each dimension of a reality of -1 and 1. A member takes a belief of the code
//! that is not 0 over with probability p1 at once (the program behind the paper did so in two steps); the code changes a
//! belief with probability 1 - (1 - p2)^k, k the superior members against it less those for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::draw::Draw;

/// An organisation, arm by arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarchStudy {
    /// Dimensions of reality.
    pub dimensions: usize,
    pub members: usize,
    pub periods: u32,
    /// Organisations under one seed; a seed's figure is their mean.
    pub organisations: u32,
    pub arms: Vec<MarchArm>,
}

/// One arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarchArm {
    /// As reports say it.
    pub name: String,
    /// p1: how readily members learn from the code.
    pub socialisation: f64,
    /// p2: how readily the code learns from members.
    pub learning: f64,
    /// p3: the share of members replaced in a period.
    pub turnover: f64,
    /// p4: the chance that a dimension of reality turns in a period.
    pub turbulence: f64,
}

/// What is measured of it.
pub const MARCH_MEASURES: [(&str, &str); 3] = [
    ("code", "knowledge of the code at the end, share of reality"),
    ("members", "mean knowledge of the members at the end"),
    ("replaced", "members replaced"),
];

struct Organisation {
    reality: Vec<i8>,
    code: Vec<i8>,
    members: Vec<Vec<i8>>,
    replaced: u64,
    draw: Draw,
}

fn naive(dimensions: usize, draw: &mut Draw) -> Vec<i8> {
    (0..dimensions).map(|_| draw.index(3) as i8 - 1).collect()
}

fn right(beliefs: &[i8], reality: &[i8]) -> usize {
    beliefs.iter().zip(reality).filter(|(belief, truth)| belief == truth).count()
}

impl Organisation {
    fn new(study: &MarchStudy, mut draw: Draw) -> Self {
        let reality = (0..study.dimensions).map(|_| if draw.happens(0.5) { 1 } else { -1 }).collect();
        let members = (0..study.members).map(|_| naive(study.dimensions, &mut draw)).collect();
        Self { reality, code: vec![0; study.dimensions], members, replaced: 0, draw }
    }

    fn period(&mut self, arm: &MarchArm) {
        let knows = right(&self.code, &self.reality);
        let superior: Vec<bool> = self.members.iter().map(|member| right(member, &self.reality) > knows).collect();
        let next = self.learnt(&superior, arm.learning);
        for member in &mut self.members {
            for (belief, code) in member.iter_mut().zip(&self.code) {
                if *code != 0 && belief != code && self.draw.happens(arm.socialisation) {
                    *belief = *code;
                }
            }
        }
        self.code = next;
        for member in &mut self.members {
            if self.draw.happens(arm.turnover) {
                *member = naive(self.reality.len(), &mut self.draw);
                self.replaced += 1;
            }
        }
        for truth in &mut self.reality {
            if self.draw.happens(arm.turbulence) {
                *truth = -*truth;
            }
        }
    }

    /// What the code believes after a period. Who believes nothing of a dimension has no voice in what is dominant there.
    fn learnt(&mut self, superior: &[bool], learning: f64) -> Vec<i8> {
        let mut code = self.code.clone();
        for (place, belief) in code.iter_mut().enumerate() {
            let voices = || self.members.iter().zip(superior).filter(|(_, is_superior)| **is_superior);
            let count = |of: i8| voices().filter(|(member, _)| member[place] == of).count() as i32;
            let (yes, no) = (count(1), count(-1));
            let dominant = (yes - no).signum() as i8;
            if dominant == 0 || dominant == *belief {
                continue;
            }
            let stays = libm::pow(1.0 - learning, f64::from((yes - no).abs()));
            if !self.draw.happens(stays) {
                *belief = dominant;
            }
        }
        code
    }
}

impl MarchStudy {
    /// Lives one arm under a seed.
    #[must_use]
    pub fn live(&self, arm: &MarchArm, seed: u64) -> BTreeMap<String, f64> {
        let (mut code, mut members, mut replaced) = (0.0, 0.0, 0.0);
        for number in 0..self.organisations {
            let draw = Draw::named(seed, &format!("organisation {number}"));
            let mut organisation = Organisation::new(self, draw);
            (0..self.periods).for_each(|_| organisation.period(arm));
            let share = |beliefs: &[i8]| right(beliefs, &organisation.reality) as f64 / self.dimensions.max(1) as f64;
            code += share(&organisation.code);
            members +=
                organisation.members.iter().map(|member| share(member)).sum::<f64>() / self.members.max(1) as f64;
            replaced += organisation.replaced as f64;
        }
        let of = f64::from(self.organisations.max(1));
        let measured = [("code", code / of), ("members", members / of), ("replaced", replaced / of)];
        measured.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

#[cfg(test)]
#[path = "../tests/march.rs"]
mod tests;
