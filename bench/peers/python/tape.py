"""The drawn tape as every Python engine reads it, the strategy's prices, and the line that each of them prints."""

import json
import os
import resource
import time
from dataclasses import dataclass

import numpy as np

START_MS = 1_735_689_600_000
LOT = 100
BPS = 10_000


@dataclass
class Tape:
    step_ms: int
    mids: np.ndarray
    """Whole shillings; mid i is shown at START_MS + i * step_ms."""
    at: np.ndarray
    """Index of the mid that a taker sees; it comes half a step later."""
    side: np.ndarray
    """1 = sells dollars, -1 = buys them."""
    bps: np.ndarray
    """The widest half-spread that it accepts."""

    def mid_times_ms(self) -> np.ndarray:
        return START_MS + np.arange(len(self.mids), dtype=np.int64) * self.step_ms

    def taker_times_ms(self) -> np.ndarray:
        return START_MS + self.at.astype(np.int64) * self.step_ms + self.step_ms // 2

    def taker_prices(self) -> np.ndarray:
        """The worst price that a taker accepts, in ten-thousandths of a shilling."""
        return self.mids[self.at].astype(np.int64) * (BPS - self.side.astype(np.int64) * self.bps)


def read_tape(folder: str) -> Tape:
    with open(os.path.join(folder, "tape.json")) as file:
        step_ms = json.load(file)["stepMs"]
    mids = np.fromfile(os.path.join(folder, "mids.i32"), dtype="<i4")
    takers = np.fromfile(os.path.join(folder, "takers.i32"), dtype="<i4").reshape(-1, 3)
    return Tape(step_ms, mids, takers[:, 0], takers[:, 1], takers[:, 2])


class Stopwatch:
    """Processor time of the process and time on the clock, both in seconds."""

    def __enter__(self) -> "Stopwatch":
        self._cpu, self._wall = time.process_time(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.cpu = time.process_time() - self._cpu
        self.wall = time.perf_counter() - self._wall


def report(watch: Stopwatch, **figures: object) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"cpuSeconds": watch.cpu, "wallSeconds": watch.wall, "peakMiB": peak, **figures}))
