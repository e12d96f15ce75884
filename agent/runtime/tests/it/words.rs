//! What an owner leaves in the folder is heard in one pass, whatever is left or dies meanwhile.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use golem_core::record::Command;
use golem_dreams::DreamLaw;
use golem_ports::{Store as _, TickSource, TickSourceError, WaitEnd};
use golem_primitives::{Tick, UtcTime};
use golem_runtime::{DreamChoice, LifeStage, OwnerWord, Runtime, RuntimeSettings};
use golem_store::SqliteStore;
use tokio::sync::watch;

use crate::fake::{Blocks, FakeChain, born, reopen, telemetry, venue};

/// What happens while a pass is on its way to disk, behind the reading of words.
#[derive(Debug, Clone, PartialEq)]
enum Meanwhile {
    Nothing,
    /// The owner says more.
    Says(OwnerWord),
    /// The owner says the same again and again, while it rests: so often so far.
    Repeats(usize),
    /// The process ends.
    Dies,
}

impl Meanwhile {
    /// What happens now; all but repeating happens once.
    fn once(&mut self) -> Self {
        if matches!(self, Self::Repeats(_)) { Self::Nothing } else { std::mem::replace(self, Self::Nothing) }
    }
}

/// The usual pace, with something between reading and writing.
#[derive(Debug)]
struct Between {
    blocks: Blocks,
    dir: std::path::PathBuf,
    stage: Arc<Mutex<Option<watch::Receiver<LifeStage>>>>,
    meanwhile: Arc<Mutex<Meanwhile>>,
}

impl TickSource for Between {
    async fn rest(&mut self, since: UtcTime, length: Duration) -> Result<WaitEnd, TickSourceError> {
        if let Meanwhile::Repeats(said) = &mut *self.meanwhile.lock().expect("free") {
            OwnerWord::Dream.leave(&self.dir).expect("left");
            *said += 1;
        }
        self.blocks.rest(since, length).await
    }

    async fn now(&self) -> UtcTime {
        let stage = self.stage.lock().expect("free").as_ref().map(|stage| *stage.borrow());
        if stage == Some(LifeStage::Deciding) {
            let meanwhile = self.meanwhile.lock().expect("free").once();
            match meanwhile {
                Meanwhile::Nothing | Meanwhile::Repeats(_) => {}
                Meanwhile::Says(word) => word.leave(&self.dir).expect("left"),
                Meanwhile::Dies => std::future::pending().await,
            }
        }
        self.blocks.now().await
    }
}

/// A life that dreams, with something that happens once.
struct Scene {
    runtime: Runtime<FakeChain, SqliteStore, Between>,
    meanwhile: Arc<Mutex<Meanwhile>>,
}

impl Scene {
    fn new(dir: &Path, store: SqliteStore, chain: &FakeChain) -> Self {
        let law = DreamLaw { enabled: true, ..DreamLaw::default() };
        let dreams = DreamChoice { law, ..DreamChoice::default() };
        let settings = RuntimeSettings { dreams, ..RuntimeSettings::new(dir, venue()) };
        let meanwhile = Arc::new(Mutex::new(Meanwhile::Nothing));
        let stage = Arc::new(Mutex::new(None));
        let ticks = Between {
            blocks: Blocks(chain.clone()),
            dir: dir.to_owned(),
            stage: Arc::clone(&stage),
            meanwhile: Arc::clone(&meanwhile),
        };
        let runtime = Runtime::resume(chain.clone(), store, ticks, settings, telemetry(dir, "ada")).expect("recovers");
        *stage.lock().expect("free") = Some(runtime.stage());
        Self { runtime, meanwhile }
    }

    async fn live(&mut self, ticks: u64) {
        for _ in 0..ticks {
            self.runtime.tick().await.expect("lives");
        }
    }
}

/// The words of every pass that had any.
fn heard(store: &SqliteStore) -> Vec<(u64, Vec<Command>)> {
    let passes = store.journal(1, 10_000).expect("readable").into_iter();
    passes.map(|pass| (pass.input.tick.get(), pass.input.commands)).filter(|(_, said)| !said.is_empty()).collect()
}

fn left(dir: &Path) -> Vec<String> {
    let files = std::fs::read_dir(dir).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("text"));
    names.filter(|name| name.starts_with("owner.words")).collect()
}

