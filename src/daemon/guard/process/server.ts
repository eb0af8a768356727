import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import {
  closeServer,
  type ConnectionLimits,
  createLimitedServer,
  listenOn,
  type Visitor,
} from '../../../base/http/limit-connections.ts'
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
  HEAD_HEADER,
  isEqualSignature,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signAnswer,
  signHead,
  signRequest,
} from '../protocol/signature.ts'
import type { AllPositions } from './all-positions.ts'
import type { GuardSettings } from './settings.ts'

export type GuardServer = { readonly url: string; readonly close: () => Promise<void> }

export type GuardServerParts = {
  readonly settings: Pick<GuardSettings, 'host' | 'port' | 'tls' | 'version' | 'unwatched'>
  readonly positions: AllPositions
  /** The tokens that are valid now, the likeliest first. */
  readonly tokens: () => readonly string[]
  readonly wall: () => Ms
  readonly limits?: Partial<ConnectionLimits>
}

const MOST_CONNECTIONS = 256
/** The maximum size of one request. */
const MOST_BYTES = 4 * 1_024 * 1_024
/** A request without a signed head may be this long; the excess of all such requests shares one allowance. */
const SMALL_BYTES = 64 * 1_024
const LARGE_BYTES_TOGETHER = 8 * 1_024 * 1_024
/** A recorded command cannot be replayed after this time; until then only its first copy counts. */
const COMMAND_LIFE_MS: Ms = 10 * MINUTE_MS
const MOST_NONCES = 10_000
/** Maximum number of token reads per second. */
const MOST_READS = 10
const NONCE = /^[0-9a-f]{32}$/

/** Listens for renewals and commands. Every request and answer is signed; an unsigned request gets a bare 401. */
export async function serveGuard(parts: GuardServerParts): Promise<Result<GuardServer, string>> {
  const { host, port, tls } = parts.settings
  const answering: Answering = {
    ...parts,
    tokens: readAnew(parts.tokens),
    seen: new Map(),
    heads: new Set(),
    readRenewal: createBodyReader(MOST_BYTES, 0),
    readKnown: createBodyReader(0, LARGE_BYTES_TOGETHER),
    readUnknown: createBodyReader(SMALL_BYTES, LARGE_BYTES_TOGETHER),
  }
  let server: Server
  try {
    server = createLimitedServer(
      (request, response, visitor) => {
        // A broken connection needs no report: the next renewal is a second away.
        void answer(answering, request, response, visitor).catch(() => response.destroy())
      },
      { most: MOST_CONNECTIONS, requestMs: 5 * SECOND_MS, ...parts.limits },
      tls === null ? null : { cert: readFileSync(tls.cert), key: readFileSync(tls.key) },
    )
  } catch (error) {
    return err(`guard.tls: ${errorText(error)}`)
  }
  const listening = await listenOn(server, { host, port })
  if (!listening.ok) {
    const why = errorText(listening.error)
    return err(`the guard cannot listen on ${host}:${port}: ${why}; guard.port names another port`)
  }
  const name = host.includes(':') ? `[${host}]` : host
  return ok({
    url: `${tls === null ? 'http' : 'https'}://${name}:${listening.value}`,
    close: () => closeServer(server),
  })
}

/** The tokens may be in hundreds of files, and daemons create new ones: even a flood of requests reads them at most ten times a second. */
function readAnew(read: () => readonly string[]): () => readonly string[] {
  let [second, reads] = [0, 0]
  let tokens: readonly string[] = []
  return () => {
    const now = Math.floor(performance.now() / SECOND_MS)
    if (now !== second) [second, reads] = [now, 0]
    reads += 1
    if (reads <= MOST_READS) tokens = [...new Set(read())]
    return tokens
  }
}

type Answering = GuardServerParts & {
  readonly seen: Map<string, Ms>
  /** Nonces of signed heads already seen, so that a recorded head cannot be replayed. */
  readonly heads: Set<string>
  /** Renewals have separate limits, which other requests cannot use up. */
  readonly readRenewal: BodyReader
  readonly readKnown: BodyReader
  readonly readUnknown: BodyReader
}

async function answer(
  parts: Answering,
  request: IncomingMessage,
  response: ServerResponse,
  visitor: Visitor,
): Promise<void> {
  const { method = '', url = '', headers } = request
  if (method === 'GET' && url === '/healthz') return send(response, 200, { ok: true })
  const [nonce, at] = [String(headers[NONCE_HEADER] ?? ''), String(headers[AT_HEADER] ?? '')]
  const given = headers[SIGNATURE_HEADER]
  const refuse = () => send(response, 401, { error: 'not signed with the token of this guard' }, CLOSE)
  if (given === undefined || !NONCE.test(nonce)) return refuse()
  const tokens = parts.tokens()
  const isKnown = hasSignedHead({ heads: parts.heads, tokens }, request, { method, path: url, nonce, at })
  if (isKnown) visitor.admit(true)
  const read = !isKnown ? parts.readUnknown : url === RENEW_PATH ? parts.readRenewal : parts.readKnown
  const body = await read(request)
  if (body === null) return send(response, 413, { error: 'too large' }, CLOSE)
  const signed = { method, path: url, nonce, at, body }
  const token = tokens.find((one) => isEqualSignature(signRequest(one, signed), given))
  if (token === undefined) return refuse()
  if (!isKnown) visitor.admit(true)
  const { status, reply } = dispatch({ ...parts.settings, ...parts, wall: parts.wall() }, signed)
  const text = JSON.stringify(reply)
  send(response, status, text, { [SIGNATURE_HEADER]: signAnswer(token, nonce, status, text) })
}

const CLOSE = { connection: 'close' }

function hasSignedHead(
  { tokens, heads }: { readonly tokens: readonly string[]; readonly heads: Set<string> },
  { headers }: IncomingMessage,
  head: Omit<Parameters<typeof signRequest>[1], 'body'>,
): boolean {
  const given = headers[HEAD_HEADER]
  if (given === undefined || heads.has(head.nonce)) return false
  const signed = { ...head, bytes: headers['content-length'] ?? '0' }
  if (!tokens.some((token) => isEqualSignature(signHead(token, signed), given))) return false
  const [oldest] = heads
  if (heads.size >= MOST_NONCES && oldest !== undefined) heads.delete(oldest)
  heads.add(head.nonce)
  return true
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

/** Returns the names in the request; null = all positions. */
function namesOf(body: unknown): readonly string[] | null {
  const { positions } = (body ?? {}) as Readonly<Record<string, unknown>>
  return Array.isArray(positions) ? positions.filter((name) => typeof name === 'string') : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The field reader reports what is missing.
    return null
  }
}

/** Resolves with null if the body is too large. */
type BodyReader = (request: IncomingMessage) => Promise<string | null>

/** Each body may use `freeBytes`; the excess of all requests in flight may total `sharedBytes`. */
function createBodyReader(freeBytes: number, sharedBytes: number): BodyReader {
  let large = 0
  return async (request) => {
    const chunks: Buffer[] = []
    let size = 0
    let taken = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length
        const more = Math.max(0, size - freeBytes) - taken
        if (size > MOST_BYTES || large + more > sharedBytes) return null
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
