//! I-130 to I-153, I-360: the vectors of the bottleneck, and what holds for any Grimoire.

use golem_grimoire::confidence::Confidence;
use golem_grimoire::kind::Kind;
use golem_inheritance::bottleneck::{BUDGET, BottleneckLaw, Gene, Genome, Quotas, Selection, compress};
use golem_primitives::Ppm;
use proptest::prelude::*;

use crate::make::{gene, id, moment};

/// The literal quotas: unused places are lost.
const fn literal(budget: usize) -> BottleneckLaw {
    BottleneckLaw { budget, rollover_unused: false }
}

const fn rolling(budget: usize) -> BottleneckLaw {
    BottleneckLaw { budget, rollover_unused: true }
}

fn phases(genome: &Genome) -> (usize, usize, usize) {
    let taken = |phase| genome.places[phase as usize].taken;
    (taken(Selection::Priority), taken(Selection::Diversity), taken(Selection::Fill))
}

fn stained(gene: Gene<'_>) -> Gene<'_> {
    Gene { is_bloodstain: true, ..gene }
}

fn survivor(gene: Gene<'_>, generation: u32, confidence: u32) -> Gene<'_> {
    Gene { generation, confidence: Confidence::of(confidence), ..gene }
}

/// Numbers of the entries a phase took, in order of number.
fn numbers(genome: &Genome, phase: Selection, known: &[u64]) -> Vec<u64> {
    let is_taken = |number: u64| genome.chosen.iter().any(|one| one.by == phase && one.id == id(number));
    known.iter().copied().filter(|number| is_taken(*number)).collect()
}

/// I-130, I-131, I-149, G-180: W-09.
#[test]
fn i_131_w_09_quotas_are_a_quarter_a_half_and_the_rest() {
    for (budget, quotas) in [
        (2_048, (512, 1_024, 512)),
        (1_000, (250, 500, 250)),
        (10, (2, 5, 3)),
        (7, (1, 3, 3)),
        (3, (0, 1, 2)),
        (1, (0, 0, 1)),
        (0, (0, 0, 0)),
    ] {
        let Quotas { priority, diversity, fill } = Quotas::of(budget);
        assert_eq!((priority, diversity, fill), quotas, "W-09 {budget}");
        let genes: Vec<Gene<'_>> = (0..5).map(|n| gene(n, "a", 500_000, n)).collect();
        assert_eq!(compress(&genes, &rolling(budget)).len(), budget.min(5), "I-149 {budget}");
        assert!(compress(&[], &rolling(budget)).is_empty(), "I-149: an empty Grimoire");
    }
    assert_eq!((BUDGET, BottleneckLaw::default().rollover_unused), (2_048, true), "I-130, as decided");
}

/// I-136, I-141, I-150: W-10, W-11. Literal quotas lose places; the budget as a cap does not.
#[test]
fn i_136_w_10_w_11_unused_priority_is_lost_or_rolls_over() {
    for count in [5_000u64, 2_000] {
        let genes: Vec<Gene<'_>> = (0..count).map(|n| gene(n, "a", n as u32, n)).collect();
        let genome = compress(&genes, &literal(BUDGET));
        assert_eq!((phases(&genome), genome.len()), ((0, 1_024, 512), 1_536), "W-10, W-11 {count}");
        assert_eq!(genome.places.map(golem_inheritance::bottleneck::Places::unused), [512, 0, 0], "I-150");
        let rolled = compress(&genes, &BottleneckLaw::default());
        assert_eq!(rolled.len(), BUDGET.min(genes.len()), "I-150 {count}");
    }
}

/// I-133, I-138: W-12. What domains do not divide is lost.
#[test]
fn i_138_w_12_the_remainder_of_the_spread_is_lost() {
    let domains = ["a", "b", "c", "d", "e", "f", "g"];
    let genes: Vec<Gene<'_>> = (0..10_000u64).map(|n| gene(n, domains[n as usize % 7], n as u32, n)).collect();
    let genome = compress(&genes, &literal(BUDGET));
    assert_eq!((genome.per_domain, phases(&genome), genome.len()), (146, (0, 1_022, 512), 1_534), "W-12");
    assert_eq!(compress(&genes, &rolling(BUDGET)).len(), BUDGET);
}

/// I-137: W-13. A small domain's places are nobody else's.
#[test]
fn i_137_w_13_small_domains_leave_places() {
    let sizes = [("big", 900u64), ("mid", 100), ("small", 10)];
    let mut genes = Vec::new();
    for (domain, size) in sizes {
        let first = genes.len() as u64;
        genes.extend((0..size).map(|n| gene(first + n, domain, n as u32, n)));
    }
    let genome = compress(&genes, &literal(BUDGET));
    assert_eq!((genome.per_domain, phases(&genome), genome.len()), (341, (0, 451, 512), 963), "W-13");
    assert_eq!(compress(&genes, &rolling(BUDGET)).len(), 1_010, "I-141 as decided: it passes whole");
}

/// I-139: W-14.
#[test]
fn i_139_w_14_more_domains_than_places() {
    let names: Vec<String> = (0..1_500).map(|n| format!("d{n:04}")).collect();
    let genes: Vec<Gene<'_>> = (0..6_000u64).map(|n| gene(n, &names[n as usize % 1_500], n as u32, n)).collect();
    let genome = compress(&genes, &literal(BUDGET));
    assert_eq!((genome.per_domain, phases(&genome)), (0, (0, 0, 512)), "W-14");
    for (domains, per_domain, phases_of) in
        [(1_023, 1, (0, 1_023, 512)), (1_024, 1, (0, 1_024, 512)), (1_025, 0, (0, 0, 512))]
    {
        let genes: Vec<Gene<'_>> = (0..6_000u64).map(|n| gene(n, &names[n as usize % domains], n as u32, n)).collect();
        let genome = compress(&genes, &literal(BUDGET));
        assert_eq!((genome.per_domain, phases(&genome)), (per_domain, phases_of), "I-139 {domains}");
    }
}

/// I-144, I-145: of two that share an id one passes, the better one, in whatever order they lie.
#[test]
fn i_144_of_copies_the_better_one_counts() {
    let plain = gene(1, "b", 500_000, 5);
    for (plain, better) in [
        (plain, Gene { quality: Ppm::of(500_001), ..plain }),
        (plain, gene(1, "b", 500_000, 6)),
        (plain, Gene { kind: Kind::CausalLink, ..plain }),
        (plain, stained(plain)),
        (survivor(plain, 3, 690_000), survivor(plain, 3, 700_000)),
        (survivor(plain, 2, 700_000), survivor(plain, 3, 700_000)),
        (plain, Gene { domain: Some("a"), ..plain }),
    ] {
        let other = gene(2, "c", 1, 1);
        for genes in [vec![plain, better], vec![better, plain], vec![plain, other, better]] {
            let genome = compress(&genes, &rolling(8));
            let others = genes.iter().copied().filter(|one| one.id != id(1));
            let alone: Vec<Gene<'_>> = [better].into_iter().chain(others).collect();
            assert_eq!(genome, compress(&alone, &rolling(8)), "{better:?}");
        }
    }
}

/// I-132, I-142: W-15.
#[test]
fn i_132_w_15_bloodstains_come_before_baldwin_entries() {
    let mut genes: Vec<Gene<'_>> = (0..100).map(|n| stained(gene(n, "a", 100_000, 1))).collect();
    genes.extend((100..800).map(|n| survivor(gene(n, "a", 200_000, 1), 3, 700_000)));
    genes.extend((800..3_800).map(|n| gene(n, "b", 870_000 + (n % 30_001) as u32, 1)));
    let genome = compress(&genes, &literal(BUDGET));
    assert_eq!((genome.per_domain, phases(&genome), genome.len()), (512, (512, 612, 512), 1_636), "W-15");
    let of = |low: u64, high: u64| genome.chosen.iter().filter(|one| id(low) <= one.id && one.id < id(high)).count();
    assert_eq!((of(0, 100), of(100, 800)), (100, 512), "W-15");

    // I-142: more bloodstains than the quota; Baldwin entries get none of it.
    let flood: Vec<Gene<'_>> = (0..600)
        .map(|n| stained(gene(n, "a", n as u32, 1)))
        .chain((600..700).map(|n| survivor(gene(n, "b", 10, 1), 4, 900_000)))
        .collect();
    let genome = compress(&flood, &literal(BUDGET));
    let first = genome.chosen.iter().filter(|one| one.by == Selection::Priority);
    assert!(first.clone().count() == 512 && first.into_iter().all(|one| one.id < id(600)), "I-142");
}

/// b1 b2 b3 are 1 2 3; w1 is 4; a1 a2 a3 are 11 12 13; g1 g2 are 21 22; x1 x2 are 31 32.
const WORKED: [u64; 11] = [1, 2, 3, 4, 11, 12, 13, 21, 22, 31, 32];

fn worked() -> Vec<Gene<'static>> {
    vec![
        stained(gene(1, "lp", 300_000, 5)),
        stained(gene(2, "lp", 950_000, 9)),
        stained(gene(3, "gas", 200_000, 1)),
        survivor(gene(4, "gas", 800_000, 2), 3, 700_000),
        gene(11, "lp", 900_000, 3),
        gene(12, "lp", 850_000, 4),
        gene(13, "lp", 700_000, 8),
        gene(21, "gas", 750_000, 7),
        gene(22, "gas", 600_000, 6),
        gene(31, "mev", 700_000, 10),
        gene(32, "mev", 100_000, 11),
    ]
}

/// I-140, I-146: W-16, W-17. A place used up by an entry taken before is not filled by another.
#[test]
fn i_140_w_16_w_17_the_worked_grimoire() {
    for (law, per_domain, first, second, third) in [
        (literal(8), 1, vec![1, 2], vec![4, 31], vec![11, 12]),
        (rolling(8), 1, vec![1, 2], vec![4, 31], vec![11, 12, 13, 21]),
        (literal(16), 2, vec![1, 2, 3, 4], vec![11, 21, 31, 32], vec![12, 13, 22]),
        (rolling(16), 2, vec![1, 2, 3, 4], vec![11, 21, 31, 32], vec![12, 13, 22]),
    ] {
        let genome = compress(&worked(), &law);
        let of = |phase| numbers(&genome, phase, &WORKED);
        assert_eq!(genome.per_domain, per_domain, "{law:?}");
        assert_eq!(of(Selection::Priority), first, "{law:?}");
        assert_eq!(of(Selection::Diversity), second, "{law:?}");
        assert_eq!(of(Selection::Fill), third, "{law:?}");
    }
}

/// I-134, I-145: W-18.
#[test]
fn i_145_w_18_ties_go_to_the_newer_confirmation() {
    let genes =
        [gene(1, "d", 900_000, 0), gene(2, "d", 800_000, 0), gene(3, "d", 700_000, 3), gene(4, "d", 700_000, 9)];
    let genome = compress(&genes, &literal(4));
    let all: Vec<u64> = (1..=4).filter(|n| genome.chosen.iter().any(|one| one.id == id(*n))).collect();
    assert_eq!(all, [1, 2, 4], "W-18: 3 is dropped");
}

/// I-143: W-19. Both a bloodstain and a Baldwin entry, taken once.
#[test]
fn i_143_w_19_one_entry_is_taken_once() {
    let genes = [
        stained(survivor(gene(1, "d", 900_000, 0), 4, 900_000)),
        survivor(gene(2, "d", 800_000, 0), 3, 700_000),
        survivor(gene(3, "d", 700_000, 0), 3, 690_000),
        survivor(gene(4, "d", 600_000, 0), 2, 950_000),
    ];
    let genome = compress(&genes, &literal(4));
    let of = |phase| numbers(&genome, phase, &[1, 2, 3, 4]);
    assert_eq!((of(Selection::Priority), of(Selection::Diversity), of(Selection::Fill)), (vec![1], vec![2], vec![3]));
    assert_eq!(genome.len(), 3, "W-19");
}

/// I-144, I-147, I-148, I-151, I-173: what orders, what does not, and what is missing.
#[test]
fn i_148_missing_and_senseless_values_have_their_place() {
    assert_eq!(Ppm::round(f64::NAN), Ppm::ZERO, "I-148: a quality that is no number is zero");
    let unknown = [
        Gene { domain: None, ..gene(1, "x", 500_000, 1) },
        gene(2, "unknown", 500_000, 1),
        Gene { last_validated: None, ..gene(3, "x", 500_000, 1) },
    ];
    let genome = compress(&unknown, &rolling(8));
    let domains: Vec<&str> = genome.chosen.iter().map(|one| one.domain.as_str()).collect();
    assert_eq!(domains, ["unknown", "unknown", "x"], "I-148: one bucket, and it counts as a domain");
    assert_eq!(genome.per_domain, 2);

    let never = [Gene { last_validated: None, ..gene(1, "x", 500_000, 0) }, gene(2, "x", 500_000, 0)];
    assert_eq!(compress(&never, &rolling(1)).chosen[0].id, id(2), "I-148: never confirmed sorts last");
    let twins = [gene(1, "x", 500_000, 1), gene(2, "x", 500_000, 1)];
    assert_eq!(compress(&twins, &rolling(4)).len(), 2, "I-144: same text, other id");
    assert_eq!(compress(&twins, &rolling(1)).chosen[0].id, id(1), "I-145: the smaller id");
    let causal = [gene(1, "x", 500_000, 1), Gene { kind: Kind::CausalLink, ..gene(2, "x", 500_000, 1) }];
    assert_eq!(compress(&causal, &rolling(1)).chosen[0].id, id(2), "I-173: the least replaceable stays");
    let plain_warning = [Gene { kind: Kind::Warning, ..gene(1, "x", 500_000, 1) }];
    assert_eq!(
        compress(&plain_warning, &rolling(8)).places[Selection::Priority as usize].taken,
        0,
        "I-151: a flag, not a type"
    );
}

fn any_gene() -> impl Strategy<Value = Gene<'static>> {
    let domains = ["a", "b", "c", "d", "e"];
    let kinds = (0..Kind::ALL.len()).prop_map(|n| Kind::ALL[n]);
    let validated = prop::option::of(0u64..20);
    (0u64..400, prop::option::of(0usize..5), 0u32..=20, validated, 0u32..=20, 0u32..6, any::<bool>(), kinds).prop_map(
        move |(number, domain, quality, validated, confidence, generation, stain, kind)| Gene {
            id: id(number),
            domain: domain.map(|at| domains[at]),
            quality: Ppm::of(quality * 50_000),
            last_validated: validated.map(moment),
            confidence: Confidence::of(confidence * 50_000),
            generation,
            is_bloodstain: stain,
            kind,
        },
    )
}

