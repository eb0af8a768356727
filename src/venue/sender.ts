import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import type { Ms } from '../base/time.ts'
import { headerOf, SIMULATION_HEADER } from '../base/http/answer.ts'
import { allowedMethods } from '../base/http/methods.ts'
import { prepareRequest, type SentPart, type VenueCall } from './call.ts'
import { malformedFailure, notSentFailure, refusalFailure, silenceFailure } from './failure.ts'
import { err, ok, type Result } from '../base/result.ts'
import { openHttpClient, type HttpCall } from '../base/http/client.ts'
import type { HttpAnswer, Silence } from '../base/http/exchange.ts'
import { interpret } from './interpret.ts'
import { createKeyHolder, type KeyHolder } from './key-holder.ts'
import { createMethodMemory, type MethodMemory, type MethodRetry } from './method-memory.ts'
import type { VenueParts } from './port.ts'
import { relayedRead, type RelayedAnswer, type RelayedRead } from './relay.ts'
import type { VenueSettings } from './settings.ts'

type Answered<Answer> = Promise<Result<Answer, VenueFailure>>

export type VenueSecrets = {
  readonly apiKey: string
  /** Whether calls that pay out are sent, by `withdraw.enabled`; absent = no. */
  readonly mayPayOut?: boolean
}

type SenderSettings = Pick<VenueSettings, 'baseUrl' | 'publicUrl' | 'requestTimeoutMs' | 'slowTimeoutMs'> & {
  /** Returns whether the API has this read. */
  readonly isRead: (read: RelayedRead) => boolean
  /** Returns the headers that hold the key. */
  readonly keyHeaders: (apiKey: string) => Readonly<Record<string, string>>
}

export type Sender = {
  readonly send: <Answer>(call: VenueCall<Answer>) => Answered<Answer>
  readonly readFor: (read: RelayedRead) => Promise<RelayedAnswer | null>
  /** Returns the methods that the venue names for the path of a call, by OPTIONS; null = it names none. */
  readonly methodsOf: (call: VenueCall<unknown>) => Promise<readonly string[] | null>
  /** Returns when requests left with the key that no call asked for, since this was last called. */
  readonly takeAlsoSent: () => readonly Ms[]
  readonly remember: MethodMemory['remember']
  readonly exchangeKey: (apiKey: string) => void
  readonly simulation: () => string | null
  readonly close: () => Promise<void>
}

/** Slow activations and withdrawals must not delay polls, nor one order of a ladder the next. */
const CONNECTIONS = 20
const KEEP_ALIVE_MS = 30_000
/** A larger answer is rejected. The 100 rows of fills have about 60 kB. */
const MAX_ANSWER_BYTES = 2_097_152
const MAX_SIMULATION_LETTERS = 100

