import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Ms } from '../../../base/time.ts'

/** As far as the body of a stop could be read; `cut` = why it ends there, null = it was read whole. */
export type ReadBody = { readonly text: string; readonly cut: string | null }

const STOP_BODY_BYTES = 16 * 1024
const STOP_BODY_MS = 1_000

/**
 * Reads at most 16 kB within a second, because a stop must not wait for its body. What comes later is read and dropped, so that the
 * client, which still sends, can read the answer. Never rejects.
 */
export function readBody(request: IncomingMessage, withinMs: Ms = STOP_BODY_MS): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(end, withinMs, `it was not complete within ${withinMs} ms`)
    request.on('data', take)
    request.on('end', () => end(null))
    for (const event of ['close', 'error']) request.on(event, () => end('the connection broke off'))

    function take(chunk: Buffer): void {
      size += chunk.length
      chunks.push(chunk)
      if (size > STOP_BODY_BYTES) end(`it is longer than ${STOP_BODY_BYTES} bytes`)
    }

    function end(cut: string | null): void {
      clearTimeout(timer)
      request.off('data', take)
      request.resume()
      resolve({ text: Buffer.concat(chunks).toString('utf8', 0, STOP_BODY_BYTES), cut })
    }
  })
}

/**
 * Node answers 400 to a connection whose bytes are no HTTP, also where they follow a complete stop or are its body, and would
 * cut the stop's own answer off. Returns whether one is under way on the connection, which ends it.
 */
export function trackStops(
  server: Server,
  isStopPath: (url: string) => boolean,
): (socket: Socket) => boolean {
  const underWay = new WeakMap<Socket, number>()
  server.prependListener('request', ({ socket, url = '' }: IncomingMessage, response: ServerResponse) => {
    if (!isStopPath(url)) return
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
    response.on('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
  })
  return (socket) => (underWay.get(socket) ?? 0) > 0
}
