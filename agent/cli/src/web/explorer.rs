//! O-013. The chain behind the page.

use std::collections::BTreeMap;

use golem_chain::Unsigned;
use golem_chain::explorer::{
    DecodedData, Explorer, NamedValue, SeenBlock, SeenEvent, SeenTransaction, public_explorer,
};
use golem_primitives::{Address, B256};
use golem_view::{
    AddressPicture, BlockPicture, ChainEventPicture, ContractLine, ExplorerPage, GolemLine, OnChainPage, PartPicture,
    SaidPicture, TransactionPicture, UnsignedPicture, Wei, Witness,
};
use golem_web::{Refused, Told};

use super::house::{Rooms, away, failed};
use crate::golem::connect::Connected;
use crate::golem::identity::profile;
use crate::golem::subject::Subject;
use crate::golem::{ancestry, list, status};

/// Blocks on a page, and the newest of what the suite said.
const BLOCKS: u64 = 15;
const SAID: usize = 60;

/// Who looks, and where the same is shown to everybody.
struct Lens {
    explorer: Explorer,
    public: Option<&'static str>,
}

impl Lens {
    fn over(rooms: &Rooms, chain: &Connected) -> Self {
        let vaults = vaults(rooms, chain).into_iter().map(|(vault, line)| (vault, line.name)).collect();
        let explorer = Explorer::new(chain.endpoints.clone(), chain.deployment.clone(), vaults);
        Self { explorer, public: place(chain).1 }
    }

    fn link(&self, kind: &str, what: impl std::fmt::Display) -> Option<String> {
        self.public.map(|url| format!("{url}/{kind}/{what}"))
    }

    fn address(&self, address: Address) -> AddressPicture {
        AddressPicture { address, name: self.explorer.name_of(address) }
    }

    fn event(&self, event: SeenEvent) -> ChainEventPicture {
        ChainEventPicture {
            by: self.address(event.by),
            said: event.said.map(said),
            topic: event.topic,
            block: event.block,
            time: event.time,
            tx: event.tx,
        }
    }

    fn transaction(&self, sent: SeenTransaction) -> TransactionPicture {
        let result = sent.result;
        TransactionPicture {
            hash: sent.hash,
            block: sent.block,
            from: self.address(sent.from),
            to: sent.to.map(|to| self.address(to)),
            value: Wei(sent.value_wei),
            of_suite: sent.is_of_suite,
            call: sent.call.map(said),
            input_bytes: sent.input_bytes,
            succeeded: result.as_ref().map(|result| result.succeeded),
            gas_used: result.as_ref().map(|result| result.gas_used),
            cost: result.as_ref().map(|result| Wei(result.cost_wei)),
            refusal: result.as_ref().and_then(|result| result.refusal.clone()),
            events: result.into_iter().flat_map(|result| result.events).map(|event| self.event(event)).collect(),
            link: self.link("tx", sent.hash),
        }
    }

    /// A block; in a list its transactions are counted alone.
    fn block(&self, block: SeenBlock, is_listed: bool) -> BlockPicture {
        let of_suite = block.transactions.iter().filter(|sent| sent.is_of_suite).count();
        let count = block.transactions.len();
        let shown = block.transactions.into_iter().filter(|_| !is_listed);
        BlockPicture {
            number: block.number,
            hash: block.hash,
            parent: block.parent,
            time: block.time,
            gas_used: block.gas_used,
            base_fee: Wei(block.base_fee_wei),
            count,
            of_suite,
            transactions: shown.map(|sent| self.transaction(sent)).collect(),
            link: self.link("block", block.number),
        }
    }
}

fn said(decoded: DecodedData) -> SaidPicture {
    let part = |part: NamedValue| PartPicture { name: part.name, kind: part.kind, value: part.value };
    SaidPicture { contract: decoded.contract, name: decoded.name, parts: decoded.parts.into_iter().map(part).collect() }
}

/// A transaction that a wallet is shown.
pub(crate) fn unsigned(one: Unsigned) -> UnsignedPicture {
    UnsignedPicture {
        act: one.act,
        to: one.to,
        data: one.data.to_string(),
        value: Wei(one.value.saturating_to()),
        call: one.call.map(said),
    }
}

/// What the chain is called, and its public explorer; a local L2 has none.
pub(super) fn place(chain: &Connected) -> (String, Option<&'static str>) {
    if chain.devnet.is_some() {
        return ("local L2".to_owned(), None);
    }
    match public_explorer(chain.deployment.chain_id) {
        Some((name, url)) => (name, Some(url)),
        None => (format!("chain {}", chain.deployment.chain_id), None),
    }
}

