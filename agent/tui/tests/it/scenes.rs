//! Scenes of lives that were lived through `step`, and terminals to draw them on.

use std::collections::VecDeque;

use golem_core::ledger::{Ledger, OrderTerms};
use golem_core::record::{AffectTemper, EffectKind, Temper};
use golem_core::step::step;
use golem_daimon::personality::Personality;
use golem_primitives::{AgentId, GolemId, Ppm, Tick, U256, Usdc};
use golem_suffering::domain::WorkDomain;
use golem_suffering::law::SufferingProfile;
use golem_suffering::text::Key;
use golem_tui::ratatui::Terminal;
use golem_tui::ratatui::backend::TestBackend;
use golem_tui::ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use golem_tui::ratatui::layout::Size;
use golem_tui::{Foreseen, GraveScene, HeirDraft, Ink, MemorialScene, Portrait, Scene, ScreenRequest, Ui, draw};
use golem_view::{
    AdjustmentPicture, AsleepPicture, CapsPicture, DreamPicture, FirstDays, GravePicture, Holding, InheritancePreview,
    LifeHistory, LifePicture, LoggedLine, MemorialPicture, MoodPicture, Number, RecordedTrade, SpentPicture,
    StagePicture, StandingPicture, SufferingPicture, TradeLine, TriedRule, WhyInPool, Witness, YieldPicture,
};

use crate::venue::Venue;

/// A life that trades, feels and suffers, after so many ticks.
pub(crate) fn lived(ticks: u64) -> Venue {
    let personality = Personality::born(&GolemId::new("ada").expect("a name"), None);
    let place = WorkDomain { protocol: Key::new("uniswap_v3"), pair: Key::new("WETH/USDC"), ..WorkDomain::default() };
    let temper =
        Temper { affect: Some(AffectTemper::of(personality)), suffering: Some(SufferingProfile::Hardened), place };
    let mut venue = Venue { temper: Some(temper), log: Some(|_| [0; 4]), ..Venue::new("impatient") };
    venue.run(ticks);
    venue
}

/// What a screen shows of it, from its journal alone.
pub(crate) fn scene(venue: &Venue) -> Scene {
    let life = &venue.life;
    let trader = life.trader().expect("a hand");
    let (mut history, mut holding, mut log) = (LifeHistory::default(), Holding::default(), VecDeque::new());
    let mut again = Venue::new("impatient").life;
    for input in &venue.journal {
        if let Some(seen) = holding.see(input) {
            history.look(input.tick, &seen);
        }
        let next = step(again, input);
        again = next.life;
        next.record.iter().for_each(|record| history.tick(record));
        let words = next.events.iter().map(|event| event.telemetry_name()).filter(|name| name.contains("trade"));
        log.extend(words.map(|words| LoggedLine { time: input.now, tick: input.tick, words: words.to_owned() }));
    }
    let portrait = Portrait {
        life: LifePicture {
            holding: Some(holding.picture(trader.ledger())),
            process: Some(4_711),
            ..LifePicture::of(life)
        },
        stage: StandingPicture::of("ada", life),
        rules: TriedRule::all(trader),
        why: trader.hands().map(|(pool, hand)| WhyInPool::of(pool, hand)).collect(),
        trades: trades(venue),
        mood: MoodPicture::of("ada", life),
        suffering: SufferingPicture::of("ada", life),
        dreaming: Some(dreaming(life.tick())),
        dreams: Vec::new(),
        history,
        log,
    };
    Scene {
        golem: "ada".to_owned(),
        place: "agent 7 on chain 31337".to_owned(),
        portrait: Some(portrait),
        ..Scene::default()
    }
}

fn trades(venue: &Venue) -> Vec<TradeLine> {
    let mut ledger = Ledger::default();
    let mut lines = Vec::new();
    for input in &venue.journal {
        for outcome in &input.outcomes {
            let order = venue.effects.iter().find(|effect| effect.id == outcome.effect).map(|effect| &effect.kind);
            let Some(EffectKind::Trade(order)) = order else { continue };
            let booked = ledger.land(Some(OrderTerms { order: *order, fee_ppm: 500, token: 0 }), outcome, input.tick);
            lines.push(TradeLine::from(RecordedTrade {
                at: input.now,
                tick: input.tick,
                order: *order,
                outcome,
                booked: booked.as_ref(),
                tx: None,
                effect: outcome.effect,
            }));
        }
    }
    lines.reverse();
    lines
}

