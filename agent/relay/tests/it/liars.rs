//! A relay that drops, repeats, reorders, invents and says two things: it is heard for what is true in it.

use futures_util::{SinkExt as _, StreamExt as _};
use golem_grimoire::kind::Domain;
use golem_inheritance::pheromone::{Class, Sign};
use golem_ports::Clade as _;
use golem_relay::{Frame, SIGNATURE_BYTES};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::raw::{next, sign, word};
use crate::world::{DAY, World, hear, until};

/// A relay of which every word is ours.
async fn let_in(listener: &TcpListener, log: &str) -> WebSocketStream<TcpStream> {
    let (tcp, _) = listener.accept().await.expect("a guest");
    let mut socket = tokio_tungstenite::accept_async(tcp).await.expect("shaken");
    let name = listener.local_addr().expect("an address").to_string();
    let nonce = format!("0x{}", "11".repeat(32));
    say(&mut socket, json!({ "challenge": { "nonce": nonce, "relay": name } })).await;
    next(&mut socket).await.expect("a hello");
    let ready = json!({ "log": log, "last_place": 0, "last_seq": u64::MAX, "siblings": 2 });
    say(&mut socket, json!({ "ready": ready })).await;
    socket
}

async fn say(socket: &mut WebSocketStream<TcpStream>, told: serde_json::Value) {
    socket.send(Message::Text(told.to_string().into())).await.expect("sent");
}

async fn deliver(socket: &mut WebSocketStream<TcpStream>, place: u64, frame: &Frame) {
    let bytes = [place.to_be_bytes().as_slice(), &frame.encode()].concat();
    socket.send(Message::Binary(bytes.into())).await.expect("sent");
}

/// R-042, I-110: what is forged, foreign, repeated, old, of the future or said twice is not heard; what is true is, once.
#[tokio::test(flavor = "multi_thread")]
async fn r_042_a_lying_relay_can_withhold_and_nothing_else() {
    let (world, [one, two, three], stranger) = World::with_clade().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let name = listener.local_addr().expect("an address").to_string();
    let mut link = world.link(&one, Some(&name));
    let mut socket = let_in(&listener, "a log").await;
    let asked = next(&mut socket).await.expect("a pull");
    assert_eq!(asked["pull"]["after"], 0);

    let first = word(&world, &two, 1, b"first").await;
    let second = word(&world, &two, 2, b"second").await;
    let forged = Frame { body: b"forged".to_vec(), ..first.clone() };
    let nobodys = Frame { signature: [7; SIGNATURE_BYTES], ..first.clone() };
    let as_another = Frame { vault: three.vault, ..first.clone() };
    let invented = Frame { vault: alloy::primitives::Address::repeat_byte(5), ..first.clone() };
    let foreign = word(&world, &stranger, 1, b"foreign").await;
    let echo = word(&world, &one, 1, b"my own").await;
    let at = |seconds| golem_primitives::UtcTime::from_seconds(seconds);
    let old = sign(&two, Frame { at: at(world.now().seconds() - 7 * DAY - 1), seq: 9, ..first.clone() }).await;
    let early = sign(&two, Frame { at: at(world.now().seconds() + 301), seq: 9, ..first.clone() }).await;
    // Reordered, repeated, and each lie between.
    for (place, frame) in
        [&second, &forged, &nobodys, &as_another, &invented, &foreign, &echo, &old, &early, &first, &second]
            .into_iter()
            .enumerate()
    {
        deliver(&mut socket, place as u64 + 1, frame).await;
    }
    socket.send(Message::Binary(vec![0; 3].into())).await.expect("sent");
    socket.send(Message::Binary(vec![0xff; 400].into())).await.expect("sent");
    // The sibling itself says two things under one number.
    let equivocal = word(&world, &two, 2, b"something else").await;
    deliver(&mut socket, 12, &equivocal).await;
    say(&mut socket, json!({ "page": { "through": 12, "more": false } })).await;
    let marker = word(&world, &three, 1, b"the end").await;
    deliver(&mut socket, 13, &marker).await;
    let heard = hear(&mut link, 3).await;
    let bodies: Vec<_> = heard.iter().map(|one| one.body.as_slice()).collect();
    assert_eq!(bodies, [b"second".as_slice(), b"first", b"the end"]);

    // It confirms what was never sent, or says what no relay says: the link ends and comes back where it was.
    say(&mut socket, json!({ "stored": { "seq": 4, "place": 4 } })).await;
    while socket.next().await.is_some_and(|message| message.is_ok()) {}
    until("the link has ended", || link.siblings().is_none()).await;
    let mut socket = let_in(&listener, "a log").await;
    let asked = next(&mut socket).await.expect("a pull");
    assert_eq!(asked["pull"]["after"], 12, "resumes at its place");
    link.say(golem_ports::WordKind::Warning, b"still here", world.now()).expect("said");
    let sent = loop {
        if let Message::Binary(bytes) = socket.next().await.expect("open").expect("open") {
            break Frame::decode(&bytes).expect("a frame");
        }
    };
    assert_eq!((sent.seq, sent.body.as_slice()), (1, b"still here".as_slice()), "no number of a liar is believed");
    // It refuses and hangs up: the word waits, and goes with the same number to whoever takes it.
    say(&mut socket, json!({ "refused": { "reason": "blind", "seq": 1, "retry_after": 1, "words": "" } })).await;
    drop(socket);
    // Another log: places begin anew.
    let mut socket = let_in(&listener, "another log").await;
    assert_eq!(next(&mut socket).await.expect("a pull")["pull"]["after"], 0);
    let again = loop {
        if let Message::Binary(bytes) = socket.next().await.expect("open").expect("open") {
            break Frame::decode(&bytes).expect("a frame");
        }
    };
    assert_eq!((again.seq, again.content()), (1, sent.content()));
    deliver(&mut socket, 1, &first).await;
    say(&mut socket, json!({ "page": { "through": 1, "more": false } })).await;
    say(&mut socket, json!({ "stored": { "seq": 1, "place": 2 } })).await;
    deliver(&mut socket, 3, &word(&world, &three, 2, b"last").await).await;
    let heard = hear(&mut link, 4).await;
    assert_eq!((heard.len(), heard[3].body.as_slice()), (4, b"last".as_slice()), "nothing is heard twice");
}

