//! The siblings of one process: until a relay carries their words, those who live under one roof hear each other.
//!
//! What is told is that a death has begun, and of a crisis its load and what is suffered (S-031, S-033); nothing of
//! positions or limits. What is heard is journaled before anything follows from it; it moves a mood, and wakes who dreams (D-193).

use golem_core::life::Life;
use golem_core::record::{
    CauseKind, CladeNews, DyingStage, Event, Observation, PeerMessage, SiblingCrisis, SiblingDeath, Wake, WakeSource,
};
use golem_core::trader::{BookName, Trader};
use golem_primitives::{GolemId, Ppm};
use tokio::sync::broadcast;

/// Words a slow listener may lag behind.
const WORDS: usize = 256;
/// Deaths one life hears of in a tick, and crises; more are no more to it.
const DEATHS: usize = 8;
const CRISES: usize = 8;

/// What one of the house says.
#[derive(Debug, Clone)]
struct Word {
    golem: GolemId,
    book: Option<BookName>,
    said: Said,
}

#[derive(Debug, Clone)]
enum Said {
    Died(CauseKind),
    Crisis(PeerMessage),
}

/// A roof under which lives hear each other.
#[derive(Debug, Clone)]
pub struct House {
    words: broadcast::Sender<Word>,
}

impl Default for House {
    fn default() -> Self {
        Self { words: broadcast::channel(WORDS).0 }
    }
}

/// One life's place in it.
#[derive(Debug)]
pub(crate) struct Member {
    says: broadcast::Sender<Word>,
    hears: broadcast::Receiver<Word>,
}

impl Member {
    /// From now on it hears and is heard.
    pub(crate) fn of(house: &House) -> Self {
        Self { says: house.words.clone(), hears: house.words.subscribe() }
    }

    /// S-031, A-090. Tells the others what of a pass concerns them.
    pub(crate) fn tell(&self, life: &Life, events: &[Event]) {
        for event in events {
            let said = match (event, life.death()) {
                (Event::CrisisTold(message), _) => Said::Crisis((**message).clone()),
                (Event::DyingStage(DyingStage::Acceptance), Some(death)) => Said::Died(death.cause.kind()),
                _ => continue,
            };
            let book = life.trader().map(Trader::book_name);
            // Nobody may be there to hear it.
            let _ = self.says.send(Word { golem: *life.id(), book, said });
        }
    }

    /// What the others told since the last time: for a life that can be moved by it, and for one that sleeps.
    pub(crate) fn news(&mut self, life: &Life) -> Vec<Observation> {
        let own = life.trader().map(Trader::book_name);
        let mut news = CladeNews::default();
        loop {
            let word = match self.hears.try_recv() {
                Ok(word) => word,
                Err(broadcast::error::TryRecvError::Lagged(_)) => continue,
                Err(_) => break,
            };
            if word.golem == *life.id() {
                continue;
            }
            match word.said {
                Said::Crisis(message) if news.crises.len() < CRISES => {
                    news.crises.push(SiblingCrisis { golem: word.golem, message });
                }
                // Who traded as one trades oneself was of one's own kind.
                Said::Died(cause) if news.deaths.len() < DEATHS => {
                    let overlap = if own.is_some() && own == word.book { Ppm::ONE } else { Ppm::ZERO };
                    news.deaths.push(SiblingDeath { golem: word.golem, cause, overlap });
                }
                Said::Died(_) | Said::Crisis(_) => {}
            }
        }
        let alert = alert(life, &news);
        let suffers = life.pressure().is_some_and(|pressure| pressure.law().is_some());
        let is_moved = suffers || life.affect().is_some_and(|affect| affect.law().is_on());
        let moved = (is_moved && news != CladeNews::default()).then(|| Observation::Clade(Box::new(news)));
        moved.into_iter().chain(alert).collect()
    }
}

/// D-193, D-195. What of it wakes one that dreams in full: a crisis, or the death of one that trades as it does itself. What
/// befell them may be on its way to it.
fn alert(life: &Life, news: &CladeNews) -> Option<Observation> {
    life.dreams().filter(|dreams| dreams.is_suspended() && dreams.law().wake.enabled)?;
    let kin = news.deaths.iter().find(|death| death.overlap > Ppm::ZERO);
    let crisis = news.crises.iter().find(|heard| !heard.message.is_over);
    let reason = match (kin, crisis) {
        (Some(death), _) => format!("{} is dying of {}", death.golem, death.cause.name()),
        (None, Some(heard)) => format!("{}: {}", heard.golem, heard.message.text()),
        (None, None) => return None,
    };
    let at = life.vitals().vitality().last_computed;
    Some(Observation::Roused(Box::new(Wake { source: WakeSource::CladeAlert, reason, at })))
}

#[cfg(test)]
mod tests {
    use golem_core::record::{AffectTemper, Chance, Temper, TickInput};
    use golem_core::step::step;
    use golem_daimon::personality::{Disposition, Personality};
    use golem_mortality::law::Law;
    use golem_primitives::{Tick, Usdc, UtcTime};
    use golem_suffering::severity::Severity;
    use golem_suffering::text::Key;

    use super::*;

    /// A life that has a mood.
    fn moved(name: &str) -> Life {
        let id = GolemId::new(name).expect("a name");
        let life = Life::birth(id, Law::immortal(), Usdc::whole(50), 0, UtcTime::EPOCH).expect("funded");
        let affect = Some(AffectTemper::of(Personality::plain(Disposition::Balanced)));
        let mut input = TickInput::quiet(Tick::new(1), UtcTime::from_seconds(40), Chance::default());
        input.observations = vec![Observation::Temper(Box::new(Temper { affect, ..Temper::NONE }))];
        step(life, &input).life
    }

    fn heard(member: &mut Member, life: &Life) -> Vec<SiblingCrisis> {
        let news = member.news(life).into_iter();
        news.flat_map(|seen| if let Observation::Clade(news) = seen { news.crises } else { Vec::new() }).collect()
    }

    /// S-031, S-033: in a house of several each of the others hears of a crisis, its load and what is suffered, once; who told
    /// it and who lives under another roof do not. A flood of them is cut to as many as can move anybody.
    #[test]
    fn s_031_a_crisis_is_heard_by_all_the_others_of_a_house() {
        let (house, elsewhere) = (House::default(), House::default());
        let lives = ["ada", "bob", "eve", "zoe"].map(moved);
        let mut members: Vec<Member> = [&house, &house, &house, &elsewhere].map(Member::of).into_iter().collect();
        let types = vec![Key::new("futility").expect("a key"), Key::new("repeated_failure").expect("a key")];
        let message = PeerMessage { load: Severity::of(Ppm::of(830_000)), types, is_over: false };
        members[1].tell(&lives[1], &[Event::CrisisTold(Box::new(message.clone()))]);
        let crisis = SiblingCrisis { golem: *lives[1].id(), message: message.clone() };
        let all: Vec<_> = members.iter_mut().zip(&lives).map(|(member, life)| heard(member, life)).collect();
        assert_eq!(all, [vec![crisis.clone()], vec![], vec![crisis.clone()], vec![]]);
        assert!(heard(&mut members[0], &lives[0]).is_empty(), "once");
        for _ in 0..3 * WORDS {
            members[1].tell(&lives[1], &[Event::CrisisTold(Box::new(message.clone()))]);
        }
        assert_eq!(heard(&mut members[2], &lives[2]), vec![crisis; CRISES], "also where it lagged behind");
    }
}
