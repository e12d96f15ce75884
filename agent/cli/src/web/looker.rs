//! One life as the page's questions want it.

use std::os::unix::fs::MetadataExt as _;

use eyre::{Result, bail};
use golem_inheritance::bloodstain::Bloodstain;
use golem_view::{
    CladePicture, ClaimsPage, CostsPage, DreamsPage, FamilyLine, FamilyPage, FleetLine, HistoryPicture, LoggedLine,
    MarketPage, MindPage, MoneySeries, MoodPicture, NewsPicture, PlaybookPage, PortraitPicture, ProfitPage,
    ShareSeries, StainMark, StandingPicture, StatusPage, SufferingPicture, TestamentPage, TimeSeries, TradeLine,
    Witness,
};
use golem_web::{Bookmark, News, Told};

use super::evidence::Evidence;
use super::tale::Tale;
use crate::golem::home::{Folder, Home};
use crate::golem::onlooker::Onlooker;
use crate::golem::watch::memory;
use crate::golem::{counsel, dream, graves, look, playbook, siblings};

/// Passes that a page may be behind before it is told to ask for everything again.
const MOST_BEHIND: u64 = 1_000;
/// Places of the small curves of a fleet.
const SPARK: usize = 60;
/// Lines of the log, trades, dreams and versions that are told.
const LOGGED: usize = 120;
const DREAMT: usize = 40;
const VERSIONS: usize = 40;

/// Who looks at one memory for the page.
pub(super) struct Looker {
    folder: Folder,
    file: u64,
    known: Onlooker,
    tale: Tale,
    evidence: Option<Evidence>,
}

fn file_of(folder: &Folder) -> u64 {
    std::fs::metadata(folder.store()).map_or(0, |found| found.ino())
}

impl Looker {
    pub(super) fn open(folder: Folder) -> Result<Self> {
        let (file, known) = (file_of(&folder), Onlooker::read(&folder)?);
        Ok(Self { folder, file, known, tale: Tale::default(), evidence: None })
    }

    /// Whether the memory is still the file that was opened: a life that was restored or raised anew is another.
    pub(super) fn is_the_same(&self) -> bool {
        self.file == file_of(&self.folder)
    }

    /// Reads what is new.
    pub(super) fn look(&mut self) -> Result<()> {
        self.known.look(&self.folder).map(drop)
    }

    pub(super) fn pass(&self) -> u64 {
        self.known.pass
    }

    fn name(&self) -> &str {
        self.folder.name()
    }

    pub(super) fn fleet_line(&self) -> Result<FleetLine> {
        let (life, history) = (self.known.picture(&self.folder)?, &self.known.history);
        let birth = self.folder.birth().ok();
        let holding = life.holding.as_ref().and_then(|holding| match holding {
            Witness::Tells(told) => Some(told),
            Witness::Fails(_) => None,
        });
        Ok(FleetLine {
            name: self.name().to_owned(),
            agent: birth.as_ref().map(|birth| birth.agent),
            chain: birth.as_ref().map(|birth| birth.deployment.chain_id),
            paper: birth.is_none(),
            life: life.life,
            cause: life.death,
            phase: Some(life.phase.clone()),
            tick: Some(life.tick),
            vitality: Some(life.vitality),
            credits: Some(life.credits.spendable),
            credits_last: life.clocks.credits_last,
            equity: holding.map(|told| told.equity),
            marked: holding.map(|told| told.marked),
            after_everything: holding.map(|told| told.after_everything),
            ahead: holding.map(|told| told.ahead),
            process: life.process,
            last_seen: Some(life.last_seen),
            worth: MoneySeries(history.equity.coarse(SPARK)),
            liveliness: ShareSeries(history.vitality.coarse(SPARK)),
            error: None,
        })
    }

