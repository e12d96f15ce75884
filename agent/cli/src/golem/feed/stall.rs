//! Who hands out what was paid for, and writes it down.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use golem_ports::Goods;
use golem_primitives::{B256, GolemId};
use golem_runtime::Metrics;
use golem_x402::{Good, SetOnSale, Taken, Wares};

use super::goods::Shelf;
use super::sales::{self, Sale, name};
use crate::golem::home::Folder;
use crate::golem::library::{Published, published};
use crate::golem::pace::wall_clock;

/// The wares of one Golem. What is offered lies ready, so that whoever pays gets what he was shown.
#[derive(Debug)]
pub(super) struct Stall {
    folder: Folder,
    golem: GolemId,
    counts: Arc<Metrics>,
    is_open: AtomicBool,
    shelf: RwLock<Shelf>,
    sets: RwLock<Sets>,
}

/// The sets of the owner's library. One that was withdrawn stays for whoever has paid.
#[derive(Debug, Default)]
struct Sets {
    known: BTreeMap<B256, SetOnShelf>,
    /// When the folder they lie in last changed.
    seen: Option<SystemTime>,
}

#[derive(Debug)]
struct SetOnShelf {
    on_sale: SetOnSale,
    body: Vec<u8>,
    is_open: bool,
}

impl Stall {
    pub(super) fn new(folder: Folder, golem: GolemId, counts: Arc<Metrics>) -> Self {
        Self {
            folder,
            golem,
            counts,
            is_open: AtomicBool::new(true),
            shelf: RwLock::default(),
            sets: RwLock::default(),
        }
    }

    /// From here on nothing is taken.
    pub(super) fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
    }

    /// Looks again at what there is to sell; what cannot be read leaves the shelf as it is.
    pub(super) async fn restock(self: &Arc<Self>) {
        let stall = Arc::clone(self);
        let read = tokio::task::spawn_blocking(move || match Shelf::of(&stall.folder) {
            Ok(shelf) => *stall.shelf.write().unwrap_or_else(PoisonError::into_inner) = shelf,
            Err(error) => tracing::warn!("what {} has to sell cannot be read: {error:#}", stall.folder.name()),
        });
        if let Err(error) = read.await {
            tracing::warn!(%error, "looking at the shelf broke off");
        }
    }

    /// Looks whether its owner published or withdrew something.
    pub(super) async fn restock_sets(self: &Arc<Self>) {
        let stall = Arc::clone(self);
        let read = tokio::task::spawn_blocking(move || stall.look_at_sets());
        if let Err(error) = read.await {
            tracing::warn!(%error, "looking at the library broke off");
        }
    }

    fn look_at_sets(&self) {
        let changed = std::fs::metadata(published(&self.folder)).and_then(|about| about.modified()).ok();
        if changed == self.sets.read().unwrap_or_else(PoisonError::into_inner).seen {
            return;
        }
        let all = Published::all(&self.folder);
        let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
        sets.seen = changed;
        sets.known.values_mut().for_each(|set| set.is_open = false);
        for one in all {
            let Ok(set) = one.read() else { continue };
            let evidence = serde_json::to_value(set.evidence()).unwrap_or_default();
            let on_sale = SetOnSale { hash: one.hash(), price: one.price(), evidence };
            sets.known.insert(on_sale.hash, SetOnShelf { on_sale, body: one.set.into_bytes(), is_open: true });
        }
    }

    fn goods(&self, good: Good) -> Option<Vec<u8>> {
        if let Good::Set(hash) = good {
            let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
            return sets.known.get(&hash).map(|set| set.body.clone());
        }
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        match good {
            Good::Feed | Good::Set(_) => None,
            Good::Insights => shelf.insights.clone(),
            Good::Bundle => shelf.bundle.clone(),
        }
    }
}

impl Wares for Stall {
    fn has(&self, good: Good) -> bool {
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        let is_there = match good {
            Good::Feed => true,
            Good::Insights => shelf.insights.is_some() && shelf.is_offered(),
            Good::Bundle => shelf.bundle.is_some() && shelf.is_offered(),
            Good::Set(hash) => {
                let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
                sets.known.get(&hash).is_some_and(|set| set.is_open)
            }
        };
        is_there && self.is_open.load(Ordering::SeqCst)
    }

    fn sets(&self) -> Vec<SetOnSale> {
        let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
        sets.known.values().map(|set| set.on_sale.clone()).collect()
    }

    fn hand_out(&self, good: Good) -> Pin<Box<dyn Future<Output = Option<Goods>> + Send + '_>> {
        // What was paid before the stall closed is still owed.
        let body = self.goods(good);
        let media = if matches!(good, Good::Set(_)) { "application/json" } else { "application/x-ndjson" };
        Box::pin(async move { body.map(|body| Goods { media: media.to_owned(), body }) })
    }

    fn took(&self, taken: &Taken) {
        let Taken { good, amount, .. } = *taken;
        self.counts.sold(&self.golem, name(good), amount);
        let sharing = self.shelf.read().unwrap_or_else(PoisonError::into_inner).sharing;
        // Strangers and facilitators live by this machine's clock, whatever the chain's calendar is.
        let sale = Sale::new(wall_clock(), taken).under(sharing);
        let payer = sale.payer.map_or_else(|| "somebody".to_owned(), |payer| payer.to_string());
        let words = if good == Good::Feed { "fed with".to_owned() } else { format!("sold {} for", name(good)) };
        eprintln!("{}  {:<12} {words} {amount} by {payer}", sale.time, self.folder.name());
        tracing::info!(golem = %self.golem, good = name(good), %amount, payer, tx = ?sale.tx, "paid over x402");
        if let Err(error) = sale.write(&self.folder.sales()) {
            tracing::warn!(%error, "a sale could not be written to {}", self.folder.sales().display());
        }
    }

    fn taken(&self) -> Vec<Taken> {
        sales::taken(&self.folder)
    }
}
