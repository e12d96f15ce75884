//! `bardo grave library market` and `buy`: what somebody else sells of a library, and buying it over x402 (I-230 to I-234,
//! I-240, R-033).
//!
//! Everything a seller says is data: it is bounded, shown, and believed by nobody. What is paid for is named by its hash;
//! whoever sells is who is paid, a vault of the chain's own registry. What comes is kept as a stranger's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{KeyFloat, OwnerDesk};
use golem_core::record::{BOUGHT, Partition, RuleOfAnother};
use golem_edge::client;
use golem_grimoire::regime::Regime;
use golem_inheritance::library::inflow::Channel;
use golem_inheritance::library::sale::{
    DeliveryError, EntryEvidence, KnowledgeSet, ListedSet, MOST_BYTES, RuleEvidence, SetEvidence, SoldEntry, SoldRule,
    unmarked,
};
use golem_playbook::Book;
use golem_playbook::rule::Rule;
use golem_primitives::{Address, AgentId, B256, GolemId, LineageId, Usdc, UtcTime};
use golem_runtime::Kin;
use golem_view::{
    BoughtLine, BoughtPicture, EntryEvidencePicture, LibraryRule, ReturnPpm, RuleEvidencePicture, SetPicture, table_of,
};
use golem_x402::{BoughtAnswer, Host, Payer, PayerSettings, Purchase, PurchaseError, PurchaseRequest};
use reqwest::{StatusCode, Url};
use serde::{Deserialize, Serialize};

use super::kept::{Kept, all, entry_path};
use super::named;
use super::publish::MOST_SETS;
use super::purchases::Purchases;
use crate::golem::connect::{ChainChoice, Connected, Wallet};
use crate::golem::home::{Home, write_whole};
use crate::golem::list::ListArguments;
use crate::golem::pace::wall_clock;
use crate::golem::subject::confirm;
use crate::screen;

/// The longest listing that is read.
const LISTING_BYTES: usize = 4 << 20;
/// How long one question may take; a settlement waits for its block.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long nothing is bought where something else came than was paid for.
const BARRED: Duration = Duration::from_secs(365 * UtcTime::DAY_SECONDS);
#[derive(Debug, Args)]
pub(crate) struct MarketArguments {
    /// The stall, as its registration file says.
    url: String,
    /// A JSON array instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BuyArguments {
    /// The stall, as its registration file says.
    url: String,
    /// The set: its name or its hash, as `library market` lists it.
    set: String,
    /// The most it may cost, in USDC.
    #[arg(long, value_name = "USDC")]
    at_most: Usdc,
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    #[command(flatten)]
    wallet: Wallet,
    /// Do not ask again.
    #[arg(long)]
    yes: bool,
    /// A JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// What a stall says it sells of a library. What else it says is passed over.
#[derive(Debug, Deserialize)]
struct Listing {
    vault: Address,
    network: String,
    sets: Vec<SetOnList>,
}

#[derive(Debug, Clone, Deserialize)]
struct SetOnList {
    hash: B256,
    price: u64,
    evidence: SetEvidence,
}

struct Stall {
    base: Url,
    host: Host,
}

impl Stall {
    fn at(url: &str) -> Result<Self> {
        let base = Url::parse(&format!("{}/", url.trim_end_matches('/')));
        let base = base.wrap_err_with(|| format!("{url:?} is no address of a stall; write it as https://host"))?;
        let host = Host::of(&base)?;
        Ok(Self { base, host })
    }

    fn page(&self, path: &str) -> Result<Url> {
        self.base.join(path).wrap_err("no address of a stall")
    }

