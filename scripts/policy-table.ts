// Writes the table of docs/market-checks.md that compares what optimal quotes by rounded inputs with its exact policy, moment by
// moment in the same play:
//   node scripts/policy-table.ts [seed of the worlds]
import { readFileSync, writeFileSync } from 'node:fs'
import { strategyPlaces } from '../src/research/jobs/tournament/participants.ts'
import { readScenarios } from '../src/research/jobs/read-scenarios.ts'
import { loadStrategy } from '../src/daemon/config/strategy/load-strategy.ts'
import { createCalendar } from '../src/daemon/runtime/position/calendar.ts'
import { drawWorld, prepareScenario } from '../src/research/scenarios/draw/world.ts'
import { playWorld } from '../src/research/scenarios/play/play-world.ts'
import { CoreParticipant } from '../src/research/tournament/core/core-participant.ts'
import { withGeneratedBlock } from './generated-block.ts'

const DAYS = 90
const TAU_BPS = 25
/** The exact policy is solved for each quote that is compared. */
const EVERY = 40

const [seed = '1'] = process.argv.slice(2)
const file = 'config/tournament.yaml'
const scenarios = readScenarios('all', file)
if (!scenarios.ok) throw new Error(scenarios.error)
const loaded = await loadStrategy({ use: 'optimal', params: {} }, strategyPlaces(file))
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
const { strategy } = loaded.value
const { definition, params } = strategy
const exactParams = { ...(params as object), rounding: 0 }
const calendar = createCalendar()

const table = [
  '| Scenario | Spreads compared | Mean difference, bps | 99 % within, bps | On in one, off in the other |',
  '| --- | --- | --- | --- | --- |',
]
for (const scenario of scenarios.value) {
  const differences: number[] = []
  let asked = 0
  let switched = 0
  const quote: typeof definition.quote = (context, memory, _params, inner) => {
    asked += 1
    if (asked % EVERY !== 0) return definition.quote(context, memory, params, inner)
    const exact = definition.quote(context, structuredClone(memory), exactParams, inner)
    const table = definition.quote(context, memory, params, inner)
    for (const side of ['bidBps', 'askBps'] as const) {
      const [one, other] = [table[side], exact[side]]
      if (one === null && other === null) continue
      if (one === null || other === null) switched += 1
      else differences.push(Math.abs(one - other))
    }
    return table
  }
  const compared = { ...strategy, definition: { ...definition, quote } }
  const world = drawWorld(prepareScenario(scenario, DAYS), Number(seed))
  const week = { from: 'firstWeek', ditherBps: 0 } as const
  playWorld(world, new CoreParticipant(compared, TAU_BPS, calendar, week).decide, { tauBps: TAU_BPS })
  differences.sort((a, b) => a - b)
  const mean = differences.reduce((sum, bps) => sum + bps, 0) / Math.max(1, differences.length)
  const most = differences[Math.floor(0.99 * (differences.length - 1))] ?? 0
  const count = differences.length + switched
  const share = (100 * switched) / Math.max(1, count)
  const cells = [`\`${scenario.name}\``, count, mean.toFixed(2), most.toFixed(0), `${share.toFixed(1)} %`]
  table.push(`| ${cells.join(' | ')} |`)
}
const page = new URL('../docs/market-checks.md', import.meta.url)
writeFileSync(page, withGeneratedBlock(readFileSync(page, 'utf8'), 'policy-table.ts', table))
