import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageFiles } from '../../../src/daemon/console/page-routes.ts'
import type { StreamMessage } from '../../../src/daemon/console/answers.ts'

export type FakeDaemon = {
  readonly url: string
  /** The commands that pages sent, oldest first. */
  readonly posted: readonly { readonly command: string; readonly body: unknown }[]
  /** Sends a message to every page, and to those that come later. */
  readonly tell: (message: StreamMessage) => void
  /** Stops answering anything, as a killed process does; `revive` takes the same port again. */
  readonly cut: () => Promise<void>
  readonly revive: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What a read answers, where it depends on what is asked. */
type Answer = (query: URLSearchParams) => unknown

/** As the console's server sends it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const FRESH_MS = 1_500

/**
 * Serves the real page with whatever a test wants it to be told: states that a sandbox does not get into
 * within seconds, and text that no honest venue sends. `answers` has the JSON of the reads by their paths.
 */
export async function fakeDaemon(
  answers: Readonly<Record<string, unknown>> = {},
  { token = null }: { readonly token?: string | null } = {},
): Promise<FakeDaemon> {
  const files = await pageFiles()
  const said: StreamMessage[] = []
  const readers = new Set<ServerResponse>()
  const posted: { readonly command: string; readonly body: unknown }[] = []
  const send = (response: ServerResponse, message: StreamMessage) =>
    response.write(`event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`)
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const file = files.get(path === '/' ? 'index.html' : path.replace('/assets/', ''))
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type, 'content-security-policy': POLICY }).end(file.body)
    } else if (token !== null && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: 'unauthorized', message: 'this needs the token' }))
    } else if (request.method === 'POST') {
      const chunks: Uint8Array[] = []
      request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      request.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
        posted.push({ command: path.replace('/api/v1/', ''), body })
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ accepted: true, answer: 'done as told' }))
      })
    } else if (path === '/api/v1/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      readers.add(response)
      response.on('close', () => readers.delete(response))
      for (const message of said) send(response, message)
    } else {
      const known = { alerts: { alerts: [] }, ...answers }[path.replace('/api/v1/', '')]
      const { searchParams } = new URL(request.url ?? '', 'http://localhost')
      const answer = typeof known === 'function' ? (known as Answer)(searchParams) : known
      const body = answer ?? { error: 'not-found', message: `there is no ${path}` }
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const timer = setInterval(() => {
    const states = said.filter(({ type }) => type === 'state' || type === 'silent')
    for (const reader of readers) for (const message of states) send(reader, message)
  }, FRESH_MS)
  return {
    url: `http://127.0.0.1:${port}/`,
    posted,
    tell(message) {
      said.push(message)
      for (const reader of readers) send(reader, message)
    },
    cut,
    revive: () => listen(port),
    async close() {
      clearInterval(timer)
      if (server.listening) await cut()
    },
  }
}
