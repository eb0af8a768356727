import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import { createSecureServer, createServer } from '../../http/node-http.ts'
import { ACK_PATH, parseAck } from '../protocol/acknowledge.ts'
import {
  DRAIN_PATH,
  parseRenewal,
  PROTOCOL_VERSION,
  RELEASE_PATH,
  RENEW_PATH,
  STATUS_PATH,
} from '../protocol/renewal.ts'
import {
  AT_HEADER,
  isEqualSignature,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signAnswer,
  signRequest,
} from '../protocol/signature.ts'
import type { AllPositions } from './all-positions.ts'
import type { GuardSettings } from './settings.ts'

export type GuardServer = { readonly url: string; readonly close: () => Promise<void> }

export type GuardServerParts = {
  readonly settings: Pick<GuardSettings, 'host' | 'port' | 'tls' | 'version' | 'unwatched'>
  readonly positions: AllPositions
  /** The tokens that may sign now, the likeliest first. */
  readonly tokens: () => readonly string[]
  readonly wall: () => Ms
}

const MOST_BYTES = 4 * 1_024 * 1_024
/** Every request may be as large before anybody has proven anything; beyond that all of them together share one allowance. */
const SMALL_BYTES = 64 * 1_024
const LARGE_BYTES_TOGETHER = 8 * 1_024 * 1_024
/** A command that was recorded on the way is of no use to anybody after this time, and within it only once. */
const COMMAND_LIFE_MS: Ms = 10 * MINUTE_MS
const MOST_NONCES = 10_000
const NONCE = /^[0-9a-f]{32}$/

/** Listens for renewals and commands. Every request and every answer is signed; what is not is answered with 401 and no more. */
export function serveGuard(parts: GuardServerParts): Promise<Result<GuardServer, string>> {
  const { host, port, tls } = parts.settings
  const seen = new Map<string, Ms>()
  const readBody = createBodyReader()
  const listener: RequestListener = (request, response) => {
    // One that breaks off is nothing to report: the next renewal is a second away.
    void answer({ ...parts, seen, readBody }, request, response).catch(() => response.destroy())
  }
  let server: Server
  try {
    server =
      tls === null
        ? createServer(listener)
        : createSecureServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, listener)
  } catch (error) {
    return Promise.resolve(err(`guard.tls: ${errorText(error)}`))
  }
  server.requestTimeout = 5 * SECOND_MS
  server.headersTimeout = 5 * SECOND_MS
  server.keepAliveTimeout = 30 * SECOND_MS
  server.maxConnections = 256
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(
        err(`the guard cannot listen on ${host}:${port}: ${errorText(error)}; guard.port names another port`),
      ),
    )
    server.listen(port, host, () => {
      const address = server.address()
      const at = typeof address === 'object' && address !== null ? address.port : port
      const name = host.includes(':') ? `[${host}]` : host
      resolve(
        ok({ url: `${tls === null ? 'http' : 'https'}://${name}:${at}`, close: () => closeServer(server) }),
      )
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

type Answering = GuardServerParts & {
  readonly seen: Map<string, Ms>
  readonly readBody: ReturnType<typeof createBodyReader>
}

async function answer(
  { positions, tokens, settings, wall, seen, readBody }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request
  if (method === 'GET' && url === '/healthz') return send(response, 200, { ok: true })
  const body = await readBody(request)
  if (body === null) return send(response, 413, { error: 'too large' }, { connection: 'close' })
  const [nonce, at] = [String(headers[NONCE_HEADER] ?? ''), String(headers[AT_HEADER] ?? '')]
  const signed = { method, path: url, nonce, at, body }
  const token = tokens().find((one) => isEqualSignature(signRequest(one, signed), headers[SIGNATURE_HEADER]))
  if (token === undefined || !NONCE.test(nonce))
    return send(response, 401, { error: 'not signed with the token of this guard' })
  const { status, reply } = dispatch({ ...settings, positions, seen, wall: wall() }, signed)
  const text = JSON.stringify(reply)
  send(response, status, text, { [SIGNATURE_HEADER]: signAnswer(token, nonce, status, text) })
}

type Dispatched = Pick<GuardSettings, 'version' | 'unwatched'> & {
  readonly positions: AllPositions
  readonly seen: Map<string, Ms>
  readonly wall: Ms
}

function dispatch(
  { positions, version, unwatched, seen, wall }: Dispatched,
  { method, path, nonce, at, body }: Parameters<typeof signRequest>[1],
): { readonly status: number; readonly reply: unknown } {
  if (method === 'GET' && path === STATUS_PATH)
    return {
      status: 200,
      reply: { version: PROTOCOL_VERSION, guard: version, positions: positions.status(), unwatched },
    }
  if (method !== 'POST') return { status: 404, reply: { error: 'no such path' } }
  if (path === RENEW_PATH) {
    const renewal = parseRenewal(parsed(body))
    if (!renewal.ok) return { status: 400, reply: { error: renewal.error } }
    const reply = positions.renew(renewal.value)
    return reply === null
      ? { status: 500, reply: { error: 'the guard cannot keep its numbers' } }
      : { status: 200, reply }
  }
  if (!COMMANDS.has(path)) return { status: 404, reply: { error: 'no such path' } }
  if (!isFresh(seen, nonce, Number(at), wall))
    return { status: 409, reply: { error: 'a command of another time: set the clocks of both machines' } }
  return command(positions, path, parsed(body))
}

const COMMANDS: ReadonlySet<string> = new Set([DRAIN_PATH, RELEASE_PATH, ACK_PATH])

function command(
  positions: AllPositions,
  path: string,
  body: unknown,
): { readonly status: number; readonly reply: unknown } {
  if (path === DRAIN_PATH) return { status: 200, reply: { positions: positions.drain(namesOf(body)) } }
  if (path === RELEASE_PATH) return { status: 200, reply: { positions: positions.release(namesOf(body)) } }
  const ack = parseAck(body)
  if (ack === null) return { status: 400, reply: { error: 'who and why are needed' } }
  return { status: 200, reply: { positions: positions.acknowledge(ack.positions, ack.code, ack) } }
}

function isFresh(seen: Map<string, Ms>, nonce: string, at: Ms, wall: Ms): boolean {
  for (const [old, then] of seen) if (wall - then > COMMAND_LIFE_MS) seen.delete(old)
  if (!(Math.abs(wall - at) <= COMMAND_LIFE_MS / 2) || seen.has(nonce) || seen.size >= MOST_NONCES)
    return false
  seen.set(nonce, wall)
  return true
}

/** Null = all positions. */
function namesOf(body: unknown): readonly string[] | null {
  const { positions } = (body ?? {}) as Readonly<Record<string, unknown>>
  return Array.isArray(positions) ? positions.filter((name) => typeof name === 'string') : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The reader of the fields reports what is missing.
    return null
  }
}

/** Reads bodies of requests that nobody has vouched for yet: what they hold together is bounded. Null = too large. */
function createBodyReader(): (request: IncomingMessage) => Promise<string | null> {
  let large = 0
  return async (request) => {
    const chunks: Buffer[] = []
    let size = 0
    let taken = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length
        const more = Math.max(0, size - SMALL_BYTES) - taken
        if (size > MOST_BYTES || large + more > LARGE_BYTES_TOGETHER) return null
        taken += more
        large += more
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString('utf8')
    } finally {
      large -= taken
    }
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}
