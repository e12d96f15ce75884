//! Who answers the page: the lives of one home, and the chains they live on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use golem_chain::lineage::Chronicle;
use golem_view::{FleetLine, FleetNews, FleetPicture, FleetTick};
use golem_web::{Answering, Bookmark, GolemSource, Hearing, News, Question, Refused, Told, UndertakingWanted};

use super::looker::Looker;
use super::{acts, explorer};
use crate::clerk::locked;
use crate::experiment;
use crate::golem::connect::{ChainChoice, Connected};
use crate::golem::grimoire::{list, search, show};
use crate::golem::home::{Folder, Home};
use crate::golem::subject::{Subject, Which};
use crate::golem::{list as golems, playbook};
use crate::undertaking::{Counter, Surroundings};

/// Entries on a page of the Grimoire, and answers to a search.
const ENTRIES: usize = 50;
/// The longest question that is looked for.
const LONGEST_QUESTION: usize = 500;

/// The Golems of one home, and the experiments of one folder.
pub(crate) struct House {
    rooms: Arc<Rooms>,
}

pub(super) struct Rooms {
    pub(super) home: Home,
    chain: ChainChoice,
    experiments: PathBuf,
    key_password_file: Option<PathBuf>,
    counter: Counter,
    lookers: Mutex<BTreeMap<String, Arc<Mutex<Looker>>>>,
    chains: Mutex<BTreeMap<String, Connected>>,
    chronicles: tokio::sync::Mutex<BTreeMap<u64, Chronicle>>,
}

pub(super) fn missing(error: eyre::Report) -> Refused {
    Refused::Missing(format!("{error:#}"))
}

pub(super) fn failed(error: eyre::Report) -> Refused {
    Refused::Failed(format!("{error:#}"))
}

pub(super) fn away(error: eyre::Report) -> Refused {
    Refused::Away(format!("{error:#}"))
}

impl House {
    /// The password is for the keys of those who are raised from the page.
    pub(crate) fn new(
        home: Home,
        chain: ChainChoice,
        experiments: PathBuf,
        key_password_file: Option<PathBuf>,
    ) -> Self {
        let rooms = Rooms {
            home,
            chain,
            experiments,
            key_password_file,
            counter: Counter::default(),
            lookers: Mutex::default(),
            chains: Mutex::default(),
            chronicles: tokio::sync::Mutex::default(),
        };
        Self { rooms: Arc::new(rooms) }
    }
}

impl GolemSource for House {
    fn answer(&self, question: Question) -> Answering {
        let rooms = self.rooms.clone();
        Box::pin(async move {
            match question {
                Question::Chronicle { .. }
                | Question::Chain(_)
                | Question::Explorer { .. }
                | Question::Block { .. }
                | Question::Transaction { .. }
                | Question::Act { .. } => rooms.by_chain(question).await,
                Question::Begin(wanted) => rooms.begin(wanted),
                Question::Undertaking => Ok(Told::of(&rooms.counter.look())),
                Question::Answer { number, answer } => rooms.counter.answer(number, answer).map(|told| Told::of(&told)),
                _ => aside(move || rooms.by_memory(question)).await,
            }
        })
    }

    fn news(&self, golem: Option<String>, since: Option<Bookmark>) -> Hearing {
        let rooms = self.rooms.clone();
        Box::pin(aside(move || match golem {
            Some(golem) => rooms.with(&golem, |looker| Ok(looker.news(since))),
            None => rooms.fleet_news(since),
        }))
    }
}

/// SQLite and a life lived again take their time; nothing else waits for them.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> Result<T, Refused> + Send + 'static) -> Result<T, Refused> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refused::Failed("what was asked could not be answered; ask again".to_owned())))
}

impl Rooms {
    fn begin(&self, wanted: UndertakingWanted) -> Result<Told, Refused> {
        let Self { home, chain, key_password_file, counter, .. } = self;
        let around = Surroundings { home, chain, key_password_file: key_password_file.as_ref() };
        counter.begin(wanted, &around).map(|told| Told::of(&told))
    }

    fn folder(&self, golem: &str) -> Result<Folder, Refused> {
        self.home.find_memory(golem).map_err(missing)
    }

