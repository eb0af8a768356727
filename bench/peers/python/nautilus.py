"""NautilusTrader's BacktestEngine over a drawn tape: python nautilus.py FOLDER [frozen]

A mid is a quote tick with a bid and an ask one tick away from it, a taker a trade tick without an aggressor: with one,
this version fills a resting order only where the trade crosses the other side of the book. Orders are modified only
when their price changes. Everything that can be left out is: log, risk engine, snapshots, analysis, Python's collector.
`frozen` = the account does not follow orders and fills, only positions do.
"""

import gc
import sys
from decimal import Decimal

from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.common.config import LoggingConfig
from nautilus_trader.config import CacheConfig, ExecEngineConfig, RiskEngineConfig, StrategyConfig
from nautilus_trader.model.currencies import USDC
from nautilus_trader.model.data import QuoteTick, TradeTick
from nautilus_trader.model.enums import AccountType, AggressorSide, CurrencyType, OmsType, OrderSide, TimeInForce
from nautilus_trader.model.identifiers import InstrumentId, Symbol, TradeId, TraderId, Venue
from nautilus_trader.model.instruments import CurrencyPair
from nautilus_trader.model.objects import Currency, Money, Price, Quantity
from nautilus_trader.trading.strategy import Strategy
from tape import BPS, LOT, Stopwatch, Tape, read_tape, report

# Not registered, an amount would have eight decimals, and from some 90 million on they do not add up.
SHILLING = Currency("NTZS", 4, 0, "NTZS", CurrencyType.CRYPTO)
Currency.register(SHILLING, overwrite=True)
POOL = Venue("POOL")
PAIR = InstrumentId(Symbol("USDC/NTZS"), POOL)
SIZE = Quantity.from_int(LOT)
OPENING_USD, OPENING_SHILLINGS = 50_000, 130_000_000
MS = 1_000_000


class LotSkew(Strategy):
    """One order a side: what stands, and where."""

    def __init__(self, config: StrategyConfig) -> None:
        super().__init__(config)
        self.fills = 0
        self.lots = 0
        self.orders = {OrderSide.BUY: None, OrderSide.SELL: None}
        self.prices = {OrderSide.BUY: 0, OrderSide.SELL: 0}

    def on_start(self) -> None:
        self.subscribe_quote_ticks(PAIR)

    def on_quote_tick(self, tick: QuoteTick) -> None:
        mid = round((tick.bid_price.as_double() + tick.ask_price.as_double()) / 2)
        self._quote(OrderSide.BUY, mid * (BPS - 60 - 2 * self.lots))
        self._quote(OrderSide.SELL, mid * (BPS + 60 - 2 * self.lots))

    def _quote(self, side: OrderSide, at: int) -> None:
        order = self.orders[side]
        if order is None:
            order = self.order_factory.limit(PAIR, side, SIZE, Price(at / 1e4, 4), TimeInForce.GTC)
            self.orders[side] = order
            self.submit_order(order)
        elif self.prices[side] != at:
            self.modify_order(order, price=Price(at / 1e4, 4))
        self.prices[side] = at

    def on_order_filled(self, event) -> None:
        self.fills += 1
        self.lots += 1 if event.order_side == OrderSide.BUY else -1
        self.orders[event.order_side] = None


def ticks_of(tape: Tape) -> list:
    deep = Quantity.from_int(1_000_000)
    around = {mid: (Price(mid - 0.0001, 4), Price(mid + 0.0001, 4)) for mid in set(tape.mids.tolist())}
    ticks: list = []
    for mid, time in zip(tape.mids.tolist(), (tape.mid_times_ms() * MS).tolist()):
        bid, ask = around[mid]
        ticks.append(QuoteTick(PAIR, bid, ask, deep, deep, time, time))
    takers = zip(tape.taker_prices().tolist(), (tape.taker_times_ms() * MS).tolist())
    for number, (price, time) in enumerate(takers):
        nobody = AggressorSide.NO_AGGRESSOR
        ticks.append(TradeTick(PAIR, Price(price / 1e4, 4), SIZE, nobody, TradeId(str(number)), time, time))
    return ticks


def engine_of(is_frozen: bool) -> BacktestEngine:
    engine = BacktestEngine(
        BacktestEngineConfig(
            trader_id=TraderId("BENCH-001"),
            logging=LoggingConfig(bypass_logging=True),
            risk_engine=RiskEngineConfig(bypass=True),
            exec_engine=ExecEngineConfig(snapshot_orders=False, snapshot_positions=False),
            cache=CacheConfig(tick_capacity=1, bar_capacity=1),
            run_analysis=False,
        )
    )
    balances = [Money(OPENING_USD, USDC), Money(OPENING_SHILLINGS, SHILLING)]
    engine.add_venue(
        POOL, OmsType.NETTING, AccountType.CASH, balances, trade_execution=True, frozen_account=is_frozen
    )
    pair = CurrencyPair(
        instrument_id=PAIR,
        raw_symbol=Symbol("USDC/NTZS"),
        base_currency=USDC,
        quote_currency=SHILLING,
        price_precision=4,
        size_precision=0,
        price_increment=Price.from_str("0.0001"),
        size_increment=Quantity.from_int(1),
        ts_event=0,
        ts_init=0,
        maker_fee=Decimal(0),
        taker_fee=Decimal(0),
    )
    engine.add_instrument(pair)
    return engine


def main() -> None:
    tape = read_tape(sys.argv[1])
    is_frozen = "frozen" in sys.argv[2:]
    engine = engine_of(is_frozen)
    strategy = LotSkew(StrategyConfig())
    engine.add_strategy(strategy)
    engine.add_data(ticks_of(tape), sort=True)
    gc.collect()
    gc.freeze()
    gc.disable()
    with Stopwatch() as watch:
        engine.run()
    shillings = engine.portfolio.account(POOL).balance_total(SHILLING).as_decimal()
    cash = None if is_frozen else str(shillings - OPENING_SHILLINGS)
    report(watch, fills=strategy.fills, lots=strategy.lots, cash=cash)


main()
