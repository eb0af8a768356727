import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { backoff, type BackoffSettings, hourlyLimit, type HourlyLimit } from './send-limits.ts'
import { createDigest, type Digest } from './digest.ts'
import type { Channel, Delivery, Message } from '../message/message.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/**
 * The outcome of a message: `retry` = one attempt failed; `held` = it becomes part of a summary because of the limit, quiet hours, a
 * failing channel or a refusal; `lost` = the process ended.
 */
export const SEND_OUTCOMES = ['sent', 'retry', 'refused', 'failed', 'held', 'lost'] as const
export type SendOutcome = (typeof SEND_OUTCOMES)[number]

type ChannelQueueParts = {
  readonly channel: Channel
  readonly maxPerHour: number
  /** Whether only urgent messages may be sent now. */
  readonly isQuiet: (now: Ms) => boolean
  readonly now: () => Ms
  readonly random: () => number
  readonly backoff: BackoffSettings
  /** Builds one message for everything that was held back. */
  readonly summarise: (held: Pick<Message, 'severity' | 'count' | 'first' | 'last'>) => Message
  /** `messages` = the number of messages concerned; `why` is null only for `sent`. */
  readonly onOutcome: (outcome: SendOutcome, messages: number, why: string | null) => void
}

/** The bounded queue of one channel: sends messages one after another, in order. */
export type ChannelQueue = {
  readonly offer: (message: Message) => void
  /** The number of unsent messages, including those held for a summary. */
  readonly pending: () => number
  /** Whether its last attempt failed. */
  readonly isFailing: () => boolean
  /** Resolves when everything was sent or the time is up; nothing is sent afterwards. */
  readonly close: (withinMs: Ms) => Promise<void>
}

type Item = { readonly message: Message; readonly putBack: (() => void) | null; attempts: number }

type Queue = ChannelQueueParts & {
  readonly limit: HourlyLimit
  readonly held: Digest
  readonly waiting: Message[]
  current: Item | null
  isSending: boolean
  isClosed: boolean
  failures: number
  /** On the monotonic clock. */
  notBefore: Ms
  /** For summaries only: a summary refused for its content must not use up the share of the messages behind it. */
  summaryNotBefore: Ms
  refusedSummaries: number
  timer: NodeJS.Timeout | undefined
  /** Called when the queue is empty. */
  onIdle: () => void
}

const MOST_WAITING = 50
const MOST_ATTEMPTS = 6
/** How often held messages are checked. */
const POLL_MS = 15 * SECOND_MS

export function channelQueue(parts: ChannelQueueParts): ChannelQueue {
  const queue: Queue = {
    ...parts,
    limit: hourlyLimit(parts.maxPerHour),
    held: createDigest(),
    waiting: [],
    current: null,
    isSending: false,
    isClosed: false,
    failures: 0,
    notBefore: 0,
    summaryNotBefore: 0,
    refusedSummaries: 0,
    timer: undefined,
    onIdle: () => undefined,
  }
  return {
    offer(message) {
      if (queue.isClosed) return
      queue.waiting.push(message)
      if (queue.waiting.length > MOST_WAITING) holdOldest(queue)
      void sendWaiting(queue)
    },
    pending: () => pendingOf(queue),
    isFailing: () => queue.failures > 0,
    close: (withinMs) => close(queue, withinMs),
  }
}

/** Sends while there is something that may be sent now. */
async function sendWaiting(queue: Queue): Promise<void> {
  if (queue.isSending) return
  queue.isSending = true
  try {
    while (!queue.isClosed && performance.now() >= queue.notBefore) {
      queue.current ??= choose(queue)
      if (queue.current === null) break
      settle(queue, queue.current, await attemptSend(queue.channel, queue.current.message))
    }
  } finally {
    queue.isSending = false
  }
  if (queue.current === null && queue.waiting.length === 0) queue.onIdle()
  wake(queue)
}

/** Sends a message. One that cannot be serialized is refused, so that it does not block those behind it. */
export async function attemptSend(channel: Channel, message: Message): Promise<Delivery> {
  try {
    return await channel.send(message)
  } catch {
    return { outcome: 'refused', why: 'the message could not be written', isContent: true }
  }
}

function wake(queue: Queue): void {
  clearTimeout(queue.timer)
  if (queue.isClosed || (queue.current === null && queue.waiting.length === 0 && queue.held.isEmpty())) return
  const pauseMs = Math.min(Math.max(queue.notBefore - performance.now(), 0) || POLL_MS, 3_600_000)
  queue.timer = runAfter(() => sendWaiting(queue), pauseMs).unref()
}

