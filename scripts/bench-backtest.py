"""Runs the peers of `scripts/bench backtest` on our prices, and prints the table.

Usage: bench-backtest.py run PEER PRICES BARS RUNS   a line a run: who, bars, seconds, entries, growth, version
       bench-backtest.py table                       all lines, ours among them, on standard input

One rule for all: a tenth of the capital goes in when the price stands 1.25 deviations or more below the mean of its last 64,
and comes out at the mean or 1.5% below the entry. What a bar decides is filled at the next. Times are of the processor.
"""

import os
import statistics
import sys
import time

for threads in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ.setdefault(f"{threads}_NUM_THREADS", "1")

import numpy

WINDOW, ENTER, LEAVE, STOP = 64, -1.25, 0.0, 0.015
CAPITAL, SHARE = 10_000.0, 0.1
# Our pool takes 0.05%, and bends by 0.01% under the whole capital, so by a tenth of that under a tenth of it.
FEE, GAS = 0.00051, 0.02


def distances(prices):
    """How far each price stands from the mean of its last 64, in deviations; sums, as fast as numpy has it."""
    # From the first price, so that squares keep their digits.
    x = prices - prices[0]
    sums, squares = numpy.cumsum(x), numpy.cumsum(x * x)
    sums[WINDOW:] -= sums[:-WINDOW].copy()
    squares[WINDOW:] -= squares[:-WINDOW].copy()
    with numpy.errstate(invalid="ignore", divide="ignore"):
        z = (x - sums / WINDOW) / numpy.sqrt(squares / WINDOW - (sums / WINDOW) ** 2)
    z[: WINDOW - 1] = numpy.nan
    return z


def backtesting_py(prices):
    import pandas
    from backtesting import Backtest, Strategy, __version__

    class Dip(Strategy):
        def init(self):
            self.z = self.I(distances, self.data.Close, plot=False)

        def next(self):
            if self.position:
                entry = self.trades[0].entry_price
                if self.z[-1] >= LEAVE or self.data.Close[-1] <= entry * (1 - STOP):
                    self.position.close()
            elif self.z[-1] <= ENTER:
                # A share as size would divide the gas by the share before the price is known.
                self.buy(size=int(self.equity * SHARE / self.data.Close[-1]))

    # It trades whole units only, so a unit is a millionth of a token.
    column = prices / 1e6
    index = pandas.date_range("2024-01-01", periods=len(prices), freq="min")
    frame = pandas.DataFrame({"Open": column, "High": column, "Low": column, "Close": column}, index=index)
    tested = Backtest(frame, Dip, cash=CAPITAL, commission=(GAS, FEE))

    def run():
        stats = tested.run()
        return stats["# Trades"], stats["Equity Final [$]"] / CAPITAL

    return run, __version__


def vectorbt(prices, is_reported=False):
    import pandas
    import vectorbt as vbt

    index = pandas.date_range("2024-01-01", periods=len(prices), freq="min")
    close = pandas.Series(prices, index=index)

    def later(signal):
        moved = numpy.empty_like(signal)
        moved[0], moved[1:] = False, signal[:-1]
        return moved

    def run():
        z = distances(prices)
        held = vbt.Portfolio.from_signals(
            close, later(z <= ENTER), later(z >= LEAVE), size=SHARE, size_type="percent", fees=FEE, fixed_fees=GAS,
            init_cash=CAPITAL, sl_stop=STOP, stop_exit_price="close", freq="min",
        )
        if not is_reported:
            return len(held.order_records) // 2, None
        held.total_return(), held.max_drawdown()
        return held.trades.count(), held.final_value() / CAPITAL

    return run, vbt.__version__


