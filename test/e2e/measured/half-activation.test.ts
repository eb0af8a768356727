import { expect, test } from 'vitest'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { scriptedWorld, START } from '../../unit/simulator/sandbox/scripted-world.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

test(
  'a daemon whose activation stops half-way brings the position into the market without an alarm',
  { timeout: 120_000 },
  async () => {
    const faults = { halfActivation: 1 }
    const options = {
      venue: 'measured',
      startMs: START,
      speed: 50,
      publicRequestsPerMinute: 6_000,
      faults,
    } as const
    const venue = await startSandbox(options, scriptedWorld())
    const { ours } = venue.model.state
    const folder = positionFolder(venue.url)
    await using daemon = runDaemon({ configs: [folder.configure({})] })
    await until('the first token is in the pool and the account is inactive', () => ours.pool.NTZS > 0n)
    expect(ours.isActive).toBe(false)
    venue.model.inject({ faults: { halfActivation: 0 } })
    const active = await until(
      'the position is in the market and explained',
      async () => {
        const seen = await daemon.state()
        const isExplained = seen.reconciliation.state === 'reconciled' && seen.balances['USDT'] === '4000'
        return seen.isActive === true && isExplained && seen
      },
      { otherwise: () => daemon.state(), withinMs: 60_000 },
    )
    expect(active.tradingState).toBe('ACTIVE')
    const { body } = await daemon.get('/api/v1/notices?limit=100')
    expect(JSON.stringify(body)).not.toContain('someone else')
    await venue.close()
    folder.remove()
  },
)
