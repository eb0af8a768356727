// node scripts/record-market.ts normal|devaluation: writes examples/normal-month or examples/devaluation-fortnight, recorded by the
// daemon's own core, which makes a market at the measured venue in virtual time. A test compares the first days.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createModelRun, createModelVenue } from '../bench/live/model-venue.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../src/base/time.ts'
import { createEngine } from '../src/core/engine/engine.ts'
import { formatProblem } from '../src/daemon/config/source/problem.ts'
import { loadConfig } from '../src/daemon/config/load/load-config.ts'
import { createCalendar } from '../src/daemon/runtime/position/calendar.ts'
import { strategiesFolder } from '../src/daemon/runtime/position/strategy-registry.ts'
import { tapeRowsOf } from '../src/daemon/runtime/recording/tape-rows.ts'
import { compareRows } from '../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../src/store/tape/model/row.ts'
import { writeTape } from '../src/store/tape/writer/write-tape.ts'
import { isWorkingDay } from './example-rate.ts'

/** Mondays, 00:00 UTC. The seeds are the first ones; no other was tried. */
export const MARKETS = {
  normal: { folder: 'normal-month', from: Date.UTC(2026, 8, 7), days: 30, seed: 1 },
  devaluation: { folder: 'devaluation-fortnight', from: Date.UTC(2026, 9, 12), days: 14, seed: 1 },
} as const
export type MarketName = keyof typeof MARKETS

const CONFIG = fileURLToPath(new URL('../config/example-markets.yaml', import.meta.url))
/** When the market's own rate is read, as from a bank's board: working days, UTC. */
const BOARD = { source: 'bank-board', opensAt: 6 * HOUR_MS, closesAt: 14 * HOUR_MS, everyMs: 30 * MINUTE_MS }

/** Returns the rows of the market's first days, in the order of a tape. Nothing of it depends on the clock. */
export async function recordMarket(name: MarketName, days: number): Promise<TapeRow[]> {
  const { from, seed } = MARKETS[name]
  const until = from + days * DAY_MS
  const loaded = await loadConfig(CONFIG, {}, { strategiesFolder: strategiesFolder(), offline: true })
  if (!loaded.ok) throw new Error(loaded.error.map(formatProblem).join('\n'))
  const { core, strategy } = loaded.value
  const engine = createEngine({ strategyFor: () => strategy, calendar: createCalendar() })
  const venue = createModelVenue({ seed, startMs: from, scenario: name, venue: 'measured' })
  const rows: TapeRow[] = []
  const run = createModelRun(engine, venue, (event, audit) =>
    rows.push(...tapeRowsOf(event, audit, engine.state())),
  )
  run.at(from, () => run.submit({ type: 'started', t: from, version: 'example', config: core }))
  for (const t of boardTimes(from, until)) {
    run.at(t, () => {
      const mid = venue.model.state.world.marketRateAt?.(t)
      if (mid !== undefined) run.submit({ type: 'reference', t, source: BOARD.source, mid })
    })
  }
  run.runUntil(until)
  return rows.sort(compareRows)
}

function boardTimes(from: Ms, until: Ms): Ms[] {
  const times: Ms[] = []
  for (let day = from; day < until; day += DAY_MS) {
    if (!isWorkingDay(day / DAY_MS)) continue
    for (let t = day + BOARD.opensAt; t <= day + BOARD.closesAt; t += BOARD.everyMs) times.push(t)
  }
  return times
}

if (import.meta.main) {
  const name = process.argv[2] as MarketName
  if (!Object.hasOwn(MARKETS, name)) throw new Error(`name one of ${Object.keys(MARKETS).join(', ')}`)
  const { folder, days } = MARKETS[name]
  const path = fileURLToPath(new URL(`../examples/${folder}`, import.meta.url))
  const rows = await recordMarket(name, days)
  rmSync(path, { recursive: true, force: true })
  const written = await writeTape(path, rows)
  if (!written.ok) throw new Error(written.error)
  process.stdout.write(
    `${written.value.rows} rows, ${written.value.files} files, ${written.value.bytes} bytes\n`,
  )
}
