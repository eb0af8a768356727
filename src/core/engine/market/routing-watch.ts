import type { Ms } from '../../../base/time.ts'
import { poolAmounts } from '../../ledger/book/book.ts'
import type { Unrouted } from '../../market/market-state.ts'
import { executionMidOf } from '../../market/pair-mids.ts'
import { formatTokens, stableOf, toBook, TOKEN_UNIT } from '../../../base/money/asset.ts'
import { recordPickedSide } from '../../quoting/confirmation.ts'
import { coversPayout } from '../../../base/money/payout.ts'
import type { Side } from '../../../base/money/side.ts'
import type { CoreConfig } from '../model/config.ts'
import type { BestQuoteEvent } from '../model/event.ts'
import type { EngineState } from '../model/state.ts'
import type { Transition } from '../transition.ts'

/** Within this distance of the best spread the venue rotates among providers. */
const ROTATION_BPS = 5
/** Evidence that the venue does not route to us: this many probes over at least this time. */
const LEAST_PROBES = 5
const LEAST_MS: Ms = 60_000

/** Returns the best spread of a probe; null = no provider quotes, or the answer is the venue's constant for that case. */
export function bestShown(event: BestQuoteEvent, { publicRate }: CoreConfig): number | null {
  const { bestBps, picked, side, lowLiquidity } = event
  const unfilled = publicRate?.unfilled ?? null
  if (unfilled === null || !lowLiquidity) return bestBps
  const ofSide = side === 'bid' ? unfilled.bidBps : unfilled.askBps
  const isMadeUp =
    picked === undefined
      ? bestBps === ofSide
      : picked.bidBps === unfilled.bidBps && picked.askBps === unfilled.askBps
  return isMadeUp ? null : bestBps
}

/**
 * Counts consecutive probes that show a wider provider although the venue should pick us: the only visible sign that the
 * position is suspended. A probe without a provider does not count.
 */
export function watchRouting(transition: Transition, event: BestQuoteEvent): void {
  const { state, now, polling, request } = transition
  const { market, config } = state
  if (polling !== 'engine' || config.publicRate === null) return
  const key = `${stableOf(event)} ${event.side}` as const
  if (event.picked !== undefined && state.activation.isActive === true)
    recordPickedSide(state.quoting, event.side, event.picked, request?.sentAt ?? now)
  const ownBps = bpsThatShouldWin(state, event, request?.sentAt ?? now)
  const bestBps = bestShown(event, config)
  if (ownBps !== null && bestBps === null) return
  if (ownBps === null || bestBps === null || bestBps <= ownBps + ROTATION_BPS) {
    const before = market.unrouted?.[key]
    if (before === undefined) return
    delete market.unrouted?.[key]
    if (before.isReported)
      transition.inform(
        'not-routed',
        `our quote is picked again in probes of ${key}, or is no longer confirmed`,
      )
    return
  }
  const seen = ((market.unrouted ??= {})[key] ??= { since: now, probes: 0, isReported: false })
  seen.probes += 1
  if (seen.probes < LEAST_PROBES || now - seen.since < LEAST_MS) return
  if (Object.values(market.unrouted).some(({ isReported }) => isReported)) return
  seen.isReported = true
  transition.alert('not-routed', unroutedText(event, { ...seen, now, ownBps, bestBps }))
}

/** Returns our live spread on a side; null = it is off or not confirmed, or the position is not in the market. */
export function liveBps({ quoting, activation }: EngineState, side: Side): number | null {
  const { confirmed, status } = quoting
  if (activation.isActive !== true || status !== 'confirmed' || confirmed === null) return null
  if (side === 'bid') return confirmed.quoteBid ? confirmed.bidBps : null
  return confirmed.quoteAsk ? confirmed.askBps : null
}

/** Returns our confirmed spread on the side of a probe if the venue should have picked us; null = no such expectation. */
function bpsThatShouldWin(state: EngineState, event: BestQuoteEvent, askedAt: Ms): number | null {
  const { quoting, config, book, market } = state
  const { confirmed, confirmedAt, inFlight } = quoting
  if (config.mode !== 'live' || config.rfq !== null || inFlight !== null) return null
  if (confirmed === null || askedAt < (confirmedAt ?? askedAt)) return null
  const { side, probe } = event
  const stable = stableOf(event)
  if (confirmed.quotePairs !== null && !confirmed.quotePairs.includes(stable)) return null
  const mid = event.mid ?? executionMidOf(market, stable, state.now)
  const [given, paid] = side === 'bid' ? (['NTZS', stable] as const) : ([stable, 'NTZS'] as const)
  const swap = { side, grain: TOKEN_UNIT[paid] }
  const covers = mid !== null && coversPayout(poolAmounts(book)[paid], swap, toBook(probe, given), mid)
  return covers ? liveBps(state, side) : null
}

type UnroutedFacts = Pick<Unrouted, 'since' | 'probes'> & {
  readonly now: Ms
  readonly ownBps: number
  readonly bestBps: number
}

function unroutedText(event: BestQuoteEvent, { since, probes, now, ownBps, bestBps }: UnroutedFacts): string {
  const { side, probe } = event
  const asset = side === 'ask' ? stableOf(event) : 'NTZS'
  const size = `${formatTokens(probe, asset)} ${asset}`
  return `the venue does not route to this position: in ${probes} probes of ${size} over ${Math.round((now - since) / 1_000)} s the public rate picked a provider at ${bestBps} bps on the ${side}, wider than our confirmed ${ownBps} bps, and our inventory covers the probe; the position may be suspended`
}
