import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../../../src/base/time.ts'

/** A write to the venue as it passed: when it reached the venue at the latest. */
type PassedWrite = {
  readonly method: string
  readonly cameAt: Ms
  endedAt: Ms | null
  /** As far as it has come. */
  body: string
}

/**
 * A way to the venue that remembers the writes on it, by the clock of the test. `delayMs`: how long each of them is in
 * flight, so that it takes effect as late as in a slow network.
 */
export async function recordingWay(to: string, delayMs: Ms, host = '127.0.0.1') {
  const writes: PassedWrite[] = []
  const server = createServer((near, answer) => {
    const { method = 'GET', url = '/', headers } = near
    const write: PassedWrite = { method, cameAt: performance.now(), endedAt: null, body: '' }
    if (method !== 'GET') writes.push(write)
    const pass = () => {
      const far = request(
        new URL(url, to),
        { method, headers: { ...headers, host: new URL(to).host } },
        (reply) => {
          write.endedAt = performance.now()
          answer.writeHead(reply.statusCode ?? 502, reply.headers)
          reply.pipe(answer)
        },
      )
      far.on('error', () => answer.destroy())
      // Not sooner: a request that is read to its end is destroyed, as one is whose client has gone.
      near.on('data', (chunk: Buffer) => (write.body += chunk.toString('utf8')))
      near.pipe(far)
    }
    if (method === 'GET' || delayMs === 0) pass()
    else void pause(delayMs).then(() => (near.destroyed ? undefined : pass()))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    writes,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
