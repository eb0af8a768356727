import { DAY_MS } from '../../../src/base/time.ts'
import { encodeJson } from '../../../src/base/codec.ts'
import { createMetricsRecorder } from '../../../src/research/backtest/metrics/create-recorder.ts'
import type { Recorder } from '../../../src/research/backtest/recorder.ts'
import { createBatchWalker } from '../../../src/research/backtest/simulation/batch-walker.ts'
import { SimulatedEngine } from '../../../src/research/backtest/simulation/engine-driver.ts'
import { MarketRows } from '../../../src/research/backtest/simulation/replay-rows.ts'
import { RunDigest } from '../../../src/research/backtest/simulation/run-digest.ts'
import { Scheduler } from '../../../src/research/backtest/simulation/scheduler.ts'
import { createRunState } from '../../../src/research/backtest/simulation/state.ts'
import type { TapeSource } from '../../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { partsOf, SILENT_TRAIL, sourceOf, type Trial } from '../../support/backtest-tape.ts'

type Call = readonly [name: string, ...facts: unknown[]]

/** A recorder that lists every call, and one that measures them. */
function listening() {
  const calls: Call[] = []
  const metrics = createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null })
  const entries = Object.keys({ ...SILENT_TRAIL, decision: null }).map((name) => [
    name,
    (...facts: readonly unknown[]): void => {
      const isBook = name === 'day' || name === 'end'
      calls.push([name, ...(isBook ? [facts[0], encodeJson(facts[1])] : facts)])
      const take = metrics[name as keyof Recorder] as ((...facts: readonly unknown[]) => void) | undefined
      take?.(...facts)
    },
  ])
  const recorder = Object.fromEntries(entries) as Recorder
  const marks: Recorder['marks'] = (rows) => {
    metrics.marks?.(rows)
    const { places, t, mids, first, next } = rows
    let { opening } = rows
    for (let row = first; row < next; row++) {
      const rate = places.rates[mids[row]!]!
      if (rate !== places.rates[opening]) calls.push(['mark', t[row], rate, rate, true])
      opening = mids[row]!
    }
  }
  return { recorder: { ...recorder, marks }, calls, metrics }
}

/** Everything that a run shows, and its core's state at the end. */
export async function runCore(
  rows: readonly TapeRow[],
  trial: Trial,
  absorbs: boolean,
  cuts: readonly number[] = [],
  changed: (source: TapeSource) => TapeSource = (source) => source,
) {
  const { recorder, calls, metrics } = listening()
  const source = changed(sourceOf(rows, cuts))
  const digest = new RunDigest()
  const state = createRunState(partsOf(source, { ...trial, trail: recorder }), digest)
  const engine = new SimulatedEngine(state, absorbs)
  const scheduler = new Scheduler(state, engine)
  const market = new MarketRows(state, engine, scheduler)
  const walk = createBatchWalker(market)
  for await (const batch of source.batches()) walk(batch)
  // Long enough for a decision of the timer on the same day: a core that absorbs takes only the last one, and one at midnight.
  const last = market.lastAt()
  const isBeforeMidnight = last % DAY_MS > DAY_MS - 20_000
  const end = last + (isBeforeMidnight ? 60_000 : 16_000)
  scheduler.runUntil(end)
  recorder.end(end, state.book)
  engine.catchUp(end)
  const { fills, quoteUpdates, midsAccepted, staleUsd, unseen, venue } = state
  const counts = { fills, quoteUpdates, midsAccepted, staleUsd, unseen, venue, clamps: state.clamps.list() }
  return {
    calls,
    counts,
    metrics: metrics.metrics(),
    series: metrics.series(),
    digest: digest.end(),
    core: encodeJson(engine.state()),
    account: encodeJson(state.book),
  }
}
