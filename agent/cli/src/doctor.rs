//! `bardo doctor`: what is here, what is missing, what to do.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Args;
use eyre::Result;
use golem_devnet::{find_tool, project_root, running};
use golem_primitives::UtcTime;
use golem_view::{FindingPicture, Shown as _, table_of};

use crate::golem::connect::ChainChoice;
use crate::golem::home::Home;
use crate::golem::pace::wall_clock;
use crate::screen;

mod data;
mod feed;
mod golems;
mod report;

/// Free space under which a build or a long devnet may fail.
const DISK_FLOOR: u64 = 3 << 30;
/// No sound clock shows less than the day this was written, 2026-11-15.
const CLOCK_FLOOR: UtcTime = UtcTime::from_seconds(1_794_700_800);

/// What doctor takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: bardo doctor\n         bardo doctor --report > report.txt\nExit code 0: healthy. 1: something to do."
)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    home: Home,
    #[command(flatten)]
    chain: ChainChoice,
    /// A report of a bug, without secrets: versions, findings, configuration.
    #[arg(long, conflicts_with = "json")]
    report: bool,
    /// A JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

impl DoctorArguments {
    pub(crate) async fn run(self) -> Result<ExitCode> {
        let mut findings = examine();
        findings.extend(golems::examine(&self.home, &self.chain).await);
        let healthy = FindingPicture::all_ok(&findings);
        if self.report {
            print!("{}", report::write(&findings, &self.home));
        } else if self.json {
            screen::tell(&findings.json());
        } else {
            screen::show(&table_of("bardo doctor", &findings));
            println!();
            for FindingPicture { what, remedy, .. } in findings.iter().filter(|finding| !finding.ok.0) {
                println!("{}: {}", screen::paint(what, "31;1"), remedy.as_deref().unwrap_or_default());
            }
            if healthy {
                println!("Everything needed is here.");
            }
        }
        Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn examine() -> Vec<FindingPicture> {
    let mut findings = Vec::new();
    for name in ["anvil", "forge", "cast"] {
        let tool = find_tool(name).map(|tool| format!("{} at {}", tool.version, tool.path.display()));
        findings.push(FindingPicture::tried(name, tool, "run ./scripts/setup in the repository"));
    }
    findings.push(solc());
    findings.push(artifacts());
    for (name, remedy) in [
        ("cargo", "install Rust with rustup"),
        ("node", "install Node.js 18 or newer"),
        ("npm", "install Node.js 18 or newer, which brings npm"),
        ("python3", "install Python 3; only the analysis tools of `./scripts/test --deep` need it"),
    ] {
        findings.push(FindingPicture::tried(name, version(Path::new(name)).ok_or("not found on PATH"), remedy));
    }
    findings.extend([port(), devnet(), disk(), clock()]);
    findings
}

fn version(program: &Path) -> Option<String> {
    let said = Command::new(program).arg("--version").output().ok().filter(|said| said.status.success())?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    text.lines().rfind(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned())
}

fn solc() -> FindingPicture {
    let found = project_root().ok().and_then(|root| version(&root.join("scripts/solc")));
    let found = found.ok_or("the compiler shim scripts/solc does not answer");
    FindingPicture::tried("solc", found, "run ./scripts/setup in the repository")
}

fn artifacts() -> FindingPicture {
    let remedy = "run ./scripts/setup in the repository, or set BARDO_ROOT to it";
    FindingPicture::tried("artifacts", project_root().map(|root| format!("{}/node_modules", root.display())), remedy)
}

fn port() -> FindingPicture {
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    let free = free.map(|address| format!("{} is free on the loopback", address.port()));
    FindingPicture::tried("ports", free, "allow this user to listen on 127.0.0.1")
}

fn devnet() -> FindingPicture {
    let detail = match running(Path::new(".bardo/chain")) {
        Ok(running) => format!("running at {} (process {})", running.rpc_url, running.pid),
        Err(_) => "none running from .bardo/chain".to_owned(),
    };
    FindingPicture::sound("devnet", detail)
}

fn disk() -> FindingPicture {
    let remedy = "free some space; a build and its tests need about 10 GiB";
    match rustix::fs::statvfs(".") {
        Ok(stat) => {
            let free = stat.f_bavail.saturating_mul(stat.f_frsize);
            let detail = format!("{:.1} GiB free here", free as f64 / (1u64 << 30) as f64);
            FindingPicture::new("disk", free >= DISK_FLOOR, detail, remedy)
        }
        Err(error) => FindingPicture::wrong("disk", error.to_string(), remedy),
    }
}

fn clock() -> FindingPicture {
    let now = wall_clock();
    let remedy = "set the system clock (for example with an NTP client): signatures and deadlines depend on it";
    FindingPicture::new("clock", now >= CLOCK_FLOOR, now.to_string(), remedy)
}
