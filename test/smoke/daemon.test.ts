import { afterAll, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server/server.ts'
import { expectEqualBooks } from '../e2e/daemon/compare-books.ts'
import { quoteOf } from '../e2e/daemon/open-market.ts'
import { BUSY_VENUE, MORNING, positionFolder } from '../e2e/daemon/position-folder.ts'
import { endDaemons, runDaemon } from '../e2e/daemon/running-daemon.ts'
import { stoppableWorld } from '../e2e/daemon/stoppable-world.ts'
import { until } from '../e2e/daemon/until.ts'

afterAll(endDaemons)

test('a daemon activates its position, trades with books that agree with the venue to the last unit, and widens to the safe quote on SIGTERM', async () => {
  const { world, stop } = stoppableWorld('normal', 5, MORNING)
  const options = { ...BUSY_VENUE, startMs: MORNING, speed: 200, seed: 5, isActive: false }
  const venue = await startSandbox({ ...options, dialect: 'contract', feeFrom: 'pool' }, world)
  const folder = positionFolder(venue.url)
  const config = folder.configure({
    strategy: { use: 'inventory-skew', params: { halfSpreadBps: 50, maxSkewBps: 40 } },
  })
  const daemon = runDaemon({ configs: [config] })
  await until('ten fills', async () => (await daemon.state()).fills.total >= 10, {
    otherwise: () => daemon.state(),
  })
  stop()
  const view = await until(
    'every fill is booked and reconciled',
    async () => {
      const seen = await daemon.state()
      const all = venue.model.book().ours.fills.length
      return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
    },
    { otherwise: () => daemon.state() },
  )
  expect(view.feeModel).toBe('none')
  expect(view.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
  await expectEqualBooks(venue.model, folder.store, view)

  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await quoteOf(venue)).toEqual({ bidBps: 500, askBps: 500, isActive: true })
  await venue.close()
  folder.remove()
}, 300_000)