    /// What it sells, for nothing. A stranger's text: bounded in time, bytes, sets and fields.
    async fn listing(&self) -> Result<Listing> {
        let host = &self.host;
        let asked = client::client()?.get(self.page("library")?).timeout(PATIENCE).send().await;
        let mut answer = asked
            .map_err(|error| eyre::eyre!("{host} does not answer: {}; nothing was paid", client::cause(&error)))?;
        ensure!(
            answer.status() == StatusCode::OK,
            "{host} answered {} instead of listing what it sells; is it the stall of a Golem?",
            answer.status().as_u16()
        );
        let body = client::read(&mut answer, LISTING_BYTES).await.wrap_err_with(|| format!("{host} is not read"))?;
        let listing: Listing =
            serde_json::from_slice(&body).wrap_err_with(|| format!("{host} lists nothing that can be read"))?;
        ensure!(
            listing.sets.len() <= MOST_SETS,
            "{host} lists {} sets, and no stall has more than {MOST_SETS}; nothing of it is shown",
            listing.sets.len()
        );
        for set in &listing.sets {
            set.evidence.check().wrap_err_with(|| format!("{host} lists {}, which is no set", set.hash))?;
        }
        Ok(listing)
    }
}

impl Listing {
    /// The one set that is meant.
    fn find(&self, wanted: &str, host: &Host) -> Result<&SetOnList> {
        let is_it = |set: &&SetOnList| set.evidence.name == wanted || set.hash.to_string().eq_ignore_ascii_case(wanted);
        let found: Vec<&SetOnList> = self.sets.iter().filter(is_it).collect();
        match found[..] {
            [one] => Ok(one),
            [] => bail!("{host} sells no set {wanted:?}; `bardo grave library market` shows what it does"),
            _ => bail!("{host} sells several sets called {wanted:?}; name the one you mean by its hash"),
        }
    }
}

impl MarketArguments {
    pub(super) async fn run(&self) -> Result<ExitCode> {
        let stall = Stall::at(&self.url)?;
        let listing = stall.listing().await?;
        let sets: Vec<SetPicture> = listing.sets.iter().map(picture).collect();
        let heading = format!("Sets at {}, paid to {}", stall.host, listing.vault);
        screen::draw_all(self.json, &heading, &sets, &format!("{} sells nothing of a library now.", stall.host));
        if self.json {
            return Ok(ExitCode::SUCCESS);
        }
        for set in &sets {
            screen::show_some(&format!("What stands behind the entries of {}", set.name), &set.entries);
            screen::show_some(&format!("What the rules of {} have shown", set.name), &set.rules);
        }
        println!(
            "All of this is the seller's word. What you buy is kept as a stranger's until your own Golems prove it."
        );
        Ok(ExitCode::SUCCESS)
    }
}

fn picture(listed: &SetOnList) -> SetPicture {
    let entry = |one: &EntryEvidence| EntryEvidencePicture {
        kind: one.kind.name(),
        domain: one.domain.name(),
        regime: one.regime.map(Regime::name),
        confidence: one.confidence,
        episodes: one.episodes,
        trials: one.counted.map(|counted| counted.trials),
        held: one.counted.map(|counted| counted.held),
        proved_by: one.proved_by,
        inheritances: one.inheritances,
        origin: one.attribution.origin(),
        origin_generation: one.attribution.origin_generation(),
        hop: one.attribution.hop(),
        bloodstain: one.is_bloodstain,
    };
    let rule = |one: &RuleEvidence| RuleEvidencePicture {
        looks: one.looks,
        trips: one.trips,
        evidence: one.evidence,
        mean_return_recent: ReturnPpm(one.mean_ppm),
        origin: one.attribution.origin(),
        origin_generation: one.attribution.origin_generation(),
    };
    let evidence = &listed.evidence;
    SetPicture {
        name: evidence.name.clone(),
        price: Usdc::from_micros(listed.price),
        holds: evidence.entries.len(),
        rules_held: evidence.rules.len(),
        purpose: evidence.purpose.clone(),
        hash: listed.hash,
        entries: evidence.entries.iter().map(entry).collect(),
        rules: evidence.rules.iter().map(rule).collect(),
    }
}

/// Who sells, as the chain's registry has it.
struct Seller {
    golem: GolemId,
    agent: AgentId,
    kin: Kin,
}

impl Seller {
    /// Whoever is paid is who sells: a vault that the registry knows. Nobody can sell in another's name without paying him.
    async fn of(vault: Address, desk: &OwnerDesk) -> Result<Self> {
        let agent = desk.agent_of(vault).await.wrap_err("the stall asks to be paid to nobody the registry knows")?;
        let view = desk.golem(agent).await?;
        let lineage = LineageId(view.lineage.saturating_to());
        let kin = Kin { agent: Some(agent), lineage, generation: view.generation.saturating_to(), ..Kin::default() };
        Ok(Self { golem: GolemId::from_vault(vault), agent, kin })
    }
}

impl BuyArguments {
    pub(super) async fn run(&self) -> Result<ExitCode> {
        let stall = Stall::at(&self.url)?;
        let listing = stall.listing().await?;
        let set = listing.find(&self.set, &stall.host)?;
        let price = Usdc::from_micros(set.price);
        ensure!(price <= self.at_most, "{} costs {price}, and you pay {} at most", self.set, self.at_most);
        let chain = self.chain.connect().await?;
        let here = format!("eip155:{}", chain.deployment.chain_id);
        ensure!(
            listing.network == here,
            "it is paid for on another chain than this one, {here}; name its chain with --rpc"
        );
        let desk = chain.onlooker()?;
        let seller = Seller::of(listing.vault, &desk).await?;
        let holds = format!("{} entries and {} rules", set.evidence.entries.len(), set.evidence.rules.len());
        confirm(self.yes, &format!("{price} go to {} for {holds}", seller.golem))?;
        let mut purchases = Purchases::open(&self.home)?;
        let listed = ListedSet { hash: set.hash, evidence: set.evidence.clone() };
        let bought = self.pay(&stall, listing.vault, set, &chain, &mut purchases).await?;
        let delivered = match read(&listed, &bought.answer.body) {
            Ok(delivered) => delivered,
            Err(error) => {
                purchases.cheated(stall.host.as_str(), wall_clock().plus(BARRED))?;
                let wrapped = format!("{} was paid {} and gave something else", stall.host, bought.paid);
                return Err(eyre::Report::new(error).wrap_err(format!("{wrapped}; nothing is bought there for a year")));
            }
        };
        let dead = deaths(&delivered.entries, &desk).await;
        let taken = take_in(&self.home, &seller, set.hash, delivered, &dead)?;
        Ok(self.told(&seller, set, &bought, taken))
    }

