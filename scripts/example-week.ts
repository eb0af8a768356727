import { fileURLToPath } from 'node:url'
import { createModelRun, createModelVenue } from '../bench/live/model-venue.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../src/base/time.ts'
import { formatProblem } from '../src/daemon/config/source/problem.ts'
import { loadConfig } from '../src/daemon/config/load/load-config.ts'
import { createEngine, type Engine } from '../src/core/engine/engine.ts'
import type { Event } from '../src/core/engine/model/event.ts'
import { createCalendar } from '../src/daemon/runtime/position/calendar.ts'
import { strategiesFolder } from '../src/daemon/runtime/position/strategy-registry.ts'
import { tapeRowsOf } from '../src/daemon/runtime/recording/tape-rows.ts'
import { printedRate, rateFromBps } from '../src/simulator/sandbox/world/takers.ts'
import { compareRows } from '../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../src/store/tape/model/row.ts'
import { createExampleMarket } from './example-market.ts'
import { createExampleRate, isWorkingDay } from './example-rate.ts'

/** A Monday, 00:00 UTC. */
const FROM: Ms = Date.UTC(2026, 8, 7)
const SEED = 11
const RATE = createExampleRate(SEED, FROM)
const CONFIG = fileURLToPath(new URL('../config/backtest.yaml', import.meta.url))
/** A calibration learns from spreads that differ. */
const CHANGES = { 'quote.ditherBps': 15, 'quote.ditherPeriodMs': HOUR_MS }

/** When the pretend bank's board is read: working days, UTC. */
const BOARD = { source: 'bank-board', opensAt: 6 * HOUR_MS, closesAt: 14 * HOUR_MS, everyMs: 30 * MINUTE_MS }

/**
 * The rows of the tape that is shipped, in the order of a tape: the first `days` days of a week in which the
 * daemon's own core makes a market at the simulated venue. Nothing of it depends on the clock.
 */
export async function exampleWeek(days = 7): Promise<TapeRow[]> {
  const until = FROM + days * DAY_MS
  const loaded = await loadConfig(
    CONFIG,
    {},
    {
      strategiesFolder: strategiesFolder(),
      offline: true,
      changes: CHANGES,
    },
  )
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'))
  // The tape was recorded by a version that probed one pair only, read quotes back less often and let fills yield last.
  const { fillsYield: _fillsYield, ...pacing } = loaded.value.core.pacing
  const core = {
    ...loaded.value.core,
    publicRate: null,
    pacing: { ...pacing, quoteCheckIntervalMs: 300_000 },
  }
  const { strategy } = loaded.value
  const engine = createEngine({ strategyFor: () => strategy, calendar: createCalendar() })
  const started: Event = { type: 'started', t: FROM, version: 'example', config: core }
  return record(engine, [started, ...boardEvents(until)], until)
}

function record(engine: Engine, given: readonly Event[], until: Ms): TapeRow[] {
  const venue = createModelVenue({ seed: SEED, startMs: FROM }, createExampleMarket(RATE, SEED, FROM))
  const rows: TapeRow[] = []
  const run = createModelRun(engine, venue, (event, audit) =>
    rows.push(...tapeRowsOf(event, audit, engine.state())),
  )
  for (const event of given) run.at(event.t, () => run.submit(event))
  run.runUntil(until)
  return rows.sort(compareRows)
}

/** What a bank would show that knows the pretend world's true rate. */
function boardEvents(until: Ms): Event[] {
  const events: Event[] = []
  for (let day = FROM; day < until; day += DAY_MS) {
    if (!isWorkingDay(day / DAY_MS)) continue
    for (let t = day + BOARD.opensAt; t <= day + BOARD.closesAt; t += BOARD.everyMs) {
      const mid = printedRate(rateFromBps(RATE.at(t)))
      events.push({ type: 'reference', t, source: BOARD.source, mid })
    }
  }
  return events
}
