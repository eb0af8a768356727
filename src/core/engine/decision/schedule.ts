import type { Ms } from '../../../base/time.ts'
import { midAge } from '../../market/market-state.ts'
import type { EngineState } from '../model/state.ts'
import { haveFeedsAnswered } from '../market/on-reference.ts'
import { seededRandom } from '../../../base/random.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import { longestUnreadable } from '../../ledger/reconciliation/unreadable.ts'
import { safeAfterUnreadable } from '../../risk/rules/accounting-rules.ts'
import type { QuoteConfig } from '../model/config.ts'

/** The longest time between two decisions, and the longest while a flow limit is breached. */
const INTERVAL_MS = 15_000
const BINDING_MS = 5_000

/**
 * Returns when the next decision is due without an event: 15 s after the one at `t`, or sooner if a limit is reached first. `now` is
 * later than `t` if that decision is recorded after the fact.
 */
export function nextDecisionAt(state: EngineState, t: Ms, now = t): Ms {
  const interval = state.activeRules.includes('fills-per-minute') ? BINDING_MS : INTERVAL_MS
  return Math.max(Math.min(t + interval, nextLimitAt(state, now)), t + 1)
}

/**
 * Returns when the passing of time alone reaches a limit: the age of the mid, the time of an unreconciled balance, a silent feed or
 * the next dither. Rules that lift with time are not included.
 */
export function nextLimitAt(state: EngineState, now: Ms): Ms {
  const { market, breakSince } = state
  const { maxMidAgeMs, unexplainedGraceMs, maxUnreadableMs } = state.config.risk
  let at = ditherPeriodEnd(state.config.quote, now)
  const age = midAge(market, now)
  if (maxMidAgeMs !== null && age !== null && age <= maxMidAgeMs)
    at = Math.min(at, now + maxMidAgeMs - age + 1)
  if (breakSince !== null && now < breakSince + unexplainedGraceMs)
    at = Math.min(at, breakSince + unexplainedGraceMs)
  const unreadable = longestUnreadable(state.reconciliation, now)
  const untilSafe =
    maxUnreadableMs === null || unreadable === null
      ? 0
      : safeAfterUnreadable(maxUnreadableMs) - unreadable.expectedMs
  if (untilSafe > 0) at = Math.min(at, now + untilSafe)
  return Math.min(at, market.feedsReviewAt ?? Infinity)
}

/** Returns the last decision of the timer until `t`, if one is due at `first` and nothing but time passes. */
export function lastTimer(first: Ms, t: Ms): Ms {
  return first + Math.floor((t - first) / INTERVAL_MS) * INTERVAL_MS
}

/** Time that a new process waits for the venue's first answers before it acts without them. */
export const WARM_UP_TIMEOUT_MS = 5_000

/**
 * Returns whether the first decision can be taken: after the venue has answered account, rate, balances and fills, unless the
 * position is halted or the venue remains silent.
 */
export function isWarm(state: EngineState): boolean {
  if (state.latch.halted !== null || state.authFailure !== null || state.exiting) return true
  const { account, rate, balances, fills } = state.received
  const answered = account && rate && balances && fills && state.reconciliation.opened
  // The first rate of the venue is compared with the feeds before the position quotes from it.
  if (answered && haveFeedsAnswered(state)) return true
  return state.now - state.processStartedAt >= WARM_UP_TIMEOUT_MS
}

type DitherSettings = Pick<QuoteConfig, 'ditherBps' | 'ditherPeriodMs'>

/**
 * Adds a random number of up to `ditherBps` to each side, constant within a period: a maker whose quote never moves learns
 * nothing about takers (quant.md section 3). The draw depends only on the time, so a replay repeats it. The quote's reasons
 * show it.
 */
export function dither(quote: StrategyQuote, settings: DitherSettings, now: Ms): StrategyQuote {
  const { ditherBps, ditherPeriodMs } = settings
  if (!(ditherBps > 0)) return quote
  const random = seededRandom(Math.floor(now / ditherPeriodMs), 'dither')
  const draw = () => Math.floor(random() * (2 * ditherBps + 1)) - ditherBps
  const [bid, ask] = [draw(), draw()]
  const terms =
    quote.terms === undefined ? {} : { terms: [...quote.terms, { name: 'dither', bidBps: bid, askBps: ask }] }
  return {
    ...quote,
    ...terms,
    bidBps: quote.bidBps === null ? null : quote.bidBps + bid,
    askBps: quote.askBps === null ? null : quote.askBps + ask,
    reasons: [...quote.reasons, `dither for learning: ${signed(bid)} on the bid, ${signed(ask)} on the ask`],
  }
}

/** When the next draw is due; Infinity without a dither. */
export function ditherPeriodEnd({ ditherBps, ditherPeriodMs }: DitherSettings, now: Ms): Ms {
  return ditherBps > 0 ? (Math.floor(now / ditherPeriodMs) + 1) * ditherPeriodMs : Infinity
}

function signed(bps: number): string {
  return `${bps >= 0 ? '+' : ''}${bps}`
}
