import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { Fill } from '../../ledger/fills/fill.ts'
import {
  FAR_BPS,
  PRICED_WITHIN_MS,
  addSuspect,
  worseThanQuoted,
  type PricedFill,
  type PriceMemory,
} from '../../risk/fill-price.ts'
import { doesGapLast, PUBLIC_MID_STALE_MS } from '../../market/execution-mid.ts'
import { executionMidOf } from '../../market/pair-mids.ts'
import { pairOf, type RoutedStable, stableOf } from '../../../base/money/asset.ts'
import { isWithinBand } from '../../../base/money/rate.ts'
import { priceMemory } from './quote-history.ts'
import type { EngineState } from '../model/state.ts'
import { quoteStableOf } from '../model/config.ts'
import type { BestQuoteEvent, RateEvent } from '../model/event.ts'
import type { Transition } from '../transition.ts'

/** The longest wait for a mid that explains a fill. */
const ANSWER_PATIENCE_MS = MINUTE_MS

/**
 * Compares a booked fill with our quotes. A large deviation halts at once; a smaller one waits for the next rate answer, because a
 * new fixing may price a fill before the rate is polled. Fills of dry runs are not checked.
 */
export function checkFillPrice(transition: Transition, fill: Fill, debit: bigint): void {
  const { state, now } = transition
  const limit = state.config.risk.maxFillPriceDeviationBps
  if (limit === null || state.config.mode === 'dry-run') return
  const memory = priceMemory(state)
  const { id, side, inAsset, amountIn, outAsset, amountOut } = fill
  const paid = amountOut + debit
  const since = sinceWhen(memory, fill, now)
  const priced: PricedFill = { id, side, inAsset, amountIn, outAsset, paid, since, seenAt: now }
  const worse = worseThanQuoted(memory, priced)
  if (worse === null || worse <= limit) return
  if (worse > FAR_BPS) return breach(transition, id, worse)
  if (isFromBefore(memory, now)) return alertLateFill(transition, id, worse)
  addSuspect(memory, priced)
  transition.expedite('rate')
}

/** Checks the waiting fills against a mid that was requested after them. */
export function checkSuspects(transition: Transition, event: RateEvent | BestQuoteEvent): void {
  const { state, request } = transition
  const { prices } = state
  const limit = state.config.risk.maxFillPriceDeviationBps
  if (prices === undefined || limit === null || event.mid === null || prices.suspects.length === 0) return
  const corridor = state.config.risk.priceCorridor
  const named = corridor === null || isWithinBand(corridor, event.mid) ? event.mid : null
  const askedAt = request?.sentAt ?? transition.now
  const judged = prices.suspects.filter(
    (fill) => fill.seenAt <= askedAt && isNamedBy(event, state, pairOf(fill)),
  )
  prices.suspects = prices.suspects.filter((fill) => !judged.includes(fill))
  for (const fill of judged) {
    const worse = worseThanQuoted(prices, fill, named)
    if (worse !== null && worse > limit) breach(transition, fill.id, worse)
  }
}

/**
 * Returns whether the event names the mid at which fills of this pair execute: GET /rate, unless the public rate differs
 * persistently or has yet to name its first mid of the pair.
 */
function isNamedBy(event: RateEvent | BestQuoteEvent, state: EngineState, stable: RoutedStable): boolean {
  const { market, config, now } = state
  const differs =
    stable === quoteStableOf(config)
      ? market.gap !== undefined && (market.gap.isFirst || doesGapLast(market.gap))
      : executionMidOf(market, stable, now) !== market.mid
  const isPublic = differs || isAwaited(state, stable)
  return event.type === 'rate' ? !isPublic : isPublic && stableOf(event) === stable
}

/** Returns whether the public rate may still name its first mid of the pair after a start. */
function isAwaited({ market, config, now, processStartedAt }: EngineState, stable: RoutedStable): boolean {
  if (config.publicRate === null || config.pacing.publicRequestsPerMinute === 0) return false
  const named = stable === quoteStableOf(config) ? market.publicMid : (market.pairs?.[stable]?.mid ?? null)
  return named === null && now - processStartedAt <= PUBLIC_MID_STALE_MS
}

/** Returns the fill that halts trading: one judged as wrong, or one that no rate answer explained in time; else null. */
export function fillBreach({ prices }: EngineState, now: Ms): PriceMemory['breach'] {
  if (prices === undefined || (prices.breach === null && prices.suspects.length === 0)) return null
  const late = prices.suspects.find(({ seenAt }) => now - seenAt >= ANSWER_PATIENCE_MS)
  return (
    prices.breach ??
    (late === undefined ? null : { id: late.id, worseBps: worseThanQuoted(prices, late) ?? 0 })
  )
}

function breach(transition: Transition, id: string, worseBps: number): void {
  const memory = priceMemory(transition.state)
  memory.breach ??= { id, worseBps }
  transition.requestDecision('fill')
}

/**
 * Returns the earliest time of a fill, which the last poll did not list. A late row may be older, but the venue's date counts for
 * five minutes only, so no old mid can explain a fill.
 */
function sinceWhen({ polledAt }: PriceMemory, { createdAt }: Fill, now: Ms): Ms {
  const earliest = (polledAt ?? now) - PRICED_WITHIN_MS
  return Math.min(now, Math.max(earliest, createdAt ?? now))
}

/** Returns whether the last poll is older than the kept mids, so that the mid of a fill may be unknown. */
function isFromBefore({ polledAt }: PriceMemory, now: Ms): boolean {
  return polledAt !== null && now - polledAt > PRICED_WITHIN_MS
}

function alertLateFill({ alert }: Transition, id: string, worse: number): void {
  const message = `fill ${id}, from a time without polling, cost ${worse.toFixed(1)} bps more than our quote at any known mid; compare it with the mid at that time`
  alert('unpolled-fill-price', message)
}
