//! What senders may not do, each refused by name.

use alloy::primitives::{Address, B256};
use golem_chain::LocalKey;
use golem_chain::Signer;
use golem_chain::bindings::{IErc721, IVault};
use golem_ports::WordKind;
use golem_primitives::UtcTime;
use golem_relay::Frame;
use std::sync::Arc;

use crate::raw::{Raw, sign, word};
use crate::words::Key;
use crate::world::{Golem, World};

/// greetings that are nobody's, of another relay, of another time, or used before.
#[tokio::test(flavor = "multi_thread")]
async fn r_042_only_a_registered_key_is_let_in() {
    let (mut world, [one, two, _], _) = World::with_clade().await;
    let relay = world.relay().await;
    let hello = async |golem: &Golem, change: fn(&mut golem_relay::statements::Hello)| {
        Raw::hello_as(&world, golem, &relay.name, change).await.map(drop)
    };
    assert_eq!(hello(&one, |_| {}).await, Ok(()));
    assert_eq!(hello(&one, |hello| hello.nonce = B256::ZERO).await, Err("not_key".to_owned()), "a greeting of before");
    assert_eq!(hello(&one, |hello| hello.relay = "elsewhere".to_owned()).await, Err("not_key".to_owned()));
    assert_eq!(hello(&one, |hello| hello.at -= 301).await, Err("stale_clock".to_owned()));
    assert_eq!(hello(&one, |hello| hello.at += 301).await, Err("stale_clock".to_owned()));
    let another = Golem { vault: two.vault, ..one.clone() };
    assert_eq!(hello(&another, |_| {}).await, Err("not_key".to_owned()), "a sibling's key is not mine");
    // A wallet, a contract that is no vault, and one that never was.
    for vault in [one.owner.address, world.here.usdc, Address::repeat_byte(9)] {
        assert_eq!(hello(&Golem { vault, ..one.clone() }, |_| {}).await, Err("unknown".to_owned()), "{vault}");
    }

    // A new key is felt at the next block, and the old one is nobody's.
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    assert_eq!(link.tell(word(&world, &one, 1, b"a").await.encode()).await, "stored");
    let key = LocalKey::random().expect("a key");
    let (owner, new_key) = (one.owner.clone(), key.address());
    world.send(&owner, one.vault, &IVault::rotateKeyCall { newKey: new_key }).await;
    assert_eq!(link.tell(word(&world, &one, 2, b"b").await.encode()).await, "not_key");
    let key = Arc::new(Key { signer: Signer::Local(key), realm: world.realm });
    let renewed = Golem { key, ..one.clone() };
    let mut link = Raw::hello(&world, &renewed, &relay.name).await.expect("in");
    assert_eq!(link.ready["last_seq"], 1);
    assert_eq!(link.tell(word(&world, &renewed, 2, b"b").await.encode()).await, "stored");
}