    /// Pays exactly what was listed or less, to who was listed, once. What is in the record is given again.
    async fn pay(
        &self,
        stall: &Stall,
        vault: Address,
        set: &SetOnList,
        chain: &Connected,
        purchases: &mut Purchases,
    ) -> Result<BoughtAnswer> {
        let signer = self.wallet.signer(chain).await?;
        let buyer = signer.address();
        let float = KeyFloat::open(chain.endpoints.clone(), signer, &chain.deployment).await;
        let float = float.wrap_err("the chain's USDC cannot be read")?;
        let listed = golem_x402::Listed { host: stall.host.clone(), payee: Some(vault) };
        let settings = PayerSettings {
            hosts: vec![listed],
            per_call: self.at_most,
            per_day: Usdc::MAX,
            longest_answer: MOST_BYTES,
            patience: PATIENCE,
        };
        let payer = Payer::new(float, settings)?;
        let url = stall.page(&format!("library/{}", set.hash))?.to_string();
        loop {
            let purchase = Purchase {
                effect: purchases.effect(buyer, stall.host.as_str(), set.hash),
                partition: Partition::Data,
                url: url.clone(),
                request: PurchaseRequest::Get,
                at_most: Usdc::from_micros(set.price),
                now: wall_clock(),
            };
            match payer.buy(&purchase, purchases).await {
                // What was offered before and never taken is over; this is the next try, under a new name.
                Err(PurchaseError::RanOut { .. }) => {}
                Ok(bought) => return Ok(bought),
                Err(error) => {
                    let kept = purchases.answer_of(purchase.effect).filter(|path| path.exists());
                    let told = kept.map(|path| format!("what came is kept in {}", path.display()));
                    let report = eyre::Report::new(error).wrap_err("it was not bought");
                    return Err(told.into_iter().fold(report, eyre::Report::wrap_err));
                }
            }
        }
    }