/// The vaults of this home that stand on that chain.
fn vaults(rooms: &Rooms, chain: &Connected) -> BTreeMap<Address, GolemLine> {
    let everybody = rooms.home.all().unwrap_or_default();
    let here = everybody.iter().filter_map(|folder| {
        let birth = folder.birth().ok()?;
        let is_here = birth.deployment.lineage == chain.deployment.lineage
            && birth.deployment.chain_id == chain.deployment.chain_id;
        is_here.then(|| (birth.vault, list::line(folder)))
    });
    here.collect()
}

fn unseen(error: golem_chain::EndpointError) -> Refused {
    away(eyre::Report::new(error).wrap_err("the chain does not answer"))
}

pub(super) async fn page(rooms: &Rooms, subject: &Subject, newest: Option<u64>) -> Result<Told, Refused> {
    let chain = &subject.chain;
    let lens = Lens::over(rooms, chain);
    let head = chain.endpoints.head().await.map_err(unseen)?.number;
    let blocks = lens.explorer.blocks(newest, BLOCKS).await.map_err(unseen)?;
    let said = lens.explorer.said(newest, SAID).await.map_err(unseen)?;
    let here = &chain.deployment;
    let contracts = [
        ("identity registry", here.identity),
        ("lineage registry", here.lineage),
        ("birth", here.birth),
        ("succession", here.succession),
        ("vault implementation", here.vault),
        ("swap adapter", here.swap_adapter),
        ("position adapter", here.position_adapter),
        ("epitaph", here.epitaph),
        ("USDC", here.usdc),
        ("WETH", here.weth),
    ];
    let (name, public) = place(chain);
    Ok(Told::of(&ExplorerPage {
        chain_id: here.chain_id,
        chain: name,
        local: chain.devnet.is_some(),
        link: public.map(str::to_owned),
        head,
        confirmations: here.confirmations,
        contracts: contracts.into_iter().map(|(name, address)| ContractLine { name, address }).collect(),
        vaults: vaults(rooms, chain).into_values().collect(),
        blocks: blocks.into_iter().map(|block| lens.block(block, true)).collect(),
        said: said.into_iter().map(|event| lens.event(event)).collect(),
    }))
}

pub(super) async fn block(rooms: &Rooms, subject: &Subject, number: u64) -> Result<Told, Refused> {
    let lens = Lens::over(rooms, &subject.chain);
    let found = lens.explorer.block(number).await.map_err(unseen)?;
    let block = found.ok_or_else(|| Refused::Missing(format!("the chain has no block {number}")))?;
    Ok(Told::of(&lens.block(block, false)))
}

pub(super) async fn transaction(rooms: &Rooms, subject: &Subject, hash: B256) -> Result<Told, Refused> {
    let lens = Lens::over(rooms, &subject.chain);
    let found = lens.explorer.transaction(hash).await.map_err(unseen)?;
    let sent = found.ok_or_else(|| Refused::Missing(format!("the chain has no transaction {hash}")))?;
    Ok(Told::of(&lens.transaction(sent)))
}

pub(super) async fn chronicle(rooms: &Rooms, subject: &Subject, verify: bool) -> Result<Told, Refused> {
    let chronicle = rooms.chronicle(&subject.chain).await?;
    let line = ancestry::line_picture(&rooms.home, &subject.chain, &chronicle, subject.agent, verify).await;
    line.map(|line| Told::of(&line)).map_err(failed)
}

/// What the registries and its vault say of a Golem; of one on paper what its pretended vault does.
pub(super) async fn on_chain(rooms: &Rooms, golem: &str) -> Result<Told, Refused> {
    let folder = rooms.home.find_memory(golem).map_err(super::house::missing)?;
    if folder.is_on_paper() {
        let status = Witness::Tells(status::on_paper(&folder).map_err(failed)?);
        let profile = Witness::Fails("who lives on paper has no identity on a chain".to_owned());
        return Ok(Told::of(&OnChainPage { golem: golem.to_owned(), link: None, status, profile }));
    }
    let subject = rooms.subject(golem).await?;
    let status = status::on_chain(&subject.chain, subject.agent, subject.vault).await;
    let desk = subject.chain.onlooker().map_err(failed)?;
    let profile = profile::picture_of(&desk, subject.agent).await;
    let link = place(&subject.chain).1.map(|url| format!("{url}/address/{}", subject.vault));
    Ok(Told::of(&OnChainPage {
        golem: golem.to_owned(),
        link,
        status: Witness::of(status),
        profile: Witness::of(profile),
    }))
}
