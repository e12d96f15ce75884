use super::*;

fn row(phase: Phase) -> &'static Behaviour {
    Behaviour::of(phase)
}

/// M-127, M-128: Thriving.
#[test]
fn m_127_m_128_thriving_does_everything() {
    let thriving = row(Phase::Thriving);
    assert_eq!((thriving.strategy, thriving.may_spawn_replicants), (StrategyMode::Full, true), "M-127");
    assert_eq!(thriving.duties, [Duty::LearnAggressively, Duty::TestHypotheses, Duty::ValidateInherited], "M-127");
    assert_eq!((thriving.ceiling, thriving.sharing, thriving.risk), (Tier::T2, Ppm::of(600_000), Ppm::ONE), "M-128");
    assert_eq!((thriving.knowledge, thriving.dreams), (KnowledgeMode::Producing, DreamStyle::Exploratory), "M-128");
}

/// M-129: Stable.
#[test]
fn m_129_stable_balances() {
    let stable = row(Phase::Stable);
    assert_eq!((stable.strategy, stable.may_spawn_replicants), (StrategyMode::Balanced, false));
    assert_eq!((stable.preferred, stable.ceiling, stable.cache_ttl_multiplier), (Tier::T1, Tier::T2, 2));
    assert_eq!(stable.duties, [Duty::ConsolidateEntries, Duty::PruneMarginal, Duty::SeekRevenue]);
    assert_eq!((stable.knowledge, stable.dreams), (KnowledgeMode::Maintaining, DreamStyle::Consolidating));
}

/// M-130, M-136: Conservation watches.
#[test]
fn m_130_conservation_watches_and_writes_only_to_survive() {
    let row = row(Phase::Conservation);
    assert_eq!((row.ceiling, row.strategy, row.tick_multiplier), (Tier::T1, StrategyMode::MonitorOnly, 2));
    assert_eq!(row.duties, [Duty::CompressEntries, Duty::ShareMoreOften, Duty::PrepareSuccessor]);
    assert_eq!((row.knowledge, row.dreams), (KnowledgeMode::Distilling, DreamStyle::Defensive));
    assert!(row.permits(ActionKind::Survival) && !row.permits(ActionKind::Maintain));
}

/// M-131, M-230, MG-14: Declining unwinds.
#[test]
fn m_131_declining_unwinds_and_leaves_a_legacy() {
    let row = row(Phase::Declining);
    assert_eq!((row.strategy, row.death_snapshot_every, row.tick_multiplier), (StrategyMode::Unwind, Some(50), 2));
    assert!(row.token_limit.is_some() && row.ceiling <= Tier::T1, "minimal inference under hard limits");
    for duty in [
        Duty::UnwindPositions,
        Duty::TakeDeathSnapshots,
        Duty::UploadEntries,
        Duty::DiscardFailingInherited,
        Duty::DiscardStaleDecisions,
    ] {
        assert!(row.duties.contains(&duty), "{duty:?}");
    }
    assert_eq!((row.knowledge, row.dreams), (KnowledgeMode::Legacy, DreamStyle::LegacyReplay));
}

/// M-132: Terminal looks back.
#[test]
fn m_132_terminal_reflects_and_shares_everything() {
    let row = row(Phase::Terminal);
    assert_eq!((row.ceiling, row.death_reflection), (Tier::T0, Some(Tier::T3)));
    assert_eq!((row.sharing, row.dream_share.1, row.dreams), (Ppm::of(100_000), Ppm::ZERO, DreamStyle::None));
    assert_eq!(
        (row.knowledge, row.duties),
        (KnowledgeMode::Reflecting, &[Duty::WriteTestament, Duty::ShareEverything][..])
    );
    for phase in [Phase::Thriving, Phase::Stable, Phase::Conservation, Phase::Declining] {
        assert_eq!(Behaviour::of(phase).death_reflection, None, "T3 is the death reflection's alone");
    }
}