    pub(super) fn portrait(&self) -> Result<PortraitPicture> {
        let birth = self.folder.birth().ok();
        let log = &self.known.log;
        Ok(PortraitPicture {
            golem: self.name().to_owned(),
            place: self.folder.place(),
            paper: birth.is_none(),
            agent: birth.as_ref().map(|birth| birth.agent),
            vault: birth.as_ref().map(|birth| birth.vault),
            owner: birth.as_ref().map(|birth| birth.owner),
            chain_id: birth.as_ref().map(|birth| birth.deployment.chain_id),
            life: self.known.picture(&self.folder)?,
            standing: StandingPicture::of(self.name(), &self.known.life),
            why: self.known.why(),
            trades: self.trades(),
            log: log.iter().skip(log.len().saturating_sub(LOGGED)).map(|(_, line)| line.clone()).collect(),
        })
    }

    pub(super) fn status(&self) -> Result<StatusPage> {
        Ok(StatusPage {
            golem: self.name().to_owned(),
            place: self.folder.place(),
            life: self.known.picture(&self.folder)?,
            standing: StandingPicture::of(self.name(), &self.known.life),
        })
    }

    pub(super) fn trades(&self) -> Vec<TradeLine> {
        self.known.trades.iter().cloned().collect()
    }

    pub(super) fn profit(&self) -> Result<ProfitPage> {
        Ok(ProfitPage::of(self.name(), &self.known.life, self.known.picture(&self.folder)?))
    }

    pub(super) fn testament(&self) -> Result<TestamentPage> {
        let name = self.name().to_owned();
        if self.known.life.death().is_none() {
            bail!("{name} lives; a testament is written when a Golem dies");
        }
        let testament = memory::testament(&self.folder.testament())?.to_markdown();
        Ok(TestamentPage { golem: name, testament })
    }

    pub(super) fn history(&self) -> HistoryPicture {
        HistoryPicture::of(self.name(), self.known.life.tick(), &self.known.history)
    }

    pub(super) fn claims(&mut self) -> Result<ClaimsPage> {
        self.tale.hear(&self.known.reader)?;
        Ok(ClaimsPage {
            golem: self.name().to_owned(),
            tick: self.known.life.tick(),
            open: self.known.life.trader().map_or(0, |trader| trader.predictions.len()),
            understanding: ShareSeries(self.known.history.epistemic.clone()),
            claims: self.tale.claims.iter().cloned().collect(),
        })
    }

    pub(super) fn playbook(&mut self) -> Result<PlaybookPage> {
        let (reader, newest) = (&self.known.reader, self.known.pass);
        self.tale.hear(reader)?;
        let evidence = match &mut self.evidence {
            Some(evidence) => evidence,
            none => none.insert(Evidence::begin(reader, newest)?),
        };
        evidence.live_on(reader, newest)?;
        let version = reader.playbook(None)?;
        Ok(PlaybookPage {
            golem: self.folder.name().to_owned(),
            tick: self.known.life.tick(),
            book: playbook::tried_book(&self.folder, &self.known.life)?,
            curves: evidence.curves(),
            steps: self.tale.steps.iter().cloned().collect(),
            counsel: counsel::counsel(&self.folder, version.as_ref()),
            versions: counsel::versions(reader, VERSIONS)?,
        })
    }

    pub(super) fn dreams(&self) -> Result<DreamsPage> {
        let reader = &self.known.reader;
        Ok(DreamsPage {
            golem: self.name().to_owned(),
            dreaming: dream::of_life(&self.folder, reader, &self.known.life)?,
            dreams: dream::last(reader, DREAMT)?,
        })
    }

    pub(super) fn mind(&self) -> MindPage {
        let (name, life) = (self.name(), &self.known.life);
        MindPage {
            golem: name.to_owned(),
            mood: MoodPicture::of(name, life),
            suffering: SufferingPicture::of(name, life),
        }
    }

    pub(super) fn market(&mut self, home: &Home) -> Result<MarketPage> {
        self.tale.hear(&self.known.reader)?;
        let history = &self.known.history;
        Ok(MarketPage {
            golem: self.name().to_owned(),
            tick: self.known.life.tick(),
            price: MoneySeries(history.price.clone()),
            time: TimeSeries(history.time.clone()),
            trades: self.trades(),
            stains: stains(home, &self.folder),
            recalled: self.tale.recalled.iter().cloned().collect(),
            sensed: self.tale.sensed.iter().cloned().collect(),
        })
    }