/// R-042, I-099: frames that are forged, stale, repeated, forked, too large, too many or no frames at all.
#[tokio::test(flavor = "multi_thread")]
async fn r_042_poison_is_refused_by_name() {
    let (world, [one, two, _], _) = World::with_clade().await;
    let relay = world.relay().await;
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    let good = word(&world, &one, 5, b"good").await;
    assert_eq!(link.tell(good.encode()).await, "stored");
    assert_eq!(link.tell(good.encode()).await, "stored", "the same word again is no harm");
    let other = word(&world, &one, 5, b"other").await;
    assert_eq!(link.tell(other.encode()).await, "forked");
    assert_eq!(link.tell(word(&world, &one, 4, b"late").await.encode()).await, "replayed");
    let stale = Frame { at: UtcTime::from_seconds(world.now().seconds() - 301), ..good.clone() };
    assert_eq!(link.tell(sign(&one, Frame { seq: 6, ..stale }).await.encode()).await, "stale_clock");
    let mut kind = good.encode();
    kind[37] = 99;
    for bytes in [vec![], vec![1], good.encode()[..50].to_vec(), kind] {
        assert_eq!(link.tell(bytes).await, "malformed");
    }
    for text in ["", "{}", "null", "{\"pull\":{}}", "{\"pull\":{\"after\":-1,\"most\":1}}", "{\"hello\":1}"] {
        link.text(text.to_owned()).await;
        assert_eq!(link.answer().await, "malformed", "{text}");
    }

    // What no honest sender does ends the link.
    let forged = Frame { body: b"forged".to_vec(), seq: 7, ..good.clone() };
    assert_eq!(link.tell(forged.encode()).await, "not_key");
    assert_eq!(link.answer().await, "gone");
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    assert_eq!(link.tell(word(&world, &two, 1, b"as my sibling").await.encode()).await, "not_key");
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    assert_eq!(link.tell(vec![1; 2_000_000]).await, "too_large", "with its reason");
    assert_eq!(link.answer().await, "gone");
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    // Who comes again finds his bucket as he left it.
    world.pass(60);
    for _ in 0..15 {
        link.send(vec![1]).await;
    }
    for _ in 0..15 {
        assert_eq!(link.answer().await, "malformed");
    }

    // A flood meets the bucket: sixteen at once, then the rate.
    world.pass(60);
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    let mut answers = Vec::new();
    for seq in 10..40 {
        answers.push(link.tell(word(&world, &one, seq, b"flood").await.encode()).await);
    }
    assert_eq!(answers.iter().filter(|answer| *answer == "stored").count(), 16);
    assert_eq!(answers.iter().filter(|answer| *answer == "too_many").count(), 14);
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    assert_eq!(link.tell(word(&world, &one, 40, b"again").await.encode()).await, "too_many", "also by another link");
    world.pass(1);
    assert_eq!(link.tell(word(&world, &one, 40, b"later").await.encode()).await, "stored");

    // One link a vault: the newer wins.
    let mut newer = Raw::hello(&world, &one, &relay.name).await.expect("in");
    assert_eq!(link.answer().await, "replaced");
    world.pass(60);
    assert_eq!(newer.tell(word(&world, &one, 41, b"newer").await.encode()).await, "stored");
    let mut sibling = Raw::hello(&world, &two, &relay.name).await.expect("in");
    let heard = sibling.pull(0).await;
    assert_eq!(heard.len(), 1 + 16 + 1 + 1, "only what was stored");
    // Never back to who said it: not at once, and not in a page.
    newer.send(word(&world, &one, 42, b"at once").await.encode()).await;
    assert_eq!(sibling.live().await, b"at once");
    assert_eq!(newer.pull(0).await, Vec::<Vec<u8>>::new(), "I-103");
}

/// R-042, M-186: the dying may speak, the dead may not; their last words are still theirs.
#[tokio::test(flavor = "multi_thread")]
async fn r_042_the_dying_speak_and_the_dead_do_not() {
    let (mut world, [one, two, _], _) = World::with_clade().await;
    let relay = world.relay().await;
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    let owner = one.owner.clone();
    world.send(&owner, one.vault, &IVault::killCall { reason: "enough".to_owned() }).await;
    let last = Frame { kind: WordKind::Bloodstain, ..word(&world, &one, 1, b"beware").await };
    assert_eq!(link.tell(sign(&one, last).await.encode()).await, "stored");
    world.net.mine_still(30 * 86_400).await.expect("mined");
    world.send(&owner, one.vault, &IVault::finaliseCall {}).await;
    assert_eq!(link.tell(word(&world, &one, 2, b"from the grave").await.encode()).await, "dead");
    assert_eq!(link.answer().await, "gone");
    assert_eq!(Raw::hello(&world, &one, &relay.name).await.map(drop), Err("dead".to_owned()));
    let mut sibling = world.link(&two, Some(&relay.name));
    assert_eq!(crate::world::hear(&mut sibling, 1).await[0].body, b"beware", "I-121");
}

/// I-343: what only the dead leave is not heard of one that lives.
#[tokio::test(flavor = "multi_thread")]
async fn i_343_who_lives_leaves_no_bloodstain() {
    let (world, [one, two, _], _) = World::with_clade().await;
    let relay = world.relay().await;
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    let pretended = Frame { kind: WordKind::Bloodstain, ..word(&world, &one, 1, b"I am gone").await };
    assert_eq!(link.tell(sign(&one, pretended).await.encode()).await, "stored");
    assert_eq!(link.tell(word(&world, &one, 2, b"I am here").await.encode()).await, "stored");
    let mut sibling = world.link(&two, Some(&relay.name));
    assert_eq!(crate::world::hear(&mut sibling, 1).await[0].body, b"I am here");
}

