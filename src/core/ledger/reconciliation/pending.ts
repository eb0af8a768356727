import { SECOND_MS, type Ms } from '../../../base/time.ts'
import { type Amounts, ASSETS } from '../../../base/money/asset.ts'
import { type Rate, RATE_ONE } from '../../../base/money/rate.ts'
import {
  type ReconciliationTerms,
  KEPT_ROWS,
  KEPT_SNAPSHOTS,
  type PendingSnapshot,
  type ReconciliationState,
} from './state.ts'
import type { PostedFill } from '../fills/fees.ts'
import type { ReconciliationAction } from './actions.ts'
import { setStatus } from './status.ts'

/** Number of unexplained readings that make a break: a single one may be a stale answer from a cache. */
const LEAST_READINGS = 3
/** Maximum total time, or three times the grace if that is longer, for which the books may be unproven. */
const LEAST_OVERDUE_MS = 90 * SECOND_MS
const GRACES_UNTIL_OVERDUE = 3
/** An answer covers at most this much of the time since the previous one; the rest counts as silence. */
const MOST_ANSWERED_MS = 15 * SECOND_MS

/** Returns how much of the time between two answers counts as answered. */
export function answeredBetween(before: Ms, t: Ms): Ms {
  return Math.min(Math.max(t - before, 0), MOST_ANSWERED_MS)
}

/** The venue answered: its clock continues, unless one of our transfers is in flight or has an unknown outcome. */
export function countAnsweredTime(state: ReconciliationState, t: Ms, busy: boolean): void {
  if (!busy) state.answeredMs += answeredBetween(state.answeredAt ?? t, t)
  state.answeredAt = t
}

/** Keeps the rows that may still explain a pending reading; the oldest are dropped. */
export function keepRows(state: ReconciliationState, posted: readonly PostedFill[]): void {
  for (const fill of posted) state.rows.push(fill)
  state.postedRows += posted.length
  // Removes rows one at a time: `shift` only advances the start of the list, `splice` copies it.
  while (state.rows.length > KEPT_ROWS) state.rows.shift()
}

/**
 * Returns the rows posted since the balances were requested, in order of execution, if that differs from the order of arrival;
 * null = same order, or one of the rows is no longer kept.
 */
export function rowsInTime(state: ReconciliationState, base: number): readonly PostedFill[] | null {
  const first = base - (state.postedRows - state.rows.length)
  if (first < 0) return null
  const rows = state.rows.slice(first)
  const isInOrder = rows.every(({ at }, n) => n === 0 || (at ?? 0) >= (rows[n - 1]?.at ?? 0))
  if (isInOrder || rows.some(({ at }) => at === null)) return null
  return rows.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

/** Keeps an unexplained reading until a row explains it. */
export function addPending(state: ReconciliationState, reading: PendingSnapshot): void {
  const { pending } = state
  if (pending.length >= KEPT_SNAPSHOTS) pending.pop()
  pending.push(reading)
  state.explainedInRow = 0
  state.unprovenSince ??= state.answeredMs
}

/** Records that a reading was explained. The second one in a row drops the readings before it. */
export function dropExplained(state: ReconciliationState, sentAt: Ms): void {
  state.explainedInRow += 1
  const isSure = state.explainedInRow > 1
  state.pending = state.pending.filter((one) => one.sentAt > sentAt || (!isSure && one.sentAt < sentAt))
  const oldest = state.pending[0]
  // Everything up to here is proven: the unproven time began with the oldest pending reading.
  if (oldest === undefined || oldest.sentAt > sentAt) state.unprovenSince = oldest?.since ?? null
}

/**
 * Declares a break if readings have waited for longer than the grace, or if the books were unproven for too long in total,
 * regardless of individual readings.
 */
export function detectBreak(
  state: ReconciliationState,
  terms: ReconciliationTerms,
  difference: Readonly<Partial<Amounts>> | null,
  out: ReconciliationAction[],
): void {
  if (!state.opened) return
  const { graceMs } = terms.settings
  const oldest = state.pending[0]
  const isBroken =
    oldest !== undefined &&
    state.pending.length >= LEAST_READINGS &&
    state.answeredMs - oldest.since >= graceMs
  const most = Math.max(LEAST_OVERDUE_MS, GRACES_UNTIL_OVERDUE * graceMs)
  const isOverdue = state.unprovenSince !== null && state.answeredMs - state.unprovenSince >= most
  state.isOverdue ||= isOverdue
  if (state.state === 'break' && Object.keys(state.unreconciled).length > 0) return
  if (!isBroken && !isOverdue) return
  const known = difference ?? state.candidates[0] ?? {}
  if (Object.keys(known).length === 0) return
  const { fittedFeeBps } = state
  const fit =
    fittedFeeBps === null ? '' : `; a protocol fee of ${fittedFeeBps} bps would, but no source names that fee`
  setStatus(state, out, 'break', `balances and ledger differ and nothing explains it${fit}`, { ...known })
}

/** Returns the difference with the smallest value over all prefixes: the part that the rows cannot explain. */
export function smallestDifference(
  found: readonly Partial<Amounts>[],
  mid: Rate | null,
): Partial<Amounts> | null {
  let best: Partial<Amounts> | null = null
  let least = 0n
  for (const one of found) {
    let size = 0n
    for (const asset of ASSETS) {
      const amount = one[asset] ?? 0n
      const units = amount < 0n ? -amount : amount
      size += asset === 'NTZS' ? units * RATE_ONE : units * (mid ?? RATE_ONE)
    }
    if (best !== null && size >= least) continue
    best = one
    least = size
  }
  return best
}
