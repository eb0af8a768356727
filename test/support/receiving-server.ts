import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  readonly at: number
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type ReceivingServer = AsyncDisposable & {
  readonly url: string
  /** Every request that came in whole, in order, whatever was answered. */
  readonly received: Received[]
  /** How the next requests are answered; the default is 200 and 'ok'. */
  respond: (response: ServerResponse, request: Received) => void
  readonly close: () => Promise<void>
}

/** A real HTTP server on a free port that keeps what it is sent. */
export async function receivingServer(): Promise<ReceivingServer> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const one = { at: performance.now(), path: request.url ?? '', headers: request.headers, body }
      received.push(one)
      self.respond(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const self: ReceivingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: (response) => void response.end('ok'),
    close,
    [Symbol.asyncDispose]: close,
  }
  return self
}
