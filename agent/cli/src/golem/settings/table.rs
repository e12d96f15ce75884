//! The table of golem.toml beside the law's and the models' own: key, kind, default, what is allowed, requirement and
//! meaning, each once.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::str::FromStr;

use golem_core::record::{PurchaseOccasion, SourceKind};
use golem_daimon::personality::Disposition;
use golem_dreams::DreamLaw;
use golem_dreams::words::{DreamTier, ScheduleMode};
use golem_primitives::{Address, GolemId, Ppm, Usdc};
use golem_relay::ArchiveRecipient;
use golem_settings::{Allowed, settings};
use golem_suffering::law::SufferingProfile;

use super::super::book::BookChoice;
use super::words::{FeedRange, Measure, founding_of};
use crate::alerts::WebhookFormat;

const fn usdc(micros: u64) -> Usdc {
    Usdc::from_micros(micros)
}

const fn such<T>(is: fn(&T) -> bool, words: &'static str) -> Allowed<T> {
    Allowed::Such { is, words }
}

/// Amounts above nothing, up to so much.
const fn up_to(is: fn(&Usdc) -> bool, words: &'static str) -> Allowed<Usdc> {
    such(is, words)
}

fn text(text: &str) -> String {
    text.to_owned()
}

/// Whether a sibling may be called so: what begins like an address is a whole one, or nobody would be meant by it.
fn is_sibling(name: &str) -> bool {
    if name.starts_with("0x") { Address::from_str(name).is_ok() } else { GolemId::new(name).is_ok() }
}

fn usual_windows() -> Vec<String> {
    DreamLaw::default().schedule.windows.iter().map(ToString::to_string).collect()
}

