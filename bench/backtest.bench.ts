import { createRecorded } from '../src/research/backtest/fill-models/create-fill-model.ts'
import { createMetricsRecorder } from '../src/research/backtest/metrics/create-recorder.ts'
import { runBacktest } from '../src/research/backtest/run.ts'
import type { BacktestOutcome } from '../src/research/backtest/settings.ts'
import type { TapeBatch } from '../src/store/tape/model/batch.ts'
import { coreConfig } from '../test/support/core-config.ts'
import { worldStrategy } from '../test/support/world-strategies.ts'
import { busyDays, FILLS } from './tape/busy-year.ts'
import { measureBest } from './harness/measure.ts'
import { shortOr } from './harness/short.ts'
import { batchesOf, rowsOf } from './tape/batches.ts'
import {
  choiceOf,
  compareWithPlain,
  followWalk,
  type Amount,
  type ComparedTape,
} from './tape/compare-with-plain.ts'
import { drawTape } from './tape/draw-tape.ts'
import { recompute } from './tape/recompute.ts'
import { checkExact, runTape } from './tape/run-tape.ts'

const STILL: Amount = {
  mids: shortOr(400_000, 10_000_000),
  rounds: 7,
  firstMids: shortOr(100_000, 1_000_000),
}
const WALK: Amount = {
  mids: shortOr(40_000, 1_000_000),
  rounds: shortOr(9, 3),
  firstMids: shortOr(40_000, 1_000_000),
}
const RECORDED_DAYS = shortOr(3, 157)
/** Days of the long walk: at the end of it ten million mids. */
const LONG_WALK = shortOr({ early: 1, late: 3 }, { early: 20, late: 695 })

/**
 * Rows a second of processor time that the backtest reaches in memory, with inventory, ledger, recorder and metrics as
 * `mizani backtest` has them: `still`, where the mid changes once a day, and `walk`, where every row is a new mid; warm
 * and as the first run of a process; beside a plain loop with a bigint ledger and one in C with doubles over the same
 * rows. Every run is compared with a recomputation in whole numbers and must be exact. `asRecorded` has polls of
 * competition and balances as the daemon records them. Reading a tape is the tape bench's business.
 */
export default async function backtestBench(): Promise<Record<string, unknown>> {
  const still = await step('still', () => compareWithPlain('still', STILL))
  const walk = await step('walk', () => compareWithPlain('walk', WALK))
  const following = await step('walk with a quote that follows', () =>
    followWalk({ ...WALK, mids: shortOr(20_000, 500_000) }),
  )
  return {
    still: rounded(still),
    walk: rounded(walk),
    following: { rows: following.rows, warm: following.warm, toPlain: round(following.toPlain) },
    asRecorded: await step('as recorded', asRecorded),
    longWalk: await step('ten million rows', longWalk),
    ratios: {
      still: round(still.halfPercent.toPlain),
      stillFirst: round(firstByWarmPlain(still)),
      walk: round(walk.halfPercent.toPlain),
      walkFirst: round(firstByWarmPlain(walk)),
      following: round(following.toPlain),
    },
  }
}

/** The long form takes minutes: what it does now goes to stderr. */
async function step<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  process.stderr.write(`  ${name} ...\n`)
  return work()
}

/** The plain loop's own first run is over in milliseconds, too short to judge anything by. */
function firstByWarmPlain({ first, halfPercent }: ComparedTape): number {
  return first.warm / halfPercent.plainWarm
}

function rounded({
  halfPercent,
  onePercent,
  first,
  fillMoreUs,
  plainFillMoreUs,
}: ComparedTape): Record<string, unknown> {
  const speeds = ({ rows, fills, warm, plainWarm, c, toPlain }: ComparedTape['halfPercent']) => ({
    rows,
    fills,
    warm,
    plainWarm,
    c,
    toPlain: round(toPlain),
  })
  return {
    halfPercent: speeds(halfPercent),
    onePercent: speeds(onePercent),
    first: { ...first, toPlain: round(first.toPlain) },
    fillMoreUs: round(fillMoreUs),
    plainFillMoreUs: round(plainFillMoreUs),
  }
}

/** Ten million rows as the daemon records them at its default pacing, with inventory-skew. */
async function asRecorded(): Promise<Record<string, unknown>> {
  const [half, one] = [[...busyDays(RECORDED_DAYS)], [...busyDays(RECORDED_DAYS, FILLS * 2)]]
  const best = await measureBest(2, { half: () => runRecorded(half), one: () => runRecorded(one) })
  const speed = ({ cpuMs, value }: { readonly cpuMs: number; readonly value: BacktestOutcome }) =>
    Math.round((1_000 * value.events) / cpuMs)
  return {
    rows: best.half.value.events,
    fills: best.half.value.fills,
    warm: speed(best.half),
    onePercentWarm: speed(best.one),
    fillMoreUs: round(
      (1_000 * (best.one.cpuMs - best.half.cpuMs)) / (best.one.value.fills - best.half.value.fills),
    ),
  }
}

async function runRecorded(batches: Iterable<TapeBatch>): Promise<BacktestOutcome> {
  const strategy = worldStrategy({
    use: 'inventory-skew',
    params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 },
  })
  const { use, params, sourceHash } = strategy
  const outcome = await runBacktest({
    core: coreConfig({ strategy: { use, params, sourceHash } }),
    strategy,
    calendar: () => false,
    source: { batches: () => batches, problems: () => [] },
    fills: createRecorded(),
    recorder: createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null }),
    settings: { opening: null, latencyMs: 250, acceptMidAfterMs: 600_000, toleranceBps: 5, fairValue: null },
  })
  if (!outcome.ok) throw new Error(outcome.error)
  return outcome.value
}

/** Ten million mids, made as they are read: exact to the end, and the heap early and late. Flat = nothing is kept. */
async function longWalk(): Promise<Record<string, number>> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('the heap is weighed after a collection: run with --expose-gc')
  const tape = drawTape(choiceOf('walk', LONG_WALK.late * 14_400, 200))
  const exact = recompute(tape)
  const heap: number[] = []
  let day = 0
  function* weighed(): Generator<TapeBatch, undefined> {
    for (const batch of batchesOf(tape, exact.ownBps)) {
      yield batch
      day += 1
      if (day !== LONG_WALK.early && day !== LONG_WALK.late) continue
      gc?.()
      heap.push(process.memoryUsage().heapUsed / 2 ** 20)
    }
  }
  checkExact(tape, exact, await runTape(weighed(), 'steady'), 'steady')
  return {
    rows: rowsOf(tape),
    earlyDay: LONG_WALK.early,
    lateDay: LONG_WALK.late,
    heapMiBEarly: round(heap[0] ?? 0),
    heapMiBLate: round(heap[1] ?? 0),
  }
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
