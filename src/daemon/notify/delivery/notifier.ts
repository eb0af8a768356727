import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { Severity } from '../../../core/alerts/entry.ts'
import { BACKOFF, type BackoffSettings, isQuietAt, type QuietHours } from './send-limits.ts'
import { channelQueue, type ChannelQueue, type SendOutcome } from './channel-queue.ts'
import { canFollow, createEvents } from './events.ts'
import { createGrouper, type Group, joined } from './grouper.ts'
import {
  asConsequence,
  composeMessage,
  type MessagePlace,
  type SeenPosition,
} from '../message/compose-message.ts'
import type { Channel, Message } from '../message/message.ts'
import { type Notice } from '../notice.ts'
import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** A channel and its audience. */
export type ChannelPlan = {
  readonly name: string
  readonly channel: Channel
  readonly minSeverity: Severity
  readonly maxPerHour: number
  /** Whether the channel receives the daily summary. */
  readonly summary: boolean
}

export type NotifierParts = MessagePlace & {
  readonly channels: readonly ChannelPlan[]
  readonly groupMs: Ms
  readonly quietHours: QuietHours | null
  readonly timezone: string
  /** Returns the current position for a message, within a bounded time; never rejects. Absent = unknown. */
  readonly see?: () => Promise<SeenPosition>
  readonly onOutcome: (channel: string, outcome: SendOutcome, messages: number, why: string | null) => void
  readonly now?: () => Ms
  readonly random?: () => number
  readonly backoff?: BackoffSettings
}

/** Sends notifications. Never throws, blocks trading or grows without bound. */
export type Notifier = {
  readonly tell: (notice: Notice) => void
  /** The number of unsent messages by channel. */
  readonly pending: () => Readonly<Record<string, number>>
  /** Sends waiting messages until the time is up. */
  readonly close: (withinMs: Ms) => Promise<void>
}

type Line = { readonly plan: ChannelPlan; readonly queue: ChannelQueue; readonly open: Set<string> }

export function createNotifier(parts: NotifierParts): Notifier {
  const now = parts.now ?? Date.now
  const grouper = createGrouper(parts.groupMs)
  const lines = parts.channels.map((plan): Line => ({
    plan,
    queue: openQueue(parts, plan, now),
    open: new Set(),
  }))
  const events = createEvents()
  const collected = collectGroups(parts.see, (group, seen) => {
    const message = composeMessage(parts, group, seen)
    for (const line of lines) if (isFor(line, message)) line.queue.offer(message)
  })
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function wake(): void {
    clearTimeout(timer)
    const at = grouper.nextAt()
    if (!Number.isFinite(at) || isClosed) return
    timer = runAfter(
      () => {
        try {
          grouper.due(now()).forEach(collected.add)
        } finally {
          wake()
        }
      },
      Math.max(1, Math.min(at - now(), parts.groupMs)),
    ).unref()
  }

  return {
    tell(notice) {
      if (isClosed) return
      for (const one of events.take(notice)) {
        const isKnown = lines.some(({ open }) => open.has(one.code))
        if (!collected.join(one)) grouper.add(one, isUrgent(one, isKnown), now()).forEach(collected.add)
      }
      wake()
    },
    pending: () =>
      Object.fromEntries(
        lines.map(({ plan, queue }) => [plan.name, queue.pending() + grouper.size() + collected.size()]),
      ),
    async close(withinMs) {
      isClosed = true
      clearTimeout(timer)
      grouper.flush().forEach(collected.add)
      await collected.flush()
      await Promise.all(lines.map(({ queue }) => queue.close(withinMs)))
    },
  }
}

function openQueue(parts: NotifierParts, plan: ChannelPlan, now: () => Ms): ChannelQueue {
  const { quietHours, timezone } = parts
  return channelQueue({
    channel: plan.channel,
    maxPerHour: plan.maxPerHour,
    isQuiet: (t) => quietHours !== null && isQuietAt(quietHours, t, timezone),
    now,
    random: parts.random ?? Math.random,
    backoff: parts.backoff ?? BACKOFF,
    summarise: (held) => ({
      ...composeMessage(parts, { ...held, kind: 'held', code: 'held-back', since: held.first.t }),
    }),
    onOutcome: (outcome, messages, why) => parts.onOutcome(plan.name, outcome, messages, why),
  })
}

/** The end and the acknowledgement of a reported alert are reported at once. */
function isUrgent({ severity, kind }: Notice, isKnown: boolean): boolean {
  return severity === 'critical' || ASKED.has(kind) || (kind === 'lifted' && isKnown)
}

const ASKED: ReadonlySet<Notice['kind']> = new Set(['summary', 'test', 'acknowledged'])

/** Recipients of a beginning also receive its end, whatever the minimum severity. */
function isFor({ plan, open, queue }: Line, { kind, code, severity, also }: Message): boolean {
  // The other channels receive that notice.
  if (code === 'channel-failing' && queue.isFailing()) return false
  // Every channel receives critical notices, and therefore their acknowledgement.
  if (kind === 'test' || kind === 'acknowledged') return true
  if (kind === 'summary') return plan.summary
  const isGraveEnough = SEVERITY_RANK[severity] >= SEVERITY_RANK[plan.minSeverity]
  if (kind === 'lifted') return open.delete(code) || isGraveEnough
  if (isGraveEnough) for (const one of [code, ...also.map((what) => what.code)]) open.add(one)
  return isGraveEnough
}

/** The notices of one event arrive within this time, and the position has processed them by then. */
const SETTLE_MS = SECOND_MS / 4

/** Holds groups until the position shows their effect, so that an event is one message. Without `see` nothing waits. */
function collectGroups(see: NotifierParts['see'], offer: (group: Group, seen: SeenPosition | null) => void) {
  let waiting: Group[] = []
  let sending = Promise.resolve()

  async function send(): Promise<void> {
    if (see === undefined || waiting.length === 0) return
    const seen = await see()
    const ready = waiting
    waiting = []
    for (const group of ready) offer(group, seen)
  }

  function add(group: Group): void {
    if (see === undefined) return offer(group, null)
    if (waiting.length === 0) runAfter(() => (sending = sending.then(send, send)), SETTLE_MS).unref()
    const [followed, others] = [
      waiting.filter((one) => follows(one, group)),
      waiting.filter((one) => !follows(one, group)),
    ]
    waiting = others
    const also = followed.map(({ last: { text }, ...one }) => asConsequence({ ...one, text }))
    waiting.push(also.length === 0 ? group : { ...group, also: [...(group.also ?? []), ...also] })
  }

  return {
    add,
    /** Returns whether the message about its cause includes a consequence. */
    join(notice: Notice): boolean {
      const at = waiting.findIndex(({ kind, code }) => kind === notice.kind && code === notice.code)
      const group = waiting[at]
      if (group === undefined || notice.also === undefined) return false
      waiting[at] = joined(group, notice)
      return true
    },
    size: () => waiting.length,
    async flush(): Promise<void> {
      await sending
      await send()
    },
  }
}

function follows(one: Group, cause: Group): boolean {
  return one.kind === 'raised' && cause.kind === 'raised' && canFollow(one.code, cause.code)
}
