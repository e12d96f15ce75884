//! The archive over HTTP.

use alloy::primitives::keccak256;
use golem_relay::{
    ArchiveError, ArchiveIdentity, Archivist, ObjectName, RefusalReason, Statement, VaultKey, seal, statements, unseal,
};

use crate::world::{DAY, Golem, World};

struct Client<'a> {
    world: &'a World,
    relay: String,
}

impl Client<'_> {
    async fn ask(&self, golem: &Golem, method: &str, path: &str, body: &[u8], signed: &str) -> (u16, Vec<u8>) {
        let at = self.world.now().seconds();
        let request = statements::Request { vault: golem.vault, at, what: signed.to_owned(), body: keccak256(body) };
        let signature = golem.key.sign(Statement::Request(request)).await.expect("signed");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\nstyx-vault: {}\r\n\
             styx-at: {at}\r\nstyx-signature: {}\r\n\r\n",
            self.relay,
            body.len(),
            golem.vault,
            alloy::hex::encode(signature)
        );
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let mut stream = tokio::net::TcpStream::connect(&self.relay).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let _ = stream.write_all(body).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("an answer");
        let status = std::str::from_utf8(&answer[9..12]).expect("a status").parse().expect("a number");
        (status, answer[end + 4..].to_vec())
    }

    async fn honest(&self, golem: &Golem, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        self.ask(golem, method, path, body, &format!("{method} {path}")).await
    }
}

/// I-117, I-118, R-042: a Golem lays its own down, siblings fetch it, nobody else, and not for ever.
#[tokio::test(flavor = "multi_thread")]
async fn i_117_siblings_fetch_what_one_laid_down() {
    let (world, [one, two, _], stranger) = World::with_clade().await;
    let relay = world.relay().await;
    let client = Client { world: &world, relay: relay.name.clone() };
    let path = format!("/archive/{:x}/200/grimoire_bundle", one.vault);
    let sealed: Vec<u8> = (0..2_000_000_u32).map(|n| n as u8).collect();
    assert_eq!(client.honest(&one, "PUT", &path, &sealed).await.0, 204);
    assert_eq!(client.honest(&two, "GET", &path, b"").await, (200, sealed.clone()));
    let (status, listed) = client.honest(&two, "GET", "/archive", b"").await;
    let listed: serde_json::Value = serde_json::from_slice(&listed).expect("JSON");
    assert_eq!((status, listed[0]["bytes"].as_u64(), listed[0]["tick"].as_u64()), (200, Some(2_000_000), Some(200)));

    assert_eq!(client.honest(&stranger, "GET", &path, b"").await.0, 404);
    assert_eq!(client.honest(&two, "PUT", &path, b"mine now").await.0, 403, "another's");
    assert_eq!(client.ask(&one, "PUT", &path, b"changed", &format!("GET {path}")).await.0, 403, "signed for a look");
    for wrong in ["/archive/x/200/testament", "/archive/0x00/-1/testament", &path.replace("grimoire_bundle", "..")] {
        let (status, _) = client.honest(&one, "GET", wrong, b"").await;
        assert!(matches!(status, 400 | 404), "{wrong}: {status}");
    }
    assert_eq!(client.honest(&one, "PUT", &path, &vec![0; (32 << 20) + 1]).await.0, 413);
    assert_eq!(client.honest(&two, "GET", &path, b"").await, (200, sealed.clone()), "nothing of that changed it");
    // I-099: requests have the rate of a vault too.
    let mut statuses = Vec::new();
    for _ in 0..20 {
        statuses.push(client.honest(&one, "PUT", &path, &sealed[..9]).await.0);
    }
    assert!(statuses.contains(&204) && statuses.last() == Some(&429), "{statuses:?}");
    world.pass(91 * DAY);
    assert_eq!(client.honest(&two, "GET", &path, b"").await.0, 404, "I-118");
}

/// I-117: what a Golem sealed and laid down, a sibling fetches and the owner's key opens; a stranger finds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn i_117_a_sealed_backup_comes_back_to_the_clade() {
    let (world, [one, two, _], stranger) = World::with_clade().await;
    let relay = world.relay().await;
    let archivist = |golem: &Golem| {
        let key: std::sync::Arc<dyn VaultKey> = golem.key.clone();
        Archivist::new(&format!("ws://{}/", relay.name), golem.vault, key, world.clock()).expect("an address")
    };
    let identity = ArchiveIdentity::random().expect("a key");
    let memory = vec![42; 100_000];
    let name = ObjectName::of(&format!("{:x}", one.vault), "600", "insurance_snapshot").expect("a name");
    let sealed = seal(&[identity.recipient()], &memory).expect("sealed");
    archivist(&one).lay(name, sealed).await.expect("laid");
    let sibling = archivist(&two);
    let listed = sibling.list().await.expect("listed");
    assert_eq!(listed.iter().filter_map(|one| one.name()).collect::<Vec<_>>(), [name]);
    let fetched = sibling.fetch(name).await.expect("answered").expect("kept");
    assert_eq!(unseal(&identity, &fetched).as_deref(), Ok(&memory));
    assert!(archivist(&stranger).list().await.expect("listed").is_empty());
    assert_eq!(archivist(&stranger).fetch(name).await.expect("answered"), None);
    let refused = sibling.lay(name, b"mine now".to_vec()).await;
    assert!(matches!(refused, Err(ArchiveError::Refused(refused)) if refused.reason == RefusalReason::NotKey));
    drop(relay);
}