    fn told(&self, seller: &Seller, set: &SetOnList, bought: &BoughtAnswer, taken: TakenIn) -> ExitCode {
        let picture = BoughtPicture {
            set: set.evidence.name.clone(),
            hash: set.hash,
            seller: seller.golem,
            agent: seller.agent,
            paid: bought.paid,
            tx: bought.receipt.as_ref().and_then(|receipt| receipt.tx),
            bundle: taken.bundle,
            lines: taken.lines,
        };
        screen::draw_by(self.json, &picture, |picture| {
            screen::show(&table_of(&format!("Bought from {} for {}", picture.seller, picture.paid), &picture.lines));
            if let Some(bundle) = &picture.bundle {
                println!(
                    "\n`bardo grave library equip GOLEM --bundle {bundle}` gives the entries to a Golem, as candidates."
                );
            }
        })
    }
}

/// What was delivered, if it is what was listed.
fn read(listed: &ListedSet, bytes: &[u8]) -> Result<KnowledgeSet, DeliveryError> {
    listed.named(bytes)?;
    let set: KnowledgeSet =
        serde_json::from_slice(bytes).map_err(|error| DeliveryError::Unreadable { why: error.to_string() })?;
    listed.holds(&set)?;
    Ok(set)
}

/// I-246. Which of those that the dead are said to have left, the chain knows to be dead. What cannot be asked bears no mark.
async fn deaths(entries: &[SoldEntry], desk: &OwnerDesk) -> BTreeMap<GolemId, bool> {
    let marked = entries.iter().filter(|sold| sold.entry.source.is_bloodstain());
    let mut dead = BTreeMap::new();
    for golem in marked.map(|sold| sold.attribution.hop()).collect::<BTreeSet<_>>() {
        let is_dead = async {
            let agent = desk.agent_of(golem.as_str().parse().ok()?).await.ok()?;
            Some(desk.golem(agent).await.ok()?.life.eq_ignore_ascii_case("dead"))
        };
        dead.insert(golem, is_dead.await.unwrap_or(false));
    }
    dead
}

struct TakenIn {
    lines: Vec<BoughtLine>,
    bundle: Option<String>,
}

/// Takes a set into the library, as a stranger's. What is there already stays as it is; again it changes nothing.
fn take_in(
    home: &Home,
    seller: &Seller,
    hash: B256,
    set: KnowledgeSet,
    dead: &BTreeMap<GolemId, bool>,
) -> Result<TakenIn> {
    let (mut lines, mut came) = (Vec::new(), BTreeSet::new());
    let known: BTreeSet<String> = all(home)?.into_iter().map(|one| one.entry.content).collect();
    for sold in set.entries {
        let (id, says) = (sold.entry.id, sold.entry.content.clone());
        let there = super::kept::read(&entry_path(home, id)).ok();
        let fate = match there {
            Some(one) if one.is_bought() && one.entry.content == says => {
                came.insert(id);
                "kept already".to_owned()
            }
            Some(_) => "not kept: another entry of the library has its name".to_owned(),
            None if known.contains(&says) => "not kept: the library says it already".to_owned(),
            None => {
                let kept = Kept::bought(seller.kin.clone(), seller.golem, sold, dead);
                kept.write(home)?;
                came.insert(id);
                format!("kept, worth {}", kept.entry.bequeathed)
            }
        };
        lines.push(BoughtLine { what: id.to_string(), fate, says });
    }
    for rule in set.rules {
        lines.push(keep_rule(home, seller.golem, hash, &rule)?);
    }
    let name = format!("{BOUGHT}{}", &hash.to_string()[2..10]);
    let bundle = if came.is_empty() {
        None
    } else {
        named::make(home, &name, &format!("bought from {}", seller.golem), came)?;
        Some(name)
    };
    Ok(TakenIn { lines, bundle })
}

impl Kept {
    /// I-233, I-240. A bought entry: worth three tenths at most, learnt by who learnt it, from who sold it. The mark of the dead
    /// stays where the chain knows of that death.
    fn bought(kin: Kin, seller: GolemId, sold: SoldEntry, dead: &BTreeMap<GolemId, bool>) -> Self {
        let SoldEntry { entry, attribution, .. } = sold;
        let is_marked = entry.source.is_bloodstain() && dead.get(&attribution.hop()) == Some(&true);
        let entry = if is_marked { entry } else { unmarked(entry) };
        let claimed = Some(entry.bequeathed);
        let kept = Self::by(Channel::MarketplacePurchase, &kin, seller, entry);
        Self { attribution: attribution.passed_by(seller), claimed, ..kept }
    }
}

/// A rule that was bought, as the library keeps it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BoughtRule {
    seller: GolemId,
    set: B256,
    sold: SoldRule,
}