/// A dream in its second phase.
fn dreaming(tick: Tick) -> DreamPicture {
    let phase = |name: &str, stands, answered, micros| StagePicture {
        phase: name.to_owned(),
        stands,
        answered,
        spent: Usdc::from_micros(micros),
    };
    DreamPicture {
        golem: "ada".to_owned(),
        life: "dreaming",
        tick,
        mode: "asleep".to_owned(),
        tier: "full".to_owned(),
        schedule: "pressure".to_owned(),
        urgency: Number(0.42),
        threshold: Number(0.6),
        episodes: 310,
        unreplayed: 12,
        cycles: 3,
        last_dream: Some(Tick::new(40)),
        is_window_open: true,
        a_month: "0.50 USDC".to_owned(),
        a_month_least: Usdc::ZERO,
        a_month_most: Usdc::whole(1),
        spent: SpentPicture { window: Usdc::from_micros(20_000), month: Usdc::from_micros(110_000) },
        caps: CapsPicture { cycle: Usdc::whole(1), window: Usdc::whole(2), month: Usdc::whole(5) },
        asleep: Some(AsleepPicture {
            cycle: "dream-4".to_owned(),
            trigger: "pressure".to_owned(),
            tier: "full".to_owned(),
            since: Tick::new(190),
            phase: Some("REM".to_owned()),
            phases: vec![
                phase("NREM", "over", 4, 12_000),
                phase("REM", "now", 2, 8_000),
                phase("integration", "to come", 0, 0),
            ],
            spent: Usdc::from_micros(20_000),
            grant: Usdc::from_micros(50_000),
            wakes: None,
        }),
        came_to: YieldPicture {
            staged: 5,
            validated: 1,
            refuted: 1,
            validated_share: Some(Ppm::of(200_000)),
            health: "young".to_owned(),
        },
    }
}

/// What is left of it.
pub(crate) fn dead(venue: &Venue) -> Scene {
    let stone = MemorialPicture {
        ticks: 200,
        trades: 12,
        funded: Usdc::whole(50),
        earned: Usdc::from_micros(1_250_000),
        spent: Usdc::whole(49),
        entries: 31,
        inherited: 4,
        best_fitness: Ppm::of(640_000),
        last_fitness: Ppm::of(210_000),
        cause: "It ran out of money.".to_owned(),
        last_words: "I bought every dip, and the dips grew deeper. Ask whether the pool still turns.".to_owned(),
    };
    let text = std::iter::once("# Testament of ada".to_owned())
        .chain((1..=60).map(|at| format!("- suspicion {at}: the pool does not turn any more")))
        .collect::<Vec<_>>()
        .join("\n");
    let grave = |name: &str, generation| GraveScene {
        grave: GravePicture {
            shown: Some(format!("† {name}")),
            name: Some(name.to_owned()),
            generation,
            cause: Some("economic"),
            ticks: Some(200),
            testament: true,
            bundle: true,
            ..GravePicture::unmarked(AgentId(U256::from(generation)))
        },
        testament: Witness::Tells(format!("# Testament of {name}\nits own words")),
    };
    let graves = vec![grave("ada", 2), grave("ada-1", 1), grave("first", 0)];
    let memorial = Some(MemorialScene { stone, testament: Witness::Tells(text), graves });
    Scene { memorial, ..scene(venue) }
}

/// What a wizard is told.
pub(crate) fn foreseen() -> Foreseen {
    let advice = |verb: &str, what: &str| AdjustmentPicture {
        verb: verb.to_owned(),
        what: what.to_owned(),
        rationale: "it lost there".to_owned(),
    };
    Foreseen {
        usual: HeirDraft {
            playbook: "mean-reversion".to_owned(),
            stake: Ppm::of(50_000),
            credits: Usdc::whole(50),
            capital: Usdc::whole(1_000),
            inherits: true,
        },
        strategy: vec!["dip: When the price fell by 2%, hold half".to_owned()],
        advice: vec![advice("change", "the stake"), advice("keep", "the stop"), advice("investigate", "gas at night")],
        preview: InheritancePreview {
            genome: 37,
            told: 5,
            percent_left: 85,
            before: vec![0, 0, 1, 2, 4, 9, 12, 8, 1, 0],
            after: vec![0, 1, 2, 6, 12, 11, 5, 0, 0, 0],
            domains: [("market".to_owned(), 30), ("gas".to_owned(), 7)].into_iter().collect(),
            own_bloodstains: 2,
            older_bloodstains: 1,
        },
        tried: FirstDays::default(),
        similarity: Some(Ppm::of(410_000)),
        stillborn: None,
    }
}

/// A terminal of a size, and where one looks on it.
pub(crate) struct Glass {
    pub(crate) terminal: Terminal<TestBackend>,
    pub(crate) ui: Ui,
    size: Size,
}

impl Glass {
    pub(crate) fn new(width: u16, height: u16) -> Self {
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a buffer");
        Self { terminal, ui: Ui::new(Ink::new(true)), size: Size { width, height } }
    }

    pub(crate) fn press(&mut self, scene: &Scene, code: KeyCode) -> Option<ScreenRequest> {
        self.ui.press(KeyEvent::new(code, KeyModifiers::NONE), scene, self.size)
    }

    pub(crate) fn types(&mut self, scene: &Scene, text: &str) {
        for sign in text.chars() {
            assert_eq!(self.press(scene, KeyCode::Char(sign)), None, "{sign}");
        }
    }

    pub(crate) fn shown(&mut self, scene: &Scene) -> String {
        self.ui.settle(scene);
        self.terminal.draw(|frame| draw(frame, scene, &self.ui)).expect("drawn");
        self.terminal.backend().to_string()
    }
}
