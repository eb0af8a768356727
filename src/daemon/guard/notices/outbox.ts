import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import type { LogLine, OutgoingNotice, SendNotices } from './notice.ts'

type OutboxParts = {
  readonly send: SendNotices
  readonly log: LogLine
  readonly now: () => Ms
}

/** Sends notices to people: one attempt at a time, in order, until every channel has accepted them. */
export type Outbox = {
  readonly add: (notice: OutgoingNotice) => void
  /** Called ten times a second. */
  readonly tick: () => void
  /** The number of unsent notices. */
  readonly waiting: () => number
}

/** Notices of a fleet that arrive within this time are sent in one attempt. */
const COLLECT_MS: Ms = 100
const MOST_AT_ONCE = 500
const MOST_WAITING = 2_000
/** The pauses between attempts; after the last one, `LONGEST_PAUSE_MS` applies indefinitely. */
const PAUSES_MS: readonly Ms[] = [10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 2 * MINUTE_MS]
const LONGEST_PAUSE_MS: Ms = 5 * MINUTE_MS

type Waiting = { notice: OutgoingNotice; attempts: number; dueAt: Ms; isUnderWay: boolean }

export function createOutbox(parts: OutboxParts): Outbox {
  const { log, now } = parts
  const waiting: Waiting[] = []
  let isSending = false
  return {
    add(notice) {
      // Send the position's waiting notices first, so that an end never arrives before its beginning.
      const dueAt = now() + COLLECT_MS
      for (const one of waiting)
        if (one.notice.position === notice.position) one.dueAt = Math.min(one.dueAt, dueAt)
      const same = waiting.find((one) => !one.isUnderWay && isSame(one.notice, notice))
      if (same !== undefined) {
        same.notice = merged(same.notice, notice)
        return
      }
      if (waiting.length >= MOST_WAITING) makeRoom(waiting, log)
      waiting.push({ notice, attempts: 0, dueAt, isUnderWay: false })
    },
    tick() {
      if (isSending) return
      const due = waiting.filter(({ dueAt }) => dueAt <= now()).slice(0, MOST_AT_ONCE)
      if (due.length === 0) return
      isSending = true
      void attempt(parts, waiting, due).finally(() => (isSending = false))
    },
    waiting: () => waiting.length,
  }
}

async function attempt(
  { send, log, now }: OutboxParts,
  waiting: Waiting[],
  batch: readonly Waiting[],
): Promise<void> {
  for (const one of batch) one.isUnderWay = true
  const deliveries = await send(batch.map(({ notice }) => notice))
  const byId = new Map(deliveries.map((one) => [one.id, one]))
  for (const one of batch) {
    one.isUnderWay = false
    const delivery = byId.get(one.notice.id)
    if (delivery?.left.length === 0) {
      waiting.splice(waiting.indexOf(one), 1)
      continue
    }
    if (delivery !== undefined) one.notice = { ...one.notice, only: delivery.left }
    if (one.attempts === 0) log('warn', one.notice.position, unsent(one.notice, delivery?.why ?? null))
    one.dueAt = now() + (PAUSES_MS[one.attempts] ?? LONGEST_PAUSE_MS)
    one.attempts += 1
  }
}

/** Drops the oldest notice. */
function makeRoom(waiting: Waiting[], log: LogLine): void {
  const at = waiting.findIndex(({ isUnderWay }) => !isUnderWay)
  const [oldest] = waiting.splice(Math.max(at, 0), 1)
  if (oldest !== undefined)
    log('error', oldest.notice.position, `${oldest.notice.code} was not sent: too many notices wait`)
}

/** Merges a later notice of the same alert into the waiting one, which bounds the queue. */
function merged(former: OutgoingNotice, notice: OutgoingNotice): OutgoingNotice {
  return {
    ...notice,
    count: former.count + notice.count,
    first: former.first,
    audience: [...new Set([...former.audience, ...notice.audience])],
    // The text is new to every channel.
    only: null,
  }
}

function isSame(one: OutgoingNotice, other: OutgoingNotice): boolean {
  return one.position === other.position && one.code === other.code && one.kind === other.kind
}

function unsent({ code }: OutgoingNotice, why: string | null): string {
  return `${code}: ${why ?? 'the process that sends it did not answer for it'}; it is sent again until it is taken`
}