/// M-134, M-103, M-068, C-16.
#[test]
fn m_134_the_lowest_sharing_threshold_holds() {
    let thresholds = Phase::ALL.map(|phase| Behaviour::of(phase).sharing.get());
    assert_eq!(thresholds, [100_000, 300_000, 400_000, 500_000, 600_000]);
    let hazard = |rate| Hazard::from_rate(rate).expect("a rate");
    assert_eq!(sharing_threshold(Phase::Thriving, hazard(1e-6), Stage::Sound), Ppm::of(599_400), "by hazard, M-110");
    assert_eq!(sharing_threshold(Phase::Stable, hazard(1e-6), Stage::Warning), Ppm::of(500_000), "by phase");
    assert_eq!(sharing_threshold(Phase::Thriving, hazard(1e-3), Stage::Sound), Ppm::of(300_000));
    assert_eq!(sharing_threshold(Phase::Thriving, hazard(1e-6), Stage::Confirmed), SENESCENT_SHARING, "M-068");
    assert_eq!(sharing_threshold(Phase::Terminal, hazard(1e-6), Stage::Confirmed), Ppm::of(100_000));
}

/// M-135.
#[test]
fn m_135_dreams_get_less_as_vitality_falls() {
    let shares = Phase::ALL.map(|phase| Behaviour::of(phase).dream_share);
    let expected = [(0, 0), (1, 1), (2, 3), (5, 5), (5, 10)].map(|(low, high)| (percent(low), percent(high)));
    assert_eq!(shares, expected);
}

/// M-136: no phase from Conservation down opens anything; every phase can close.
#[test]
fn m_136_no_model_opens_a_position_below_stable() {
    for phase in Phase::ALL {
        assert_eq!(Behaviour::of(phase).permits(ActionKind::RaiseExposure), phase >= Phase::Stable, "{phase}");
        assert!(
            Behaviour::of(phase).permits(ActionKind::LowerExposure) && Behaviour::of(phase).permits(ActionKind::Read)
        );
        assert_eq!(Behaviour::of(phase).permits(ActionKind::SpawnReplicant), phase == Phase::Thriving);
        assert_eq!(Behaviour::of(phase).permits(ActionKind::Survival), phase > Phase::Terminal);
    }
}

/// M-137, M-138, C-31: probes, Curator, episodes, phages.
#[test]
fn m_137_m_138_attention_narrows() {
    assert_eq!(Phase::ALL.map(|phase| Behaviour::of(phase).probes), [5, 5, 5, 16, 16], "M-137");
    let curator = Phase::ALL.map(|phase| Behaviour::of(phase).curator_every);
    assert_eq!(curator, [None, None, Some(100), Some(50), Some(50)], "M-138");
    assert_eq!(row(Phase::Thriving).episodes, EpisodePolicy::All, "M-138");
    assert_eq!(row(Phase::Conservation).episodes, EpisodePolicy::Deliberated, "M-138");
    assert_eq!(row(Phase::Declining).episodes, EpisodePolicy::ActionAndOutcome, "M-138");
    assert_eq!(Phase::ALL.map(|phase| Behaviour::of(phase).phages_per_day(Stage::Sound)), [0, 1, 1, 2, 3], "M-152");
    assert_eq!(Phase::ALL.map(|phase| Behaviour::of(phase).phages_per_day(Stage::Warning)), [0, 3, 3, 3, 3], "M-067");
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

/// M-106.
#[test]
fn m_106_context_is_divided_by_phase() {
    let modifiers = Phase::ALL.map(|phase| Behaviour::of(phase).context.modifier.get() / 10_000);
    assert_eq!(modifiers, [40, 60, 80, 100, 100]);
    for phase in Phase::ALL {
        let c = Behaviour::of(phase).context;
        let sum: u32 = [c.observations, c.retrieved, c.dreams, c.causal, c.invariants].iter().map(|s| s.get()).sum();
        assert_eq!(sum, 1_000_000, "{phase}");
    }
    let shares = |phase| {
        let c = Behaviour::of(phase).context;
        [c.observations, c.retrieved, c.dreams, c.causal, c.invariants].map(|share| share.get() / 10_000)
    };
    assert_eq!(shares(Phase::Thriving), [25, 25, 15, 15, 20]);
    assert_eq!(shares(Phase::Declining), [35, 20, 5, 10, 30]);
    assert_eq!(shares(Phase::Terminal), [40, 10, 0, 5, 45]);
    let conservation = row(Phase::Conservation).context;
    assert_eq!(conservation.modifier_at(Ppm::of(800_000)), Ppm::of(800_000));
    assert_eq!(conservation.modifier_at(Ppm::of(800_001)), Ppm::of(560_000));
}

/// Rows stand where their phase looks for them.
#[test]
fn every_phase_finds_its_own_row() {
    for phase in Phase::ALL {
        assert_eq!(Behaviour::of(phase).phase, phase);
    }
}