def nautilus(prices):
    from decimal import Decimal

    import pandas
    from nautilus_trader import __version__
    from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
    from nautilus_trader.config import LoggingConfig, StrategyConfig
    from nautilus_trader.model.currencies import ETH, USDC
    from nautilus_trader.model.data import BarType
    from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
    from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
    from nautilus_trader.model.instruments import CurrencyPair
    from nautilus_trader.model.objects import Money, Price, Quantity
    from nautilus_trader.persistence.wranglers import BarDataWrangler
    from nautilus_trader.trading.strategy import Strategy

    venue = Venue("POOL")
    pair = CurrencyPair(
        instrument_id=InstrumentId(Symbol("ETHUSDC"), venue), raw_symbol=Symbol("ETHUSDC"), base_currency=ETH,
        quote_currency=USDC, price_precision=6, size_precision=6, price_increment=Price.from_str("0.000001"),
        size_increment=Quantity.from_str("0.000001"), lot_size=None, max_quantity=None, min_quantity=None,
        max_notional=None, min_notional=None, max_price=None, min_price=None, margin_init=Decimal(0),
        margin_maint=Decimal(0), maker_fee=Decimal(str(FEE)), taker_fee=Decimal(str(FEE)), ts_event=0, ts_init=0,
    )
    kind = BarType.from_str(f"{pair.id}-1-MINUTE-LAST-EXTERNAL")
    index = pandas.date_range("2024-01-01", periods=len(prices), freq="min", tz="UTC")
    columns = {name: prices for name in ("open", "high", "low", "close")}
    frame = pandas.DataFrame({**columns, "volume": numpy.full(len(prices), 1e6)}, index=index)
    bars = BarDataWrangler(kind, pair).process(frame)

    class Dip(Strategy):
        def __init__(self):
            super().__init__(StrategyConfig())
            # Its own indicators have no deviation over a window; these are given to it, as to the others.
            self.z = distances(prices)
            self.at = -1
            self.wanted = None
            self.held = None
            self.entry = 0.0
            self.trips = 0

        def on_start(self):
            self.subscribe_bars(kind)

        def on_bar(self, bar):
            self.at += 1
            # A market order is filled at the bar it is sent in, so what a bar decides is sent in the next.
            if self.wanted is OrderSide.BUY:
                free = self.portfolio.account(venue).balance_free(USDC).as_double()
                self.held = pair.make_qty(free * SHARE / bar.close.as_double())
                self.entry = bar.close.as_double()
                self.submit_order(self.order_factory.market(pair.id, OrderSide.BUY, self.held))
            elif self.wanted is OrderSide.SELL:
                self.submit_order(self.order_factory.market(pair.id, OrderSide.SELL, self.held))
                self.held = None
                self.trips += 1
            self.wanted = None
            z = self.z[self.at]
            if self.held is None:
                if z <= ENTER:
                    self.wanted = OrderSide.BUY
            elif z >= LEAVE or bar.close.as_double() <= self.entry * (1 - STOP):
                self.wanted = OrderSide.SELL

    def run():
        engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True), run_analysis=False))
        engine.add_venue(venue, OmsType.NETTING, AccountType.CASH, [Money(CAPITAL, USDC)], base_currency=None)
        engine.add_instrument(pair)
        engine.add_data(bars)
        strategy = Dip()
        engine.add_strategy(strategy)
        start = time.process_time()
        engine.run()
        seconds = time.process_time() - start
        end = engine.portfolio.account(venue).balance_total(USDC).as_double()
        if strategy.held is not None:
            end += strategy.held.as_double() * prices[-1]
        filled = engine.cache.orders_closed_count()
        assert filled - 2 * strategy.trips in (0, 1), "orders that were not filled"
        engine.dispose()
        return strategy.trips, end / CAPITAL, seconds

    return run, __version__


PEERS = {
    "backtesting.py": backtesting_py,
    "vectorbt": vectorbt,
    "vectorbt+report": lambda prices: vectorbt(prices, is_reported=True),
    "nautilus_trader": nautilus,
}


def measure(peer, path, bars, runs):
    prices = numpy.fromfile(path, dtype="<u8", count=bars).astype(float) / 1e6
    run, version = PEERS[peer](prices)
    if peer.startswith("vectorbt"):
        # What it compiles at first is no part of a backtest.
        run()
    for _ in range(runs):
        start = time.process_time()
        trips, growth, *seconds = run()
        seconds = seconds[0] if seconds else time.process_time() - start
        print(peer, bars, seconds, int(trips), "-" if growth is None else growth, version, flush=True)


TITLES = {
    "golem-playbook": "bardo backtest",
    "vectorbt": "vectorbt {}, portfolio alone",
    "vectorbt+report": "vectorbt {}, with return and deepest fall",
}
# How many times a peer's bars a second are asked of ours.
ASKED = {"backtesting.py": 30, "nautilus_trader": 30, "vectorbt": 1}
OURS = "golem-playbook"


def table():
    runs = {}
    for line in sys.stdin:
        who, bars, *rest = line.split()
        runs.setdefault((who, int(bars)), []).append(rest)
    rate = {key: key[1] / statistics.median(float(run[0]) for run in of) for key, of in runs.items()}
    # Growth and entries are those of as many bars, so ours is run over each length.
    most = max(bars for who, bars in runs if who == OURS)
    missed = []
    print("| | bars | bars/s | round trips | growth | ahead | asked |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for (who, bars), of in runs.items():
        (_, trips, growth, version), ours = of[-1], runs[(OURS, bars)][-1]
        title = TITLES.get(who, who + " {}").format(version)
        growth = growth if growth == "-" else f"{float(growth):.4f}"
        ahead = asked = ""
        if who != OURS:
            times = rate[(OURS, most)] / rate[(who, bars)]
            ahead = f"{times:.1f}x"
            if who in ASKED:
                is_met = times >= ASKED[who]
                asked = f"{ASKED[who]}x: {'met' if is_met else 'missed'}"
                missed += [] if is_met else [who]
            # A stop that vectorbt fills a bar earlier can open a trip more or less.
            assert abs(int(trips) - int(ours[1])) <= max(1, int(ours[1]) // 1000), f"{who}: {trips} trips, ours {ours[1]}"
        print(f"| {title} | {bars:,} | {rate[(who, bars)]:,.0f} | {int(trips):,} | {growth} | {ahead} | {asked} |")
    return 1 if missed else 0


if __name__ == "__main__":
    if sys.argv[1] == "run":
        measure(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        sys.exit(table())
