import { createRecorded } from '../src/backtest/fill-models/create-fill-model.ts'
import { createMetricsRecorder } from '../src/backtest/metrics/create-recorder.ts'
import { runBacktest } from '../src/backtest/run.ts'
import type { BacktestOutcome } from '../src/backtest/settings.ts'
import type { TapeBatch } from '../src/tape/model/batch.ts'
import { coreConfig } from '../test/support/core-config.ts'
import { worldStrategy } from '../test/support/world-strategies.ts'
import { busyDays, FILLS } from './busy-year.ts'
import { measureBest } from './measure.ts'
import { shortOr } from './short.ts'
import { batchesOf } from './tape/batches.ts'
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
  rounds: 3,
  firstMids: shortOr(100_000, 1_000_000),
}
const WALK: Amount = { mids: shortOr(40_000, 10_000_000), rounds: 3, firstMids: shortOr(40_000, 1_000_000) }
const RECORDED_DAYS = shortOr(3, 157)
const MEMORY_DAYS = shortOr({ early: 1, late: 3 }, { early: 20, late: 365 })

/**
 * Rows a second of processor time that the backtest reaches in memory, with inventory, ledger, recorder and metrics as
 * `mizani backtest` has them: `still`, where the mid changes once a day, and `walk`, where every row is a new mid; warm
 * and as the first run of a process; beside a plain loop with a bigint ledger and one in C with doubles over the same
 * rows. Every run is compared with a recomputation in whole numbers and must be exact. `asRecorded` has polls of
 * competition and balances as the daemon records them. Reading a tape is the tape bench's business.
 */
export default async function backtestBench(): Promise<Record<string, unknown>> {
  const still = await compareWithPlain('still', STILL)
  const walk = await compareWithPlain('walk', WALK)
  const following = await followWalk({ ...WALK, mids: shortOr(20_000, 2_000_000) })
  const memory = await memoryOfWalk()
  return {
    still: rounded(still),
    walk: rounded(walk),
    following: { rows: following.rows, warm: following.warm, toPlain: round(following.toPlain) },
    asRecorded: await asRecorded(),
    memory,
    ratios: {
      still: round(still.halfPercent.toPlain),
      stillFirst: round(firstByWarmPlain(still)),
      walk: round(walk.halfPercent.toPlain),
      walkFirst: round(firstByWarmPlain(walk)),
      following: round(following.toPlain),
    },
  }
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

/** Heap early in a year of the walk and at its end, the tape made as it is read: flat = nothing of it is kept. */
async function memoryOfWalk(): Promise<Record<string, number>> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('the heap is weighed after a collection: run with --expose-gc')
  const tape = drawTape(choiceOf('walk', MEMORY_DAYS.late * 14_400, 200))
  const exact = recompute(tape)
  const heap: number[] = []
  let day = 0
  function* weighed(): Generator<TapeBatch, undefined> {
    for (const batch of batchesOf(tape, exact.ownBps)) {
      yield batch
      day += 1
      if (day !== MEMORY_DAYS.early && day !== MEMORY_DAYS.late) continue
      gc?.()
      heap.push(process.memoryUsage().heapUsed / 2 ** 20)
    }
  }
  checkExact(tape, exact, await runTape(weighed(), 'steady'), 'steady')
  return {
    earlyDay: MEMORY_DAYS.early,
    lateDay: MEMORY_DAYS.late,
    heapMiBEarly: round(heap[0] ?? 0),
    heapMiBLate: round(heap[1] ?? 0),
  }
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
