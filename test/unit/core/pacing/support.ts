import type { PacingSettings, PacingState, PollKind } from '../../../../src/core/pacing/state.ts'
import { nextDueAt, nextPoll } from '../../../../src/core/pacing/poll-schedule.ts'
import { recordAnswered, recordSent } from '../../../../src/core/pacing/record-requests.ts'

/** The defaults of the configuration. */
export const DEFAULTS: PacingSettings = {
  requestsPerMinute: 60,
  reservePerMinute: 10,
  publicRequestsPerMinute: 30,
  fillsIntervalMs: 2_000,
  rateIntervalMs: 6_000,
  balancesIntervalMs: 15_000,
  accountIntervalMs: 60_000,
  quoteCheckIntervalMs: 60_000,
  requestTimeoutMs: 10_000,
  fillsYield: true,
}

export type Sent = { readonly at: number; readonly kind: PollKind | 'quoteWrite' }

/** Sends every poll that may leave now, at once, and says which. */
export function sendAll(state: PacingState, settings: PacingSettings, now: number): PollKind[] {
  const sent: PollKind[] = []
  for (let kind = nextPoll(state, settings, now); kind !== null; kind = nextPoll(state, settings, now)) {
    recordSent(state, now, kind)
    sent.push(kind)
  }
  return sent
}

export type Run = {
  readonly from: number
  readonly to: number
  readonly latencyMs: number
  /** How many fills happened up to a time, since the beginning. */
  readonly fillsUntil?: (time: number) => number
  /** Called on every wake before polls are sent. */
  readonly onWake?: (now: number, sent: Sent[]) => void
}

/** A sender that follows the budget: it wakes when the budget allows, at most every 500 ms. */
export function runPolls(state: PacingState, settings: PacingSettings, run: Run): Sent[] {
  const sent: Sent[] = []
  const flying: { kind: PollKind; at: number; sentAt: number }[] = []
  let seen = 0
  for (let now = run.from; now < run.to;) {
    while (flying.length > 0 && flying[0]!.at <= now) {
      const answer = flying.shift()!
      const total = run.fillsUntil?.(answer.sentAt) ?? 0
      if (answer.kind === 'fills') {
        recordAnswered(state, settings, now, 'fills', { newFills: total - seen })
        seen = total
      } else recordAnswered(state, settings, now, answer.kind)
    }
    run.onWake?.(now, sent)
    for (const kind of sendAll(state, settings, now)) {
      sent.push({ at: now, kind })
      flying.push({ kind, at: now + run.latencyMs, sentAt: now })
    }
    const wake = Math.min(nextDueAt(state, settings, now), flying[0]?.at ?? Infinity, now + 500)
    now = Math.max(wake, now + 1)
  }
  return sent
}

/** The most requests that fall into any window of this length. */
export function busiest(times: readonly number[], windowMs: number): number {
  let most = 0
  let first = 0
  for (let last = 0; last < times.length; last++) {
    while (times[first]! <= times[last]! - windowMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

export function gaps(sent: readonly Sent[], kind: PollKind): number[] {
  const times = sent.filter((one) => one.kind === kind).map((one) => one.at)
  return times.slice(1).map((time, index) => time - times[index]!)
}
