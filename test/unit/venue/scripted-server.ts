import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ScriptedServer = {
  readonly url: string
  /** Every request that arrived, with its body. */
  readonly seen: readonly { method: string; url: string; authorization: string | undefined; body: string }[]
  close(): Promise<void>
}

/** A server on loopback that answers as the test says. */
export async function scriptedServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<ScriptedServer> {
  const seen: { method: string; url: string; authorization: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, authorization: headers.authorization, body })
      answer(response, request)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
