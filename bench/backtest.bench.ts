import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecorded } from '../src/backtest/fill-models/create-fill-model.ts'
import { runBacktest } from '../src/backtest/run.ts'
import type { BacktestOutcome } from '../src/backtest/settings.ts'
import { createMetricsRecorder } from '../src/backtest/metrics/create-recorder.ts'
import { pnl } from '../src/ledger/book/pnl.ts'
import type { TapeBatch } from '../src/tape/model/batch.ts'
import { coreConfig } from '../test/support/core-config.ts'
import { worldStrategy } from '../test/support/world-strategies.ts'
import { busyDays, FILLS } from './busy-year.ts'
import { bigintLoop } from './plain/bigint-loop.ts'
import { plainRows, type PlainRows } from './plain/plain-rows.ts'
import { shortOr } from './short.ts'

const DAYS = shortOr(3, 157)
const ROUNDS = shortOr(1, 5)
const TARGET = 10e6

/**
 * Ten million rows as the daemon records them at its default pacing, half a percent of them fills, through
 * the real core with inventory-skew, `recorded` fills and the exact ledger, trail and metrics included; and
 * beside it in the same process what a plain loop with a bigint ledger does over the same rows, and a C
 * loop with doubles. The best of five each. The tape is in memory: reading is the tape bench's business.
 */
export default async function backtestBench(): Promise<Record<string, unknown>> {
  const batches = [...busyDays(DAYS)]
  const rows = plainRows(batches)
  const core = await best(() => run(batches))
  const twice = await run([...busyDays(20, FILLS * 2)])
  const plain = await best(async () => bigintLoop(rows))
  const c = loopInC(rows)
  const perSecond = (10e2 * rows.length) / core.ms
  return {
    rows: rows.length,
    target: TARGET,
    met: perSecond >= TARGET,
    eventsPerSecond: Math.round(perSecond),
    fills: core.value.fills,
    quoteUpdates: core.value.quoteUpdates,
    microsecondsPerFill: round((1_000 * core.ms) / core.value.fills),
    withOnePercentFills: { eventsPerSecond: Math.round((1_000 * twice.events) / twice.elapsedMs) },
    plainBigintLoop: {
      eventsPerSecond: Math.round((1_000 * rows.length) / plain.ms),
      fills: plain.value.fills,
      oursToIts: round(plain.ms / core.ms),
    },
    plainCWithDoubles: c,
    pnlTzs: String((pnl(core.value.book)?.tzs.total ?? 0n) / 10n ** 36n),
    plainPnlTzs: String(plain.value.pnlTzs36 / 10n ** 36n),
    memory: await memory(),
  }
}

async function run(batches: Iterable<TapeBatch>): Promise<BacktestOutcome> {
  const strategy = worldStrategy({
    use: 'inventory-skew',
    params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 },
  })
  const { use, params, sourceHash } = strategy
  const outcome = await runBacktest({
    core: coreConfig({ strategy: { use, params, sourceHash } }),
    strategy,
    calendar: () => false,
    source: {
      // eslint-disable-next-line typescript/require-await -- a tape is read asynchronously; this one is there already
      async *batches() {
        yield* batches
      },
      problems: () => [],
    },
    fills: createRecorded(),
    recorder: createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null }),
    settings: { opening: null, latencyMs: 250, acceptMidAfterMs: 600_000, toleranceBps: 5, fairValue: null },
  })
  if (!outcome.ok) throw new Error(outcome.error)
  return outcome.value
}

async function best<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  let ms = Infinity
  let value = await work()
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    value = await work()
    ms = Math.min(ms, performance.now() - began)
  }
  return { ms, value }
}

/** Heap after 20 and after 200 days of a tape that is made as it is read: flat = it streams. */
async function memory(): Promise<Record<string, number>> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('the heap is weighed after a collection: run with --expose-gc')
  const heap: number[] = []
  function* weighed(): Generator<TapeBatch, undefined> {
    let day = 0
    for (const batch of busyDays(200)) {
      yield batch
      day += 1
      if (day !== 20 && day !== 200) continue
      gc?.()
      heap.push(process.memoryUsage().heapUsed / 2 ** 20)
    }
  }
  await run(weighed())
  return { heapMiBAfter20Days: round(heap[0] ?? 0), heapMiBAfter200Days: round(heap[1] ?? 0) }
}

/** Null where there is no C compiler. */
function loopInC(rows: PlainRows): Record<string, unknown> | null {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-'))
  try {
    const program = join(folder, 'loop')
    const source = join(import.meta.dirname, 'plain/loop.c')
    if (spawnSync('cc', ['-O2', '-o', program, source]).status !== 0) return null
    const tape = join(folder, 'tape')
    writeFileSync(tape, cRows(rows))
    const {
      rows: count,
      seconds,
      fills,
    } = JSON.parse(spawnSync(program, [tape], { encoding: 'utf8' }).stdout) as {
      rows: number
      seconds: number
      fills: number
    }
    return { eventsPerSecond: Math.round(count / seconds), fills }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** struct { double t, value; int32_t kind, bps; } */
function cRows({ length, t, kind, value, bps, mids, amounts }: PlainRows): Buffer {
  const bytes = Buffer.alloc(length * 24)
  for (let i = 0; i < length; i++) {
    const what = kind[i]!
    const amount =
      what === 0
        ? Number(mids[value[i]!]) / 1e18
        : what >= 3
          ? Number(amounts[value[i]!]) / (what === 3 ? 1e6 : 1e18)
          : 0
    bytes.writeDoubleLE(t[i]!, i * 24)
    bytes.writeDoubleLE(amount, i * 24 + 8)
    bytes.writeInt32LE(what, i * 24 + 16)
    bytes.writeInt32LE(bps[i]!, i * 24 + 20)
  }
  return bytes
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
