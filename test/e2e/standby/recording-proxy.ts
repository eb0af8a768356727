import { createServer, request as outgoing } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that changes something at the venue, as it arrived there. */
export type VenueWrite = {
  readonly who: string
  readonly at: number
  readonly route: string
}

/** What stands between one daemon and the venue: notes who writes, and when. */
export type RecordingProxy = {
  readonly url: string
  /** The venue takes requests of this path from now on, and their answers never come back. */
  readonly swallow: (path: string) => void
  readonly close: () => Promise<void>
}

/** Writes go to one log that several proxies share, in the order in which they arrive. */
export async function recordingProxy(
  who: string,
  venueUrl: string,
  log: VenueWrite[],
): Promise<RecordingProxy> {
  const target = new URL(venueUrl)
  const swallowed = new Set<string>()
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request
    if (method !== 'GET') log.push({ who, at: performance.now(), route: `${method} ${url.split('?')[0]}` })
    const headers = { ...request.headers, host: target.host }
    const onward = outgoing({ host: target.hostname, port: target.port, method, path: url, headers })
    onward.on('response', (answer) => {
      if ([...swallowed].some((path) => url.endsWith(path))) return void answer.resume()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    // A client that goes away takes its request along only while the venue has not taken it.
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    swallow: (path) => void swallowed.add(path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
