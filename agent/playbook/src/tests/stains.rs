use golem_primitives::Usdc;

use super::*;
use crate::choice::{Circumstances, Limits};
use crate::cost::ONCE;
use crate::hand::Hand;
use crate::makers::{CAPITAL, look};

/// Calm for most looks; from time to time it wavers much and falls by a tenth, and comes back.
fn weather(at: u64) -> Look {
    let noise = |size: f64| ((at.wrapping_mul(2_654_435_761) >> 7) % 1_000) as f64 / 500.0 * size - size;
    let storm = at % 3_000;
    let price = match storm {
        0..2_600 => 1_000.0 * (1.0 + noise(0.000_5)),
        2_600..2_900 => 1_000.0 * (1.0 - (storm - 2_600) as f64 / 3_000.0) * (1.0 + noise(0.008)),
        _ => 1_000.0 * (0.9 + (storm - 2_900) as f64 / 1_000.0) * (1.0 + noise(0.000_5)),
    };
    Look { gas: Usdc::from_micros(1_000), ..look(at, price) }
}

/// Rises out of what looked like a storm instead.
fn recovery(at: u64) -> Look {
    let Look { price, .. } = weather(at);
    let storm = at % 3_000;
    let turned =
        if (2_670..2_900).contains(&storm) { price.micros() + 3_000_000 * (storm - 2_670) } else { price.micros() };
    Look { price: Usdc::from_micros(turned), twap: Usdc::from_micros(turned), ..weather(at) }
}

fn live(hand: &mut Hand, looks: std::ops::Range<u64>, weather: fn(u64) -> Look) -> Vec<u64> {
    let mut heard = Vec::new();
    for at in looks {
        let now = Circumstances { capital: CAPITAL, held: Usdc::ZERO, limits: Limits::NONE, caution_ppm: ONCE };
        hand.look(&weather(at), &now);
        heard.extend(hand.take_surfaced().map(|_| at));
    }
    heard
}

/// The heir of one that died in the middle of its second storm.
fn heir(died_of: CauseKind) -> Hand {
    let mut parent = Hand::new();
    assert!(live(&mut parent, 0..5_750, weather).is_empty(), "nobody died yet");
    let mut heir = parent.heir();
    heir.remember_death(died_of);
    heir
}

/// G-100: an heir is warned when its market looks like the one its line died of, at the next storm and not in the calm, and says so
/// once a storm; what the warning is worth is counted from what follows.
#[test]
fn g_100_a_market_like_that_of_a_death_is_warned_of() {
    let mut hand = heir(CauseKind::Economic);
    let heard = live(&mut hand, 5_750..21_000, weather);
    assert!((4..=20).contains(&heard.len()), "{heard:?}");
    assert!(heard.iter().all(|at| (2_600..2_950).contains(&(at % 3_000)) || *at == 5_750), "{heard:?}");
    assert!(!hand.stains().is_heard(), "the calm is no storm");
    let [stain] = hand.stains().all() else { panic!("one") };
    assert!(stain.right > 0 && !stain.is_silenced(), "{stain:?}");
    assert!(stain.in_words().starts_with("one of the line died of economic: heard, right"), "{}", stain.in_words());
}

/// G-100, D-136: a warning that what follows keeps contradicting falls silent; the heir of who silenced it hears it anew.
#[test]
fn g_100_a_warning_that_cries_wolf_falls_silent() {
    let mut hand = heir(CauseKind::EpistemicSenescence);
    live(&mut hand, 5_750..120_000, recovery);
    let [stain] = hand.stains().all() else { panic!("one") };
    assert!(stain.is_silenced() && stain.wrong > 3, "{stain:?}");
    assert!(live(&mut hand, 120_000..126_000, recovery).is_empty(), "nobody hears it");
    let next = hand.heir();
    assert!(!next.stains().all()[0].is_silenced() && next.stains().all()[0].in_words().ends_with("never heard yet"));
}

/// G-100: who was killed by its owner, by a stop or by chance did not die of its market; one that saw too little has none to show.
#[test]
fn g_100_only_a_market_that_killed_leaves_a_stain() {
    for died_of in CauseKind::ALL.iter().copied() {
        let marks = heir(died_of).stains().all().len();
        let of_market = matches!(died_of, CauseKind::Economic | CauseKind::EpistemicSenescence);
        assert_eq!(marks, usize::from(of_market), "{}", died_of.name());
    }
    let mut young = Hand::new();
    live(&mut young, 0..200, weather);
    young.remember_death(CauseKind::Economic);
    assert!(young.stains().all().is_empty());
    let mut old = heir(CauseKind::Economic);
    (0..20).for_each(|_| old.remember_death(CauseKind::Economic));
    assert_eq!(old.stains().all().len(), MOST_STAINS);
}

/// I-340: a sibling's death is warned of like one of the line, is told as a sibling's, and begins without votes. Siblings push out
/// each other and nobody of the line; what no record could say, and the same twice, is not remembered.
#[test]
fn i_340_a_siblings_death_is_warned_of_and_pushes_out_none_of_the_line() {
    let mut sibling = Hand::new();
    live(&mut sibling, 0..5_750, weather);
    assert_eq!(sibling.market_stain(CauseKind::KillSwitch), None, "it did not die of its market");
    let stain = sibling.market_stain(CauseKind::Economic).expect("it saw enough");
    let voted = MarketStain { right: 3, wrong: 9, is_heard: true, ..stain.clone() };
    let mut hand = Hand::new();
    hand.hear_of_death(&voted);
    hand.hear_of_death(&voted);
    let [kept] = hand.stains().all() else { panic!("{:?}", hand.stains()) };
    assert_eq!(
        *kept,
        MarketStain { is_siblings: true, ..stain.clone() },
        "how often it was right elsewhere is nothing"
    );
    let heard = live(&mut hand, 0..21_000, weather);
    assert!(!heard.is_empty() && heard.iter().all(|at| (2_600..2_950).contains(&(at % 3_000))), "{heard:?}");
    assert!(hand.stains().all()[0].in_words().starts_with("a sibling died of economic"));
    hand.hear_of_death(&MarketStain { spreads: [0; 5], time: 1, ..stain.clone() });
    assert_eq!(hand.stains().all().len(), 1, "nothing moves by nothing");
    let mut line = heir(CauseKind::Economic);
    for time in 0..20 {
        line.hear_of_death(&MarketStain { time, ..stain.clone() });
    }
    let times: Vec<(bool, u64)> = line.stains().all().iter().map(|one| (one.is_siblings, one.time)).collect();
    assert_eq!(times[1..], [(true, 17), (true, 18), (true, 19)], "the newest three");
    assert!(!times[0].0, "the line's stays");
}
