use super::*;

fn law(looks: usize) -> WorldLaw {
    WorldLaw { looks, edge: None, crashes: 0.0, gas_regimes: false, prices: None }
}

fn returns(path: &MarketPath) -> Vec<f64> {
    let prices: Vec<f64> = path.looks.iter().map(|look| look.price.micros() as f64).collect();
    prices.windows(2).map(|pair| pair[1] / pair[0] - 1.0).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Of a series and the same `lag` later.
fn correlation(values: &[f64], lag: usize) -> f64 {
    let middle = mean(values);
    let square = |(a, b): (&f64, &f64)| (a - middle) * (b - middle);
    values.iter().zip(&values[lag..]).map(square).sum::<f64>() / values.iter().map(|a| square((a, a))).sum::<f64>()
}

/// a market is a function of its seed.
#[test]
fn r_002_a_market_is_a_function_of_its_seed() {
    assert_eq!(law(500).path(7), law(500).path(7));
    assert_ne!(law(500).path(7), law(500).path(8));
}

/// Fat tails and volatility that clusters, and nothing to be known of the next move: over seeds the price neither goes anywhere nor
/// comes back.
#[test]
fn a_market_without_an_edge_has_tails_and_clusters_and_no_free_lunch() {
    let (mut memory, mut ends, mut kurtosis, mut clusters) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for seed in 0..40 {
        let moves = returns(&law(6_000).path(seed));
        let squares: Vec<f64> = moves.iter().map(|one| one * one).collect();
        let fourth = mean(&squares.iter().map(|one| one * one).collect::<Vec<_>>());
        kurtosis.push(fourth / (mean(&squares) * mean(&squares)));
        let sizes: Vec<f64> = moves.iter().map(|one| one.abs()).collect();
        clusters.push(correlation(&sizes, 50));
        memory.push(correlation(&moves, 1));
        ends.push(moves.iter().sum::<f64>());
    }
    assert!(mean(&kurtosis) > 10.0, "{}", mean(&kurtosis));
    assert!(mean(&clusters) > 0.1, "moves of fifty looks ago tell of the size of this one: {}", mean(&clusters));
    let within = |values: &[f64]| {
        let test = crate::paired::PairedTest::of(values).expect("forty seeds");
        assert!(test.low < 0.0 && 0.0 < test.high, "{test:?}");
    };
    within(&memory);
    within(&ends);
}

/// An edge pays whoever waits for it and leaves; that it pays whoever stands is not seen in so few markets.
#[test]
fn an_edge_pays_for_timing_and_little_for_standing() {
    let edge = EdgeLaw { gain: 0.6, over: 30, depth: 1.5, epoch: 3_000, pause: 1_000, drifts: false };
    let (mut timed, mut stood) = (Vec::new(), Vec::new());
    for seed in 0..24 {
        let path = WorldLaw { edge: Some(edge.clone()), ..law(8_000) }.path(seed);
        assert!(path.is_edge.iter().any(|is_edge| *is_edge) && path.is_edge.iter().any(|is_edge| !is_edge));
        let prices: Vec<f64> = path.looks.iter().map(|look| look.price.micros() as f64).collect();
        stood.push(100.0 * (prices[7_999] / prices[0] - 1.0));
        let mut at = 64;
        while at + 31 < prices.len() {
            let window = &prices[at - 31..=at];
            let middle = mean(window);
            let deviation =
                libm::sqrt(mean(&window.iter().map(|one| (one - middle) * (one - middle)).collect::<Vec<_>>()));
            let is_moment = path.is_edge[at] && (prices[at] - middle) / deviation <= -1.5;
            if is_moment {
                timed.push(100.0 * (prices[at + 31] / prices[at + 1] - 1.0));
            }
            at += if is_moment { 31 } else { 1 };
        }
    }
    let timed = crate::paired::PairedTest::of(&timed).expect("many falls");
    assert!(timed.low > 0.1, "more than going in and out costs: {timed:?}");
    let stood = crate::paired::PairedTest::of(&stood).expect("seeds");
    assert!(stood.low < 0.0, "{stood:?}");
}

/// Crashes come, are paid for by a drift, and gas has dear times.
#[test]
fn crashes_fall_far_and_gas_has_regimes() {
    let wild = WorldLaw { crashes: 5.0, gas_regimes: true, ..law(20_000) };
    let path = wild.path(3);
    let calm = law(20_000).path(3);
    let begins = (1..20_000).filter(|at| path.is_crash[*at] && !path.is_crash[at - 1]);
    let crashes = begins.count();
    assert!((3..=25).contains(&crashes), "about ten: {crashes}");
    let gas = |path: &MarketPath| path.looks.iter().map(|look| look.gas.micros()).sum::<u64>();
    assert!(gas(&path) > gas(&calm), "the same spikes, and dear weeks beside them");
    let worst = |path: &MarketPath| returns(path).windows(30).map(|few| few.iter().sum::<f64>()).fold(0.0, f64::min);
    assert!(worst(&path) < -0.11, "{}", worst(&path));
}

/// P-080: a market of a file is made of its blocks, of its older half to tune on and of its newer half to try on.
#[test]
fn p_080_a_market_of_a_file_keeps_training_and_trial_apart() {
    let mut past = law(4_000).path(1).looks;
    for look in &mut past[2_000..] {
        look.gas = Usdc::whole(9);
    }
    let world = law(3_000);
    let (training, trial) = (world.path_of(&past, 5, true), world.path_of(&past, 5, false));
    assert_eq!((training.looks.len(), trial.looks.len()), (3_000, 3_000));
    assert!(training.looks.iter().all(|look| look.gas != Usdc::whole(9)));
    assert!(trial.looks.iter().all(|look| look.gas == Usdc::whole(9)));
    assert!(trial.looks.windows(2).all(|pair| pair[1].time > pair[0].time));
}
