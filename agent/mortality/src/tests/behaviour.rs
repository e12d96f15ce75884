use super::*;

fn row(phase: Phase) -> &'static Behaviour {
    Behaviour::of(phase)
}

/// M-128 to M-132: what a model may be asked for shrinks with vitality, and T3 is the death reflection's alone.
#[test]
fn m_132_inference_narrows_to_the_death_reflection() {
    assert_eq!(Phase::ALL.map(|phase| row(phase).ceiling), [Tier::T0, Tier::T1, Tier::T1, Tier::T2, Tier::T2]);
    let alone = |phase| row(phase).death_reflection.is_some() == (phase == Phase::Terminal);
    assert!(Phase::ALL.into_iter().all(alone));
    assert!(row(Phase::Declining).token_limit.is_some() && row(Phase::Conservation).token_limit.is_none(), "M-131");
}

/// M-134, I-063, I-064, M-103, M-068, C-16: the worse the phase, the more is given away, and what lowers it most holds.
#[test]
fn m_134_the_lowest_sharing_threshold_holds() {
    let thresholds = Phase::ALL.map(|phase| Behaviour::of(phase).sharing.get());
    assert_eq!(thresholds, [100_000, 300_000, 400_000, 500_000, 600_000]);
    let hazard = |rate| Hazard::from_rate(rate).expect("a rate");
    assert_eq!(
        sharing_threshold(Phase::Thriving, hazard(1e-6), SenescenceStage::Sound),
        Ppm::of(599_400),
        "by hazard, M-110"
    );
    assert_eq!(sharing_threshold(Phase::Stable, hazard(1e-6), SenescenceStage::Warning), Ppm::of(500_000), "by phase");
    assert_eq!(sharing_threshold(Phase::Thriving, hazard(1e-3), SenescenceStage::Sound), Ppm::of(300_000));
    assert_eq!(
        sharing_threshold(Phase::Thriving, hazard(1e-6), SenescenceStage::Confirmed),
        SENESCENT_SHARING,
        "M-068"
    );
    assert_eq!(sharing_threshold(Phase::Terminal, hazard(1e-6), SenescenceStage::Confirmed), Ppm::of(100_000));
}

/// M-136: no phase from Conservation down opens anything; every phase can close.
#[test]
fn m_136_no_model_opens_a_position_below_stable() {
    for phase in Phase::ALL {
        assert_eq!(Behaviour::of(phase).permits(ActionKind::RaiseExposure), phase >= Phase::Stable, "{phase}");
        assert!(
            Behaviour::of(phase).permits(ActionKind::LowerExposure) && Behaviour::of(phase).permits(ActionKind::Read)
        );
        assert_eq!(Behaviour::of(phase).permits(ActionKind::Survival), phase > Phase::Terminal);
    }
}

/// M-139: W-96. The phase's ceiling still binds.
#[test]
fn m_139_deliberation_meets_w_96() {
    for ((vitality, arousal, confidence), expected) in [
        ((900_000, 100_000, 800_000), 0.399252),
        ((600_000, 400_000, 500_000), 0.3036),
        ((300_000, 900_000, 300_000), 0.223491),
        ((50_000, 800_000, 200_000), 0.198198),
    ] {
        let got = deliberation_threshold(Ppm::of(vitality), Ppm::of(arousal), Ppm::of(confidence));
        assert_eq!(got, Ppm::round(expected), "W-96");
    }
    assert_eq!(deliberation_tier(Tier::T0, true, Phase::Stable), Tier::T2);
    assert_eq!(deliberation_tier(Tier::T0, true, Phase::Conservation), Tier::T1);
    assert_eq!(deliberation_tier(Tier::T0, false, Phase::Stable), Tier::T0);
}

/// M-140: the cage is a bound no phase can lift.
#[test]
fn m_140_risk_never_exceeds_the_cage() {
    for phase in Phase::ALL {
        for cage in [0, 300_000, 1_000_000].map(Ppm::of) {
            let risk = Behaviour::of(phase).risk_within(cage);
            assert!(risk <= cage && risk <= Behaviour::of(phase).risk);
        }
    }
}

/// Rows stand where their phase looks for them.
#[test]
fn every_phase_finds_its_own_row() {
    for phase in Phase::ALL {
        assert_eq!(Behaviour::of(phase).phase, phase);
    }
}

/// M-127 to M-132: with each worse phase a Golem does less, risks less and dreams less; every phase has a way of its own, the best alone
/// replicates, the Curator slows and then rests, and only the declining write death snapshots.
#[test]
fn m_127_a_worse_phase_does_less() {
    for pair in Phase::ALL.windows(2) {
        let (worse, better) = (row(pair[0]), row(pair[1]));
        assert!(worse.risk < better.risk && worse.dream_share < better.dream_share, "{}", worse.phase);
        assert!(worse.strategy != better.strategy && worse.phages_a_day <= better.phages_a_day, "{}", worse.phase);
        assert!(worse.cache_ttl_multiplier >= better.cache_ttl_multiplier, "{}", worse.phase);
        assert!(worse.tick_multiplier >= better.tick_multiplier, "{}", worse.phase);
    }
    let phages = Phase::ALL.map(|phase| row(phase).phages_a_day);
    assert!(phages[0] == 0 && phages[1] > 0 && phages[2] < phages[3] && phages[3] < phages[4], "M-243");
    let only = |is: fn(&Behaviour) -> bool| Phase::ALL.into_iter().filter(|phase| is(row(*phase))).collect::<Vec<_>>();
    assert_eq!(only(|row| row.may_replicate), [Phase::Thriving]);
    assert_eq!(only(|row| row.cache_ttl_multiplier == 1), [Phase::Thriving]);
    assert_eq!(only(|row| row.death_snapshot_every.is_some()), [Phase::Declining], "M-230");
    assert_eq!(only(|row| row.curator_every.is_none()), [Phase::Terminal, Phase::Declining]);
    assert!(row(Phase::Conservation).curator_every > row(Phase::Stable).curator_every);
}
