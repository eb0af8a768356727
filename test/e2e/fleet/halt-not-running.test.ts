import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { serveHere } from '../daemon/serve-here.ts'
import { until } from '../daemon/until.ts'
import { fleetFolder, openVenue, type FleetFolder } from './fleet-folder.ts'

let folder: FleetFolder
let venues: readonly [SandboxServer, SandboxServer]

beforeAll(async () => {
  folder = fleetFolder()
  venues = await Promise.all([openVenue(), openVenue()])
})
afterAll(async () => {
  folder.remove()
  await Promise.all(venues.map((venue) => venue.close()))
})

test('a halt of a position whose file is broken is in force once the file is mended, also after a restart', async () => {
  const [first, second] = venues
  const bid = () => second.model.state.ours.bidBps
  folder.defaults()
  folder.position('one', first)
  folder.position('two', second)
  const before = serveHere(['fleet', folder.path])
  await until('two quotes', () => bid() === 60)
  expect(await before.end()).toBe(0)
  expect(bid()).toBe(400)

  folder.write('two.yaml', "name: two\nvenue: { baseUrl: 'x'\n")
  const broken = serveHere(['fleet', folder.path])
  await until('one runs', async () => (await broken.state('one')).tradingState === 'ACTIVE')
  const kept = await broken.post('halt', { position: 'two', why: 'odd' })
  expect(kept).toMatchObject({
    status: 200,
    body: { position: 'two', accepted: true, confirmed: false, exitCode: 4 },
  })
  expect(JSON.stringify(kept.body)).toContain('Saved. ')
  expect(await broken.end()).toBe(0)

  folder.position('two', second)
  const bids = new Set<number>()
  const watch = setInterval(() => bids.add(bid()), 5)
  const mended = serveHere(['fleet', folder.path])
  await until('two runs', async () => (await mended.state('two')).tradingState === 'HALTED')
  await until('the venue has the safe quote', async () => (await mended.state('two')).live.stopped === true)
  clearInterval(watch)
  expect(bids).not.toContain(60)
  expect(await mended.post('resume', { position: 'two' })).toMatchObject({ status: 200 })
  await until('two quotes again', () => bid() === 60)
  expect(await mended.end()).toBe(0)
}, 120_000)
