import { backoffMs } from '../../../base/backoff.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import { MAX_SPREAD_BPS } from '../../../base/money/bps.ts'
import { type Side, SIDES } from '../../../base/money/side.ts'

/** The quotes that the guard writes: both sides at the safe quote, or one side closed. */
export type SafeWrite = 'safe' | 'bid-off' | 'ask-off'

export type LadderSettings = {
  readonly safeBps: number
  /** How long after firing the side that adds inventory is closed; null = never. */
  readonly closeSideAfterMs: Ms | null
  /** How long after firing the position is deactivated; null = never. */
  readonly deactivateAfterMs: Ms | null
}

/** The rungs in order: a wider quote costs almost nothing, a deactivation does not. */
type Rung = 'safe' | 'side-off' | 'out'

/** The guard's state for one position since the lease ended. Plain data; times are on the guard's steady clock. */
export type Hold = {
  readonly since: Ms
  rung: Rung
  /** The side that would add inventory, as the last lease named it. */
  readonly worse: Side | null
  writes: number
  lastWriteAt: Ms
  /** When the venue confirmed this rung's write; null = the write is still due. */
  confirmedAt: Ms | null
  /** The spreads read back since the confirmation. */
  read: Record<Side, number | null>
  /** Read-back rounds since the confirmation, and the sides that the current round has not read. */
  round: number
  pending: Side[]
  readAgainAt: Ms
  /** Since when both sides have been read back as safe; null = not yet. */
  safeSince: Ms | null
  /** The venue confirmed the widest spread on the side to close, but not that the side is closed. */
  isSideOpen?: boolean
  /** The position was deactivated. */
  isOut: boolean
  /** The number of deactivations sent, and whether the venue has answered one as done. */
  outCalls: number
  isAnsweredOut: boolean
  /** Why the venue keeps tokens, and how many consecutive answers gave the same reasons; null = it keeps none. */
  kept: { readonly reasons: string; readonly count: number } | null
  /** Why nothing more is sent (the venue rejects the key); null = writes continue. */
  powerless: string | null
}

export type Step =
  | { readonly do: 'write'; readonly what: SafeWrite }
  | { readonly do: 'deactivate' }
  | { readonly do: 'read'; readonly side: Side }
  | { readonly do: 'look-active' }
  | { readonly do: 'wait'; readonly until: Ms }

/** A deactivation takes seconds, and only the next answer shows the tokens it has moved. */
const OUT_PAUSE_MS: Ms = 6 * SECOND_MS
const LONGEST_OUT_PAUSE_MS: Ms = MINUTE_MS
/** After this many answers with equal reasons the guard stops asking for the tokens: the venue cannot return them. */
const NOT_RETURNABLE_AFTER = 3

/** The first writes follow each other immediately, later ones after a pause. */
const WRITES_AT_ONCE = 3
const WRITE_PAUSE_MS: Ms = 6 * SECOND_MS
/** When both sides are read back after a confirmation, since a late write of the dead daemon may still overwrite ours. */
const READ_BACK_MS: readonly Ms[] = [0, 2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS]
const READ_BACK_EVERY_MS: Ms = MINUTE_MS
const READ_RETRY_MS: Ms = 2 * SECOND_MS

export function beginHold(now: Ms, worse: Side | null): Hold {
  return {
    since: now,
    rung: 'safe',
    worse,
    writes: 0,
    lastWriteAt: Number.NEGATIVE_INFINITY,
    ...unconfirmed(),
    safeSince: null,
    isOut: false,
    outCalls: 0,
    isAnsweredOut: false,
    kept: null,
    powerless: null,
  }
}

/**
 * Continues a hold that an earlier process began. `isOut`: that process had deactivated the position, which is checked before it is
 * repeated.
 */
export function goOn(hold: Hold, isOut: boolean, now: Ms): Hold {
  return isOut ? Object.assign(hold, { rung: 'out', isOut, confirmedAt: now } as const) : hold
}

function unconfirmed(): Pick<Hold, 'confirmedAt' | 'read' | 'round' | 'pending' | 'readAgainAt'> {
  return { confirmedAt: null, read: { bid: null, ask: null }, round: 0, pending: [...SIDES], readAgainAt: 0 }
}

/** Returns the next step. The guard has at most one request in flight. */
export function nextStep(hold: Hold, now: Ms, settings: LadderSettings): Step {
  climb(hold, now, settings)
  if (hold.powerless !== null) return { do: 'wait', until: Number.POSITIVE_INFINITY }
  const next = hold.confirmedAt === null ? writeStep(hold, now) : readStep(hold, now, hold.confirmedAt)
  return next.do === 'wait' ? { do: 'wait', until: Math.min(next.until, nextRungAt(hold, settings)) } : next
}

function writeStep(hold: Hold, now: Ms): Step {
  if (hold.rung === 'out') return outStep(hold, now)
  const from = hold.writes < WRITES_AT_ONCE ? now : hold.lastWriteAt + WRITE_PAUSE_MS
  if (now < from) return { do: 'wait', until: from }
  return { do: 'write', what: hold.rung === 'side-off' ? sideOff(hold) : 'safe' }
}

/** Whether the venue has given the same reasons for keeping tokens so often that the guard stops asking. */
export function isNotReturnable({ kept }: Hold): boolean {
  return kept !== null && kept.count >= NOT_RETURNABLE_AFTER
}

/** Deactivates regardless of what the account shows, and repeats with growing pauses until the end is confirmed. */
function outStep(hold: Hold, now: Ms): Step {
  const { outCalls, lastWriteAt } = hold
  if (isNotReturnable(hold)) return { do: 'wait', until: Number.POSITIVE_INFINITY }
  const from = outCalls === 0 ? now : lastWriteAt + backoffMs(outCalls, OUT_PAUSE_MS, LONGEST_OUT_PAUSE_MS)
  return now < from ? { do: 'wait', until: from } : { do: 'deactivate' }
}

