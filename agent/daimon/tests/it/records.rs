use golem_daimon::personality::{Disposition, Personality};
use golem_daimon::{Daimon, Trigger};
use golem_primitives::Bps;

use crate::life::{RULES, moment};

/// a Daimon takes less than 100 KB, however long it lives.
#[test]
fn a_004_a_daimon_is_small() {
    assert!(std::mem::size_of::<Daimon>() < 16 * 1_024, "{} bytes", std::mem::size_of::<Daimon>());
}

/// plain data goes to a record and comes back the same, in the middle of a life.
#[test]
fn a_004_a_daimon_survives_its_record() {
    let mut daimon = Daimon::born(Personality::plain(Disposition::Eros));
    let triggers = [Trigger::TradeLoss { loss: Bps::from(900) }, Trigger::CuratorCycle];
    (1..=120).for_each(|tick| drop(daimon.live(&RULES, &moment(tick, &triggers))));
    let text = serde_json::to_string(&daimon).expect("plain data");
    let mut back: Daimon = serde_json::from_str(&text).expect("what was written is read");
    assert_eq!(back, daimon);
    assert_eq!(back.live(&RULES, &moment(121, &triggers)), daimon.live(&RULES, &moment(121, &triggers)));
    let broken = text.replacen("\"baseline\":[", "\"baseline\":[9999999,", 1);
    assert!(serde_json::from_str::<Daimon>(&broken).is_err(), "a vector out of range is refused");
}
