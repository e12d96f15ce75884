//! The owner's rule over a living Golem: `policy`, `stop-entries`, `hibernate`, `guardian`.

use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use eyre::{Result, WrapErr, bail, ensure};
use golem_chain::{Policy, WorstLoss};
use golem_primitives::{Address, Bps, Usdc, UtcTime};
use golem_view::{
    GuardianPicture, Picture as _, PolicyChanges, PolicyInForce, PolicyPicture, Seconds, TakenBack, TripPicture,
    UntilPicture, WorstPicture,
};
use serde_json::Value;

use super::subject::{Act, Acting, Which};
use crate::screen;

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Show the policy in force and what a leaked key could cost in 24 hours.
    #[command(after_help = "Example: bardo owner policy show ada")]
    Show(ShowArguments),
    /// Change fields of the policy, after showing what changes and what a leaked key could then cost.
    #[command(after_help = "Example: bardo owner policy set ada trade_bps=500 call_cap=2.5 --yes")]
    Set(SetArguments),
}

/// What `policy show` and `memory verify` take.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    pub(super) which: Which,
    /// A JSON object instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SetArguments {
    #[command(flatten)]
    act: Act,
    /// Fields and their new values, as `policy show` names them. Money in USDC, shares in basis points, times in seconds.
    #[arg(value_name = "FIELD=VALUE", required = true)]
    changes: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StopArguments {
    #[command(flatten)]
    act: Act,
    /// Also take the idle USDC of its capital out, so that there is nothing left to enter with until something is sold.
    #[arg(long)]
    take_idle: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HibernateArguments {
    #[command(flatten)]
    act: Act,
    /// When it wakes by itself, within 90 days.
    #[arg(long, value_name = "RFC3339", required_unless_present = "span", conflicts_with = "span")]
    until: Option<UtcTime>,
    /// How long it sleeps, such as 3d, 12h or 30m.
    #[arg(long = "for", id = "span", value_name = "SPAN", value_parser = parse_span)]
    span: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct LockArguments {
    #[command(flatten)]
    act: Act,
    /// When the lock ends, within 30 days.
    #[arg(long, value_name = "RFC3339", required_unless_present = "days", conflicts_with = "days")]
    until: Option<UtcTime>,
    /// How many days it lasts, at most 30.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=30))]
    days: Option<u64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GuardianCommand {
    /// Name who may trip the kill switch; `none` for nobody.
    #[command(after_help = "Example: bardo owner guardian set ada 0x71C7656EC7ab88b098defB751B7401B5f6d8976F")]
    Set(GuardianSetArguments),
    /// Trip the kill switch, with the guardian's wallet.
    #[command(after_help = "Example: bardo owner guardian trip ada --reason \"key leaked\" --keystore guardian.json")]
    Trip(TripArguments),
}

#[derive(Debug, Args)]
pub(crate) struct GuardianSetArguments {
    #[command(flatten)]
    act: Act,
    /// The guardian's address, or `none`.
    #[arg(value_parser = parse_nobody)]
    guardian: Nobody,
}

#[derive(Debug, Args)]
pub(crate) struct TripArguments {
    #[command(flatten)]
    act: Act,
    /// What tripped it, for the record on chain.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Somebody, or nobody by name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nobody(pub(crate) Option<Address>);

impl fmt::Display for Nobody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(address) => address.fmt(f),
            None => f.write_str("none"),
        }
    }
}

pub(crate) fn parse_nobody(text: &str) -> Result<Nobody, String> {
    if text == "none" {
        return Ok(Nobody(None));
    }
    text.parse().map(|address| Nobody(Some(address))).map_err(|_| "an address, or none".to_owned())
}

/// `3d`, `12h`, `30m` or `45s`.
pub(crate) fn parse_span(text: &str) -> Result<Duration, String> {
    let wrong = || "a span such as 3d, 12h, 30m or 45s".to_owned();
    let (digits, unit) = text.split_at(text.len().saturating_sub(1));
    let seconds = match unit {
        "d" => 86_400,
        "h" => 3_600,
        "m" => 60,
        "s" => 1,
        _ => return Err(wrong()),
    };
    let count: u64 = digits.parse().map_err(|_| wrong())?;
    count.checked_mul(seconds).filter(|seconds| *seconds > 0).map(Duration::from_secs).ok_or_else(wrong)
}

impl PolicyCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Show(arguments) => show(&arguments).await,
            Self::Set(arguments) => set(&arguments).await,
        }
    }
}

