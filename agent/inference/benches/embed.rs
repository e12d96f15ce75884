//! How many texts a second the local model embeds, on one thread: `cargo bench -p golem-inference --bench embed`.

use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use golem_inference::embedder::minilm::{self, MiniLm};

const SHORT: &str = "Gas on the L2 tripled within an hour.";
const BATCH: usize = 32;

static MODEL: LazyLock<MiniLm> = LazyLock::new(|| open().unwrap_or_else(|error| panic!("{error}")));

fn open() -> Result<MiniLm, minilm::ModelError> {
    MiniLm::open(&minilm::default_folder().unwrap_or_default())
}

fn main() {
    divan::main();
}

fn embed(bencher: Bencher<'_, '_>, texts: &[&str]) {
    let model = &*MODEL;
    bencher.counter(ItemsCount::new(texts.len())).bench_local(|| model.embed_now(black_box(texts)).map(drop));
}

#[divan::bench]
fn short(bencher: Bencher<'_, '_>) {
    embed(bencher, &[SHORT]);
}

#[divan::bench]
fn short_batch_of_32(bencher: Bencher<'_, '_>) {
    embed(bencher, &[SHORT; BATCH]);
}

#[divan::bench(sample_count = 30)]
fn tokens_256(bencher: Bencher<'_, '_>) {
    embed(bencher, &[&SHORT.repeat(40)]);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn load(bencher: Bencher<'_, '_>) {
    bencher.bench_local(open);
}
