// How good the estimated gap is in the simulated markets: writes the table of docs/market-checks.md.
//   node scripts/fair-value-table.ts [first seed] [seeds]
import { readFileSync, writeFileSync } from 'node:fs'
import { readScenarios } from '../src/research/jobs/read-scenarios.ts'
import { DAY_MS, HOUR_MS } from '../src/base/time.ts'
import {
  estimateGap,
  type GapSettings,
  addReading,
  addUpdate,
  startGapFilter,
} from '../src/core/models/fair-value/gap-filter.ts'
import { DEFAULT_FEED_ERROR, DEFAULT_RATE_MODEL } from '../src/core/models/fair-value/rate-model.ts'
import {
  drawWorld,
  type PreparedScenario,
  prepareScenario,
  type ScenarioWorld,
} from '../src/research/scenarios/draw/world.ts'
import { withGeneratedBlock } from './generated-block.ts'

const BEGIN = Date.UTC(2024, 0, 1)
const DAYS = 90
/** Before it the filter knows less than it ever will again. */
const FROM_DAY = 7
const FEEDS = [null, 10, 25, 50] as const
/** Half of a 90 % interval in standard deviations. */
const WITHIN = 1.645
const MID = 2_500

type Errors = { count: number; gaps: number; errors: number; bias: number; shown: number; covered: number }

/** Adds a world's gaps and errors every two hours, while the API answers. */
function measure(world: ScenarioWorld, tauBps: number | null, sums: Errors): void {
  const errorBps = tauBps ?? 0
  const settings: GapSettings = {
    ...DEFAULT_RATE_MODEL,
    feeds: { feed: { ...DEFAULT_FEED_ERROR, errorBps } },
    judgesFeeds: true,
  }
  const rateOf = (bps: number) => MID * Math.exp(bps / 1e4)
  const timeOf = (hour: number) => BEGIN + Math.round(hour * HOUR_MS)
  const filter = startGapFilter(settings, MID, BEGIN - (17 / 24) * DAY_MS)
  let update = 0
  let mid = 0
  for (let step = 0; step < DAYS * 48; step++) {
    const hour = step / 2
    if (world.outages.some(({ from, to }) => from <= hour && hour < to)) continue
    for (; (world.updates[update]?.hour ?? Infinity) <= hour; update++) {
      const { hour: at, bps } = world.updates[update]!
      mid = bps
      addUpdate(filter, settings, timeOf(at), rateOf(bps))
    }
    const rate = world.rate[Math.floor(hour)] ?? 0
    if (tauBps !== null && world.feed.isUp[step] === 1) {
      const shown = rate + tauBps * (world.feed.error[step] ?? 0)
      addReading(filter, settings, { name: 'feed', t: timeOf(hour), tzsPerUsd: rateOf(shown) })
    }
    if (step % 4 !== 0 || hour < FROM_DAY * 24) continue
    const { gapBps, errorBps: shownError } = estimateGap(filter, settings, timeOf(hour), rateOf(mid))
    const error = gapBps - (rate - mid)
    sums.count += 1
    sums.gaps += (rate - mid) ** 2
    sums.errors += error ** 2
    sums.bias += error
    sums.shown += shownError
    sums.covered += Math.abs(error) <= WITHIN * shownError ? 1 : 0
  }
}

function row(
  prepared: PreparedScenario,
  tauBps: number | null,
  first: number,
  seeds: number,
): readonly string[] {
  const sums: Errors = { count: 0, gaps: 0, errors: 0, bias: 0, shown: 0, covered: 0 }
  for (let seed = first; seed < first + seeds; seed++) measure(drawWorld(prepared, seed), tauBps, sums)
  const { count, gaps, errors, bias, shown, covered } = sums
  return [
    tauBps === null ? prepared.scenario.name : '',
    Math.sqrt(gaps / count).toFixed(1),
    tauBps === null ? 'none' : String(tauBps),
    Math.sqrt(errors / count).toFixed(1),
    (bias / count).toFixed(1),
    (shown / count).toFixed(1),
    `${((100 * covered) / count).toFixed(0)} %`,
  ]
}

const [first = 1, seeds = 30] = process.argv.slice(2).map(Number)
const read = readScenarios('all', 'config/tournament.yaml')
if (!read.ok) throw new Error(read.error)
const table = [
  '| Scenario | gap, root mean square | feed | error, root mean square | mean error | error shown | within 90 % |',
  '|---|---|---|---|---|---|---|',
]
for (const scenario of read.value) {
  const prepared = prepareScenario(scenario, DAYS)
  for (const tau of FEEDS) table.push(`| ${row(prepared, tau, first, seeds).join(' | ')} |`)
}
const page = new URL('../docs/market-checks.md', import.meta.url)
writeFileSync(page, withGeneratedBlock(readFileSync(page, 'utf8'), 'fair-value-table.ts', table))
