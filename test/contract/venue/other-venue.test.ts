import { expect, onTestFinished, test, vi } from 'vitest'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import { createPerformer } from '../../../src/daemon/runtime/effects/effect-performer.ts'
import { systemClock } from '../../../src/daemon/runtime/position/clock.ts'
import { runPosition } from '../../../src/daemon/runtime/position/run-position.ts'
import type { VenueSecrets } from '../../../src/venue/sender.ts'
import { coreConfig } from '../../support/core-config.ts'
import { testStrategy } from '../../support/test-strategy.ts'
import { freshFolder, openHere } from '../../unit/store/store-fixture.ts'
import { valueOf } from '../../unit/venue/read-answer.ts'
import { describeVenue, type VenueWish } from './describe-venue.ts'
import { serveOtherVenue } from './other-venue-server.ts'
import { openOtherVenue, OTHER_DIALECT, otherGuardRequests } from './other-venue.ts'
import { makeSimulatedVenue, opened } from './simulated-venue.ts'

function makeOtherVenue(wish: VenueWish = {}) {
  const open = async (lpUrl: string, secrets: VenueSecrets) => {
    const server = await serveOtherVenue(lpUrl)
    const port = openOtherVenue(server.url, secrets)
    opened.push(port, server)
    const requestsFor = (safeBps: number) => otherGuardRequests(server.url, safeBps)
    return { port, guard: { url: server.url, requestsFor, dialect: OTHER_DIALECT } }
  }
  return makeSimulatedVenue(wish, open, 'GET /price')
}

describeVenue('a venue of another dialect', makeOtherVenue, false)

test('a position of the daemon quotes at a venue of another dialect', async () => {
  const { port } = await makeOtherVenue({ isActive: true, startMs: Date.now() })
  const clock = systemClock()
  const strategy = testStrategy(() => ({ bidBps: 37, askBps: 41, reasons: ['test'] }))
  const pacing = { ...coreConfig().pacing, publicRequestsPerMinute: 0, requestsPerMinute: 6_000 }
  const store = valueOf(await openHere(freshFolder()))
  const position = await runPosition({
    config: { core: coreConfig({ pacing }), strategy } as LoadedConfig,
    version: 'test',
    store,
    clock,
    perform: createPerformer({ client: port, clock, mode: 'live', custody: null }),
    observe: () => undefined,
    observeDecision: () => undefined,
    heartbeat: { enter: () => undefined, leave: () => undefined },
    suspension: null,
    loadStrategy: () => Promise.resolve(strategy),
  })
  onTestFinished(async () => {
    position.stop()
    await store.close()
  })
  const quoted = async (side: 'bid' | 'ask') => port.quotedSide(side)
  await vi.waitFor(
    async () => {
      expect(await quoted('bid')).toMatchObject({ spreadBps: 37 })
      expect(await quoted('ask')).toMatchObject({ spreadBps: 41 })
    },
    { timeout: 50_000, interval: 500 },
  )
}, 60_000)
