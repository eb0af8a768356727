import type { Ms } from '../../../base/time.ts'
import { midAge } from '../../market/market-state.ts'
import type { EngineState } from '../model/state.ts'
import { haveFeedsAnswered } from '../market/on-reference.ts'
import { seededRandom } from '../../../base/random.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import { longestUnreadable } from '../../ledger/reconciliation/unreadable.ts'
import { safeAfterUnreadable } from '../../risk/rules/accounting-rules.ts'
import type { QuoteConfig } from '../model/config.ts'

/** How long nothing may happen before the question is asked again, and how soon while a flow limit binds. */
const INTERVAL_MS = 15_000
const BINDING_MS = 5_000

/** Rules that let go as time passes, without anything to tell it. */
const ROLLING = ['volume-per-day', 'fills-per-minute']

/**
 * When the next decision is due though nothing happens: after a quarter of a minute, for strategies with
 * windows and for what rolls with time, or sooner where a limit will pass before: the mid grows too old, an
 * unreconciled balance has stood too long, a burst of fills is over, a feed falls silent, another dither is due. `timeless`: the
 * strategy looked at nothing that time changes, so only limits and the dither are waited for.
 */
export function nextDecisionAt(state: EngineState, now: Ms, timeless: boolean): Ms {
  const { market, breakSince, activeRules } = state
  const { maxMidAgeMs, unexplainedGraceMs, maxUnreadableMs } = state.config.risk
  const isBinding = activeRules.length > 0
  const rolls = !timeless || (isBinding && activeRules.some((rule) => ROLLING.includes(rule)))
  let at = Math.min(rolls ? now + INTERVAL_MS : Infinity, ditherPeriodEnd(state.config.quote, now))
  const age = midAge(market, now)
  if (maxMidAgeMs !== null && age !== null && age <= maxMidAgeMs)
    at = Math.min(at, now + maxMidAgeMs - age + 1)
  if (breakSince !== null && now < breakSince + unexplainedGraceMs)
    at = Math.min(at, breakSince + unexplainedGraceMs)
  const unreadable = longestUnreadable(state.reconciliation, now)
  const untilSafe =
    maxUnreadableMs === undefined || unreadable === null
      ? 0
      : safeAfterUnreadable(maxUnreadableMs) - unreadable.expectedMs
  if (untilSafe > 0) at = Math.min(at, now + untilSafe)
  at = Math.min(at, market.feedsReviewAt ?? Infinity)
  if (isBinding && activeRules.includes('fills-per-minute')) at = Math.min(at, now + BINDING_MS)
  return Math.max(at, now + 1)
}

/** How long a fresh process waits for the venue's first answers before it acts on not having them. */
export const WARM_UP_TIMEOUT_MS = 5_000

/**
 * Whether a decision can be taken: no quote may stand that no one decided, and none is decided from
 * half a picture. A halted position, or one whose venue stays silent, is decided upon without it.
 */
export function isWarm(state: EngineState): boolean {
  if (state.latch.halted !== null || state.authFailure !== null || state.exiting) return true
  const { account, rate, balances, fills } = state.received
  const answered = account && rate && balances && fills && state.reconciliation.opened
  // The venue's first word is compared with the feeds before anything is quoted from it.
  if (answered && haveFeedsAnswered(state)) return true
  return state.now - state.processStartedAt >= WARM_UP_TIMEOUT_MS
}

type DitherSettings = Pick<QuoteConfig, 'ditherBps' | 'ditherPeriodMs'>

/**
 * Adds up to `ditherBps` either way to both sides, drawn anew every period and equal within one: a maker
 * who never moves learns nothing about takers (quant.md section 3). The draw depends on the time alone, so
 * a replay draws the same; it stands in the quote's reasons.
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

/** When the next draw is due; Infinity where there is no dither. */
export function ditherPeriodEnd({ ditherBps, ditherPeriodMs }: DitherSettings, now: Ms): Ms {
  return ditherBps > 0 ? (Math.floor(now / ditherPeriodMs) + 1) * ditherPeriodMs : Infinity
}

function signed(bps: number): string {
  return `${bps >= 0 ? '+' : ''}${bps}`
}
