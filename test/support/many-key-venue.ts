import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVenueModel, type VenueModel } from '../../src/simulator/sandbox/model.ts'
import type { SandboxOptionsInput } from '../../src/simulator/sandbox/options.ts'
import type { World } from '../../src/simulator/sandbox/world/world.ts'

export type ManyKeyVenue = {
  readonly url: string
  readonly keys: readonly string[]
  /** What stands behind a key: an account of its own in a market of its own. */
  readonly modelOf: (key: string) => VenueModel
  readonly requests: () => number
  readonly close: () => Promise<void>
}

/**
 * One origin with as many keys as wanted, as a venue is to hundreds of positions. Answers go out at once: a test of many
 * positions is about who waits in the daemon.
 */
export async function startManyKeyVenue(
  count: number,
  options: SandboxOptionsInput = {},
  worldOf: (startMs: number, index: number) => World | undefined = () => undefined,
): Promise<ManyKeyVenue> {
  const keys = Array.from({ length: count }, (_, index) => `mm_test_key_${index}`)
  const startMs = Date.now()
  const began = performance.now()
  const { speed = 1 } = options
  const models = new Map(
    keys.map((apiKey, index) => [
      `Bearer ${apiKey}`,
      createVenueModel(
        {
          isActive: true,
          requestsPerMinute: 60_000,
          publicRequestsPerMinute: 60_000,
          scenario: 'calm',
          ...options,
          apiKey,
          startMs,
        },
        worldOf(startMs, index),
      ),
    ]),
  )
  const [first] = models.values()
  let requests = 0
  const server = createServer(async (request, response) => {
    requests += 1
    const body = await bodyOf(request)
    const { authorization } = request.headers
    const model = models.get(authorization ?? '') ?? first
    const [path = '', search = ''] = (request.url ?? '').split('?', 2)
    const now = startMs + (performance.now() - began) * speed
    const answer = model?.handle({
      method: request.method ?? 'GET',
      path,
      query: Object.fromEntries(new URLSearchParams(search)),
      body,
      authorization: authorization ?? null,
      now,
      limiterNow: performance.now(),
    })
    const headers = { 'content-type': 'application/json', date: new Date(now).toUTCString() }
    response.writeHead(answer?.status ?? 500, { ...headers, ...answer?.headers })
    response.end(JSON.stringify(answer?.body ?? null))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    modelOf(key) {
      const model = models.get(`Bearer ${key}`)
      if (model === undefined) throw new Error(`${key} is no key of this venue`)
      return model
    },
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
