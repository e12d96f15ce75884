//! V-006. Whose money the float is, as pure arithmetic.
//!
//! A draw moves USDC from a partition of the vault into the key's wallet, and a purchase moves it on. Between the two the
//! wallet holds money of several partitions; the book says whose. So that the agent's accounts equal the chain's at every
//! settlement, a purchase is paid from its own partition's share only, and a partition is worth what the vault holds of it
//! and its share of the float.
//!
//! Worked: llm holds 6.00 and data 1.50. Data draws 0.40 and buys for 0.05, which is settled. On chain data holds 1.10,
//! the wallet 0.35; the book gives data 0.35 of it; together 1.45 = 1.50 - 0.05.

use golem_core::record::Partition;
use golem_ports::FloatBook;
use golem_primitives::Usdc;

/// What a partition may still pay with from the float: drawn, neither paid nor promised.
#[must_use]
pub fn available(book: &FloatBook, partition: Partition) -> Usdc {
    let of = |column: &[Usdc; 4]| column[partition as usize];
    of(&book.drawn).saturating_sub(of(&book.paid)).saturating_sub(of(&book.open))
}

/// What each partition is worth: what the vault holds of it, and its share of the float, promised or not. It falls when a
/// payment settles, and by nothing else the float does.
#[must_use]
pub fn worth(on_chain: [Usdc; 4], book: &FloatBook) -> [Usdc; 4] {
    Partition::ALL.map(|partition| {
        let place = partition as usize;
        on_chain[place].saturating_add(book.drawn[place].saturating_sub(book.paid[place]))
    })
}

/// What the wallet holds when nothing is in flight and nobody else sent or took anything. More is a gift, less is a
/// leak: either is said, neither is spent.
#[must_use]
pub fn expected(book: &FloatBook) -> Usdc {
    let sum = |column: &[Usdc; 4]| column.iter().fold(Usdc::ZERO, |sum, part| sum.saturating_add(*part));
    sum(&book.drawn).saturating_sub(sum(&book.paid))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn micros(amount: u64) -> Usdc {
        Usdc::from_micros(amount)
    }

    /// V-006: the example of the module.
    #[test]
    fn v_006_the_worked_example_adds_up() {
        let mut book = FloatBook::default();
        book.drawn[2] = micros(400_000);
        book.paid[2] = micros(50_000);
        let on_chain = [micros(6_000_000), Usdc::ZERO, micros(1_100_000), Usdc::ZERO];
        assert_eq!(available(&book, Partition::Data), micros(350_000));
        assert_eq!(expected(&book), micros(350_000));
        assert_eq!(worth(on_chain, &book)[2], micros(1_450_000));
        assert_eq!(worth(on_chain, &book)[0], micros(6_000_000));
    }

    /// A vault, a wallet and a book, moved by the same acts.
    #[derive(Debug, Clone)]
    struct Model {
        vault: [Usdc; 4],
        wallet: Usdc,
        book: FloatBook,
    }

    #[derive(Debug, Clone)]
    enum Move {
        Draw(usize, u64),
        Promise(usize, u64),
        Settle(usize),
        RunOut(usize),
    }

    fn moves() -> impl Strategy<Value = Vec<Move>> {
        let one = prop_oneof![
            (0usize..4, 0u64..2_000_000).prop_map(|(of, amount)| Move::Draw(of, amount)),
            (0usize..4, 0u64..500_000).prop_map(|(of, amount)| Move::Promise(of, amount)),
            (0usize..4).prop_map(Move::Settle),
            (0usize..4).prop_map(Move::RunOut),
        ];
        prop::collection::vec(one, 0..60)
    }

    proptest! {
        /// V-006, R-033: whatever happens in whatever order, each partition's worth is what it began with less what it
        /// paid, and the wallet holds what the book expects.
        #[test]
        fn v_006_the_agents_accounts_equal_the_chains_at_every_settlement(moves in moves()) {
            let born = [micros(6_000_000), micros(2_500_000), micros(1_500_000), Usdc::ZERO];
            let mut world = Model { vault: born, wallet: Usdc::ZERO, book: FloatBook::default() };
            for step in moves {
                match step {
                    Move::Draw(of, amount) => {
                        let amount = micros(amount).min(world.vault[of]);
                        world.vault[of] = world.vault[of].saturating_sub(amount);
                        world.wallet = world.wallet.saturating_add(amount);
                        world.book.drawn[of] = world.book.drawn[of].saturating_add(amount);
                    }
                    Move::Promise(of, amount) => {
                        let amount = micros(amount);
                        if amount <= available(&world.book, Partition::ALL[of]) {
                            world.book.open[of] = world.book.open[of].saturating_add(amount);
                        }
                    }
                    Move::Settle(of) => {
                        let amount = std::mem::take(&mut world.book.open[of]);
                        prop_assert!(amount <= world.wallet, "a promise is always covered");
                        world.wallet = world.wallet.saturating_sub(amount);
                        world.book.paid[of] = world.book.paid[of].saturating_add(amount);
                    }
                    Move::RunOut(of) => world.book.open[of] = Usdc::ZERO,
                }
                prop_assert_eq!(world.wallet, expected(&world.book));
                for (of, worth) in worth(world.vault, &world.book).into_iter().enumerate() {
                    prop_assert_eq!(worth, born[of].saturating_sub(world.book.paid[of]));
                }
            }
        }
    }
}
