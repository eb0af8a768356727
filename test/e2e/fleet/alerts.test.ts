import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { dashboards, RULES_FILE } from '../../support/grafana-uses.ts'
import { needs } from '../../support/needs.ts'
import { scriptedWorld } from '../../unit/simulator/sandbox/scripted-world.ts'
import { BUSY_VENUE } from '../daemon/position-folder.ts'
import { endDaemons, runDaemon, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { runPrometheus, type FiringAlert, type RunningPrometheus } from '../prometheus/run-prometheus.ts'
import { shortenRules } from '../prometheus/shorten-rules.ts'
import { fleetFolder } from './fleet-folder.ts'

const SLOW_MS = 250
const TRIED_STEPS = 1e8
const TIMED = `const before = process.cpuUsage()
let sum = 0
for (let step = 0; step < ${TRIED_STEPS}; step++) sum += step % 7
if (sum === 0) throw new Error('nothing was computed')
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1_000)`

/** How many steps of that loop a process of its own makes in that time of a core: one whose coverage is measured makes fewer. */
function stepsWithin(ms: number): number {
  const tookMs = Number(execFileSync(process.execPath, ['-e', TIMED], { encoding: 'utf8' }))
  return Math.round((TRIED_STEPS * ms) / tookMs)
}

/** Beyond this mid it computes for tenths of a second: less than what suspends it, and too long for its neighbours. */
const slowStrategy = () => `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'slow',
  params: z.looseObject({}),
  init: () => null,
  quote: ({ mid }) => {
    let sum = 0
    for (let step = 0; mid > 2600 && step < ${stepsWithin(SLOW_MS)}; step++) sum += step % 7
    return { bidBps: 60, askBps: 70, reasons: [String(sum)] }
  },
})
`
/** Of a mid that jumps nothing but the strategy hears: a rule would leave it out. */
const ANY_MID = 'risk: { maxMidStepBps: null, maxMidMoveBpsPerHour: null, maxMidMoveBpsPerDay: null }\n'
/** Five a worker: what asks one of them waits for the others, which is longer than a scrape does. */
const POSITIONS = Array.from({ length: 5 * availableParallelism() }, (_, index) => `desk-${index + 1}`)

describe.skipIf(needs('prometheus'))('the alerts of a fleet, each fired by a real fault', () => {
  const folder = fleetFolder()
  let venues: readonly SandboxServer[] = []
  let daemon: RunningDaemon
  let prometheus: RunningPrometheus

  beforeAll(async () => {
    venues = await Promise.all(
      POSITIONS.map(() =>
        startSandbox({ ...BUSY_VENUE, isActive: true, activationDelayMs: 50 }, scriptedWorld()),
      ),
    )
    folder.defaults()
    const use = folder.write('slow.ts', slowStrategy())
    for (const [index, venue] of venues.entries()) {
      venue.model.inject({ print: { mid: '2500' } })
      folder.position(POSITIONS[index] ?? '', venue, `strategy: { use: ${use} }\n${ANY_MID}`)
    }
    daemon = runDaemon({ configs: [], command: ['fleet', folder.path] })
    prometheus = await runPrometheus(await daemon.url(), shortenRules(readFileSync(RULES_FILE, 'utf8')))
    await until('all of it trades, and Prometheus has seen it', async () => {
      const [active] = await prometheus.query('sum(mizani_trading_state{state="ACTIVE"})')
      return active?.value[1] === String(POSITIONS.length)
    })
  }, 90_000)

  afterAll(async () => {
    await prometheus?.close()
    await endDaemons()
    await Promise.all(venues.map((venue) => venue.close()))
    folder.remove()
  })

  async function ofTheFleet(): Promise<readonly FiringAlert[]> {
    const names = ['MizaniFleetFiles', 'MizaniFleetLimit', 'MizaniFleetLimitNear', 'MizaniPositionsMissing']
    return (await prometheus.alerts()).filter(
      ({ labels, state }) => state === 'firing' && names.includes(labels['alertname'] ?? ''),
    )
  }

  function fires(name: string): Promise<FiringAlert> {
    return until(`${name} fires`, async () =>
      (await ofTheFleet()).find(({ labels }) => labels['alertname'] === name),
    )
  }

  async function deployedUsd(): Promise<number> {
    const { body } = await daemon.get('/api/v1/positions')
    const { positions } = body as { positions: readonly { deployedUsd: string | null }[] }
    return positions.reduce((sum, one) => sum + Number(one.deployedUsd), 0)
  }

  test('none fires while nothing is wrong, and the fleet has its panels filled once limits are set', async () => {
    expect(await ofTheFleet()).toEqual([])
    folder.defaults(`fleet: { limits: { maxDeployedUsd: ${Math.ceil((await deployedUsd()) * 3)} } }\n`)
    const panels = dashboards().find(({ uid }) => uid === 'mizani-fleet')?.panels ?? []
    const exprs = panels.flatMap(({ targets }) => targets ?? []).filter(({ expr }) => /_fleet_/.test(expr))
    expect(exprs).toHaveLength(2)
    for (const { expr } of exprs)
      await until(`${expr} is answered`, async () => (await prometheus.query(expr)).length > 0)
    expect(await ofTheFleet()).toEqual([])
  })

  test('a file that stays wrong, with how many of them', async () => {
    folder.write('broken.yaml', 'name: [')
    const { labels, annotations } = await fires('MizaniFleetFiles')
    expect(labels['about']).toBe('file')
    expect(annotations['summary']).toContain('(file: 1)')
    folder.take('broken.yaml')
  })

  test('strategies that take their workers whole, so that positions miss scrape after scrape', async () => {
    const jump = (bps: number) => {
      for (const { model } of venues) model.inject({ jump: { bps } })
    }
    jump(1_000)
    // Something to decide upon at every look.
    const moving = setInterval(() => jump(1), 200)
    const { annotations } = await fires('MizaniPositionsMissing').finally(() => {
      clearInterval(moving)
      jump(-1_500)
    })
    expect(annotations['summary']).toMatch(/^\d+ positions at 127\.0\.0\.1:\d+ do not /)
  })

  test('a sum near a limit, and then one beyond it', async () => {
    const sum = await until(
      'every position answers again',
      async () => {
        const [missing] = await prometheus.query('sum(mizani_scrape_positions_missing)')
        const [answering] = await prometheus.query('count(mizani_build_info)')
        const isWhole = missing?.value[1] === '0' && answering?.value[1] === String(POSITIONS.length)
        return isWhole && (await deployedUsd())
      },
      { withinMs: 60_000 },
    )
    folder.defaults(`fleet: { limits: { maxDeployedUsd: ${Math.ceil(sum * 1.1)} } }\n`)
    const near = await fires('MizaniFleetLimitNear')
    expect(near.annotations['summary']).toContain('is near fleet.limits.maxDeployedUsd with ')
    folder.defaults('fleet: { limits: { maxDeployedUsd: 1 } }\n')
    const beyond = await fires('MizaniFleetLimit')
    expect(beyond.annotations['summary']).toMatch(/exceeds fleet\.limits\.maxDeployedUsd with \d+\.\d\d USD /)
    await until('it is near no more', async () => {
      const names = (await ofTheFleet()).map(({ labels }) => labels['alertname'])
      return !names.includes('MizaniFleetLimitNear') && names.includes('MizaniFleetLimit')
    })
  })
})
