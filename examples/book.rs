//! A book of one's own: read, tried over a market that was made up by a seed, and beside what anybody could have done.
//!
//! `cargo run --example book`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use golem_playbook::backtest::{self, BacktestSettings};
use golem_playbook::market::Market;
use golem_playbook::prices::Terms;
use golem_playbook::promotion::Founding;
use golem_primitives::Usdc;

const BOOK: &str = "# falls that come back

### fall-in-calm
- when: z(64) <= -1.5 and vol(64) <= 0.09%
- do: hold 60%
- until: z(64) >= 0 or gain <= -1.5% or since >= 200
- expects: +0.7% within 200
- because: what fell fast in a quiet market often came back
- asks: does it hold when gas is dear?
";

fn main() {
    // A mistake is told with its line, its column and the nearest word that would be right.
    let document = golem_playbook::parse(BOOK).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let capital = Usdc::whole(1_000);
    let terms = Terms { fee_ppm: 500, gas: Usdc::from_micros(20_000), liquidity: Usdc::whole(1_000_000), capital };
    let looks = Market { seed: 7, looks: 20_000, edge: None }.looks(&terms);
    let settings = BacktestSettings {
        capital,
        rent_a_day: Usdc::from_micros(250_000),
        founding: Founding::Trial,
        search: false,
        life: None,
        folds: 4,
    };
    let own = backtest::run(&document.book, &looks, &settings).expect("a book that was read can be tried");
    for run in std::iter::once(own).chain(backtest::beside(&looks, &settings)) {
        let percent = run.return_ppm as f64 / 10_000.0;
        println!("{:<32} {percent:>+8.2}%  {:>4} trips  {} left", run.name, run.trips, run.end);
    }
}