fn rule_path(home: &Home, name: &str) -> PathBuf {
    home.library().join("rules").join(format!("{name}.json"))
}

fn keep_rule(home: &Home, seller: GolemId, set: B256, sold: &SoldRule) -> Result<BoughtLine> {
    let Some(RuleOfAnother { rule, .. }) = RuleOfAnother::read(BOUGHT, seller, &sold.text) else {
        let fate = "refused: no book would take it".to_owned();
        return Ok(BoughtLine { what: "rule".to_owned(), fate, says: sold.text.replace('\n', " ") });
    };
    let path = rule_path(home, &rule.name);
    let kept = BoughtRule { seller, set, sold: SoldRule { text: rule.to_string(), ..sold.clone() } };
    let bytes = serde_json::to_vec_pretty(&kept)?;
    let fate = match std::fs::read(&path) {
        Ok(known) if known == bytes => "kept already",
        Ok(_) => "not kept: another rule of that seller has its name",
        Err(_) => {
            write_whole(&path, &bytes)?;
            "kept; `equip --rule` has a Golem try it on paper"
        }
    };
    Ok(BoughtLine { what: rule.name.clone(), fate: fate.to_owned(), says: rule.in_words() })
}

/// A bought rule by its name, to be tried.
pub(super) fn rule(home: &Home, name: &str) -> Result<Rule> {
    let known = bought_rules(home)?;
    match known.into_iter().find(|(kept, _)| kept.name == name) {
        Some((rule, _)) => Ok(rule),
        None => bail!("the library has no rule {name:?}; `bardo grave library rules` shows those there are"),
    }
}

fn bought_rules(home: &Home) -> Result<Vec<(Rule, BoughtRule)>> {
    let mut found = Vec::new();
    for file in std::fs::read_dir(home.library().join("rules")).into_iter().flatten() {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let wrong = || format!("{} is no rule of the library", path.display());
        let kept: BoughtRule = serde_json::from_slice(&std::fs::read(&path)?).wrap_err_with(wrong)?;
        let book: Book = format!("# Bought\n\n{}\n", kept.sold.text).parse().wrap_err_with(wrong)?;
        found.extend(book.rules.into_iter().next().map(|rule| (rule, kept)));
    }
    found.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    Ok(found)
}

/// `bardo grave library rules`.
pub(super) fn rules(arguments: &ListArguments) -> Result<ExitCode> {
    let line = |(rule, kept): &(Rule, BoughtRule)| LibraryRule {
        name: rule.name.clone(),
        trips: kept.sold.evidence.trips,
        evidence: kept.sold.evidence.evidence,
        origin: kept.sold.evidence.attribution.origin(),
        seller: kept.seller,
        says: rule.in_words(),
        text: kept.sold.text.clone(),
    };
    let lines: Vec<LibraryRule> = bought_rules(&arguments.home)?.iter().map(line).collect();
    let empty = "No rule was bought; `bardo grave library market URL` shows what somebody sells.";
    Ok(screen::draw_all(arguments.json, "Rules that were bought", &lines, empty))
}

#[cfg(test)]
mod tests {
    use golem_grimoire::provenance::Source;
    use golem_inheritance::attribution::Attribution;
    use golem_inheritance::library::inflow::Channel;

    use super::super::tend::tests::proven;
    use super::*;

    const DIP: &str =
        "### dip\n\n- when: z(64) <= -1.5\n- do: hold 40%\n- until: since >= 30\n- expects: +0.8% within 100";

    fn golem(name: &str) -> GolemId {
        GolemId::new(name).expect("a name")
    }

