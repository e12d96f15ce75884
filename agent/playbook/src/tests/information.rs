use golem_primitives::Usdc;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::makers::{CAPITAL, gauss, look};
use crate::record::RECORD;

/// A market whose moves are large for a while and small for a while, or of one size.
struct World {
    chance: ChaCha12Rng,
    rows: Vec<Row>,
    information: Information,
    price: f64,
    heat: f64,
    volume: f64,
    gas: f64,
}

impl World {
    fn new(seed: u64) -> Self {
        let chance = ChaCha12Rng::seed_from_u64(seed);
        let (rows, information) = (Vec::new(), Information::default());
        Self { chance, rows, information, price: 2_000.0, heat: 0.0, volume: 0.0, gas: 0.0 }
    }

    /// Lives so many looks and reads after each thousand. Volume and gas wander slowly for themselves in every market.
    fn live(&mut self, looks: usize, clusters: bool) -> Vec<InformationReading> {
        let mut readings = Vec::new();
        for _ in 0..looks {
            for at in 0..3 {
                let push = 0.1 * gauss(&mut self.chance);
                let slow = [&mut self.heat, &mut self.volume, &mut self.gas];
                let value = slow.into_iter().nth(at).expect("three");
                *value = 0.995 * *value + push;
            }
            let size = if clusters { 0.001 * self.heat.exp() } else { 0.001 };
            self.price *= 1.0 + size * gauss(&mut self.chance);
            let level = |usual: f64, by: f64| Usdc::from_micros((usual * by.exp()) as u64);
            let look = crate::look::Look {
                gas: level(50_000.0, self.gas),
                volume: level(5e10, self.volume),
                ..look(self.rows.len() as u64, self.price)
            };
            self.rows.push(Row { look, capital: CAPITAL });
            let at = self.rows.len() as u64;
            if at.is_multiple_of(250) {
                let record = &self.rows[self.rows.len().saturating_sub(RECORD)..];
                readings.extend(self.information.read(record, at));
            }
        }
        readings
    }
}

/// M-265 to M-268, M-274: nothing is said before there are two windows; where moves cluster, their size tells of their size, and is
/// read once in a thousand looks.
#[test]
fn m_268_where_moves_cluster_their_size_tells_of_their_size() {
    let mut world = World::new(1);
    assert!(world.live(2 * WINDOW - 1, true).is_empty(), "M-266");
    let readings = world.live(4_001, true);
    assert_eq!(readings.iter().map(|reading| reading.look).collect::<Vec<_>>(), [8_000, 9_000, 10_000, 11_000, 12_000]);
    for reading in &readings {
        assert!(reading.by == Variable::Moves && reading.bits > 0.2 && reading.past_bits > 0.2, "{reading:?}");
        assert!(!reading.is_lost() && !reading.is_overfit() && reading.grasp.is_none(), "{reading:?}");
    }
    let [.., before, last] = &readings[..] else { panic!("{readings:?}") };
    assert!((last.rate - (last.bits - before.bits) / 1_000.0).abs() < 1e-12);
    assert!(last.best_bits >= before.bits.min(last.bits) && last.best_bits <= 1.0, "M-268 {last:?}");
}

/// M-269, M-270: when moves stop clustering what was known is lost, once, and what the past told is told apart from it; when they
/// cluster again it is regained.
#[test]
fn m_269_what_was_known_is_lost_and_regained() {
    let (mut lost, mut overfit) = (0, 0);
    for seed in 10..18 {
        let mut world = World::new(seed);
        assert!(world.live(12_000, true).iter().all(|reading| reading.grasp.is_none()), "{seed}");
        let readings = world.live(8_000, false);
        let turns: Vec<_> = readings.iter().filter_map(|reading| reading.grasp).collect();
        lost += usize::from(turns == [Grasp::Lost]);
        overfit += usize::from(readings.iter().any(InformationReading::is_overfit));
        let back = world.live(8_000, true);
        assert!(back.last().is_some_and(|reading| !reading.is_lost()), "{seed}");
    }
    assert!(lost >= 7 && overfit >= 7, "of eight: lost {lost}, overfit {overfit}");
}

/// M-264, M-276: where nothing tells anything, nothing is known and so nothing can be lost, however slowly what is seen wanders:
/// readings of twenty markets.
#[test]
fn m_276_slow_wanderers_raise_no_alarm() {
    let mut alarms = 0;
    for seed in 100..120 {
        let readings = World::new(seed).live(14_000, false);
        alarms += readings.iter().filter(|reading| reading.is_lost() || reading.is_overfit()).count();
    }
    assert_eq!(alarms, 0);
}
