import { randomUUID } from 'node:crypto'
import type { Ms } from '../../base/time.ts'
import type { Severity } from '../../alerts/entry.ts'
import { adviceFor } from '../../alerts/position-notices.ts'
import { TREASURY_ALERTS } from '../../alerts/treasury-alerts.ts'
import { BACKOFF, type BackoffSettings, isQuietAt, type QuietHours } from './send-limits.ts'
import { channelQueue, type ChannelQueue, type Outcome } from './channel-queue.ts'
import { createGrouper, type Group } from './grouper.ts'
import type { Channel, Message } from '../message/message.ts'
import { type Notice } from '../notice.ts'
import { SEVERITY_RANK } from '../../alerts/entry.ts'

/** A channel and who it is for. */
export type ChannelPlan = {
  readonly name: string
  readonly channel: Channel
  readonly minSeverity: Severity
  readonly maxPerHour: number
  /** Whether it gets the daily summary. */
  readonly summary: boolean
}

export type NotifierParts = {
  readonly position: string
  readonly mode: 'live' | 'dry-run'
  readonly channels: readonly ChannelPlan[]
  readonly groupMs: Ms
  readonly quietHours: QuietHours | null
  readonly timezone: string
  /** Where the runbook is; the code is added as an anchor. */
  readonly runbookUrl: string
  /** Where people reach the console, without a fragment; null = not known: no message links to it. */
  readonly consoleUrl: string | null
  /** Whether critical alerts link to the page of the position, where they are acknowledged. */
  readonly linksAlerts?: boolean
  readonly onOutcome: (channel: string, outcome: Outcome, messages: number, why: string | null) => void
  readonly now?: () => Ms
  readonly random?: () => number
  readonly backoff?: BackoffSettings
}

/** Tells people. Nothing here throws, waits or grows without bound: who trades is never held up. */
export type Notifier = {
  readonly tell: (notice: Notice) => void
  /** Messages by channel that are not told yet. */
  readonly pending: () => Readonly<Record<string, number>>
  /** Tells what waits as far as the time goes. */
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
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function spread(group: Group): void {
    const message = messageOf(parts, group)
    for (const line of lines) if (isFor(line, message)) line.queue.offer(message)
  }

  function wake(): void {
    clearTimeout(timer)
    const at = grouper.nextAt()
    if (!Number.isFinite(at) || isClosed) return
    timer = setTimeout(
      () => {
        grouper.due(now()).forEach(spread)
        wake()
      },
      Math.max(1, Math.min(at - now(), parts.groupMs)),
    ).unref()
  }

  return {
    tell(notice) {
      if (isClosed) return
      const isKnown = lines.some(({ open }) => open.has(notice.code))
      grouper.add(notice, isUrgent(notice, isKnown), now()).forEach(spread)
      wake()
    },
    pending: () =>
      Object.fromEntries(lines.map(({ plan, queue }) => [plan.name, queue.pending() + grouper.size()])),
    async close(withinMs) {
      isClosed = true
      clearTimeout(timer)
      grouper.flush().forEach(spread)
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
      ...messageOf(parts, { ...held, kind: 'raised', code: 'held-back', since: held.first.t }),
      kind: 'held',
    }),
    onOutcome: (outcome, messages, why) => parts.onOutcome(plan.name, outcome, messages, why),
  })
}

/** The end of what somebody was told of is told as soon as it is known, and so is who has it in hand. */
function isUrgent({ severity, kind }: Notice, isKnown: boolean): boolean {
  return severity === 'critical' || ASKED.has(kind) || (kind === 'lifted' && isKnown)
}

const ASKED: ReadonlySet<Notice['kind']> = new Set(['summary', 'test', 'acknowledged'])

/** Who was told of a beginning is told of its end, whatever the least severity. */
function isFor({ plan, open }: Line, { kind, code, severity }: Message): boolean {
  // Every channel hears what is critical, and so who has it in hand.
  if (kind === 'test' || kind === 'acknowledged') return true
  if (kind === 'summary') return plan.summary
  const isGraveEnough = SEVERITY_RANK[severity] >= SEVERITY_RANK[plan.minSeverity]
  if (kind === 'lifted') return open.delete(code) || isGraveEnough
  if (isGraveEnough) open.add(code)
  return isGraveEnough
}

function messageOf(parts: NotifierParts, group: Group): Message {
  const { position, mode, runbookUrl, consoleUrl } = parts
  const { kind, code } = group
  const isOpen = kind === 'raised' || kind === 'reminder'
  const advice = isOpen ? adviceFor(code) : null
  const runbook = advice === null ? null : `${runbookUrl}#${code}`
  const console = isOpen && consoleUrl !== null ? pageOf(parts, consoleUrl, group) : null
  return { ...group, id: randomUUID(), position, mode, advice, runbook, console }
}

/** The console's own address of the page: whoever opens it signs in, sees what it is about, and decides there. */
function pageOf(
  { position, linksAlerts = false }: NotifierParts,
  consoleUrl: string,
  { code, severity }: Group,
): string | null {
  const page = `${consoleUrl.replace(/\/+$/, '')}/#/${encodeURIComponent(position)}`
  if (Object.hasOwn(TREASURY_ALERTS, code)) return `${page}/treasury`
  return linksAlerts && severity === 'critical' ? page : null
}