settings! {
    /// What an owner chooses beside the law and the models.
    pub(crate) OwnerTable;
    /// The hand and the pace.
    "golem" golem: GolemKeys {
        playbook: String = text("mean-reversion"), such(|name| BookChoice::from_str(name).is_ok(), "mean-reversion, momentum, range-liquidity, or a file"), "P-009", "The book it is founded on; its birth keeps it as founding.md, and nothing reads this later.";
        founding: String = text("trial"), such(|word| founding_of(word).is_some(), "trial, paper, trust"), "P-047", "What the rules of that book may move at first: a quarter of their stake, nothing, or all of it at your own risk.";
        stake: Ppm = Ppm::of(50_000), Allowed::Within(Ppm::of(1_000), Ppm::of(100_000)), "O-003", "The share of capital its book may use; the vault bounds each trade again.";
        host_usdc_per_tick: Usdc = usdc(100), Allowed::Within(Usdc::ZERO, usdc(1_000_000)), "O-003", "What the machine costs a tick, paid to the listed host.";
        tick_seconds: u64 = 40, Allowed::Within(2, 3_600), "O-003", "The length of a tick; the phase stretches it.";
    }
    /// Where the chain is.
    "chain" chain: ChainKeys {
        rpc: Vec<String> = Vec::new(), such(|_| true, "a list of URLs"), "O-003", "Endpoints; several are used by their health.";
        deployment: String = String::new(), such(|_| true, "a file"), "O-003", "Addresses of the suite, as the deploy script writes them.";
        block_seconds: u64 = 2, Allowed::Within(1, 600), "O-003", "How often open transactions are looked after.";
        metrics: Option<SocketAddr> = None, Allowed::Any, "O-003", "Where Prometheus may ask; nowhere when empty.";
    }
    /// What it knows.
    "grimoire" grimoire: GrimoireKeys {
        decision_ticks: u64 = 50, Allowed::Within(0, 1_000), "O-003", "Ticks for which what a model advised answers the same situation; with 0 it is asked every time.";
        capacity: u64 = 500, Allowed::Within(50, 5_000), "O-003", "Active entries there is room for; the least certain go first.";
        archive_threshold: Ppm = Ppm::of(100_000), Allowed::Within(Ppm::of(10_000), Ppm::of(300_000)), "G-069", "What is worth less than this now leaves at the next cycle.";
    }
    /// What turns entries into vectors. The key itself is never in it, only the name of the variable that holds it.
    "embedder" embedder: EmbedderChoice {
        kind: String = text("minilm"), such(|kind| ["minilm", "openai", "ollama", "none"].contains(&kind.as_str()), "minilm, openai, ollama, none"), "O-003", "What turns entries into vectors; none searches words.";
        folder: String = String::new(), such(|_| true, "a folder"), "O-003", "Where minilm's files are; its cache when empty.";
        base_url: String = String::new(), such(|_| true, "a URL"), "O-003", "Where an openai or ollama endpoint is.";
        model: String = String::new(), such(|_| true, "a name"), "O-003", "Its model; nomic-embed-text when empty.";
        version: String = String::new(), such(|_| true, "a text"), "O-003", "Which one of that name; asked of Ollama when empty.";
        dimensions: u64 = 0, Allowed::Within(0, 8_192), "O-003", "Numbers of a vector; 0 for what the model is known for.";
        key_env: String = String::new(), such(|_| true, "a name"), "O-003", "The environment variable that holds the endpoint's key; never the key itself.";
    }
    /// Who is told.
    "alerts" alerts: AlertKeys {
        webhook: String = String::new(), such(|_| true, "a URL"), "O-003", "Where alerts are posted: a bot's sendMessage at Telegram with ?chat_id=, a webhook of Discord or Slack, a topic of ntfy, or anything that takes JSON.";
        format: String = text("auto"), such(|format| WebhookFormat::from_name(format).is_some(), "auto, json, telegram, discord, slack, ntfy"), "O-006", "In which shape; auto knows the four by their addresses and posts JSON to everybody else.";
        command: String = String::new(), such(|_| true, "a program"), "O-003", "What is run for each alert, its JSON on standard input.";
        low_gas_beats: u64 = 60, Allowed::Within(1, 10_000), "O-003", "Reports the key's gas must cover before an alert.";
        missed_beat_hours: u64 = 7, Allowed::Within(1, 168), "O-003", "Silence on chain before an alert.";
    }
    /// Words between the Golems of one owner.
    "clade" clade: CladeKeys {
        relay: String = String::new(), such(|url| url.is_empty() || url.starts_with("ws://") || url.starts_with("wss://"), "an address that begins with ws:// or wss://"), "I-101", "The relay it speaks through; it speaks to nobody when empty.";
        ca: String = String::new(), such(|path| path.is_empty() || Path::new(path).is_absolute(), "a file in PEM by its whole path, from / on"), "I-101", "A file in PEM, by its whole path, of the one authority that vouches for a wss:// relay; those of this machine when empty.";
        archive: String = String::new(), such(|key| key.is_empty() || ArchiveRecipient::from_str(key).is_ok(), "a recipient that begins with age1, as bardo relay key prints it"), "I-117", "For whom its backups are sealed; none is laid down when empty.";
        exclude: Vec<String> = Vec::new(), such(|names| names.iter().all(|name| is_sibling(name)), "names of Golems beside it, or addresses of vaults"), "I-122", "Siblings it does not hear; an alert tells of one that keeps being wrong.";
    }
    /// Signs without a name that siblings leave for each other.
    "clade.pheromones" pheromones: PheromoneKeys {
        enabled: bool = true, Allowed::Any, "I-327", "Whether there are signs for it at all.";
        deposit_enabled: bool = true, Allowed::Any, "I-327", "Whether it leaves signs of its crises, large losses, guards that cut, promoted rules and death.";
        sense_enabled: bool = true, Allowed::Any, "I-327", "Whether signs of danger rouse it.";
    }
    /// Taking and selling over x402.
    "feed" feed: FeedKeys {
        facilitator: String = String::new(), such(|_| true, "a URL"), "R-034", "Who verifies and settles x402 payments; nothing listens when empty.";
        listen: SocketAddr = SocketAddr::from((Ipv4Addr::LOCALHOST, 4_021)), Allowed::Any, "R-034", "Where the Golem takes a feed and sells.";
        public_url: String = String::new(), such(|_| true, "a URL"), "R-034", "What others call that address, when it is another one.";
    }
    /// For how much.
    "feed.prices" prices: FeedPrices {
        feed: FeedRange = FeedRange::default(), Allowed::Any, "R-034", "What a feed may be; [] takes none.";
        insights: Option<Usdc> = None, Allowed::Any, "R-034", "The price of its insights; not sold when empty.";
        bundle: Option<Usdc> = None, Allowed::Any, "R-034", "The price of insights, rules, warnings and PLAYBOOK; not sold when empty.";
    }
    /// What happens after a death. There is no key that passes the similarity gate (I-211).
    "succession" succession: SuccessionKeys {
        auto: bool = false, Allowed::Any, "I-280", "Whether a successor is born by itself; needs a mandate on chain.";
        budget_usdc: Usdc = Usdc::whole(50), Allowed::Within(Usdc::whole(1), Usdc::whole(1_000_000)), "I-280", "Credits a successor begins with.";
        strategy_drift_allowed: Ppm = Ppm::of(150_000), Allowed::Within(Ppm::of(150_000), Ppm::ONE), "I-280", "The least distance between the PLAYBOOKs of predecessor and successor; nearer is not born.";
        inherit_grimoire: bool = true, Allowed::Any, "I-280", "Whether a successor takes the genome in, as candidates.";
        measure: String = text("rules"), such(|word| Measure::from_name(word).is_some(), "rules, embedding"), "I-201", "How that distance is taken; embedding uses [embedder].";
    }
    /// Moods. Off where nobody wrote them; `create` and `paper` write them on.
    "daimon" daimon: DaimonKeys {
        mode: String = text("off"), such(|word| ["rules", "model", "off"].contains(&word.as_str()), "rules, model, off"), "A-002", "What appraises events: rules, or a model that is asked anyway.";
        personality: String = String::new(), such(|name| name.is_empty() || Disposition::from_name(name).is_some(), "eros, balanced, thanatos"), "A-001", "How it leans; drawn by its seed when empty.";
        seed: String = String::new(), such(|name| name.is_empty() || GolemId::new(name).is_ok(), "a name"), "A-001", "By what its personality is drawn; its own id when empty.";
    }
    /// Suffering. Off where nobody wrote it; `create` and `paper` write it on.
    "suffering" suffering: SufferingKeys {
        profile: String = text("off"), such(|name| name == "off" || SufferingProfile::from_name(name).is_some(), "hardened, seed, off"), "S-008", "By which reading it suffers.";
    }
    /// Dreams. Off where nobody wrote them; `create` and `paper` write the free tier on, in sight of the owner (D-014, D-240).
    "dreams" dreams: DreamKeys {
        enabled: bool = false, Allowed::Any, "D-230", "Whether it dreams; the lightweight tier dreams by rules and is free.";
        tier: String = text("core"), such(|word| DreamTier::from_name(word).is_some(), "core, hardened"), "D-230", "How much: core by rules behind the ticks, hardened with models, asleep.";
        mode: String = text("hybrid"), such(|word| ScheduleMode::from_name(word).is_some(), "owner, autonomous, hybrid"), "D-231", "Who decides when: windows, urgency, or both.";
        threshold: Ppm = Ppm::of(800_000), Allowed::Within(Ppm::ZERO, Ppm::ONE), "D-231", "Urgency from which a hardened Golem dreams outside its windows.";
        windows: Vec<String> = usual_windows(), such(|_| true, "one or a list, such as [\"22:00-02:00 Europe/Berlin\"]"), "D-231", "When it may sleep, on the wall clock of an IANA zone; an end before the start lies behind midnight.";
        interval_ticks: u64 = 50, Allowed::Within(1, 100_000), "D-231", "Ticks between two lightweight cycles.";
        per_cycle: Usdc = usdc(500_000), Allowed::Any, "D-232", "What one hardened cycle may cost.";
        per_window: Usdc = Usdc::whole(2), Allowed::Any, "D-232", "What all cycles of one window may cost.";
        per_month: Usdc = Usdc::whole(15), Allowed::Any, "D-232", "What all dreams of a month may cost, of either tier.";
        wake: bool = true, Allowed::Any, "D-194", "Whether the market or a sibling in need may wake it; death and you always do.";
        wake_percent: u64 = 10, Allowed::Within(1, 100), "D-194", "A move of the price that wakes it.";
        wake_minutes: u64 = 5, Allowed::Within(1, 1_440), "D-194", "Within how long.";
        adversarial: bool = true, Allowed::Any, "D-235", "Whether it rehearses attacks on itself.";
    }
    /// Buying data over x402.
    "x402" x402: DataKeys {
        hosts: Vec<String> = Vec::new(), such(|_| true, "a list such as [\"api.example.com\", \"127.0.0.1:4021 0xPAYEE\"]"), "R-033", "Who may be paid for data; an address behind a host pins who is paid there.";
        per_call: Usdc = usdc(10_000), up_to(|most| !most.is_zero() && *most <= Usdc::whole(1), "above 0 to 1 USDC"), "R-033", "The most one purchase may cost.";
        per_day: Usdc = usdc(250_000), up_to(|most| !most.is_zero() && *most <= Usdc::whole(100), "above 0 to 100 USDC, from per_call"), "R-033", "The most all purchases of a UTC day may cost.";
    }
}

settings! {
    /// One source of data, by its name.
    pub(crate) SourceTable;
    /// What is bought there, and when.
    "x402.sources.NAME" source: SourceKeys {
        url: String = String::new(), such(|_| true, "a URL of a listed host"), "R-033", "What is bought there, by GET.";
        kind: String = text("text"), such(|word| SourceKind::from_name(word).is_some(), "text or price"), "R-033", "Words, or what one token costs in USDC.";
        field: String = String::new(), such(|_| true, "a JSON pointer such as /data/price"), "R-033", "Where in the answer a price stands.";
        at_most: Option<Usdc> = None, such(|most| most.is_none_or(|most| !most.is_zero()), "above 0 to x402.per_call"), "R-033", "The most one purchase of it may cost; x402.per_call when empty.";
        every_minutes: u64 = 60, Allowed::Within(1, 10_080), "R-033", "How often while it thrives; half as often when stable, and so on down; never in Terminal.";
        when: String = text("always"), such(|word| PurchaseOccasion::from_name(word).is_some(), "always, exposed or volatile"), "R-033", "When it is worth buying: whenever due, only while positions are open, only in a volatile market.";
    }
}
