import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND_MS, type Ms } from '../../base/time.ts'
import { isProven, proofAnswer } from './auth/daemon-proof.ts'
import { STOP_PATHS } from './commands/operator-commands.ts'
import { retryAfterOf } from '../../base/http/answer.ts'
import { openHttpClient, type HttpClient } from '../../base/http/client.ts'
import type { HttpAnswer, HttpRequest, Silence } from '../../base/http/exchange.ts'

/** The daemon's answer. `status` is null when a program accepted the connection and never answered. */
export type DaemonAnswer = {
  readonly status: number | null
  readonly body: unknown
  /** The program on the port did not prove that it knows the token, or is silent, so nothing was sent: it may not be a daemon. */
  readonly isStranger?: true
}

/** Address of a daemon, and the token for it; null = no token, for reads on loopback. */
export type DaemonPlace = {
  readonly url: string
  readonly token: string | null
  /** A Unix socket that only this user can have created; it is tried before the port. Absent or null = the daemon has no socket. */
  readonly socket?: string | null
  /** The operator chose this address, so a 404 is the answer of the right daemon. */
  readonly isChosen?: boolean
  /** Returns whether a daemon holds the store; then a refused connection is retried. */
  readonly isHeld?: () => boolean
}

const READ_TIMEOUT_MS = 5_000
/** After this time the port is tried. */
const SOCKET_TIMEOUT_MS = 3_000
/** More than any answer of the daemon. */
const MOST_BYTES = 64 * 1_024 * 1_024
const NONCE_BYTES = 32
/** The daemon waits this long for the venue. */
const COMMAND_TIMEOUT_MS = 190_000
/** Retry time for temporary refusals. */
const PATIENCE_MS = { GET: 2 * SECOND_MS, POST: 10 * SECOND_MS }
const REFUSED_PATIENCE_MS = 3 * SECOND_MS
const FIRST_PAUSE_MS = 100

/** Returns whether the path is a stop, which may be sent again even if the first copy may have arrived: every copy is executed. */
export function isStopRoute(path: string): boolean {
  return STOP_PATHS.some((name) => path === `/api/v1/${name}`)
}

/** `again`: why it may be tried again; null = the answer is final. */
type Attempt = {
  readonly answer: DaemonAnswer | null
  readonly again: 'refused' | 'busy' | 'cut' | null
  /** The wait that the daemon requested. */
  readonly waitMs?: Ms
}

/**
 * Sends a request to a daemon over its socket, or over its port once the daemon has proven that it knows the token. Retries after 429, 5xx
 * and refused or cut connections, within `PATIENCE_MS`. Returns null if no daemon runs there, or one with other positions. Never throws.
 */