/// D-019, D-193: a word that is left while a pass that heard earlier ones is being written is heard in the next, once.
#[tokio::test]
async fn d_193_a_word_that_comes_while_others_are_heard_is_not_lost() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut scene = Scene::new(dir.path(), born(dir.path(), "ada"), &FakeChain::default());
    scene.live(2).await;
    OwnerWord::Dream.leave(dir.path()).expect("left");
    *scene.meanwhile.lock().expect("free") = Meanwhile::Says(OwnerWord::Wake);
    scene.live(3).await;
    let said = heard(scene.runtime.store());
    assert_eq!(said, [(3, vec![Command::Sleep]), (4, vec![Command::Wake])]);
    assert!(left(dir.path()).is_empty());
}

/// D-019, R-021: a process that ends behind the reading of a word and before its pass is written hears it again, and once; one
/// that ends behind the writing and before the word is cleared does not.
#[tokio::test(start_paused = true)]
async fn r_021_a_word_is_heard_in_one_pass_whatever_dies_when() {
    let dir = tempfile::tempdir().expect("a folder");
    let chain = FakeChain::default();
    let mut scene = Scene::new(dir.path(), born(dir.path(), "ada"), &chain);
    scene.live(2).await;
    OwnerWord::Dream.leave(dir.path()).expect("left");
    *scene.meanwhile.lock().expect("free") = Meanwhile::Dies;
    let cut = tokio::time::timeout(Duration::from_millis(50), scene.runtime.tick()).await;
    assert!(cut.is_err() && heard(scene.runtime.store()).is_empty(), "it was read, and is in no pass");
    assert_eq!(left(dir.path()), ["owner.words.3"]);
    drop(scene);
    let mut scene = Scene::new(dir.path(), reopen(dir.path(), "ada"), &chain);
    scene.live(1).await;
    assert_eq!(heard(scene.runtime.store()), [(3, vec![Command::Sleep])]);
    drop(scene);
    // As if the process had ended before it cleared what was heard.
    std::fs::write(dir.path().join("owner.words.3"), "\"dream\"\n").expect("written");
    let mut scene = Scene::new(dir.path(), reopen(dir.path(), "ada"), &chain);
    scene.live(2).await;
    assert_eq!(heard(scene.runtime.store()), [(3, vec![Command::Sleep])], "once");
    assert!(left(dir.path()).is_empty());
}

/// D-019, R-021: a pass that finds no room waits with its words, whichever write fails; when there is room each is heard once,
/// and not once from the folder and once from memory.
#[tokio::test(start_paused = true)]
async fn r_021_a_word_heard_on_a_full_disk_is_heard_once() {
    const BALLAST: &str = "CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(4000000));";
    for pages in 0..6 {
        let dir = tempfile::tempdir().expect("a folder");
        let chain = FakeChain::default();
        let mut store = born(dir.path(), "ada");
        let other = rusqlite::Connection::open(store.path()).expect("the file");
        other.execute_batch(BALLAST).expect("something else fills the disk");
        let size = std::fs::metadata(store.path()).expect("a file").len();
        store.limit(size + pages * 4_096).expect("a quota");
        let Scene { mut runtime, meanwhile } = Scene::new(dir.path(), store, &chain);
        runtime.stop_after(Tick::new(12));
        *meanwhile.lock().expect("free") = Meanwhile::Repeats(0);
        let (_stop, stopped) = watch::channel(false);
        let fleet = tokio::spawn(golem_runtime::run_fleet(vec![runtime], stopped, |_| {}));
        tokio::time::sleep(Duration::from_secs(600)).await;
        assert!(!fleet.is_finished(), "it waits");
        other.execute_batch("DROP TABLE ballast").expect("room is made");
        fleet.await.expect("ends").pop().expect("one").end.expect("it passed");
        let Meanwhile::Repeats(said) = *meanwhile.lock().expect("free") else { panic!("he went on") };
        let told: usize = heard(&reopen(dir.path(), "ada")).iter().map(|(_, words)| words.len()).sum();
        // What is left in the last rests is heard by whoever lives on.
        let waits = std::fs::read_to_string(dir.path().join("owner.words")).expect("text");
        let waits = waits.lines().filter(|line| !line.is_empty()).count();
        assert!(told >= 22 && told + waits == said, "{pages}: said {said}, heard {told}, {waits} wait");
    }
}
