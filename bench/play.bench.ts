import { loadVariant } from '../src/research/jobs/tournament/participants.ts'
import { shippedConfig, readScenarios } from '../src/research/jobs/read-scenarios.ts'
import { createCalendar } from '../src/daemon/runtime/position/calendar.ts'
import { drawWorld, prepareScenario } from '../src/research/scenarios/draw/world.ts'
import { playWorld } from '../src/research/scenarios/play/play-world.ts'
import { CoreParticipant } from '../src/research/tournament/core/core-participant.ts'
import { shortOr } from './harness/short.ts'

const STRATEGIES = ['optimal', 'fair-value-skew']
const SCENARIOS = ['normal', 'devaluation']
const SEEDS = shortOr(1, 20)
const DAYS = 90
const TAU_BPS = 25
/** What the first play in a thread compiles and tabulates is shared by a whole tournament. */
const WARMING = 2

/** Processor time of one play of 90 days with a feed of 25 bps, drawing its world left out: the mean over two scenarios. */
export default async function playBench(): Promise<Record<string, unknown>> {
  const file = shippedConfig('tournament.yaml')
  const scenarios = readScenarios(SCENARIOS, file)
  if (!scenarios.ok) throw new Error(scenarios.error)
  const prepared = scenarios.value.map((scenario) => prepareScenario(scenario, DAYS))
  const calendar = createCalendar()
  const seconds: Record<string, number> = {}
  for (const use of STRATEGIES) {
    const strategy = await loadVariant({ use, params: {} }, file)
    if (!strategy.ok) throw new Error(strategy.error)
    const week = use === 'optimal' ? ({ from: 'firstWeek', ditherBps: 0 } as const) : null
    let microseconds = 0
    for (const [index, one] of prepared.entries())
      for (let seed = index === 0 ? 1 - WARMING : 1; seed <= SEEDS; seed++) {
        const world = drawWorld(one, WARMING + seed)
        const { decide } = new CoreParticipant(strategy.value, TAU_BPS, calendar, week)
        const began = process.cpuUsage()
        playWorld(world, decide, { tauBps: TAU_BPS })
        const { user, system } = process.cpuUsage(began)
        if (seed > 0) microseconds += user + system
      }
    seconds[use] = Number((microseconds / 1e6 / SEEDS / prepared.length).toPrecision(3))
  }
  return { unit: 'seconds of processor time a play', seconds }
}
