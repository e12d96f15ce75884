//! A local L2 with a home for Golems, and `bardo` run in it.

use std::path::PathBuf;
use std::process::{Command, Output};

use golem_devnet::find_tool;
use serde_json::Value;

use crate::bardo::{command, does, run, text, went_well};
use crate::worlds;

/// Goes down with the test, also with a failing one.
pub(crate) struct Town {
    dir: tempfile::TempDir,
    about: Value,
}

impl Town {
    /// A chain that gives blocks only to those who ask, so that nothing depends on the clock.
    pub(crate) fn build(block_seconds: &str) -> Self {
        Self::with(&["--paced", "--seed", "7", "--block-seconds", block_seconds])
    }

    /// A chain of one's own choice.
    pub(crate) fn with(chain: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join("password"), "correct horse\n").expect("written");
        std::fs::write(dir.path().join("wrong"), "battery staple\n").expect("written");
        let mut town = Self { dir, about: Value::Null };
        town.raise(chain);
        town
    }

    /// The chain up, or up again after it went down.
    pub(crate) fn raise(&mut self, chain: &[&str]) {
        let folder = self.dir.path().join(".bardo/chain");
        worlds::borrow(chain, &folder);
        does(self.dir.path(), &[&["chain", "up", "--detach"], chain].concat());
        worlds::lend(chain, &folder);
        let shown = run(self.dir.path(), &["chain", "addresses", "--json"]);
        self.about = serde_json::from_slice(&shown.stdout).expect("JSON");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn url(&self) -> &str {
        self.about["chain"]["rpc_url"].as_str().expect("an address")
    }

    /// What `chain.json` says.
    pub(crate) fn chain(&self) -> &Value {
        &self.about["chain"]
    }

    /// Where a contract stands.
    pub(crate) fn part(&self, name: &str) -> String {
        let world = &self.chain()["world"];
        let found = if world[name].is_string() { &world[name] } else { &world["suite"][name] };
        found.as_str().unwrap_or_else(|| panic!("{name} is shown")).to_owned()
    }

    pub(crate) fn account(&self, role: &str, field: &str) -> String {
        let accounts = self.about["accounts"].as_array().expect("a list");
        let account = accounts.iter().find(|account| account["role"] == role).expect(role);
        account[field].as_str().expect("text").to_owned()
    }

    /// `bardo` with the password of the Golems' keys at hand.
    pub(crate) fn bardo(&self, arguments: &[&str]) -> Command {
        let mut bardo = command(self.dir.path());
        bardo.args(arguments).env("BARDO_KEY_PASSWORD_FILE", self.path("password")).stdin(std::process::Stdio::null());
        bardo
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.bardo(arguments).output().expect("runs")
    }

    /// The same, where it has to go well.
    pub(crate) fn does(&self, arguments: &[&str]) -> Output {
        went_well(arguments, self.run(arguments))
    }

    /// Runs with `--json` and reads what is said.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let said = self.does(&[arguments, &["--json"]].concat());
        serde_json::from_slice(&said.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", text(&said.stdout)))
    }

    /// Must be refused with exit code 1 and these words.
    pub(crate) fn refuses(&self, arguments: &[&str], words: &[&str]) {
        let said = self.run(arguments);
        let told = text(&said.stderr);
        assert_eq!(said.status.code(), Some(1), "{arguments:?}: {}{told}", text(&said.stdout));
        for word in words {
            assert!(told.contains(word), "{arguments:?} does not say {word:?}: {told}");
        }
    }

    /// What `cast` answers about this chain.
    pub(crate) fn cast(&self, arguments: &[&str]) -> String {
        let cast = find_tool("cast").expect("set up").path;
        let said = Command::new(cast).args(arguments).args(["--rpc-url", self.url()]).output().expect("runs");
        text(&went_well(arguments, said).stdout)
    }

    /// Leaves an account that much native coin, in wei as hexadecimal.
    pub(crate) fn purse(&self, account: &str, wei: &str) {
        self.cast(&["rpc", "anvil_setBalance", account, wei]);
    }

    /// `cast send` as a stranger to this program would; some block of the chain takes it.
    pub(crate) fn cast_send(&self, role: &str, to: &str, signature: &str, arguments: &[&str]) {
        let key = self.account(role, "key");
        self.cast(&[&["send", "--private-key", &key, "--async", to, signature], arguments].concat());
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        run(self.dir.path(), &["chain", "down"]);
    }
}