/// I-320, I-326: a relay that tells ten thousand signs, of foreign domains, beyond all bounds and confirmed by everybody is heard of
/// each kind once; what is no sign at all is left out, and words go on.
#[tokio::test(flavor = "multi_thread")]
async fn i_326_a_relay_that_lies_about_the_air_is_bounded() {
    let (world, [one, ..], _) = World::with_clade().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let name = listener.local_addr().expect("an address").to_string();
    let mut link = world.link(&one, Some(&name));
    let mut socket = let_in(&listener, "a log").await;
    assert!(next(&mut socket).await.expect("a pull").get("pull").is_some());
    say(&mut socket, json!({ "page": { "through": 0, "more": false } })).await;
    let air = [Domain::GasMev, Domain::Yield];
    assert!(link.sense(&air, None, world.now()).is_empty());
    let asked = next(&mut socket).await.expect("a question");
    assert_eq!(asked["sense"]["domains"], json!(["gas_mev", "yield"]));
    let words = ["gas_mev", "yield", "governance", "moon"];
    let scent = |n: usize| {
        let class = ["THREAT", "OPPORTUNITY", "WISDOM", "RUMOUR"][n / 4 % 4];
        let intensity = [0, 700_000, 1_000_000, 1_000_001, u32::MAX][n % 5];
        json!({ "domain": words[n % 4], "class": class, "intensity_ppm": intensity, "confirmations": u32::MAX })
    };
    let scents: Vec<_> = (0..10_000).map(scent).collect();
    say(&mut socket, json!({ "scents": { "scents": scents } })).await;
    let mut sensed = Vec::new();
    until("it is told", || {
        sensed = link.sense(&air, None, world.now());
        !sensed.is_empty()
    })
    .await;
    assert_eq!(sensed.len(), 6, "{sensed:?}");
    assert!(sensed.iter().all(|scent| air.contains(&scent.domain) && scent.intensity == golem_primitives::Ppm::ONE));
    // An answer to what was not asked, or no number: the link ends, and comes back.
    for strange in [json!({ "scents": { "scents": [] } }), json!({ "scents": { "scents": [{ "class": null }] } })] {
        say(&mut socket, strange).await;
        while socket.next().await.is_some_and(|message| message.is_ok()) {}
        socket = let_in(&listener, "a log").await;
    }
    // It refuses signs, for good and for now: words go on.
    let threat = Sign { class: Class::Threat, intensity: golem_primitives::Ppm::ONE, domain: air[0], regime: None };
    for reason in ["malformed", "too_many"] {
        link.leave(&threat, world.now()).expect("kept");
        link.say(golem_ports::WordKind::Warning, b"still here", world.now()).expect("said");
        let (mut has_left, mut has_said) = (false, false);
        while !(has_left && has_said) {
            match socket.next().await.expect("open").expect("open") {
                Message::Binary(bytes) => {
                    let seq = Frame::decode(&bytes).expect("a frame").seq;
                    say(&mut socket, json!({ "stored": { "seq": seq, "place": seq } })).await;
                    has_said = true;
                }
                Message::Text(text) if text.contains("leave") => {
                    say(&mut socket, json!({ "refused": { "reason": reason, "seq": 0, "words": "" } })).await;
                    has_left = true;
                }
                Message::Text(text) if text.contains("sense") => {
                    say(&mut socket, json!({ "scents": { "scents": [] } })).await;
                }
                Message::Text(text) if text.contains("pull") => {
                    say(&mut socket, json!({ "page": { "through": 0, "more": false } })).await;
                }
                _ => {}
            }
        }
    }
    link.say(golem_ports::WordKind::Warning, b"and goes on", world.now()).expect("said");
    while !matches!(socket.next().await.expect("open").expect("open"), Message::Binary(_)) {}
}