    pub(super) fn clade(&self, home: &Home) -> Result<CladePicture> {
        siblings::of_life(home, &self.folder, &self.known.reader, &self.known.life)
    }

    pub(super) fn costs(&self) -> Result<CostsPage> {
        let (life, told) = (&self.known.life, self.known.picture(&self.folder)?);
        let dreams = dream::of_life(&self.folder, &self.known.reader, life)?.map(|dreams| dreams.spent);
        Ok(CostsPage::of(self.name(), life, &told, dreams, &self.known.history))
    }

    pub(super) fn family(&self, home: &Home) -> Result<FamilyPage> {
        let Ok(own) = self.folder.birth() else {
            return Ok(FamilyPage { golem: self.name().to_owned(), lineage: None, members: Vec::new() });
        };
        let mut members = Vec::new();
        for other in home.all()? {
            let Ok(birth) = other.birth() else { continue };
            if birth.lineage != own.lineage || birth.deployment.lineage != own.deployment.lineage {
                continue;
            }
            let life = look::reader(&other).and_then(|reader| look::life(&reader)).ok();
            let grave = graves::grave(&other, &birth);
            members.push(FamilyLine {
                name: birth.name.clone(),
                agent: birth.agent,
                generation: birth.generation,
                life: life.as_ref().map_or("unreadable", look::standing),
                born: birth.born,
                credits: birth.credits,
                capital: birth.capital,
                testament: grave.as_ref().map(|_| memory::told(memory::testament(&other.testament()))),
                grave,
                own: birth.agent == own.agent,
            });
        }
        members.sort_by_key(|member| member.generation);
        Ok(FamilyPage { golem: self.name().to_owned(), lineage: Some(own.lineage), members })
    }

    pub(super) const fn onlooker(&self) -> &Onlooker {
        &self.known
    }

    pub(super) const fn folder(&self) -> &Folder {
        &self.folder
    }

    /// What came since a mark.
    pub(super) fn news(&self, since: Option<Bookmark>) -> News {
        let known = &self.known;
        let mark = Bookmark { of: known.reader.golem().to_string(), pass: known.pass };
        let from = match since {
            None => known.pass,
            Some(since) if since == mark => return News::Nothing,
            Some(since) => {
                let is_near = since.pass < mark.pass && mark.pass - since.pass <= MOST_BEHIND;
                if since.of != mark.of || !is_near {
                    return News::Afresh { mark };
                }
                since.pass
            }
        };
        let vitals = known.life.vitals();
        let vitality = vitals.vitality();
        let log: Vec<LoggedLine> =
            known.log.iter().filter(|(pass, _)| *pass > from).map(|(_, line)| line.clone()).collect();
        let told = Told::of(&NewsPicture {
            golem: self.name().to_owned(),
            tick: known.life.tick(),
            life: look::standing(&known.life),
            phase: vitals.phase().to_string(),
            vitality: vitality.composite,
            economic: vitality.economic,
            epistemic: vitality.epistemic,
            log,
        });
        News::Since { mark, told }
    }
}

/// O-012. The marks of all who died on this machine; one that cannot be read is left out.
fn stains(home: &Home, own: &Folder) -> Vec<StainMark> {
    let everybody = home.everybody().unwrap_or_default();
    let mut stains: Vec<StainMark> = everybody
        .iter()
        .filter_map(|folder| {
            let bytes = std::fs::read(folder.bloodstain()).ok()?;
            let stain: Bloodstain = serde_json::from_slice(&bytes).ok()?;
            let warned = stain.landscape.iter().filter_map(|patch| patch.warning());
            Some(StainMark {
                golem: format!("† {}", folder.name()),
                cause: stain.cause.name(),
                at: stain.at,
                block: stain.scene.block,
                ticks: stain.ticks,
                net: golem_view::Gain(stain.scene.net_micros),
                regime: stain.scene.regime.map(|regime| regime.name()),
                excerpt: stain.excerpt.clone(),
                warnings: warned.chain(stain.warnings.iter().map(|entry| entry.content.clone())).collect(),
                own: folder.name() == own.name(),
            })
        })
        .collect();
    stains.sort_by_key(|stain| stain.at);
    stains
}
