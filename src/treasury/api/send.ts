import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../base/backoff.ts'
import type { Ms } from '../../base/time.ts'
import { addressOf, openHttpClient } from '../../base/http/client.ts'
import { createRedactor } from '../../base/http/redactor.ts'
import type { PartnerCall } from './call.ts'
import { interpretPartner, outcomeOfSilence } from './interpret.ts'
import { createLineReader, type StreamLine } from './kit/stream.ts'
import type { PartnerOutcome } from './outcome.ts'
import { DEADLINES_MS, type PartnerSettings } from './settings.ts'

/** Options of a request besides its parameters. */
export type SendOptions = {
  /** The Idempotency-Key; absent on a money route = 128 random bits for this request. */
  readonly key?: string
  /** Receives each line of a stream as it arrives. */
  readonly onLine?: (line: StreamLine) => void
}

export type PartnerParts = {
  /** Our clock, ms since the epoch. */
  readonly now?: () => number
  /** Called after every request with its outcome. */
  readonly onRequest?: (route: string, outcome: PartnerOutcome<unknown>['kind'], seconds: number) => void
  /** Uniform in [0, 1): the jitter of pauses. */
  readonly random?: () => number
  /** Called just before the bytes of a money request are sent; false = it is not sent. Absent = it is sent. */
  readonly mayStart?: () => boolean
}

type Sender = {
  /** Returns one outcome and never rejects. Retries a GET within its deadline; sends any other call once. */
  readonly send: <Answer>(call: PartnerCall<Answer>, options?: SendOptions) => Promise<PartnerOutcome<Answer>>
  readonly close: () => Promise<void>
}

const CONNECTIONS = 8
const KEEP_ALIVE_MS = 30_000
/** A larger answer is not the venue's. */
const MAX_ANSWER_BYTES = 2_097_152
const TRIES = 3
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000
/** A longer Retry-After is returned to the caller instead of waiting. */
const LONGEST_RETRY_AFTER_MS = 60_000

/** Returns 128 random bits that do not depend on the request, so that equal requests have different keys. */
export function randomKey(): string {
  return randomBytes(16).toString('hex')
}

/** Creates the only function that holds the partner's key. */
export function createPartnerSender(settings: PartnerSettings, apiKey: string, parts: PartnerParts): Sender {
  const { now = () => Date.now(), random = Math.random, onRequest, mayStart } = parts
  const { origin, path: basePath } = addressOf(settings.baseUrl)
  const options = {
    connections: CONNECTIONS,
    keepAliveMs: KEEP_ALIVE_MS,
    timeoutMs: DEADLINES_MS.usual,
    maxBytes: MAX_ANSWER_BYTES,
  }
  const [reads, writes] = [openHttpClient({ ...options, mayUseProxy: true }), openHttpClient(options)]
  const closing = new AbortController()
  const redact = createRedactor([apiKey])

  async function exchangeOnce<Answer>(
    call: PartnerCall<Answer>,
    { key, onLine }: SendOptions,
    timeoutMs: Ms,
  ): Promise<PartnerOutcome<Answer>> {
    const reader = onLine === undefined || !call.isStream ? null : createLineReader(onLine)
    const reply = await (call.method === 'GET' ? reads : writes).send({
      origin,
      method: call.method,
      path: `${basePath === '/' ? '' : basePath}${call.path}`,
      headers: { ...headersOf(call, key), ...(call.isPublic ? {} : { authorization: `Bearer ${apiKey}` }) },
      body: call.body,
      timeoutMs,
      ...(call.isMoney && mayStart !== undefined ? { mayStart } : {}),
      onChunk: (chunk, status) => status === 200 && reader?.feed(chunk),
    })
    if (!reply.ok) return outcomeOfSilence(call, reply.error)
    reader?.end()
    return interpretPartner(call, { ...reply.value, text: redact(reply.value.text), receivedAt: now() })
  }

  return {
    send: async (call, { key, ...options } = {}) => {
      const given = call.takesKey ? { ...options, key: key ?? randomKey() } : options
      const began = performance.now()
      for (let tries = 1; ; tries++) {
        const startedAt = performance.now()
        const outcome = await exchangeOnce(call, given, Math.ceil(call.timeoutMs - (startedAt - began)))
        onRequest?.(call.route, outcome.kind, (performance.now() - startedAt) / 1_000)
        const pauseMs = call.method === 'GET' && tries < TRIES ? pauseAfter(outcome, tries, random) : null
        if (pauseMs === null || performance.now() - began + pauseMs >= call.timeoutMs) return outcome
        const isOpen = await pause(pauseMs, true, { signal: closing.signal }).catch(() => false)
        if (!isOpen) return outcome
      }
    },
    close: async () => {
      closing.abort()
      await Promise.all([reads.close(), writes.close()])
    },
  }
}

function headersOf(call: PartnerCall<unknown>, key: string | undefined): Record<string, string> {
  return {
    accept: call.isStream ? 'text/event-stream, application/json' : 'application/json',
    ...(call.body === null ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...call.headers,
  }
}

/** Returns the pause before a read is retried; null = a retry would not help, or not soon. */
function pauseAfter(outcome: PartnerOutcome<unknown>, tries: number, random: () => number): Ms | null {
  if (outcome.kind === 'answered') return null
  if (outcome.kind === 'refused' && outcome.retry !== 'backoff') return null
  // A second read would return the same invalid body.
  if (outcome.kind === 'unknown' && outcome.status !== null && outcome.status < 300) return null
  const asked = outcome.kind === 'refused' ? (outcome.retryAfterMs ?? 0) : 0
  if (asked > LONGEST_RETRY_AFTER_MS) return null
  return Math.max(asked, random() * backoffMs(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS))
}
