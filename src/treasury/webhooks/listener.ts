import type { IncomingMessage, ServerResponse } from 'node:http'
import { err, ok, type Result } from '../../base/result.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import {
  closeServer,
  type ConnectionLimits,
  createLimitedServer,
  listenOn,
  type Visitor,
} from '../../base/http/limit-connections.ts'
import { type WebhookDelivery, readDelivery } from './delivery.ts'
import type { Taken } from './delivery-memory.ts'
import { type SignatureRefusal, verifyWebhookSignature } from './signature.ts'

/** Why a request is refused. `flood`: too many; `size`: over 64 kB; `broken`: the body did not arrive. */
export type WebhookRefusal = SignatureRefusal | 'flood' | 'size' | 'broken' | 'method'

type WebhookSettings = {
  readonly host: string
  readonly port: number
  readonly secrets: readonly { readonly reveal: () => string }[]
  readonly toleranceMs: Ms
}

type WebhookListenerParts = {
  readonly settings: WebhookSettings
  /** The machine's clock, because signatures contain the venue's time. */
  readonly wall: () => Ms
  /** Stores a delivery; resolves once it is durable. Never rejects. */
  readonly take: (delivery: WebhookDelivery) => Promise<Taken>
  readonly onRefused: (why: WebhookRefusal) => void
  readonly limits?: Partial<ConnectionLimits>
}

/** Counts since the start. */
export type WebhookCounts = {
  readonly kept: number
  readonly repeated: number
  readonly lost: number
  readonly refused: Readonly<Partial<Record<WebhookRefusal, number>>>
  /** By index of the secret, which shows when an old one is unused and can be removed. */
  readonly bySecret: readonly number[]
}

export type WebhookListener = {
  readonly port: number
  readonly counts: () => WebhookCounts
  readonly close: () => Promise<void>
}

const MAX_BYTES = 64 * 1024
/** A venue with a thousand payouts a day sends about one webhook a minute; the rest is for bursts of repeats. */
const MOST_PER_MINUTE = 600
const IDLE_MS = 15 * SECOND_MS
const MOST_CONNECTIONS = 256

/** The status of each refusal; the venue repeats a delivery until it receives 200. */
const STATUS: Readonly<Record<WebhookRefusal, number>> = {
  method: 405,
  headers: 400,
  broken: 400,
  forged: 401,
  stale: 401,
  size: 413,
  flood: 429,
}

type Counters = {
  -readonly [count in Exclude<keyof WebhookCounts, 'refused' | 'bySecret'>]: number
} & { refused: Partial<Record<WebhookRefusal, number>>; bySecret: number[] }

/**
 * Listens for webhooks on a separate port. Answers 200 only once the delivery is durable, and does nothing for senders
 * without a secret. Uses Node's server directly, because the signature covers the received bytes.
 */
export async function openWebhookListener(
  parts: WebhookListenerParts,
): Promise<Result<WebhookListener, string>> {
  const { settings } = parts
  const counters: Counters = {
    kept: 0,
    repeated: 0,
    lost: 0,
    refused: {},
    bySecret: settings.secrets.map(() => 0),
  }
  const admit = createFloodGuard()
  const server = createLimitedServer(
    (request, response, visitor) => {
      void answer(parts, counters, { admit, visitor }, request, response)
    },
    { most: MOST_CONNECTIONS, idleMs: IDLE_MS, ...parts.limits },
  )
  const { host, port } = settings
  const listening = await listenOn(server, { host, port })
  if (!listening.ok)
    return err(`the listener for webhooks cannot open ${host}:${port} (${listening.error.message})`)
  return ok({
    port: listening.value,
    counts: () => ({
      ...counters,
      refused: { ...counters.refused },
      bySecret: [...counters.bySecret],
    }),
    close: () => closeServer(server),
  })
}

async function answer(
  { settings, wall, take, onRefused }: WebhookListenerParts,
  counters: Counters,
  { admit, visitor }: { readonly admit: (now: Ms) => boolean; readonly visitor: Visitor },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (why: WebhookRefusal) => {
    counters.refused[why] = (counters.refused[why] ?? 0) + 1
    onRefused(why)
    send(response, STATUS[why], { error: why })
  }
  const now = wall()
  if (request.method !== 'POST') return refuse('method')
  const body = await readBody(request)
  if (!body.ok) return refuse(body.error)
  const verified = verifyWebhookSignature(
    { headers: request.headersDistinct, rawBody: body.value },
    { secrets: settings.secrets.map((one) => one.reveal()), toleranceMs: settings.toleranceMs, now },
  )
  if (!verified.ok) return refuse(verified.error)
  visitor.admit(false)
  // Only signed deliveries count, so that a stranger cannot use up the venue's limit.
  if (!admit(now)) return refuse('flood')
  counters.bySecret[verified.value] = (counters.bySecret[verified.value] ?? 0) + 1
  const taken = await take(readDelivery(body.value))
  counters[taken] += 1
  if (taken === 'lost') send(response, 503, { error: 'not kept; send it again' })
  else send(response, 200, { received: true })
}

/** Reads the body up to the size limit. */
async function readBody(request: IncomingMessage): Promise<Result<Buffer, 'size' | 'broken'>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return err('size')
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      const piece = chunk as Buffer
      bytes += piece.length
      if (bytes > MAX_BYTES) return err('size')
      chunks.push(piece)
    }
  } catch {
    // The sender aborted: there is nothing to verify.
    return err('broken')
  }
  return ok(Buffer.concat(chunks))
}

function send(response: ServerResponse, status: number, body: Readonly<Record<string, unknown>>): void {
  // A refused body stays unread, so the connection ends with the answer.
  const headers =
    status === 200 ? {} : { connection: 'close', ...(status === 429 ? { 'retry-after': '60' } : {}) }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Returns a function that returns whether this minute admits another delivery. */
function createFloodGuard(): (now: Ms) => boolean {
  let minute = 0
  let count = 0
  return (now) => {
    const current = Math.floor(now / MINUTE_MS)
    if (current !== minute) [minute, count] = [current, 0]
    count += 1
    return count <= MOST_PER_MINUTE
  }
}
