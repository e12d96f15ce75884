//! Times the bottleneck on a million entries: the target is a second, and ten times the entries cost ten times the time.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::id::{EntryId, Moment};
use golem_grimoire::kind::{Domain, Kind};
use golem_inheritance::bottleneck::{BottleneckLaw, Gene, compress};
use golem_primitives::{GolemId, Ppm, Tick, UtcTime};

fn main() {
    divan::main();
}

/// Entries of a fixed seed: nine domains, some bloodstains, some that survived.
fn genes(count: u64) -> Vec<Gene<'static>> {
    let golem = GolemId::new("golem").expect("a name");
    let mut genes: Vec<Gene<'static>> = (0..count)
        .map(|n| {
            let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let domain = Domain::ALL[(mixed % 9) as usize];
            Gene {
                id: EntryId::derive(UtcTime::from_seconds(n), &golem, &n.to_be_bytes()),
                domain: Some(domain.name()),
                quality: Ppm::saturating(mixed % 1_000_000),
                last_validated: Some(Moment::new(Tick::new(mixed % 50_000), UtcTime::from_seconds(mixed % 90_000))),
                confidence: Confidence::new(Ppm::saturating(mixed / 7 % 1_000_000)),
                generation: (mixed % 5) as u32,
                is_bloodstain: mixed.is_multiple_of(97),
                kind: Kind::ALL[(mixed % 5) as usize],
            }
        })
        .collect();
    genes.sort_by_key(|gene| gene.id);
    genes
}

#[divan::bench(args = [10_000, 100_000, 1_000_000])]
fn compress_entries(bencher: divan::Bencher<'_, '_>, count: u64) {
    let genes = genes(count);
    bencher.bench_local(|| compress(divan::black_box(&genes), &BottleneckLaw::default()));
}
