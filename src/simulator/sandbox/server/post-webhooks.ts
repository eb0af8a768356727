import { createHmac } from 'node:crypto'
import type { VenueModel } from '../model.ts'
import type { WebhookEvent } from '../partner/model/partner.ts'
import type { VenueClock } from './venue-clock.ts'

type WebhookPoster = {
  /** Posts due events, and wakes again when the next one is due. Call it after every change. */
  readonly look: () => void
  /** Stops posting and aborts requests in flight. */
  readonly stop: () => void
}

/** A slower answer counts as no answer. */
const ANSWER_WITHIN_MS = 10_000

/**
 * Posts the events of the partner API over real HTTP, signed as in the contract: hex HMAC-SHA256 of `timestamp.body`.
 * The timestamp is the wall clock at the attempt, which the receiver compares with its own; the event's content uses
 * the venue's virtual time. Retries an event without a 2xx answer, with growing pauses.
 */
export function startWebhooks(model: VenueModel, clock: VenueClock): WebhookPoster {
  const stopped = new AbortController()
  let wakesAt = Number.POSITIVE_INFINITY
  const look = () => {
    for (const event of model.partner.outbox.splice(0)) void deliver(model, event, stopped.signal)
    const dueAt = model.state.timeline.peekAt()
    if (dueAt >= wakesAt || !hasReceiver(model)) return
    wakesAt = dueAt
    void clock.until(dueAt).then((isReached) => {
      if (wakesAt === dueAt) wakesAt = Number.POSITIVE_INFINITY
      if (!isReached) return
      model.advanceTo(clock.now())
      look()
    })
  }
  return { look, stop: () => stopped.abort() }
}

function hasReceiver({ partner }: VenueModel): boolean {
  return [...partner.partners.values()].some(({ webhookUrl }) => webhookUrl !== null)
}

async function deliver(model: VenueModel, event: WebhookEvent, signal: AbortSignal): Promise<void> {
  const { webhookRetryMs, webhookTimestamp } = model.partner.options
  const { url, secret, text } = event
  if (url === null) return
  // The measured venue tries three times: at once, after 30 s and after 120 s.
  const [webhookRetries, firstMs, growth] =
    model.state.options.venue === 'measured'
      ? [2, 30_000, 4]
      : [model.partner.options.webhookRetries, webhookRetryMs, 2]
  for (let attempt = 0; attempt <= webhookRetries && !signal.aborted; attempt++) {
    if (attempt > 0) await pause(firstMs * growth ** (attempt - 1), signal)
    const timestamp = timestampText(Date.now(), webhookTimestamp)
    const signature = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex')
    if (await post(url, text, { timestamp, signature }, signal)) return
  }
}

function timestampText(now: number, form: 'seconds' | 'milliseconds' | 'iso'): string {
  if (form === 'iso') return new Date(now).toISOString()
  return String(form === 'seconds' ? Math.floor(now / 1_000) : now)
}

/** Returns whether the answer was 2xx; false if the receiver is unreachable. */
async function post(
  url: string,
  body: string,
  { timestamp, signature }: { readonly timestamp: string; readonly signature: string },
  signal: AbortSignal,
): Promise<boolean> {
  const headers = {
    'content-type': 'application/json',
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
  }
  const ends = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)])
  try {
    const answered = await fetch(url, { method: 'POST', headers, body, signal: ends, redirect: 'manual' })
    await answered.body?.cancel()
    return answered.ok
  } catch {
    return false
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
