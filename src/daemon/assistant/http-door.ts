import type { IncomingMessage, ServerResponse } from 'node:http'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isLoopback } from '../../base/loopback.ts'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { createAccessControl, type AccessControl } from '../console/auth/access-control.ts'
import { Refusal } from '../console/refusal.ts'
import {
  closeServer,
  type ConnectionLimits,
  createLimitedServer,
  listenOn,
  type Visitor,
} from '../../base/http/limit-connections.ts'

export type HttpDoor = {
  /** Where a client connects, e.g. http://127.0.0.1:9466/mcp. */
  readonly url: string
  readonly close: () => Promise<void>
}

export type HttpDoorOptions = {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Required in every request, also on loopback. */
  readonly token: string
  /** Creates a stateless server for one request. `client`: the name that the calling program gives itself. */
  readonly createServer: (client: string) => McpServer
  /** Called for every failure that a client sees only as 'internal'. */
  readonly reportError: (error: unknown) => void
  readonly limits?: Partial<ConnectionLimits>
}

const PATH = '/mcp'
const MOST_BODY_BYTES = 256 * 1_024
const MOST_CONNECTIONS = 256
/** Maximum number of concurrent requests; each has its own server. */
const MOST_REQUESTS = 16

/**
 * Serves Streamable HTTP without sessions: each request gets one JSON document, and no state is kept. The caller
 * needs the token; a web page is refused by its Origin and by the Host header (DNS rebinding). The error is a
 * sentence.
 */
export async function openHttpDoor(options: HttpDoorOptions): Promise<Result<HttpDoor, string>> {
  const { host, port, token } = options
  const access = createAccessControl(host, [{ name: 'reader', may: ['read'], isShared: false, token }])
  let underWay = 0
  /** Requests that have presented the token. */
  function enter(response: ServerResponse): void {
    if (underWay >= MOST_REQUESTS)
      throw new Refusal(429, 'too-many', `at most ${MOST_REQUESTS} requests at a time; wait for an answer`)
    underWay += 1
    response.once('close', () => (underWay -= 1))
  }
  const server = createLimitedServer(
    (request, response, visitor) => {
      answer(options, access, { enter, ...visitor }, request, response).catch((thrown: unknown) =>
        refuse(response, thrown, options.reportError),
      )
    },
    { most: MOST_CONNECTIONS, ...options.limits },
  )
  const listening = await listenOn(server, { host, port })
  if (!listening.ok) {
    const { code, message } = listening.error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'another process has it' : message
    return err(`cannot listen on ${host}:${port}: ${why}; choose another one with --listen HOST:PORT`)
  }
  const name = host.includes(':') ? `[${host}]` : host
  return ok({ url: `http://${name}:${listening.value}${PATH}`, close: () => closeServer(server) })
}

async function answer(
  { createServer: create }: HttpDoorOptions,
  access: AccessControl,
  { admit, enter }: Visitor & { readonly enter: (response: ServerResponse) => void },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, socket, method, url } = request
  const asker = { headers, ip: socket.remoteAddress ?? '' }
  response.setHeader('cache-control', 'no-store')
  access.checkHost(asker)
  access.checkSite(asker)
  checkOrigin(headers.origin, headers.host)
  access.checkCommand(asker, ['read'])
  admit(false)
  if ((url ?? '').split('?')[0] !== PATH) throw new Refusal(404, 'not-found', `the only path here is ${PATH}`)
  if (method !== 'POST')
    throw new Refusal(405, 'no-sessions', 'POST is the only method: there are no sessions')
  enter(response)
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
 * A browser sends the page's origin with every POST. On loopback it may be this server's own; elsewhere every origin
 * is refused, because a page whose name was pointed at this machine sends equal Host and Origin headers (DNS
 * rebinding).
 */
function checkOrigin(origin: string | undefined, hostHeader: string | undefined): void {
  if (origin === undefined) return
  const isOwn = URL.canParse(origin) && new URL(origin).host === hostHeader
  if (isOwn && isLoopback(new URL(origin).hostname)) return
  throw new Refusal(403, 'other-site', 'a page of another site sent this request; it is refused')
}

function refuse(response: ServerResponse, thrown: unknown, reportError: (error: unknown) => void): void {
  const refusal =
    thrown instanceof Refusal ? thrown : new Refusal(500, 'internal', 'this failed; stderr has the reason')
  if (refusal !== thrown) reportError(errorText(thrown))
  if (response.headersSent) return void response.destroy()
  if (refusal.status === 405) response.setHeader('allow', 'POST')
  // Leaves the body unread.
  response.writeHead(refusal.status, { ...refusal.headers(), connection: 'close' })
  const error = { code: -32_000, message: refusal.message }
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
}