export async function askDaemonAt(
  place: DaemonPlace,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<DaemonAnswer | null> {
  const headers = { accept: 'application/json', ...(body === undefined ? {} : JSON_BODY), ...more }
  const request = { method, path, headers, body: body === undefined ? null : JSON.stringify(body) }
  const began = performance.now()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const { answer, again, waitMs = 0 } = await askOnce(place, request)
    const patienceMs = again === 'refused' ? REFUSED_PATIENCE_MS : PATIENCE_MS[method]
    const nextMs = Math.max(pauseMs, waitMs)
    const canHelp =
      again === 'refused'
        ? place.isHeld?.() === true
        : again !== 'cut' || method === 'GET' || isStopRoute(path)
    if (again === null || !canHelp || performance.now() + nextMs > began + patienceMs)
      return withWait(answer, waitMs)
    await pause(nextMs)
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

function withWait(answer: DaemonAnswer | null, waitMs: Ms): DaemonAnswer | null {
  if (answer?.status !== 429 || waitMs === 0) return answer
  const { message = 'too many requests' } = (answer.body ?? {}) as { readonly message?: string }
  return {
    ...answer,
    body: { message: `${message} (try again in ${Math.ceil(waitMs / SECOND_MS)} s)` },
  }
}

type Request = HttpRequest & { readonly method: 'GET' | 'POST' }

async function askOnce(place: DaemonPlace, request: Request): Promise<Attempt> {
  const { url, socket = null, token, isChosen = false } = place
  if (socket !== null && !silentSockets.has(socket)) {
    // Only this user can have created the socket, so the daemon need not prove that it knows the token.
    const attempt = await over({ socketPath: socket }, (http) => askBySocket(http, socket, token, request))
    if (attempt.answer !== null) return attempt
  }
  return over({}, (http) => askByPort(http, url, token, request, isChosen))
}

/** Sockets whose process accepts connections but does not answer; each is waited for only once. */
const silentSockets = new Set<string>()

async function askBySocket(
  http: HttpClient,
  socket: string,
  token: string | null,
  request: Request,
): Promise<Attempt> {
  const isAlive = { origin: SOCKET_ORIGIN, method: 'GET', path: '/healthz', headers: {}, body: null } as const
  const alive = await http.send({ ...isAlive, timeoutMs: SOCKET_TIMEOUT_MS })
  // The socket is in the store's folder, so the daemon that answers there runs the positions of that store.
  if (alive.ok) return send(http, SOCKET_ORIGIN, token, request, true)
  if (alive.error.kind === 'timeout') silentSockets.add(socket)
  return { answer: null, again: null }
}

const SOCKET_ORIGIN = 'http://localhost'

async function over(
  where: { readonly socketPath?: string },
  ask: (http: HttpClient) => Promise<Attempt>,
): Promise<Attempt> {
  // A busy daemon delays the proof's connection, which carries no token; it reads a new one with a token at once.
  const own = { connections: 1, keepAliveMs: 0 }
  const http = openHttpClient({ ...own, timeoutMs: READ_TIMEOUT_MS, maxBytes: MOST_BYTES, ...where })
  try {
    return await ask(http)
  } finally {
    await http.close()
  }
}

async function askByPort(
  http: HttpClient,
  url: string,
  token: string | null,
  request: Request,
  isOurs: boolean,
): Promise<Attempt> {
  if (token === null) return send(http, url, null, request, isOurs)
  const proof = await provesItself(http, url, token)
  if (proof === 'proven') return send(http, url, token, request, isOurs)
  if (proof !== 'unproven') return proof
  if (request.method === 'GET') return send(http, url, null, request, isOurs)
  return { answer: { status: 403, body: { message: unproven(url) }, isStranger: true }, again: null }
}

async function send(
  http: HttpClient,
  origin: string,
  token: string | null,
  { headers, ...request }: Request,
  isOurs: boolean,
): Promise<Attempt> {
  const timeoutMs = request.method === 'GET' ? READ_TIMEOUT_MS : COMMAND_TIMEOUT_MS
  const bearer: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await http.send({ ...request, origin, headers: { ...headers, ...bearer }, timeoutMs })
  return answer.ok ? read(answer.value, isOurs) : silence(answer.error, origin, '')
}

function read({ status, headers, text }: HttpAnswer, isOurs: boolean): Attempt {
  const body = parse(text)
  if (isBusy(status, body))
    return { answer: { status, body }, again: 'busy', waitMs: retryAfterOf(headers, Date.now()) ?? 0 }
  const isKept = isOurs ? typeof body === 'object' && body !== null : !isOfAnother(status, body)
  return { answer: isKept ? { status, body } : null, again: null }
}

/** Returns whether the daemon was too busy for a command. An answer with `accepted` is final, whatever its status. */
function isBusy(status: number, body: unknown): boolean {
  const isOutcome = typeof body === 'object' && body !== null && 'accepted' in body
  return status === 429 || (status >= 500 && !isOutcome)
}

function silence(error: Silence, url: string, what: string): Attempt {
  if (isUnreachable(error)) return { answer: null, again: 'refused' }
  const answer = { status: null, body: { error: `no answer from ${url} (${error.code})${what}` } }
  return { answer, again: error.kind === 'network' ? 'cut' : null }
}

/** Requests a proof that the program on the port knows the token, without sending the token. */
async function provesItself(
  http: HttpClient,
  url: string,
  token: string,
): Promise<'proven' | 'unproven' | Attempt> {
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const path = `/api/v1/proof?nonce=${nonce}`
  const answer = await http.send({ origin: url, method: 'GET', path, headers: {}, body: null })
  if (!answer.ok) {
    const { answer: silent, again } = silence(answer.error, url, '; nothing was sent')
    // Nothing has been sent yet, so a cut connection counts as refused.
    return {
      answer: silent === null ? null : { ...silent, status: 503, isStranger: true },
      again: again === 'cut' ? 'busy' : again,
    }
  }
  const proof = proofAnswer.safeParse(parse(answer.value.text))
  if (!proof.success) {
    const attempt = read(answer.value, false)
    return attempt.again === 'busy' ? attempt : 'unproven'
  }
  const { protocol, port } = new URL(url)
  // Over https the certificate proves the host, and a proxy may listen on a different port from the daemon behind it.
  const proven = (protocol === 'https:' ? proof.data.port : undefined) ?? Number(port)
  return (await isProven(proof.data, token, nonce, proven)) ? 'proven' : 'unproven'
}

function unproven(url: string): string {
  return `the program that answers at ${url} does not prove that it knows this token, so the token was not sent: another program uses the port, or the daemon has another token`
}

/** Port 0 yields `EADDRNOTAVAIL`: the daemon listens on a free port that is unknown here. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'EHOSTUNREACH', 'ENOTFOUND', 'ENOENT'])

/** Returns whether no program accepted the connection. */
function isUnreachable({ kind, code, wasSent }: Silence): boolean {
  return UNREACHABLE.has(code) || (kind === 'timeout' && !wasSent)
}

/** Returns whether another program has the port: a daemon of other positions, or no daemon. */
function isOfAnother(status: number, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return true
  // A 404 with `no-treasury` is a real answer: our daemon refuses a treasury command because it has no treasury.
  return status === 404 && (body as { readonly error?: unknown }).error !== 'no-treasury'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the program on the port is not a mizani daemon.
    return null
  }
}
