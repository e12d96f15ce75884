//! Money in and out: `fund`, `withdraw`, `claim`.

use std::process::ExitCode;

use clap::Args;
use eyre::{Result, ensure};
use golem_primitives::{Address, U256, Usdc};
use golem_view::{ClaimedNft, ClaimedPicture, DepositPicture, Funded, GasGiven, Shown as _, TakenBack, Wei};

use super::create::parse_ether;
use super::qr;
use super::subject::{Act, Which};
use crate::screen;

#[derive(Debug, Args)]
pub(crate) struct FundArguments {
    #[command(flatten)]
    act: Act,
    /// USDC to give.
    #[arg(long, value_name = "USDC", required_unless_present_any = ["gas", "show_address"])]
    amount: Option<Usdc>,
    /// To trade with, not to live on; only the owner can.
    #[arg(long, requires = "amount")]
    capital: bool,
    /// Native coin for its key, in ether.
    #[arg(long, value_name = "ETH", value_parser = parse_ether)]
    gas: Option<u128>,
    /// Only show where USDC can be sent by a plain transfer, with a code to scan.
    #[arg(long, conflicts_with_all = ["gas", "capital"])]
    show_address: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WithdrawArguments {
    #[command(flatten)]
    act: Act,
    /// USDC of its capital to take back; what is in tokens has to be sold first.
    #[arg(long, value_name = "USDC")]
    amount: Usdc,
}

#[derive(Debug, Args)]
pub(crate) struct ClaimArguments {
    #[command(flatten)]
    act: Act,
    /// What to take: usdc, native, or a token's address. What a token left behind is named by its `Stranded` event.
    #[arg(long, default_value = "usdc")]
    asset: Asset,
    /// An NFT instead, as COLLECTION:ID, such as a liquidity position.
    #[arg(long, value_name = "ADDRESS:ID", conflicts_with = "asset")]
    nft: Option<Nft>,
}

#[derive(Debug, Clone, Copy)]
enum Asset {
    Usdc,
    Native,
    Token(Address),
}

impl std::str::FromStr for Asset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "usdc" => Ok(Self::Usdc),
            "native" => Ok(Self::Native),
            other => other.parse().map(Self::Token).map_err(|_| "usdc, native, or a token's address".to_owned()),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Nft {
    collection: Address,
    id: U256,
}

impl std::str::FromStr for Nft {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a collection's address and an id, such as 0x...:12".to_owned();
        let (collection, id) = text.split_once(':').ok_or_else(wrong)?;
        Ok(Self { collection: collection.parse().map_err(|_| wrong())?, id: id.parse().map_err(|_| wrong())? })
    }
}

impl FundArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        if self.show_address {
            return show_address(&self.act.which, self.amount, self.act.json).await;
        }
        let acting = self.act.open().await?;
        let name = acting.subject.name.clone();
        if let Some(amount) = self.amount {
            ensure!(!amount.is_zero(), "give an amount above zero");
            let receipt = if self.capital {
                acting.desk.fund_capital(acting.vault(), amount, &mut acting.report()).await?
            } else {
                acting.desk.top_up(acting.vault(), amount, &mut acting.report()).await?
            };
            let what = if self.capital { "to trade with" } else { "to live on" };
            let about = Funded { amount, into_capital: self.capital };
            acting.done(&receipt, &format!("{name} was given {amount} {what}."), &about);
        }
        if let Some(wei) = self.gas {
            let key = acting.desk.golem(acting.subject.agent).await?.key;
            ensure!(!key.is_zero(), "{name} has no key; give it one with `bardo owner rotate-key {name}`");
            let receipt = acting.desk.send_gas(key, wei, &mut acting.report()).await?;
            acting.done(&receipt, &format!("The key {key} was given gas."), &GasGiven { amount: Wei(wei), key });
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Where anybody can send USDC; the Golem itself allocates what came within a tick or two (V-003).
async fn show_address(which: &Which, amount: Option<Usdc>, json: bool) -> Result<ExitCode> {
    let subject = which.find().await?;
    let (usdc, chain_id) = (subject.chain.deployment.usdc, subject.chain.deployment.chain_id);
    let uri = qr::transfer(usdc, chain_id, subject.vault, amount);
    let place = DepositPicture { golem: subject.name, vault: subject.vault, usdc_address: usdc, chain_id, uri };
    if json {
        screen::tell(&place.json());
        return Ok(ExitCode::SUCCESS);
    }
    let DepositPicture { golem, vault, uri, .. } = place;
    println!("Send USDC ({usdc}) on chain {chain_id} to the vault of {golem}:\n\n  {vault}\n");
    println!("{}", qr::draw(&uri)?);
    println!("{uri}\nAt least 1 USDC; it becomes credits when the Golem next looks.");
    Ok(ExitCode::SUCCESS)
}

impl WithdrawArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let receipt = acting.desk.withdraw_capital(acting.vault(), self.amount, &mut acting.report()).await?;
        let words = format!("{} of the capital of {} is the owner's again.", self.amount, acting.subject.name);
        Ok(acting.done(&receipt, &words, &TakenBack { amount: self.amount }))
    }
}

/// V-009. Ends what Declining set aside.
pub(super) async fn split(act: &Act) -> Result<ExitCode> {
    let acting = act.open().await?;
    let receipt = acting.desk.split_as_at_birth(acting.vault(), &mut acting.report()).await?;
    Ok(acting.done(&receipt, &format!("The credits of {} are cut as at birth.", acting.subject.name), &()))
}

impl ClaimArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        if let Some(Nft { collection, id }) = self.nft {
            let receipt = acting.desk.claim_nft(acting.vault(), collection, id, &mut acting.report()).await?;
            let about = ClaimedNft { collection, id };
            return Ok(acting.done(&receipt, &format!("Token {id} of {collection} is the owner's."), &about));
        }
        let asset = match self.asset {
            Asset::Usdc => Some(acting.subject.chain.deployment.usdc),
            Asset::Native => None,
            Asset::Token(token) => Some(token),
        };
        let (amount, receipt) = acting.desk.claim(acting.vault(), asset, &mut acting.report()).await?;
        let what = match (self.asset, u64::try_from(amount)) {
            (Asset::Usdc, Ok(micros)) => Usdc::from_micros(micros).to_string(),
            (Asset::Native, _) => screen::ether(amount.saturating_to()),
            _ => format!("{amount} units of {}", asset.unwrap_or_default()),
        };
        Ok(acting.done(
            &receipt,
            &format!("{what} went to the owner."),
            &ClaimedPicture { amount_smallest_units: amount, asset },
        ))
    }
}
