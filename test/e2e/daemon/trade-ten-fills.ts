import { expect } from 'vitest'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { expectEqualBooks } from './compare-books.ts'
import { BUSY_VENUE, MORNING, positionFolder } from './position-folder.ts'
import { runDaemon } from './running-daemon.ts'
import { stoppableWorld } from './stoppable-world.ts'
import { until } from './until.ts'

type VenueOptions = Parameters<typeof startSandbox>[0]

/** A daemon that traded at a busy venue until ten fills and more were booked: both books agree to the last unit. */
export async function tradeTenFills(venueOptions: Partial<VenueOptions>, config: object = {}) {
  const { world, stop } = stoppableWorld('normal', 5, MORNING)
  const venue = await startSandbox(
    { ...BUSY_VENUE, startMs: MORNING, speed: 200, seed: 5, ...venueOptions },
    world,
  )
  const folder = positionFolder(venue.url)
  const strategy = { use: 'inventory-skew', params: { halfSpreadBps: 50, maxSkewBps: 40 } }
  const daemon = runDaemon({ configs: [folder.configure({ ...config, strategy })] })
  const otherwise = () => daemon.state()
  await until('ten fills', async () => (await daemon.state()).fills.total >= 10, { otherwise })
  stop()
  const view = await until(
    'every fill is booked and reconciled',
    async () => {
      const seen = await daemon.state()
      const all = venue.model.book().ours.fills.length
      return seen.reconciliation.state === 'reconciled' && seen.fills.total === all && seen
    },
    { otherwise },
  )
  expect(view.pnl?.residual).toEqual({ tzs: '0', usd: '0' })
  await expectEqualBooks(venue.model, folder.store, view)
  const close = async () => {
    await venue.close()
    folder.remove()
  }
  return { daemon, venue, view, close }
}
