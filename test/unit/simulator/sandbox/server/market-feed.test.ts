import { afterEach, expect, test } from 'vitest'
import { isOfVenue } from '../../../../../src/daemon/config/load/feeds.ts'
import { startSandbox, type SandboxServer } from '../../../../../src/simulator/sandbox/server/server.ts'

let server: SandboxServer | null = null
afterEach(() => server?.close())

async function shownAt(one: SandboxServer): Promise<number> {
  const answer = await fetch(one.feedUrl ?? '')
  const { rates } = (await answer.json()) as { rates: { TZS: number } }
  return rates.TZS
}

test('the market of the simulated venue has a feed of its own, near the mid and a day ahead of it', async () => {
  // In this world dollars go on rising around the tenth day, so that what tomorrow's mid will be is above today's.
  server = await startSandbox({ feedPort: 0, speed: 0, scenario: 'devaluation', seed: 3 })
  const mid = Number(server.model.state.mid) / 1e18
  const before = await shownAt(server)
  expect(Math.abs(before / mid - 1)).toBeLessThan(0.02)
  const advance = JSON.stringify({ ms: 10 * 86_400_000 })
  await fetch(`${server.url}/sandbox/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: advance,
  })
  const [after, published] = [await shownAt(server), Number(server.model.state.mid) / 1e18]
  expect(after).toBeGreaterThan(before)
  expect(after).toBeGreaterThan(published)
  expect(isOfVenue(server.feedUrl ?? '', [server.url])).toBe(false)
})

test('a lie of the venue about its mid leaves the feed alone, and without a port none exists', async () => {
  server = await startSandbox({ feedPort: 0, speed: 0 })
  const before = await shownAt(server)
  server.model.inject({ jump: { bps: 500 } })
  expect(await shownAt(server)).toBe(before)
  const bare = await startSandbox({ speed: 0 })
  expect(bare.feedUrl).toBeNull()
  await bare.close()
})