    /// Who looks at a life, opened once.
    fn looker(&self, folder: Folder) -> Result<Arc<Mutex<Looker>>, Refused> {
        let known = locked(&self.lookers).get(folder.name()).cloned();
        if let Some(looker) = known.filter(|looker| locked(looker).is_the_same()) {
            return Ok(looker);
        }
        let name = folder.name().to_owned();
        let looker = Arc::new(Mutex::new(Looker::open(folder).map_err(failed)?));
        locked(&self.lookers).insert(name, looker.clone());
        Ok(looker)
    }

    /// A life as it stands now.
    fn with<T>(&self, golem: &str, ask: impl FnOnce(&mut Looker) -> eyre::Result<T>) -> Result<T, Refused> {
        let looker = self.looker(self.folder(golem)?)?;
        let mut looker = locked(&looker);
        let told = looker.look().and_then(|()| ask(&mut looker));
        let name = looker.folder().name().to_owned();
        told.map_err(|error| {
            // A memory that moved on under whoever reads it is read from its beginning the next time.
            locked(&self.lookers).remove(&name);
            failed(error)
        })
    }

    fn by_memory(&self, question: Question) -> Result<Told, Refused> {
        match question {
            Question::Fleet => self.fleet(),
            Question::Golems => {
                let folders = self.home.everybody().map_err(failed)?;
                Ok(Told::of(&folders.iter().map(golems::line).collect::<Vec<_>>()))
            }
            Question::Status(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.status()?))),
            Question::Profit(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.profit()?))),
            Question::Testament(golem) => self.asked(&golem, |looker| Ok(Told::of(&looker.testament()?))),
            Question::Experiments => experiment::lines(&self.experiments).map(|all| Told::of(&all)).map_err(missing),
            Question::Experiment(name) => {
                experiment::page_of(&self.experiments, &name).map(|one| Told::of(&one)).map_err(missing)
            }
            Question::Portrait(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.portrait()?))),
            Question::History(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.history()))),
            Question::Trades(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.trades()))),
            Question::Claims(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.claims()?))),
            Question::Playbook(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.playbook()?))),
            Question::Dreams(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.dreams()?))),
            Question::Mind(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.mind()))),
            Question::Market(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.market(&self.home)?))),
            Question::Clade(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.clade(&self.home)?))),
            Question::Costs(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.costs()?))),
            Question::Lineage(golem) => self.with(&golem, |looker| Ok(Told::of(&looker.family(&self.home)?))),
            // What was asked for may be a tick or an entry that there is not: the memory itself is sound.
            Question::Why { golem, tick } => self.asked(&golem, |looker| {
                let reader = &looker.onlooker().reader;
                Ok(Told::of(&playbook::why(looker.folder(), reader, tick)?))
            }),
            Question::Grimoire { golem, words, status, skip } => self.grimoire(&golem, words, status, skip),
            Question::Entry { golem, entry } => self.asked(&golem, |looker| {
                Ok(Told::of(&show::entry_of(looker.folder(), &looker.onlooker().reader, &entry)?))
            }),
            _ => Err(Refused::Failed("that is the chain's to answer".to_owned())),
        }
    }

    /// The same where what is named may not be there.
    fn asked<T>(&self, golem: &str, ask: impl FnOnce(&mut Looker) -> eyre::Result<T>) -> Result<T, Refused> {
        self.with(golem, |looker| Ok(ask(looker)))?.map_err(missing)
    }

    fn grimoire(
        &self,
        golem: &str,
        words: Option<String>,
        status: Option<String>,
        skip: usize,
    ) -> Result<Told, Refused> {
        let mut sieve = list::Sieve::default();
        if let Some(status) = status {
            sieve.status = vec![list::status(&status).map_err(Refused::Wrong)?];
        }
        if words.as_ref().is_some_and(|words| words.len() > LONGEST_QUESTION) {
            return Err(Refused::Wrong(format!("ask with at most {LONGEST_QUESTION} letters")));
        }
        self.with(golem, |looker| {
            let (folder, reader) = (looker.folder(), &looker.onlooker().reader);
            Ok(match words {
                Some(words) => {
                    Told::of(&search::found(folder, reader, words, search::Wanted::by_words(sieve, ENTRIES))?)
                }
                None => Told::of(&list::page_of(folder, reader, &sieve, skip, ENTRIES)?),
            })
        })
    }

    fn fleet(&self) -> Result<Told, Refused> {
        let folders = self.home.everybody().map_err(failed)?;
        let line = |folder: &Folder| {
            self.with(folder.name(), |looker| looker.fleet_line()).unwrap_or_else(|error| unreadable(folder, &error))
        };
        let golems = folders.iter().map(line).collect();
        Ok(Told::of(&FleetPicture { home: self.home.shown(), golems }))
    }

    fn fleet_news(&self, since: Option<Bookmark>) -> Result<News, Refused> {
        let folders = self.home.everybody().map_err(failed)?;
        let mut golems = Vec::new();
        for folder in folders {
            let passes = self.with(folder.name(), |looker| Ok(looker.pass())).unwrap_or(0);
            golems.push(FleetTick { name: folder.name().to_owned(), passes });
        }
        let mark = Bookmark { of: "fleet".to_owned(), pass: golems.iter().map(|golem| golem.passes).sum() };
        Ok(match since {
            Some(since) if since == mark => News::Nothing,
            Some(since) if since.of != mark.of => News::Afresh { mark },
            _ => News::Since { mark, told: Told::of(&FleetNews { golems }) },
        })
    }

    async fn by_chain(&self, question: Question) -> Result<Told, Refused> {
        match question {
            Question::Chronicle { golem, verify } => {
                let subject = self.subject(&golem).await?;
                self.forgetting(&golem, explorer::chronicle(self, &subject, verify).await)
            }
            Question::Chain(golem) => explorer::on_chain(self, &golem).await,
            Question::Explorer { golem, newest } => {
                let subject = self.subject(&golem).await?;
                self.forgetting(&golem, explorer::page(self, &subject, newest).await)
            }
            Question::Block { golem, number } => {
                let subject = self.subject(&golem).await?;
                self.forgetting(&golem, explorer::block(self, &subject, number).await)
            }
            Question::Transaction { golem, hash } => {
                let subject = self.subject(&golem).await?;
                self.forgetting(&golem, explorer::transaction(self, &subject, hash).await)
            }
            Question::Act { golem, wanted } => {
                let subject = self.subject(&golem).await?;
                self.forgetting(&golem, acts::prepare(&subject, wanted).await)
            }
            _ => Err(Refused::Failed("that is the memory's to answer".to_owned())),
        }
    }

    /// A chain that does not answer is looked for anew the next time: a local L2 may have come up elsewhere.
    fn forgetting(&self, golem: &str, answer: Result<Told, Refused>) -> Result<Told, Refused> {
        if matches!(answer, Err(Refused::Away(_))) {
            locked(&self.chains).remove(golem);
        }
        answer
    }

    /// A Golem and the chain it lives on, connected once.
    pub(super) async fn subject(&self, golem: &str) -> Result<Subject, Refused> {
        let folder = self.folder(golem)?;
        if folder.is_on_paper() {
            return Err(Refused::Wrong(format!(
                "{golem} lives on paper: no chain knows of it, and nothing can be sent to it"
            )));
        }
        let birth = folder.birth().map_err(failed)?;
        let known = locked(&self.chains).get(golem).cloned();
        let chain = match known {
            Some(chain) => chain,
            None => {
                let which = Which { golem: golem.to_owned(), home: self.home.clone(), chain: self.chain.clone() };
                let chain = which.chain_of(&folder, &birth).await.map_err(away)?;
                locked(&self.chains).insert(golem.to_owned(), chain.clone());
                chain
            }
        };
        let (name, agent, vault) = (birth.name.clone(), birth.agent, birth.vault);
        Ok(Subject { name, agent, vault, local: Some((folder, birth)), chain })
    }

    /// Everything the suite said on a chain, read once and then on.
    pub(super) async fn chronicle(&self, chain: &Connected) -> Result<Chronicle, Refused> {
        let mut known = self.chronicles.lock().await;
        let (endpoints, deployment) = (&chain.endpoints, &chain.deployment);
        let unseen = |error| away(eyre::Report::new(error));
        match known.get_mut(&deployment.chain_id) {
            Some(chronicle) => {
                chronicle.update(endpoints, deployment).await.map_err(unseen)?;
                Ok(chronicle.clone())
            }
            None => {
                let read = Chronicle::read(endpoints, deployment).await.map_err(unseen)?;
                known.insert(deployment.chain_id, read.clone());
                Ok(read)
            }
        }
    }
}

fn unreadable(folder: &Folder, error: &Refused) -> FleetLine {
    let line = golems::line(folder);
    FleetLine {
        name: line.name,
        agent: line.agent,
        chain: line.chain,
        paper: folder.is_on_paper(),
        life: "unreadable",
        process: line.process,
        error: Some(error.to_string()),
        ..FleetLine::default()
    }
}
