import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isLoopback } from '../../base/loopback.ts'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { createGuard, type Guard } from '../../console/auth/guard.ts'
import { Refusal } from '../../console/server/refusal.ts'

export type HttpDoor = {
  /** Where a client connects, e.g. http://127.0.0.1:9466/mcp. */
  readonly url: string
  readonly close: () => Promise<void>
}

export type HttpDoorOptions = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Every request brings it, also on loopback. */
  readonly token: string
  /** A server for one request; it keeps nothing between two. `client`: what the program that asks calls itself. */
  readonly createServer: (client: string) => McpServer
  /** Told of every failure that a client only sees as 'internal'. */
  readonly reportError: (error: unknown) => void
}

const PATH = '/mcp'
const MOST_BODY_BYTES = 256 * 1_024
const MOST_CONNECTIONS = 32
/** At a time: each has a server of its own. */
const MOST_REQUESTS = 16
const HEADERS_MS = 5_000
/** A computation takes two minutes. */
const REQUEST_MS = 180_000

/**
 * Streamable HTTP without sessions: a request is answered with one JSON document and nothing is kept. Who asks has to
 * bring the token; a page on the web is refused by its Origin and by the Host header (DNS rebinding). The error is a sentence.
 */
export async function openHttpDoor(options: HttpDoorOptions): Promise<Result<HttpDoor, string>> {
  const { host, port, token } = options
  const guard = createGuard(host, [{ name: 'reader', may: ['read'], isShared: false, token }])
  let underWay = 0
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    (request, response) => {
      underWay += 1
      response.once('close', () => (underWay -= 1))
      answer(options, guard, underWay, request, response).catch((thrown: unknown) =>
        refuse(response, thrown, options.reportError),
      )
    },
  )
  server.maxConnections = MOST_CONNECTIONS
  const problem = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => resolve(null))
  })
  if (problem !== null) {
    const why = problem.code === 'EADDRINUSE' ? 'another process has it' : problem.message
    return err(`cannot listen on ${host}:${port}: ${why}; choose another one with --listen HOST:PORT`)
  }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const name = host.includes(':') ? `[${host}]` : host
  return ok({
    url: `http://${name}:${bound}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

async function answer(
  { createServer: create }: HttpDoorOptions,
  guard: Guard,
  underWay: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, socket, method, url } = request
  const asker = { headers, ip: socket.remoteAddress ?? '' }
  response.setHeader('cache-control', 'no-store')
  guard.checkHost(asker)
  guard.checkSite(asker)
  checkOrigin(headers.origin, headers.host)
  guard.checkCommand(asker, ['read'])
  if ((url ?? '').split('?')[0] !== PATH) throw new Refusal(404, 'not-found', `the only path here is ${PATH}`)
  if (method !== 'POST')
    throw new Refusal(405, 'no-sessions', 'POST is the only method: there are no sessions')
  if (underWay > MOST_REQUESTS)
    throw new Refusal(429, 'too-many', `at most ${MOST_REQUESTS} requests at a time; wait for an answer`)
  const server = create(headers['user-agent'] ?? '')
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: MOST_BODY_BYTES,
  })
  response.once('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response)
}

/**
 * A browser names the page that asks with every POST. On loopback a client may name this very server; elsewhere none may, because a page
 * whose own name was pointed at this machine sends equal Host and Origin headers (DNS rebinding).
 */
function checkOrigin(origin: string | undefined, hostHeader: string | undefined): void {
  if (origin === undefined) return
  const isOwn = URL.canParse(origin) && new URL(origin).host === hostHeader
  if (isOwn && isLoopback(new URL(origin).hostname)) return
  throw new Refusal(403, 'other-site', 'a page of another site asks for this; it gets nothing')
}

function refuse(response: ServerResponse, thrown: unknown, reportError: (error: unknown) => void): void {
  const refusal =
    thrown instanceof Refusal ? thrown : new Refusal(500, 'internal', 'this failed; stderr has the reason')
  if (refusal !== thrown) reportError(errorText(thrown))
  if (response.headersSent) return void response.destroy()
  response.statusCode = refusal.status
  if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer')
  if (refusal.status === 405) response.setHeader('allow', 'POST')
  response.setHeader('content-type', 'application/json; charset=utf-8')
  const error = { code: -32_000, message: refusal.message }
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}