/** Creates what a client of any REST venue sends with: key, deadlines, lease, relay, other methods and failures. */
export function createSender(
  settings: SenderSettings,
  { apiKey, mayPayOut = false }: VenueSecrets,
  parts: VenueParts,
): Sender {
  const { now = () => Date.now(), onRequest, onMethod, relay } = parts
  const methods = createMethodMemory(now, onMethod)
  const key = createKeyHolder(apiKey, mayPayOut, settings.keyHeaders)
  const { goOut, close, simulation } = openWire(settings, key, parts)
  const isOpen = settings.publicUrl !== null

  async function readFor(read: RelayedRead): Promise<RelayedAnswer | null> {
    if (!settings.isRead(read) || (read.isPublic && !isOpen)) return null
    const { path, query, isPublic } = read
    const answer = await goOut({ method: 'GET', path, query, isPublic, ...HARMLESS })
    if (!answer?.ok) return answer
    return ok({ ...answer.value, text: key.redact(answer.value.text) })
  }

  /** `isSecond`: a retry with another method, which is not retried again. */
  async function answerTo<Answer>(call: VenueCall<Answer>, isSecond = false): Answered<Answer> {
    if (call.isPublic && !isOpen) return err(notSentFailure(call, 'PUBLIC_URL_OFF', PUBLIC_URL_OFF))
    const read = relayedRead(call)
    const reply = (read === null ? null : await relay?.(read)) ?? (await goOut(call))
    if (reply === null) return err(notSentFailure(call, 'ROUTE_OFF', ROUTE_OFF))
    if (!reply.ok) return err(withoutAnswer(call, reply.error))
    const { status, headers, text } = reply.value
    const answer = isSecond ? null : await methods.tryAnother(call, reply.value, retry)
    if (answer !== null) return answer
    const shown = withoutKey(headers, key.redact)
    return interpret(call, { status, headers: shown, body: key.redact(text), receivedAt: now() })
  }

  const retry: MethodRetry = {
    send: (call) => answerTo(call, true),
    async options({ path, query, isPublic }) {
      const answer = await goOut({ method: 'OPTIONS', path, query, isPublic, ...HARMLESS })
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
    methodsOf: async (call) => allowedMethods((await retry.options(call)) ?? { headers: {} }),
    takeAlsoSent: methods.takeAlsoSent,
    remember: methods.remember,
    exchangeKey: key.exchange,
    simulation,
    close,
  }
}

function withoutKey(headers: HttpAnswer['headers'], redact: (text: string) => string): HttpAnswer['headers'] {
  const { location } = headers
  return typeof location === 'string' ? { ...headers, location: redact(location) } : headers
}

type Wire = {
  /** Returns null if the route is off and nothing was sent. */
  readonly goOut: (call: Outgoing) => Promise<RelayedAnswer | null>
  readonly close: () => Promise<void>
  readonly simulation: Sender['simulation']
}

/** Sends requests with the key, to their origin and within their time limit. */
function openWire(settings: SenderSettings, key: KeyHolder, { beforeSend, gate }: VenueParts): Wire {
  const http = openHttpClient({
    connections: CONNECTIONS,
    keepAliveMs: KEEP_ALIVE_MS,
    timeoutMs: settings.requestTimeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  })

  let simulation: string | null = null
  async function send(
    isPublic: boolean,
    request: Parameters<typeof http.send>[0],
  ): ReturnType<typeof http.send> {
    const reply = await http.send(request)
    // The public endpoint may be another venue's; the money is at the one that takes the key.
    const described = reply.ok && !isPublic ? headerOf(reply.value.headers, SIMULATION_HEADER) : null
    simulation = described?.slice(0, MAX_SIMULATION_LETTERS) ?? simulation
    return reply
  }

  async function goOut(call: Outgoing): Promise<RelayedAnswer | null> {
    const headers = call.isPublic ? {} : key.headersFor(call)
    if (headers === null) return null
    await beforeSend?.(call)
    const usualMs = call.isSlow ? settings.slowTimeoutMs : settings.requestTimeoutMs
    // The public endpoint may have another origin, or another path at the same origin.
    const url = (call.isPublic ? settings.publicUrl : null) ?? settings.baseUrl
    const request = httpRequest(call, url, headers)
    const isRead = call.method === 'GET' || call.method === 'OPTIONS'
    if (gate === undefined || isRead) return send(call.isPublic, { ...request, timeoutMs: usualMs })
    const timeoutMs = (call.sets === undefined ? null : gate.spreadTimeoutMs()) ?? usualMs
    return send(call.isPublic, { ...request, timeoutMs, mayStart: () => gate.mayStart(call.sets) })
  }

  return { goOut, close: http.close, simulation: () => simulation }
}

/** What a request needs besides its key. */
type Outgoing = SentPart & Pick<VenueCall<unknown>, 'isPublic' | 'isSlow' | 'paysOut' | 'sets'>

/** The parts of a read and of OPTIONS. */
const HARMLESS = { isSlow: false, paysOut: false } as const

function httpRequest(call: Outgoing, url: string, keyHeaders: Readonly<Record<string, string>>): HttpCall {
  const request = prepareRequest(url, call)
  const type: Record<string, string> = request.body === null ? {} : { 'content-type': 'application/json' }
  const headers = { accept: 'application/json', ...type, ...keyHeaders }
  return { origin: new URL(url).origin, ...request, method: call.method, headers }
}

const PUBLIC_URL_OFF = 'venue.publicUrl is null, so the public endpoint is off'
const ROUTE_OFF = 'this route is off, nothing was sent; withdraw.enabled in the configuration turns it on'

/** A status that refuses the request is a clear answer, however its body ended. */
function withoutAnswer(call: VenueCall<unknown>, silence: Silence): VenueFailure {
  const { kind, status, words } = silence
  if (status !== null && status >= 400 && status <= 499) {
    return refusalFailure(call, { status, code: null, words, retryAfterMs: null })
  }
  if (kind === 'too-large') return malformedFailure(call, status ?? 200, words, 'NOT_JSON')
  return silenceFailure(call, { kind, words, wasSent: silence.wasSent, status })
}