async fn show(arguments: &ShowArguments) -> Result<ExitCode> {
    let subject = arguments.which.find().await?;
    let desk = subject.chain.onlooker()?;
    let (policy, worst) = (desk.policy(subject.vault).await?, desk.worst_loss(subject.vault).await?);
    let (hash, locked) = (desk.policy_hash(subject.vault).await?, desk.locked_until(subject.vault).await?);
    let picture = PolicyInForce {
        policy: picture(&policy),
        policy_hash: hash,
        locked_until: locked,
        worst_24h: worst_picture(&worst),
    };
    Ok(screen::draw_by(arguments.json, &picture, |picture| {
        let mut rules = picture.policy.table(&format!("Policy of {}", subject.name));
        rules.rows.extend(picture.rows());
        screen::show(&rules);
        screen::show(&picture.worst_24h.table("If its key leaked: the most it could cost in 24 hours"));
    }))
}

async fn set(arguments: &SetArguments) -> Result<ExitCode> {
    let acting = arguments.act.open().await?;
    let before = acting.desk.policy(acting.vault()).await?;
    let after = changed(&before, &arguments.changes)?;
    let done = apply(&acting, &before, &after, arguments.act.json).await?;
    if !done && !arguments.act.json {
        println!("The policy says so already; nothing was sent.");
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the difference, asks, sends. `false` when there is none.
async fn apply(acting: &Acting, before: &Policy, after: &Policy, json: bool) -> Result<bool> {
    let (was, is) = (picture(before), picture(after));
    if was == is {
        return Ok(false);
    }
    let change = acting.desk.weigh_policy(acting.vault(), after).await?;
    let about = PolicyChanges {
        changes: was.changes(&is),
        worst_before: worst_picture(&change.worst_before),
        worst_after: change.worst_after.as_ref().map(worst_picture),
    };
    if !json {
        screen::show(&was.changes_told(&is, &format!("Policy of {}", acting.subject.name)));
        let worst = about
            .worst_after
            .as_ref()
            .map_or_else(|| "unknown: the node cannot simulate".to_owned(), |worst| worst.total.to_string());
        println!("\n  If its key leaked, 24 hours could cost {} now, {worst} then.\n", about.worst_before.total);
    }
    acting.confirm("the policy is replaced")?;
    let receipt = acting.desk.set_policy(acting.vault(), after, &mut acting.report()).await?;
    acting.done(&receipt, &format!("The policy of {} is changed.", acting.subject.name), &about);
    Ok(true)
}

fn picture(policy: &Policy) -> PolicyPicture {
    let bps = |share: u16| Bps::saturating(share.into());
    let seconds = |span: u32| Seconds(span.into());
    PolicyPicture {
        call_cap: policy.call_cap,
        float_cap: policy.float_cap,
        day_floor: policy.day_floor,
        death_budget: policy.death_budget,
        llm_day: bps(policy.llm_day_bps),
        gas_day: bps(policy.gas_day_bps),
        data_day: bps(policy.data_day_bps),
        trade: bps(policy.trade_bps),
        day_trade: bps(policy.day_trade_bps),
        day_loss: bps(policy.day_loss_bps),
        slippage: bps(policy.slippage_bps),
        harvest: bps(policy.harvest_bps),
        twap_window: seconds(policy.twap_window),
        rebalance_cooldown: seconds(policy.rebalance_cooldown),
        silence_limit: seconds(policy.silence_limit),
        grace: seconds(policy.grace),
        min_depth: policy.min_depth,
        hazard_max: policy.hazard_max,
    }
}

const fn worst_picture(worst: &WorstLoss) -> WorstPicture {
    let WorstLoss { spending, float, trading, dying, total } = *worst;
    WorstPicture { spending, float, trading, dying, total }
}

/// The policy with fields changed; every mistake is told at once.
fn changed(before: &Policy, changes: &[String]) -> Result<Policy> {
    let Value::Object(mut fields) = serde_json::to_value(before).expect("plain data") else {
        unreachable!("a struct is an object")
    };
    let mut mistakes = Vec::new();
    for change in changes {
        let Some((name, text)) = change.split_once('=') else {
            mistakes.push(format!("{change:?} is no FIELD=VALUE"));
            continue;
        };
        let Some(field) = fields.get_mut(name) else {
            let nearest =
                fields.keys().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
            mistakes.push(format!("unknown field {name}; did you mean {}?", nearest.map_or("", String::as_str)));
            continue;
        };
        let value = if PolicyPicture::is_money(name) {
            text.parse::<Usdc>().ok().map(|usdc| Value::from(usdc.micros()))
        } else {
            text.replace('_', "").parse::<u64>().ok().map(Value::from)
        };
        match value {
            Some(value) => *field = value,
            None => mistakes.push(format!("{name} takes a number, not {text:?}")),
        }
    }
    if !mistakes.is_empty() {
        bail!("{} mistake(s):\n  {}", mistakes.len(), mistakes.join("\n  "));
    }
    serde_json::from_value(Value::Object(fields)).wrap_err("a number is larger than its field")
}

impl StopArguments {
    /// The vault has no switch against entries. What it has is a bound on the day's loss behind which only exits pass,
    /// and with the bound at nothing the first loss of a day reaches it.
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let before = acting.desk.policy(acting.vault()).await?;
        let after = Policy { day_loss_bps: 0, ..before.clone() };
        let name = acting.subject.name.clone();
        let is_new = apply(&acting, &before, &after, self.act.json).await?;
        if self.take_idle {
            let idle = acting.desk.idle_capital(acting.vault()).await?;
            if !idle.is_zero() {
                let receipt = acting.desk.withdraw_capital(acting.vault(), idle, &mut acting.report()).await?;
                acting.done(&receipt, &format!("{idle} of idle capital is the owner's."), &TakenBack { amount: idle });
            }
        }
        if !self.act.json {
            println!(
                "From the first loss of a day on, the vault refuses every entry of {name} until midnight UTC; exits always pass."
            );
            if !self.take_idle {
                println!(
                    "One entry of at most {} bps of its capital can still come before that loss; --take-idle leaves nothing to enter with.",
                    before.trade_bps
                );
            }
            if is_new {
                println!("Undo: bardo owner policy set {name} day_loss_bps={}", before.day_loss_bps);
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl HibernateArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let now = acting.now().await?;
        let until = match (self.until, self.span) {
            (Some(until), _) => until,
            (None, Some(span)) => now.plus(span),
            (None, None) => bail!("say how long: --for 3d or --until TIME"),
        };
        ensure!(until > now, "{until} is past; it is {now} on that chain");
        let receipt = acting.desk.hibernate(acting.vault(), until, &mut acting.report()).await?;
        let name = &acting.subject.name;
        let words = format!(
            "{name} sleeps until {until}: it neither trades nor spends, and its silence counts for nothing.\nWake it earlier: bardo owner wake {name}"
        );
        Ok(acting.done(&receipt, &words, &UntilPicture { until }))
    }
}

impl LockArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let acting = self.act.open().await?;
        let now = acting.now().await?;
        let until = match (self.until, self.days) {
            (Some(until), _) => until,
            // The transaction lands a little later than now; thirty days from here still end within the vault's thirty.
            (None, Some(days)) => now.plus(Duration::from_secs(days * 86_400)),
            (None, None) => bail!("say how long: --days 7 or --until TIME"),
        };
        ensure!(until > now, "{until} is past; it is {now} on that chain");
        let name = acting.subject.name.clone();
        acting.confirm(&format!(
            "until {until} nobody, you and a buyer included, takes anything out of {name} or changes its policy and lists; \
             a lock cannot be shortened"
        ))?;
        let receipt = acting.desk.lock(acting.vault(), until, &mut acting.report()).await?;
        let words = format!(
            "{name} is locked until {until}: its money stays in its vault, its policy and lists stand. It lives and trades on, \
             and a kill still works; what a death leaves waits until then."
        );
        Ok(acting.done(&receipt, &words, &UntilPicture { until }))
    }
}

impl GuardianCommand {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        match self {
            Self::Set(arguments) => {
                let acting = arguments.act.open().await?;
                let Nobody(guardian) = arguments.guardian;
                let receipt = acting.desk.set_guardian(acting.vault(), guardian, &mut acting.report()).await?;
                let who = guardian.map_or_else(|| "Nobody".to_owned(), |address| address.to_string());
                let words = format!("{who} may trip the kill switch of {}.", acting.subject.name);
                Ok(acting.done(&receipt, &words, &GuardianPicture { guardian }))
            }
            Self::Trip(arguments) => {
                let acting = arguments.act.open().await?;
                acting.confirm(&format!("{} will die; nobody can undo it", acting.subject.name))?;
                let receipt = acting.desk.trip(acting.vault(), &arguments.reason, &mut acting.report()).await?;
                let words = format!("{} is dying.", acting.subject.name);
                Ok(acting.done(&receipt, &words, &TripPicture { reason: arguments.reason }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o_002_a_policy_is_changed_field_by_field_or_not_at_all() {
        let before = Policy::default();
        let changes = ["trade_bps=500".to_owned(), "call_cap=2.5".to_owned(), "silence_limit=86_400".to_owned()];
        let after = changed(&before, &changes).expect("three fields");
        assert_eq!((after.trade_bps, after.call_cap, after.silence_limit), (500, Usdc::from_micros(2_500_000), 86_400));
        let wrong = ["trade_bsp=5".to_owned(), "grace".to_owned(), "harvest_bps=all".to_owned()];
        let told = changed(&before, &wrong).expect_err("three mistakes").to_string();
        assert!(told.contains("3 mistake") && told.contains("trade_bps"), "{told}");
        assert!(changed(&before, &["trade_bps=70000".to_owned()]).is_err(), "beyond its field");
    }

    #[test]
    fn spans_are_a_number_and_a_unit() {
        assert_eq!(parse_span("3d"), Ok(Duration::from_secs(259_200)));
        for wrong in ["", "d", "3", "3w", "-1h", "0h"] {
            assert!(parse_span(wrong).is_err(), "{wrong}");
        }
    }
}
