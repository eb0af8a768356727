import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import type { Ms } from '../base/time.ts'
import { allowedMethods } from '../base/http/methods.ts'
import type { VenueCall } from './call.ts'
import { malformedFailure, refusalFailure, silenceFailure } from './failure.ts'
import { err, ok, type Result } from '../base/result.ts'
import { openHttpClient, type HttpCall, type HttpClient } from '../base/http/client.ts'
import type { Silence } from '../base/http/exchange.ts'
import { createVenueCalls, createMethods, type EndpointMethods, type VenueCalls } from './endpoints.ts'
import { createFillsWindow, type FillsWindow } from './fills-window.ts'
import { interpret } from './interpret.ts'
import { createKeyHolder, type DangerousRoute, type KeyHolder } from './key-holder.ts'
import { createMethodMemory, type MethodDoor, type MethodMemory } from './method-memory.ts'
import { isReadOfApi, relayedRead, type Relay, type RelayedAnswer, type RelayedRead } from './relay.ts'
import { venueSettingsSchema, type VenueSettings, type VenueSettingsInput } from './settings.ts'

function routeOff(call: VenueCall<unknown>): VenueFailure {
  const message = `${call.route}: this route is off, nothing was sent; withdraw.enabled in the configuration turns it on`
  const refused = { status: 403, code: 'ROUTE_OFF', words: '', retryAfterMs: null }
  return { ...refusalFailure(call, refused), kind: 'refused', status: null, message }
}

type Answered<Answer> = Promise<Result<Answer, VenueFailure>>

/** One method an endpoint. None ever rejects, none sends twice, and nothing of it holds the key. */
export type VenueClient = EndpointMethods & {
  readonly settings: VenueSettings
  /** The endpoints as calls, for anyone who has one to `send`. */
  readonly calls: VenueCalls
  /** What the fills polls of this client have shown so far. */
  readonly fillsWindow: FillsWindow
  /** Any call; the methods of the endpoints are short for it. */
  send<Answer>(call: VenueCall<Answer>): Answered<Answer>
  /** Sends a read for a command, with this client's key; null = it is no read of this API. */
  readFor(read: RelayedRead): Promise<RelayedAnswer | null>
  /** Which methods the venue names for the path of a call, by OPTIONS; null = it names none. */
  methodsOf(call: VenueCall<unknown>): Promise<readonly string[] | null>
  /** The method by which the venue took /activate before this process. */
  rememberActivate(method: VenueCall<unknown>['method']): void
  /** When requests of the key left that no call asked for, since this was last taken. */
  takeAlsoSent(): readonly Ms[]
  /** From the next request on another key of the same account. */
  exchangeKey(apiKey: string): void
  /** Breaks off what is under way and closes every connection. */
  close(): Promise<void>
}

export type VenueClientSecrets = {
  readonly apiKey: string
  /** Routes that are off unless they are named: `withdraw.enabled` turns POST /withdraw on. */
  readonly allows?: readonly DangerousRoute[]
}

/** As much of a write as a lease looks at. */
export type GatedWrite = Pick<VenueCall<unknown>, 'path' | 'body'>

/** What a lease allows of the writes of a client. */
export type WriteGate = {
  /** False = the lease is not held, or would end before the write; absent = asked for no write in particular. */
  readonly mayStart: (write?: GatedWrite) => boolean
  /** The time-out of PATCH /spread under the lease; null = the usual one. */
  readonly spreadTimeoutMs: () => number | null
}

export type VenueClientParts = {
  /** Our clock, ms since the epoch. */
  readonly now?: () => number
  /** Told after every request: outcome is `ok` or the failure's kind. */
  readonly onRequest?: (route: string, outcome: 'ok' | VenueFailure['kind'], seconds: number) => void
  /** Told once a route: the venue takes another method than the one it refused. */
  readonly onMethod?: (route: string, method: string) => void
  /** Where reads go first: to a daemon that has this key's budget. */
  readonly relay?: Relay
  /** Under a lease: which writes may leave, asked just before their bytes. Absent = all. */
  readonly gate?: WriteGate
  /** Waits until the budget has room for what goes out by itself. */
  readonly beforeSend?: (call: Pick<VenueCall<unknown>, 'isPublic'>) => Promise<void>
}

/** A slow activation or withdrawal must not hold up the polls, nor one order of a ladder the next. */
const CONNECTIONS = 20
const KEEP_ALIVE_MS = 30_000

/** Throws ZodError for invalid settings: they were validated with the configuration. */
export function createVenueClient(
  input: VenueSettingsInput,
  secrets: VenueClientSecrets,
  parts: VenueClientParts = {},
): VenueClient {
  const settings = venueSettingsSchema.parse(input)
  const sender = createSender(settings, secrets, parts)
  const calls = createVenueCalls(settings)
  return {
    settings,
    calls,
    fillsWindow: createFillsWindow(),
    ...createMethods(calls, sender.send),
    ...sender,
    rememberActivate: (method) => sender.remember(calls.activate(true).path, method),
  }
}

type Sender = Pick<
  VenueClient,
  'send' | 'readFor' | 'methodsOf' | 'takeAlsoSent' | 'exchangeKey' | 'close'
> & {
  readonly remember: MethodMemory['remember']
}

