"""backtesting.py over a drawn tape, for reference: python backtesting_bars.py FOLDER

It has bars only: a mid is a bar without a range, a taker one whose low or high is the price that it accepts.
"""

import sys
import warnings

import numpy as np
import pandas as pd
from backtesting import Backtest, Strategy
from tape import BPS, LOT, Stopwatch, Tape, read_tape, report

warnings.filterwarnings("ignore")
PURSE = 1e9


class LotSkew(Strategy):
    def init(self) -> None:
        self.prices = (0, 0)

    def next(self) -> None:
        mid = round(self.data.Close[-1])
        lots = round(self.position.size / LOT)
        prices = (mid * (BPS - 60 - 2 * lots), mid * (BPS + 60 - 2 * lots))
        if prices == self.prices and len(self.orders) == 2:
            return
        for order in self.orders:
            order.cancel()
        self.buy(size=LOT, limit=prices[0] / 1e4)
        self.sell(size=LOT, limit=prices[1] / 1e4)
        self.prices = prices


def bars_of(tape: Tape) -> pd.DataFrame:
    mids, seen = tape.mids.astype(float), tape.mids[tape.at].astype(float)
    accepted = tape.taker_prices() / 1e4
    times = np.concatenate([tape.mid_times_ms(), tape.taker_times_ms()])
    close = np.concatenate([mids, seen])
    low = np.concatenate([mids, np.minimum(seen, accepted)])
    high = np.concatenate([mids, np.maximum(seen, accepted)])
    bars = pd.DataFrame({"Open": close, "High": high, "Low": low, "Close": close})
    bars.index = pd.to_datetime(times, unit="ms")
    return bars.sort_index()


def main() -> None:
    bars = bars_of(read_tape(sys.argv[1]))
    test = Backtest(bars, LotSkew, cash=PURSE, commission=0, finalize_trades=False)
    with Stopwatch() as watch:
        stats = test.run()
    lots = stats["_strategy"].position.size / LOT
    equity = float(stats["_equity_curve"]["Equity"].iloc[-1])
    report(watch, fills=None, lots=lots, cash=None, profit=repr(equity - PURSE))


main()
