//! I-101. Links to a relay that stands behind a proxy with TLS.
//!
//! The certificates in `tls/` were made for these tests by openssl and count from 2020 to 2120: `here.pem` for 127.0.0.1 and
//! `elsewhere.pem` for styx.example.org, both of `server.key` and by `authority.pem`; `stranger.pem` is an authority that signed nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use golem_ports::{Clade as _, WordKind};
use golem_relay::{
    ArchiveError, Archivist, CladeLink, FolderArchive, LinkSettings, Relay, RelaySettings, SqliteLog, VaultKey, link,
    look_at_wire,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::world::{Golem, World, hear, until};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tls").join(name)
}

fn acceptor(certificate: &str) -> TlsAcceptor {
    let read = |name: &str| std::fs::read(file(name)).expect("a file of this test");
    let chain: Vec<CertificateDer<'static>> =
        CertificateDer::pem_slice_iter(&read(certificate)).collect::<Result<_, _>>().expect("certificates");
    let key = PrivateKeyDer::from_pem_slice(&read("server.key")).expect("a key");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("usual versions").with_no_client_auth().with_single_cert(chain, key);
    TlsAcceptor::from(Arc::new(config.expect("a pair")))
}

/// A relay that goes by the address of the proxy before it. Both run until this is dropped.
struct Secure {
    name: String,
    tasks: [JoinHandle<()>; 2],
}

impl Drop for Secure {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl Secure {
    async fn up(world: &World, certificate: &str) -> Self {
        let (proxy, listener) = (TcpListener::bind("127.0.0.1:0").await, TcpListener::bind("127.0.0.1:0").await);
        let (proxy, listener) = (proxy.expect("a port"), listener.expect("a port"));
        let name = proxy.local_addr().expect("an address").to_string();
        let behind = listener.local_addr().expect("an address");
        let folder = world.dir.path().join(certificate);
        let log = Arc::new(SqliteLog::open(&folder).expect("opened"));
        let archive = Arc::new(FolderArchive::open(&folder.join("archive")).expect("opened"));
        let settings = RelaySettings { clock: world.clock(), ..RelaySettings::new(name.clone()) };
        let relay = Relay::new(log, archive, world.gate(), settings).await.expect("ready");
        let acceptor = acceptor(certificate);
        let carry = async move {
            while let Ok((tcp, _)) = proxy.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    // Who does not trust the certificate hangs up here.
                    let Ok(mut outer) = acceptor.accept(tcp).await else { return };
                    let mut inner = TcpStream::connect(behind).await.expect("the relay");
                    let _ = tokio::io::copy_bidirectional(&mut outer, &mut inner).await;
                });
            }
        };
        Self { name, tasks: [tokio::spawn(relay.run(listener)), tokio::spawn(carry)] }
    }

    fn link(&self, world: &World, golem: &Golem, ca: Option<PathBuf>) -> CladeLink {
        let settings = LinkSettings {
            vault: golem.vault,
            relay: Some(format!("wss://{}", self.name)),
            ca,
            file: world.file(golem),
            through: 0,
            clock: world.clock(),
        };
        let key: Arc<dyn VaultKey> = golem.key.clone();
        link(settings, Arc::new(world.gate()), key).expect("linked")
    }

    fn archivist(&self, world: &World, golem: &Golem, ca: &str) -> Archivist {
        let key: Arc<dyn VaultKey> = golem.key.clone();
        let url = format!("wss://{}", self.name);
        Archivist::new(&url, golem.vault, key, world.clock()).expect("an address").trusting(Some(file(ca)))
    }
}

/// Waits until the link of a Golem says one of these of its trouble.
async fn troubled(world: &World, golem: &Golem, words: &[&str]) {
    let path = world.file(golem);
    until(&format!("its trouble is one of {words:?}"), || {
        let state = look_at_wire(&path).ok().flatten();
        state.and_then(|state| state.trouble).is_some_and(|told| words.iter().any(|word| told.contains(word)))
    })
    .await;
}

/// I-101, I-114, R-042: behind TLS words and archive go through where the owner's authority vouches for the relay. A relay that another
/// authority vouches for, or nobody, or under another name, gets nothing and is told of by its reason; so is a file that is no
/// authority's. The life speaks on meanwhile, and everything it said is heard once the relay is trusted.
#[tokio::test(flavor = "multi_thread")]
async fn i_101_behind_tls_a_relay_is_trusted_by_its_authority_and_name() {
    let (world, [one, two, three], _) = World::with_clade().await;
    let relay = Secure::up(&world, "here.pem").await;
    let elsewhere = Secure::up(&world, "elsewhere.pem").await;
    let authority = || Some(file("authority.pem"));
    let mut first = relay.link(&world, &one, authority());
    let mut second = relay.link(&world, &two, authority());
    until("both are linked", || first.siblings() == Some(1) && second.siblings() == Some(1)).await;
    first.say(WordKind::Warning, b"danger", world.now()).expect("said");
    assert_eq!(hear(&mut second, 1).await[0].body, b"danger");
    assert!(relay.archivist(&world, &one, "authority.pem").list().await.expect("answered").is_empty());
    let refused = relay.archivist(&world, &one, "stranger.pem").list().await;
    assert!(matches!(&refused, Err(ArchiveError::Unreachable(why)) if why.contains("certificate")), "{refused:?}");
    let refused = relay.archivist(&world, &one, "nowhere.pem").list().await;
    assert!(
        matches!(&refused, Err(ArchiveError::Trust(why)) if why.to_string().contains("nowhere.pem")),
        "{refused:?}"
    );

    let wrong: [(&Secure, Option<PathBuf>, &[&str]); 5] = [
        (&relay, Some(file("stranger.pem")), &["not trusted: UnknownIssuer"]),
        (&elsewhere, authority(), &["not valid for name"]),
        (&relay, Some(file("nowhere.pem")), &["nowhere.pem\", which `ca` of [clade] names, cannot be read"]),
        (&relay, Some(file("server.key")), &["holds no certificate"]),
        // This machine trusts nobody of these tests, or nobody at all.
        (&relay, None, &["not trusted", "secure connections"]),
    ];
    for (n, (relay, ca, words)) in (0_u8..).zip(wrong) {
        let mut link = relay.link(&world, &three, ca);
        link.say(WordKind::Batch, &[n], world.now()).expect("I-114: it waits");
        troubled(&world, &three, words).await;
        assert_eq!((link.siblings(), link.heard(9)), (None, Ok(Vec::new())), "{words:?}");
    }
    let waiting = look_at_wire(&world.file(&three)).expect("read").expect("a file").waiting;
    assert_eq!(waiting, 5, "nothing was lost and nothing was told");
    let _trusted = relay.link(&world, &three, authority());
    let heard = hear(&mut second, 6).await;
    let from_three: Vec<_> =
        heard.iter().filter(|word| word.from == three.id()).map(|word| word.body.clone()).collect();
    assert_eq!(from_three, [[0], [1], [2], [3], [4]].map(|body| body.to_vec()), "in order");
}
