"""hftbacktest with numba over a drawn tape: python hftbacktest_numba.py FOLDER

A new mid clears the book and puts one bid a tick below it and one ask a tick above it; a mid that did not change
repeats its bid. A taker is one trade. No latency, no fees, orders are filled whole.
"""

import sys

import numpy as np
from hftbacktest import (
    BUY_EVENT,
    DEPTH_CLEAR_EVENT,
    DEPTH_EVENT,
    EXCH_EVENT,
    GTX,
    LIMIT,
    LOCAL_EVENT,
    SELL_EVENT,
    TRADE_EVENT,
    BacktestAsset,
    HashMapMarketDepthBacktest,
)
from hftbacktest.binding import event_dtype
from numba import njit
from tape import LOT, Stopwatch, Tape, read_tape, report

TICK = 0.0001
MS = 1_000_000
BOTH = EXCH_EVENT | LOCAL_EVENT


def feed_of(tape: Tape) -> np.ndarray:
    is_new = np.append(True, tape.mids[1:] != tape.mids[:-1])
    mid_times = tape.mid_times_ms() * MS
    taker_kinds = np.where(tape.side == 1, SELL_EVENT, BUY_EVENT) | TRADE_EVENT
    # Stable by time, so that of one mid the clearing comes first, then the bid, then the ask.
    parts = [
        (mid_times[is_new], DEPTH_CLEAR_EVENT, 0.0, 0.0),
        (mid_times, DEPTH_EVENT | BUY_EVENT, tape.mids - TICK, 1e6),
        (mid_times[is_new], DEPTH_EVENT | SELL_EVENT, tape.mids[is_new] + TICK, 1e6),
        (tape.taker_times_ms() * MS, taker_kinds, tape.taker_prices() / 1e4, float(LOT)),
    ]
    feed = np.zeros(sum(len(times) for times, *_ in parts), event_dtype)
    first = 0
    for times, kind, price, quantity in parts:
        events = feed[first : first + len(times)]
        events["exch_ts"] = events["local_ts"] = times
        events["ev"] = BOTH | kind
        events["px"] = price
        events["qty"] = quantity
        first += len(times)
    return feed[np.argsort(feed["exch_ts"], kind="stable")]


@njit
def trade(hbt, step_ns):
    next_id, lots = 1, 0
    bid_id, ask_id, bid_at, ask_at = 0, 0, 0, 0
    while hbt.elapse(step_ns) == 0:
        book = hbt.depth(0)
        mid = (book.best_bid_tick + book.best_ask_tick) // 20_000
        held = int(round(hbt.position(0) / 100))
        if held != lots:
            if held > lots:
                bid_id = 0
            else:
                ask_id = 0
            lots = held
            hbt.clear_inactive_orders(0)
        bid, ask = mid * (9_940 - 2 * lots), mid * (10_060 - 2 * lots)
        if bid_id == 0:
            bid_id = next_id
            next_id += 1
            hbt.submit_buy_order(0, bid_id, bid * 0.0001, 100, GTX, LIMIT, False)
        elif bid != bid_at:
            hbt.modify(0, bid_id, bid * 0.0001, 100, False)
        if ask_id == 0:
            ask_id = next_id
            next_id += 1
            hbt.submit_sell_order(0, ask_id, ask * 0.0001, 100, GTX, LIMIT, False)
        elif ask != ask_at:
            hbt.modify(0, ask_id, ask * 0.0001, 100, False)
        bid_at, ask_at = bid, ask


def run(feed: np.ndarray, step_ns: int) -> tuple[Stopwatch, int, float, float]:
    asset = (
        BacktestAsset()
        .data(feed)
        .linear_asset(1.0)
        .constant_order_latency(0, 0)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(0, 0)
        .tick_size(TICK)
        .lot_size(1.0)
    )
    hbt = HashMapMarketDepthBacktest([asset])
    # From here on the strategy looks a millisecond after each mid.
    hbt.elapse(MS)
    with Stopwatch() as watch:
        trade(hbt, step_ns)
    state = hbt.state_values(0)
    result = watch, int(state.num_trades), float(state.position), float(state.balance)
    hbt.close()
    return result


def main() -> None:
    tape = read_tape(sys.argv[1])
    feed = feed_of(tape)
    step_ns = tape.step_ms * MS
    # Compiles; a first run of numba is a matter of seconds and no property of the engine.
    run(feed[:600].copy(), step_ns)
    watch, fills, position, balance = run(feed, step_ns)
    report(watch, fills=fills, lots=position / LOT, cash=repr(balance))


main()