proptest! {
    /// I-360, I-135: never more than the budget, every id once and of the source; I-153: pure; I-145, I-147: the order of
    /// the entries does not matter; rolling over takes all it can and drops nothing the literal quotas took.
    #[test]
    fn i_360_genomes_are_bounded_unique_pure_and_free_of_order(
        genes in prop::collection::vec(any_gene(), 0..200),
        shuffle in prop::collection::vec(any::<prop::sample::Index>(), 200),
        budget in 0usize..64,
    ) {
        let mut shuffled = genes.clone();
        for (at, with) in shuffle.iter().enumerate().take(genes.len()) {
            shuffled.swap(at, with.index(genes.len()));
        }
        let known: std::collections::BTreeSet<_> = genes.iter().map(|gene| gene.id).collect();
        let before = genes.clone();
        for law in [literal(budget), rolling(budget)] {
            let genome = compress(&genes, &law);
            prop_assert!(genome.len() <= budget);
            let ids: std::collections::BTreeSet<_> = genome.chosen.iter().map(|one| one.id).collect();
            prop_assert_eq!(ids.len(), genome.len(), "ids are unique");
            prop_assert!(ids.is_subset(&known));
            prop_assert_eq!(&genome, &compress(&genes, &law), "pure");
            let other = compress(&shuffled, &law);
            prop_assert_eq!(&genome, &other);
            let order: Vec<_> = genome.chosen.iter().map(|one| (one.by, one.domain.clone(), one.rank)).collect();
            prop_assert!(order.is_sorted(), "I-147: canonical order");
            if law.rollover_unused {
                prop_assert_eq!(genome.len(), budget.min(known.len()));
                let strict = compress(&genes, &literal(budget));
                prop_assert!(strict.chosen.iter().all(|one| ids.contains(&one.id)));
            }
        }
        prop_assert_eq!(before, genes, "I-153: the source is not changed");
    }

    /// I-134: nothing left out is better than the worst that the fill took.
    #[test]
    fn i_134_the_fill_takes_the_best_of_the_rest(genes in prop::collection::vec(any_gene(), 0..200), budget in 0usize..64) {
        let genes: Vec<_> = genes.into_iter().map(|g| (g.id, g)).collect::<std::collections::BTreeMap<_, _>>().into_values().collect();
        let genome = compress(&genes, &rolling(budget));
        let quality = |at: golem_grimoire::id::EntryId| genes.iter().find(|g| g.id == at).expect("known").quality;
        let filled = genome.chosen.iter().filter(|one| one.by == Selection::Fill);
        if let Some(worst) = filled.map(|one| quality(one.id)).min() {
            for gene in genes.iter().filter(|gene| !genome.chosen.iter().any(|one| one.id == gene.id)) {
                prop_assert!(gene.quality <= worst);
            }
        }
    }
}