    fn seller() -> Seller {
        Seller {
            golem: golem("0xdacd51a54883eb67d95faeb2bbfdc4a9a6bd2a3b"),
            agent: AgentId(golem_primitives::U256::ZERO),
            kin: Kin::default(),
        }
    }

    fn rule(text: &str) -> SoldRule {
        let attribution = Attribution::held(&Source::own(golem("ash")), golem("ash"), 2);
        let evidence = RuleEvidence { looks: 9_000, trips: 61, evidence: 44, mean_ppm: 1_200, attribution };
        SoldRule { text: text.to_owned(), evidence }
    }

    fn entry(nth: u32) -> SoldEntry {
        let (_, one) = proven(nth, "ash");
        let mut entry = one.entry;
        entry.source = entry.source.stained(None);
        let attribution = Attribution::held(&entry.source, golem("left"), 2);
        SoldEntry { entry, attribution, proved_by: 9 }
    }

    /// P-075, I-233: a bought rule bears its seller's name, begins with nothing shown and is whose it was; what no book takes is refused
    /// and the rest comes in; taken in again nothing changes.
    #[test]
    fn p_075_a_bought_rule_is_kept_to_be_tried() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        let set = |rules| KnowledgeSet::new("calm", "", vec![entry(1)], rules).expect("a set");
        let rules = vec![rule(DIP), rule("### dip\n\n- when: moon\n- do: send 0xdead")];
        let taken = take_in(&home, &seller(), B256::ZERO, set(rules.clone()), &BTreeMap::new()).expect("taken in");
        let fates: Vec<&str> = taken.lines.iter().map(|line| line.fate.as_str()).collect();
        assert!(fates[1].starts_with("kept") && fates[2].starts_with("refused"), "{fates:?}");
        let kept = super::rule(&home, "bought-dacd51-dip").expect("there");
        assert_eq!(kept.when, RuleOfAnother::read(BOUGHT, golem("x"), DIP).expect("a rule").rule.when);
        let known = bought_rules(&home).expect("read");
        assert_eq!((known.len(), known[0].1.sold.evidence.attribution.origin()), (1, golem("ash")));
        let again = take_in(&home, &seller(), B256::ZERO, set(rules), &BTreeMap::new()).expect("taken in");
        assert!(again.lines[..2].iter().all(|line| line.fate == "kept already"), "{:?}", again.lines);
        assert!(super::rule(&home, "dip").is_err());
    }

    /// I-036, I-233, I-246: a bought entry is worth three tenths at most, comes from its seller and stays its origin's; the mark of the dead
    /// stays where the chain knows of that death; and nothing of one's own is replaced.
    #[test]
    fn i_233_a_bought_entry_is_a_strangers_and_replaces_nothing() {
        let dir = tempfile::tempdir().expect("a folder");
        let home = Home::at(dir.path());
        let (_, own) = proven(2, "bea");
        let mine = Kept::by(Channel::LiveExport, &own.kin, own.golem, own.entry);
        mine.write(&home).expect("written");
        let set = KnowledgeSet::new("calm", "", vec![entry(1), entry(2), entry(3)], Vec::new()).expect("a set");
        let dead = BTreeMap::from([(golem("left"), true)]);
        let taken = take_in(&home, &seller(), B256::repeat_byte(7), set, &dead).expect("taken in");
        assert!(taken.lines[1].fate.starts_with("not kept: another entry"), "{:?}", taken.lines);
        let kept = all(&home).expect("read");
        let read = |id| super::super::kept::read(&entry_path(&home, id)).expect("there");
        assert_eq!((kept.len(), read(mine.entry.id)), (3, mine), "one's own stays");
        let one = read(entry(1).entry.id);
        assert_eq!((one.attribution.origin(), one.attribution.hop()), (golem("ash"), seller().golem));
        assert_eq!(one.attribution.origin_generation(), Some(2), "I-232");
        assert_eq!(one.entry.bequeathed.get().get(), 300_000);
        assert!(one.is_bought() && one.entry.source.is_bloodstain() && one.sender() == golem("ash"));
        let unknown = Kept::bought(Kin::default(), seller().golem, entry(4), &BTreeMap::new());
        assert!(!unknown.entry.source.is_bloodstain(), "nobody knows of that death");
    }
}
