//! A Golem's life by `cast` alone, as a stranger with a terminal would lead it.

use std::path::PathBuf;
use std::process::Command;

use golem_devnet::find_tool;
use serde_json::Value;

use crate::bardo::{Detached, run, text};

const POLICY: &str = "(uint64,uint64,uint64,uint64,uint16,uint16,uint16,uint16,uint16,uint16,uint16,uint16,uint32,uint32,uint32,uint32,uint64,uint64)";
/// The predecessor of a generation 0: 2^256 - 1.
const NO_GOLEM: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

/// A running devnet and the tool to talk to it.
struct Terminal {
    cast: PathBuf,
    about: Value,
}

impl Terminal {
    fn part(&self, name: &str) -> String {
        let world = &self.about["chain"]["world"];
        let found = if world[name].is_string() { &world[name] } else { &world["suite"][name] };
        found.as_str().unwrap_or_else(|| panic!("{name} is shown")).to_owned()
    }

    fn account(&self, role: &str, field: &str) -> String {
        let accounts = self.about["accounts"].as_array().expect("a list");
        let account = accounts.iter().find(|account| account["role"] == role).expect(role);
        account[field].as_str().expect("text").to_owned()
    }

    fn cast(&self, command: &str, arguments: &[&str]) -> Result<String, String> {
        let url = self.about["chain"]["rpc_url"].as_str().expect("an address");
        let said =
            Command::new(&self.cast).arg(command).args(["--rpc-url", url]).args(arguments).output().expect("runs");
        if said.status.success() { Ok(text(&said.stdout).trim().to_owned()) } else { Err(text(&said.stderr)) }
    }

    fn call(&self, to: &str, signature: &str, arguments: &[&str]) -> String {
        let line = [&[to, signature], arguments].concat();
        self.cast("call", &line).unwrap_or_else(|error| panic!("{signature}: {error}"))
    }

    fn send(&self, role: &str, to: &str, signature: &str, arguments: &[&str]) -> Result<Value, String> {
        let key = self.account(role, "key");
        let line = [&["--private-key", &key, "--json", to, signature], arguments].concat();
        let receipt: Value = serde_json::from_str(&self.cast("send", &line)?).expect("a receipt");
        if receipt["status"] == "0x1" { Ok(receipt) } else { Err("reverted".to_owned()) }
    }
}

#[test]
fn t_001_a_golem_is_born_funded_beaten_killed_and_settled_by_cast_alone() {
    // T-001, T-004, V-005, L-004, L-023, L-025: the owner's kill is one plain transaction.
    let dir = tempfile::tempdir().expect("a folder");
    let _net = Detached::up(dir.path(), &["--market", "still", "--speed", "20"]);
    let shown = run(dir.path(), &["chain", "addresses", "--json"]);
    let about: Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    let terminal = Terminal { cast: find_tool("cast").expect("set up").path, about };

    let (usdc, birth, lineage) = (terminal.part("usdc"), terminal.part("birth"), terminal.part("lineage_registry"));
    let (owner, key) = (terminal.account("owner", "address"), terminal.account("stranger 1", "address"));
    terminal.send("owner", &usdc, "approve(address,uint256)", &[&birth, "200000000"]).expect("approved");
    let signature = format!(
        "birth((address,address,address,address,{POLICY}[],(address,uint8,address)[],uint256,uint256,uint256,uint256,bytes32,string,string),(uint8,uint256,uint256,bytes))"
    );
    let zero = "0x0000000000000000000000000000000000000000000000000000000000000000";
    let nobody = "0x0000000000000000000000000000000000000000";
    let order = format!("({owner},{owner},{key},{nobody},[],[],{NO_GOLEM},1,100000000,50000000,{zero},\"Ada\",\"\")");
    terminal.send("owner", &birth, &signature, &[&order, "(0,0,0,0x)"]).expect("born");
    assert_eq!(terminal.call(&lineage, "lifeOf(uint256)(string)", &["0"]).to_lowercase(), "\"alive\"");
    assert_eq!(terminal.call(&lineage, "isAlive(uint256)(bool)", &["999"]), "false");
    let vault = terminal.call(&lineage, "vaultOf(uint256)(address)", &["0"]);

    // Anyone may feed it.
    terminal.send("stranger 2", &usdc, "approve(address,uint256)", &[&vault, "5000000"]).expect("approved");
    terminal.send("stranger 2", &vault, "topUp(uint256)", &["5000000"]).expect("fed");
    let balance = |of: &str| terminal.call(&usdc, "balanceOf(address)(uint256)", &[of]);
    assert!(balance(&vault).starts_with("155000000"), "{}", balance(&vault));

    let beat = "beat(uint256,uint64,uint8,uint32,bytes32,uint32,bytes,uint8)";
    let pulse = ["0", "1", "1", "689000", zero, "0", "0x", "0"];
    assert!(terminal.send("stranger 3", &lineage, beat, &pulse).is_err(), "only the key beats");
    terminal.send("stranger 1", &lineage, beat, &pulse).expect("beaten");

    assert!(terminal.send("stranger 3", &vault, "kill(string)", &["I want it"]).is_err(), "a stranger cannot kill");
    terminal.send("owner", &vault, "kill(string)", &["enough"]).expect("killed");
    assert_eq!(terminal.call(&lineage, "lifeOf(uint256)(string)", &["0"]).to_lowercase(), "\"dying\"");
    assert!(terminal.send("stranger 1", &lineage, beat, &["0", "2", "1", "1", zero, "0", "0x", "0"]).is_err());

    let before: u128 = number(&balance(&owner));
    let testament = format!("({zero},\"ipfs://testament\",{zero},{zero},1)");
    let stain = format!("({zero},0,{zero})");
    let settle = "settle((bytes32,string,bytes32,bytes32,uint64),(bytes32,uint256,bytes32))";
    terminal.send("stranger 1", &vault, settle, &[&testament, &stain]).expect("settled");
    assert_eq!(terminal.call(&lineage, "lifeOf(uint256)(string)", &["0"]).to_lowercase(), "\"dead\"");
    assert_eq!(number(&balance(&owner)) - before, 155_000_000, "every cent is the owner's");
    assert_eq!(number(&balance(&vault)), 0);
}

/// `155000000 [1.55e8]` as a number.
fn number(said: &str) -> u128 {
    said.split_whitespace().next().and_then(|digits| digits.parse().ok()).expect("a number")
}