/// I-102, L-006: after a sale nothing crosses: not before the buyer has taken the vault over, and not after.
#[tokio::test(flavor = "multi_thread")]
async fn i_102_a_sale_parts_siblings() {
    let (mut world, [one, two, three], stranger) = World::with_clade().await;
    let relay = world.relay().await;
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    assert_eq!(link.tell(word(&world, &one, 1, b"the seller's").await.encode()).await, "stored");
    let (seller, buyer) = (one.owner.clone(), stranger.owner.clone());
    let sale = IErc721::transferFromCall { from: seller.address, to: buyer.address, tokenId: one.agent };
    let identity = world.here.identity;
    world.send(&seller, identity, &sale).await;
    assert_eq!(link.tell(word(&world, &one, 2, b"whose?").await.encode()).await, "owner_changed");
    assert_eq!(Raw::hello(&world, &one, &relay.name).await.map(drop), Err("owner_changed".to_owned()));

    let key = LocalKey::random().expect("a key");
    let accept = IVault::acceptCall {
        newKey: key.address(),
        newGuardian: Address::ZERO,
        keepLists: false,
        keepPolicy: B256::ZERO,
    };
    world.send(&buyer, one.vault, &accept).await;
    let key = Arc::new(Key { signer: Signer::Local(key), realm: world.realm });
    let sold = Golem { key, owner: buyer, ..one.clone() };
    let mut link = Raw::hello(&world, &sold, &relay.name).await.expect("in");
    assert_eq!(link.pull(0).await, Vec::<Vec<u8>>::new(), "a buyer gets none of the seller's");
    assert_eq!(link.tell(word(&world, &sold, 2, b"the buyer's").await.encode()).await, "stored");
    let mut new_sibling = Raw::hello(&world, &stranger, &relay.name).await.expect("in");
    assert_eq!(new_sibling.pull(0).await, [b"the buyer's".to_vec()]);
    let mut old_sibling = Raw::hello(&world, &two, &relay.name).await.expect("in");
    assert_eq!(old_sibling.pull(0).await, [b"the seller's".to_vec()]);

    // A link from before a sale ends, though the buyer kept the key.
    let mut before = Raw::hello(&world, &three, &relay.name).await.expect("in");
    let sale = IErc721::transferFromCall { from: seller.address, to: sold.owner.address, tokenId: three.agent };
    world.send(&seller, identity, &sale).await;
    let kept = IVault::acceptCall { newKey: three.key.signer.address(), ..accept };
    world.send(&sold.owner, three.vault, &kept).await;
    assert_eq!(before.tell(word(&world, &three, 1, b"whose?").await.encode()).await, "owner_changed");
    assert_eq!(before.answer().await, "gone");

    // I-320, I-323: signs of siblings stay with siblings.
    link.leave("THREAT").await;
    assert_eq!(new_sibling.sense().await.len(), 1);
    assert!(old_sibling.sense().await.is_empty());
}

/// without a sight of the chain nobody new comes in; who is in stays for five minutes.
#[tokio::test(flavor = "multi_thread")]
async fn r_042_a_blind_relay_lets_nobody_new_in() {
    let (world, [one, two, _], _) = World::with_clade().await;
    let relay = world.relay().await;
    let mut link = Raw::hello(&world, &one, &relay.name).await.expect("in");
    let words = [word(&world, &one, 1, b"a").await, word(&world, &one, 2, b"b").await];
    let pid = world.net.anvil_pid().to_string();
    let signal = |name: &str| std::process::Command::new("kill").args([name, &pid]).status().expect("kill");
    assert!(signal("-9").success());
    assert_eq!(link.tell(words[0].encode()).await, "stored", "seen a moment ago");
    assert_eq!(Raw::hello(&world, &two, &relay.name).await.map(drop), Err("blind".to_owned()));
    world.pass(301);
    let late = word(&world, &one, 2, b"b").await;
    assert_eq!(link.tell(late.encode()).await, "blind");
}