/** Chooses the next message, oldest first; messages that may not be sent alone join the held ones. */
function choose(queue: Queue): Item | null {
  const { waiting, held, limit } = queue
  const now = queue.now()
  for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
    const isUrgent = isUrgentMessage(head)
    const summary = isUrgent || held.isEmpty() ? null : summaryOf(queue, now)
    if (summary !== null) return summary
    waiting.shift()
    const why = reasonToHold(queue, isUrgent, now)
    if (why === null) {
      limit.note(now)
      return { message: head, putBack: null, attempts: 0 }
    }
    hold(queue, head, why)
  }
  return summaryOf(queue, now)
}

function summaryOf(queue: Queue, now: Ms): Item | null {
  const { held, limit } = queue
  if (held.isEmpty() || performance.now() < queue.summaryNotBefore) return null
  const severity = held.worst()
  const isUrgent = severity === 'critical'
  if (reasonToHold(queue, isUrgent, now) !== null) return null
  limit.note(now)
  const { count, since, lines, putBack } = held.take()
  const text = [`${count} messages were not sent individually:`, ...lines].join('\n')
  const message = queue.summarise({ severity, count, first: { t: since, text }, last: { t: now, text } })
  return { message, putBack, attempts: 0 }
}

/** Returns why a message has to be held; null = it may be sent now. */
function reasonToHold({ limit, isQuiet }: Queue, isUrgent: boolean, now: Ms): string | null {
  if (!limit.allows(now, isUrgent)) return 'it has had maxPerHour messages'
  return !isUrgent && isQuiet(now) ? 'it is within quietHours' : null
}

function settle(queue: Queue, item: Item, delivery: Delivery): void {
  const { message } = item
  if (delivery.outcome === 'sent') {
    queue.failures = 0
    queue.current = null
    if (item.putBack !== null) queue.refusedSummaries = 0
    queue.onOutcome('sent', message.count, null)
    return
  }
  queue.failures += 1
  item.attempts += 1
  const pauseMs = backoff(delivery, queue.failures, queue.random, queue.backoff)
  queue.notBefore = performance.now() + pauseMs
  if (delivery.outcome === 'retry') queue.onOutcome('retry', message.count, delivery.why)
  if (delivery.outcome === 'retry' && item.attempts < MOST_ATTEMPTS) return
  queue.current = null
  if (delivery.outcome === 'refused') queue.onOutcome('refused', message.count, delivery.why)
  else queue.onOutcome('failed', message.count, delivery.why)
  if (item.putBack === null) return queue.held.add(message)
  item.putBack()
  if (delivery.outcome === 'refused' && delivery.isContent) {
    queue.refusedSummaries += 1
    const asOfAll = { ...delivery, isContent: false }
    const summaryPauseMs = backoff(asOfAll, queue.refusedSummaries, queue.random, queue.backoff)
    queue.summaryNotBefore = performance.now() + summaryPauseMs
  }
}

function hold(queue: Queue, message: Message, why: string): void {
  queue.held.add(message)
  queue.onOutcome('held', message.count, why)
}

/** Holds the oldest message that is not critical, otherwise the oldest. */
function holdOldest(queue: Queue): void {
  const at = Math.max(
    0,
    queue.waiting.findIndex(({ severity }) => severity !== 'critical'),
  )
  const [oldest] = queue.waiting.splice(at, 1)
  if (oldest !== undefined) hold(queue, oldest, `more than ${MOST_WAITING} messages wait`)
}

/** Messages that a person requested or must see now. */
function isUrgentMessage({ severity, kind }: Message): boolean {
  return severity === 'critical' || kind === 'summary' || kind === 'test' || kind === 'acknowledged'
}

function pendingOf({ waiting, current, held }: Queue): number {
  return waiting.length + (current === null ? 0 : 1) + held.count()
}

async function close(queue: Queue, withinMs: Ms): Promise<void> {
  // Try a failing channel once more: this is its last chance.
  queue.notBefore = 0
  queue.summaryNotBefore = 0
  const idle = new Promise<void>((resolve) => (queue.onIdle = resolve))
  const over = new Promise<void>((resolve) => setTimeout(resolve, withinMs))
  void sendWaiting(queue)
  if (queue.isSending || queue.current !== null || queue.waiting.length > 0) await Promise.race([idle, over])
  queue.isClosed = true
  clearTimeout(queue.timer)
  const left = pendingOf(queue)
  if (left > 0) queue.onOutcome('lost', left, 'the process ended')
  await queue.channel.close()
}
