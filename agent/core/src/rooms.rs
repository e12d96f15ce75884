//! What a life may have beyond a body and a hand, each from the moment it is first told of it.
//!
//! A room that nobody furnished takes no part in what a life does. Each knows some of the same few verbs: `furnish` at the
//! first word of it, `land` when an outcome came, `take_back` when that is not so, and `live` when a pass ends.

use golem_mortality::event::LawEvent;
use golem_mortality::phase::Phase;
use golem_primitives::Usdc;
use serde::{Deserialize, Serialize};

use crate::affect::{Affect, Landing};
use crate::body::Body;
use crate::books::Books;
use crate::data_purchases::DataPurchases;
use crate::dreams::LifeDreams;
use crate::influence::Lean;
use crate::kinship::Kinship;
use crate::mind::Mind;
use crate::pass::Pass;
use crate::precedents::Precedents;
use crate::pressure::Pressure;
use crate::record::{CladeNews, EffectKind, Event, Observation, Order, Outcome, SiblingDeath};
use crate::study::Study;
use crate::trader::Trader;
use crate::trader::setting::{setting, situation};

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Rooms {
    pub(crate) mind: Option<Box<Mind>>,
    pub(crate) precedents: Option<Box<Precedents>>,
    pub(crate) data_purchases: Option<Box<DataPurchases>>,
    /// Its own books of the vault's credits.
    pub(crate) books: Option<Box<Books>>,
    /// What it may have thought for it beside its ticks.
    pub(crate) study: Option<Box<Study>>,
    /// What moves it.
    pub(crate) affect: Option<Box<Affect>>,
    /// S-001. What presses on it.
    pub(crate) suffering: Option<Box<Pressure>>,
    /// D-001. Its dreaming.
    pub(crate) dreams: Option<Box<LifeDreams>>,
    /// I-100. Its siblings.
    pub(crate) kinship: Option<Box<Kinship>>,
}

impl Rooms {
    /// What was seen, for the rooms it concerns; the first word of a room furnishes it.
    pub(crate) fn hear(&mut self, seen: &Observation, trader: Option<&Trader>, floor: Usdc, pass: &mut Pass<'_>) {
        match seen {
            Observation::Faculties { quotes } => Mind::furnish(&mut self.mind, *quotes),
            Observation::Precedents { ttl_ticks } => Precedents::furnish(&mut self.precedents, *ttl_ticks),
            Observation::Offers(offers) => DataPurchases::furnish(&mut self.data_purchases, offers),
            Observation::Inflows(log) => self.books.get_or_insert_default().compare(log, trader, pass),
            Observation::Studies { quotes } => Study::furnish(&mut self.study, *quotes),
            Observation::Temper(temper) => {
                Affect::furnish(&mut self.affect, temper.affect);
                Pressure::furnish(&mut self.suffering, temper, pass.now());
            }
            Observation::Sight(_) => {
                if let Some(data_purchases) = &self.data_purchases {
                    data_purchases.count_float(&mut pass.desk.balance, floor);
                }
            }
            // S-085. A warning, once; where nothing is suffered it is nothing.
            Observation::Scars(scars) => {
                if let Some(pressure) = &mut self.suffering {
                    pressure.scar(scars);
                }
            }
            Observation::Clade(news) => self.hear_clade(news, pass),
            _ => {}
        }
    }

    /// S-034, M-173. What siblings told is told on, moves a mood, and nothing that presses.
    fn hear_clade(&mut self, news: &CladeNews, pass: &mut Pass<'_>) {
        let deaths = self.kinship.get_or_insert_default().hear(news, pass);
        for SiblingDeath { golem, cause, .. } in &deaths {
            pass.say(Event::Mortality(LawEvent::SiblingDeath { golem: *golem, cause: *cause }));
        }
        if self.affect.is_some() || self.suffering.is_some() {
            news.crises.iter().for_each(|heard| pass.say(Event::SiblingCrisis(Box::new(heard.clone()))));
        }
        if let Some(affect) = &mut self.affect {
            affect.hear_clade(news, &deaths, pass);
        }
    }

    /// An outcome came that may be a thought's. Answers what the host is owed for it.
    pub(crate) fn land_thought(&mut self, outcome: &Outcome, pass: &mut Pass<'_>) -> Usdc {
        let answer = self.mind.as_mut().and_then(|mind| mind.land(outcome));
        let thought = answer.or_else(|| self.study.as_mut()?.land(outcome, pass));
        thought.unwrap_or(Usdc::ZERO)
    }

    /// The same outcome, behind the hand it may have been of.
    pub(crate) fn land(&mut self, outcome: &Outcome, landing: Landing, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        if let Some(data_purchases) = &mut self.data_purchases {
            data_purchases.land(outcome, trader, pass);
        }
        if let Some(books) = &mut self.books {
            books.land(outcome);
        }
        if let Some(affect) = &mut self.affect {
            affect.land(outcome, landing, trader);
        }
        if let Some(pressure) = &mut self.suffering {
            pressure.land(outcome, landing, trader, pass.now());
        }
        if let Some(dreams) = &mut self.dreams {
            dreams.note_loss(outcome, landing, trader, pass.tick());
        }
    }

    /// Something that landed is taken back; told twice it is taken back once.
    pub(crate) fn take_back(&mut self, seen: &Observation, pass: &Pass<'_>) {
        let Observation::Withdrawn { effect, kind, was_refused } = seen else { return };
        if pass.desk.holds.awaits(*effect) {
            return;
        }
        if let Some(data_purchases) = &mut self.data_purchases {
            data_purchases.take_back(*effect, kind, *was_refused);
        }
        if let Some(books) = &mut self.books {
            books.take_back(*effect, kind, *was_refused);
        }
        if let Some(pressure) = &mut self.suffering {
            pressure.take_back(*effect);
        }
    }

    /// What a pass leaves: suffering first, because what it tells is appraised (S-144) and never the reverse.
    pub(crate) fn live(&mut self, body: &Body, trader: Option<&Trader>, pass: &mut Pass<'_>) {
        if let Some(kinship) = &mut self.kinship {
            kinship.live(pass);
        }
        if let Some(pressure) = &mut self.suffering {
            pressure.live(body, trader, self.kinship.as_deref(), pass);
        }
        if let Some(affect) = self.affect.as_deref_mut().filter(|_| body.is_alive()) {
            if let Some(trader) = trader {
                try_on(affect, self.mind.as_deref(), trader, body.vitals().phase(), pass);
            }
            affect.live(body, trader, pass);
        }
    }
}

/// The entry this pass sent, or asks a model about, is one more try.
fn try_on(affect: &mut Affect, mind: Option<&Mind>, trader: &Trader, phase: Phase, pass: &Pass<'_>) {
    let Some((order, is_sent)) = tried(mind, pass) else { return };
    let entry = Lean::of(Some(affect), None, pass).entry();
    if let Some(at) = setting(&order, trader, entry) {
        affect.try_on(situation(&order, trader, phase), at, is_sent);
    }
}

fn tried(mind: Option<&Mind>, pass: &Pass<'_>) -> Option<(Order, bool)> {
    pass.effects.iter().find_map(|effect| match effect.kind {
        EffectKind::Trade(order) if order.raises_exposure() => Some((order, true)),
        EffectKind::Deliberate { .. } => {
            let pending = mind?.pending.as_ref().filter(|pending| pending.effect == effect.id)?;
            Some((pending.choices.candidates().first()?.order, false))
        }
        _ => None,
    })
}