function createSender(
  settings: VenueSettings,
  { apiKey, allows = [] }: VenueClientSecrets,
  parts: VenueClientParts,
): Sender {
  const { now = () => Date.now(), onRequest, onMethod, relay } = parts
  const methods = createMethodMemory(now, onMethod)
  const key = createKeyHolder(apiKey, allows)
  const { goOut, close } = openWire(settings, key, parts)
  const isOpen = settings.publicUrl !== null

  async function readFor(read: RelayedRead): Promise<RelayedAnswer | null> {
    if (!isReadOfApi(read, settings) || (read.isPublic && !isOpen)) return null
    const { path, query, isPublic } = read
    const answer = await goOut({ method: 'GET', path, query, isPublic, isSlow: false })
    if (answer === null || !answer.ok) return answer
    return ok({ ...answer.value, text: key.redact(answer.value.text) })
  }

  /** `isSecond`: after a refusal of the method, which is not exchanged again. */
  async function answerTo<Answer>(call: VenueCall<Answer>, isSecond = false): Answered<Answer> {
    if (call.isPublic && !isOpen) return err(publicUrlOff(call))
    const read = relayedRead(call)
    const reply = (read === null ? null : await relay?.(read)) ?? (await goOut(call))
    if (reply === null) return err(routeOff(call))
    if (!reply.ok) return err(withoutAnswer(call, reply.error))
    const { status, headers, text } = reply.value
    const answer = isSecond ? null : await methods.tryAnother(call, reply.value, door)
    if (answer !== null) return answer
    const { location } = headers
    const shown = typeof location === 'string' ? { ...headers, location: key.redact(location) } : headers
    return interpret(call, { status, headers: shown, body: key.redact(text), receivedAt: now() })
  }

  const door: MethodDoor = {
    send: (call) => answerTo(call, true),
    async options({ path, query, isPublic }) {
      const answer = await goOut({ method: 'OPTIONS', path, query, isPublic, isSlow: false })
      return answer?.ok === true ? answer.value : null
    },
  }

  return {
    send: async (wanted) => {
      const call = methods.apply(wanted)
      const began = performance.now()
      const result = await answerTo(call)
      onRequest?.(call.route, result.ok ? 'ok' : result.error.kind, (performance.now() - began) / 1_000)
      return result
    },
    readFor,
    methodsOf: async (call) => allowedMethods((await door.options(call)) ?? { headers: {} }),
    takeAlsoSent: methods.takeAlsoSent,
    remember: methods.remember,
    exchangeKey: key.exchange,
    close,
  }
}

type Wire = {
  /** Null = the route is off, and nothing was sent. */
  readonly goOut: (call: Outgoing) => Promise<RelayedAnswer | null>
  readonly close: () => Promise<void>
}

/** Sends requests with the key, to their origin and within their time limit. */
function openWire(settings: VenueSettings, key: KeyHolder, { beforeSend, gate }: VenueClientParts): Wire {
  const http = openHttp(settings)
  const keyed = placeOf(settings.baseUrl)
  const open = settings.publicUrl === null ? null : placeOf(settings.publicUrl)

  async function goOut(call: Outgoing): Promise<RelayedAnswer | null> {
    const headers = call.isPublic ? {} : key.headersFor(call)
    if (headers === null) return null
    const place = call.isPublic ? (open ?? keyed) : keyed
    await beforeSend?.(call)
    const usualMs = call.isSlow ? settings.slowTimeoutMs : settings.requestTimeoutMs
    const request = httpRequest(call, place, headers)
    if (gate === undefined || !isWrite(call)) return http.send({ ...request, timeoutMs: usualMs })
    const timeoutMs = (call.path.endsWith('/spread') ? gate.spreadTimeoutMs() : null) ?? usualMs
    return http.send({ ...request, timeoutMs, mayStart: () => gate.mayStart(call) })
  }

  return { goOut, close: http.close }
}

function openHttp({ requestTimeoutMs, maxAnswerBytes }: VenueSettings): HttpClient {
  return openHttpClient({
    connections: CONNECTIONS,
    keepAliveMs: KEEP_ALIVE_MS,
    timeoutMs: requestTimeoutMs,
    maxBytes: maxAnswerBytes,
  })
}

/** The part of a call that is sent. OPTIONS asks for the methods of a path. */
type Outgoing = Pick<VenueCall<unknown>, 'path' | 'query' | 'body' | 'isPublic' | 'isSlow'> & {
  readonly method: VenueCall<unknown>['method'] | 'OPTIONS'
}

function isWrite({ method }: Pick<Outgoing, 'method'>): boolean {
  return method !== 'GET' && method !== 'OPTIONS'
}

/** Where requests go: the public endpoint may be at another origin, or at the same one below another path. */
type Place = { readonly origin: string; readonly basePath: string }

function placeOf(url: string): Place {
  const { origin, pathname } = new URL(url)
  return { origin, basePath: pathname.replace(/\/+$/, '') }
}

function httpRequest(
  { method, path, query, body }: Outgoing,
  { origin, basePath }: Place,
  headers: Readonly<Record<string, string>>,
): HttpCall {
  const text = new URLSearchParams(query).toString()
  return {
    origin,
    method,
    path: `${basePath}${path}${text === '' ? '' : `?${text}`}`,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

function publicUrlOff(call: VenueCall<unknown>): VenueFailure {
  const { route } = call
  const message = `${route}: venue.publicUrl is null, so the public endpoint is off`
  return {
    ...refusalFailure(call, { status: 404, code: 'PUBLIC_URL_OFF', words: '', retryAfterMs: null }),
    status: null,
    message,
  }
}

/** A status that already says no is a clear answer, however its body ended. */
function withoutAnswer(call: VenueCall<unknown>, silence: Silence): VenueFailure {
  const { kind, status, words } = silence
  if (status !== null && status >= 400 && status <= 499) {
    return refusalFailure(call, { status, code: null, words, retryAfterMs: null })
  }
  if (kind === 'too-large') return malformedFailure(call, status ?? 200, words, 'NOT_JSON')
  return silenceFailure(call, { kind, words, wasSent: silence.wasSent, status })
}
