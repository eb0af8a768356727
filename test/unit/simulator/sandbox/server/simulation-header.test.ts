import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../../../src/simulator/sandbox/server/server.ts'
import { createVenueClient } from '../../../../../src/venue/client.ts'

test.each([
  [{ speed: 60, retailFactor: 20 }, '60x real time, 20 times the takers of a real day'],
  [{}, 'real time'],
])('the simulated venue with %j describes itself to a client: %s', async (options, text) => {
  const server = await startSandbox(options)
  onTestFinished(() => server.close())
  const client = createVenueClient({ baseUrl: server.url }, { apiKey: 'mm_test_sandbox' })
  onTestFinished(() => client.close())
  expect(client.simulation()).toBeNull()
  await client.account()
  expect(client.simulation()).toBe(text)
})

test('a public endpoint that is simulated does not make the venue that takes the key a simulated one', async () => {
  const server = await startSandbox({})
  onTestFinished(() => server.close())
  const client = createVenueClient(
    { baseUrl: 'http://127.0.0.1:9', publicUrl: server.url },
    { apiKey: 'mm_test_sandbox' },
  )
  onTestFinished(() => client.close())
  expect(await client.swapRate({ side: 'ask', probe: 10_000_000n })).toMatchObject({
    ok: true,
  })
  expect(client.simulation()).toBeNull()
})
