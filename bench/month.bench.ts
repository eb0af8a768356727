import { encodeJson } from '../src/base/codec.ts'
import { DAY_MS, type Ms } from '../src/base/time.ts'
import { createEngine } from '../src/core/engine/engine.ts'
import { worldStrategy } from '../test/support/world-strategies.ts'
import { coreConfig } from '../test/support/core-config.ts'
import { createModelRun, createModelVenue } from './live/model-venue.ts'
import { measureOnce } from './harness/measure.ts'
import { plainRowNs } from './plain/row-cost.ts'
import { shortOr } from './harness/short.ts'

const DAYS = shortOr(2, 28)
const START: Ms = Date.UTC(2026, 8, 7)
const MIB = 2 ** 20
/** The pretend venue's own book of every fill ever is not what is weighed here. */
const VENUE_KEEPS_FILLS = 200

type Day = { readonly heapMiB: number; readonly stateKiB: number }

/**
 * Four weeks of the scenario `normal` with twenty times its small takers in virtual time at the default budget: the
 * real core, the venue's model and the client's translation, without journal and sockets. After each virtual day the heap is
 * collected and weighed; flat means that the last week's median is that of the second week (the first one
 * fills the rings: a day of volume, 2,000 remembered fills). `state` is the core's whole memory as JSON.
 */
export default async function monthBench(): Promise<Record<string, unknown>> {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('the heap is weighed after a collection: run with --expose-gc')
  const days: Day[] = []
  const { cpuMs, wallMs, value } = await measureOnce(() =>
    simulate((state) => {
      gc()
      days.push({ heapMiB: process.memoryUsage().heapUsed / MIB, stateKiB: encodeJson(state).length / 1_024 })
      process.stderr.write(`  day ${days.length} of ${DAYS}\n`)
    }),
  )
  const { events, fills } = value
  const seconds = wallMs / 1_000
  const eventNs = (1e6 * cpuMs) / events
  const second = days.slice(7, 14)
  const last = days.slice(-7)
  return {
    days: DAYS,
    events,
    fills,
    seconds: Math.round(seconds),
    eventsPerSecond: Math.round(events / seconds),
    heapMiB: weeks(second, last, (day) => day.heapMiB),
    stateKiB: weeks(second, last, (day) => day.stateKiB),
    heapByDayMiB: days.map((day) => round(day.heapMiB)),
    /** A row of the plain loop by an event of the live core, venue's model included. */
    ratios: { event: Number(((await plainRowNs()) / eventNs).toPrecision(3)) },
  }
}

function simulate(onDay: (state: unknown) => void): { readonly events: number; readonly fills: number } {
  const strategy = worldStrategy({
    use: 'inventory-skew',
    params: { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 },
  })
  const engine = createEngine({ strategyFor: () => strategy, calendar: () => false })
  const venue = createModelVenue({ seed: 11, startMs: START, scenario: 'normal', retailFactor: 20 })
  let events = 0
  const { submit, runUntil } = createModelRun(engine, venue, () => (events += 1))
  const { use, params, sourceHash } = strategy
  submit({
    type: 'started',
    t: START,
    version: 'bench',
    config: coreConfig({ strategy: { use, params, sourceHash } }),
  })
  for (let day = 1; day <= DAYS; day++) {
    runUntil(START + day * DAY_MS)
    const { fills } = venue.model.state.ours
    fills.splice(0, Math.max(0, fills.length - VENUE_KEEPS_FILLS))
    onDay(engine.state())
  }
  const state = engine.state()
  if (state?.reconciliation.state !== 'reconciled')
    throw new Error(`the books are ${state?.reconciliation.why ?? 'not there'}`)
  return { events, fills: state.flow.count.bid + state.flow.count.ask }
}

function weeks(
  second: readonly Day[],
  last: readonly Day[],
  of: (day: Day) => number,
): Record<string, number> {
  const before = median(second.map(of))
  const after = median(last.map(of))
  return {
    secondWeek: round(before),
    lastWeek: round(after),
    growthPercent: round(100 * (after / before - 1)),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