function sideOff({ worse }: Hold): SafeWrite {
  return worse === null ? 'safe' : `${worse}-off`
}

function readStep(hold: Hold, now: Ms, confirmedAt: Ms): Step {
  const due = Math.max(confirmedAt + roundAt(hold.round), hold.readAgainAt)
  if (now < due) return { do: 'wait', until: due }
  if (hold.isOut) return { do: 'look-active' }
  return { do: 'read', side: hold.pending[0] ?? 'bid' }
}

function roundAt(round: number): Ms {
  const listed = READ_BACK_MS[round]
  if (listed !== undefined) return listed
  return READ_BACK_EVERY_MS * (round - READ_BACK_MS.length + 1)
}

function nextRungAt(hold: Hold, { closeSideAfterMs, deactivateAfterMs }: LadderSettings): Ms {
  const at = [
    hold.rung === 'safe' && hold.worse !== null ? closeSideAfterMs : null,
    hold.rung !== 'out' ? deactivateAfterMs : null,
  ]
  return Math.min(...at.map((afterMs) => (afterMs === null ? Infinity : hold.since + afterMs)))
}

function climb(hold: Hold, now: Ms, settings: LadderSettings): void {
  const { closeSideAfterMs, deactivateAfterMs } = settings
  const passed = now - hold.since
  let rung: Rung = 'safe'
  if (closeSideAfterMs !== null && passed >= closeSideAfterMs && hold.worse !== null) rung = 'side-off'
  if (deactivateAfterMs !== null && passed >= deactivateAfterMs) rung = 'out'
  if (rung === hold.rung) return
  hold.rung = rung
  Object.assign(hold, unconfirmed())
}

/** Counts a write that is being sent, whatever its outcome. */
export function writeStarted(hold: Hold, now: Ms): void {
  hold.writes += 1
  if (hold.rung === 'out') hold.outCalls += 1
  hold.lastWriteAt = now
}

/** The outcome of a write: done as asked, rejected for the key, rejected by the rate limit, or anything else, which is retried. */
export type WriteOutcome = {
  readonly kind: 'done' | 'refused-key' | 'limited' | 'failed'
  readonly words: string
  /** The deactivation returned tokens: only the next answer can show that nothing is left. */
  readonly hasReturned?: true
  /** The spread is as requested, but the venue does not state that the side is closed. */
  readonly isSideOpen?: true
  /** Why the venue keeps tokens after a deactivation. */
  readonly reasons?: string
}

export function writeEnded(hold: Hold, outcome: WriteOutcome, now: Ms): void {
  const { kind, words, reasons } = outcome
  if (kind === 'refused-key') hold.powerless = words
  // The venue rejected it without effect and named a wait, so it does not count as an attempt.
  if (kind === 'limited')
    Object.assign(hold, {
      writes: hold.writes - 1,
      outCalls: Math.max(0, hold.outCalls - 1),
      lastWriteAt: Number.NEGATIVE_INFINITY,
    })
  if (hold.rung === 'out' && kind !== 'limited') {
    const count = hold.kept?.reasons === reasons ? (hold.kept?.count ?? 0) + 1 : 1
    hold.kept = reasons === undefined ? null : { reasons, count }
  }
  if (kind !== 'done') return
  if (outcome.isSideOpen === true) hold.isSideOpen = true
  // `isActive: false` alone proves nothing: a second answer has to show that no more tokens are returned.
  const isProven = hold.rung !== 'out' || (hold.isAnsweredOut && outcome.hasReturned !== true)
  if (hold.rung === 'out') hold.isAnsweredOut = true
  if (!isProven) return
  Object.assign(hold, unconfirmed(), { confirmedAt: now })
  if (hold.rung === 'out') hold.isOut = true
}

/** Takes the read-back of one side; null = the read failed. A spread that differs from the one written is written again. */
export function takeSideRead(
  hold: Hold,
  side: Side,
  bps: number | null,
  now: Ms,
  { safeBps }: LadderSettings,
): 'safe' | 'differs' | 'unread' {
  if (bps === null) {
    hold.readAgainAt = now + READ_RETRY_MS
    // Read the other side first: an unreadable side must not block it.
    hold.pending = [...hold.pending.filter((one) => one !== side), side]
    return 'unread'
  }
  if (bps !== (hold.rung === 'side-off' && side === hold.worse ? MAX_SPREAD_BPS : safeBps)) {
    hold.safeSince = null
    Object.assign(hold, unconfirmed())
    return 'differs'
  }
  hold.read[side] = bps
  hold.pending = hold.pending.filter((one) => one !== side)
  if (hold.pending.length > 0) return 'safe'
  hold.safeSince ??= now
  roundDone(hold)
  return 'safe'
}

/** Takes the account read after a deactivation; null = the read failed. A position that is active again is deactivated again. */
export function activeRead(hold: Hold, isActive: boolean | null, now: Ms): void {
  if (isActive === null) hold.readAgainAt = now + READ_RETRY_MS
  else if (isActive) Object.assign(hold, unconfirmed(), { isOut: false, isAnsweredOut: false, outCalls: 0 })
  else roundDone(hold)
}

function roundDone(hold: Hold): void {
  hold.round += 1
  hold.pending = [...SIDES]
  // No read shows whether a side is closed, so it is closed again once a minute.
  if (hold.rung === 'side-off' && hold.round > READ_BACK_MS.length) Object.assign(hold, unconfirmed())
}
