import { DAY_MS } from '../../../base/time.ts'
import { TOKEN_UNIT, type StableAsset } from '../../../base/money/asset.ts'
import { RATE_ONE } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { Quotes } from '../../../research/scenarios/play/participant.ts'
import { shownQuotes } from '../../../research/scenarios/play/rivals.ts'
import { DEFAULT_SLIPPAGE_BPS, executeSwap } from '../market/execute-swap.ts'
import type { Pair } from '../market/price.ts'
import { spreadOn, type Provider } from '../market/provider.ts'
import { quotes } from '../market/router.ts'
import { count, type VenueState } from '../state.ts'
import { dollarsIn, refillRival } from './restock.ts'
import type { WorldStep } from './world.ts'

const E18 = 10n ** 18n
/** After a full ticket only the spread remains; stop below this size. */
const LEAST_TICKET = 20n * E18

/**
 * An informed taker takes whole stocks, ticket by ticket from the cheapest provider upward, while the spread pays. A
 * ticket is as large as the cheapest stock covers; the router picks the provider as for every taker.
 */
export function takeStocks(venue: VenueState, step: WorldStep & { readonly type: 'takeStocks' }): void {
  const { side, limitBps, taker } = step
  let left = BigInt(Math.round(step.usd)) * E18
  let tickets = 0
  while (left >= LEAST_TICKET) {
    const offer = cheapest(venue, side, limitBps)
    if (offer === null) break
    const dollars = offer.dollars < left ? offer.dollars : left
    const done = executeSwap(venue, {
      taker,
      pair: offer.pair,
      amountIn: amountFor(venue, offer.pair, dollars),
      slippageBps: DEFAULT_SLIPPAGE_BPS,
      maxSpreadBps: limitBps,
      minOutput: null,
    })
    if (!done.ok) break
    left -= dollars
    tickets += 1
    const { provider } = done.value
    count(venue, provider.ours ? 'informed takers: filled by us' : 'informed takers: filled by a competitor')
    if (provider.refills) refillTomorrow(venue, provider)
  }
  if (tickets === 0) count(venue, 'informed takers: nothing pays')
}

/** Returns our quote as the others see it: only the sides that can pay. */
export function shownQuote({ ours, midNumber }: VenueState): Quotes {
  const bid = { side: 'bid', from: 'NTZS', to: 'USDC', stable: 'USDC' } as const
  const ask = { side: 'ask', from: 'USDC', to: 'NTZS', stable: 'USDC' } as const
  const standing = {
    bidBps: quotes(ours, bid) ? ours.bidBps : null,
    askBps: quotes(ours, ask) ? ours.askBps : null,
  }
  return shownQuotes(
    standing,
    (side) =>
      Number(side === 'bid' ? dollarsIn(ours.pool) : ours.pool.NTZS) /
      1e18 /
      (side === 'bid' ? 1 : midNumber),
  )
}

type Offer = { readonly pair: Pair; readonly bps: number; readonly dollars: bigint }

/** Returns the cheapest quote below the limit with a stock worth a ticket. */
function cheapest(venue: VenueState, side: Side, limitBps: number): Offer | null {
  let best: Offer | null = null
  for (const provider of venue.providers) {
    const bps = spreadOn(provider, side)
    if (bps >= limitBps || (best !== null && bps >= best.bps)) continue
    for (const pair of PAIRS[side]) {
      if (!quotes(provider, pair)) continue
      const dollars = stockOf(venue, provider, pair)
      if (dollars < LEAST_TICKET) continue
      best = { pair, bps, dollars }
      break
    }
  }
  return best
}

const PAIRS: Readonly<Record<Side, readonly Pair[]>> = {
  bid: (['USDC', 'USDT'] as const).map((stable) => ({ side: 'bid', from: 'NTZS', to: stable, stable })),
  ask: [{ side: 'ask', from: 'USDC', to: 'NTZS', stable: 'USDC' }],
}

/** Returns the provider's capacity to pay out, in dollars of 18 decimals at the mid. */
function stockOf({ mid }: VenueState, { pool }: Provider, { side, to }: Pair): bigint {
  return side === 'ask' ? (pool[to] * RATE_ONE) / mid : pool[to] * TOKEN_UNIT[to as StableAsset]
}

/** Returns a taker's payment for that many dollars at the mid. */
function amountFor({ mid }: VenueState, { side, stable }: Pair, dollars: bigint): bigint {
  return side === 'ask' ? dollars / TOKEN_UNIT[stable] : (dollars * mid) / RATE_ONE
}

/** Schedules the refill one day after the first take. */
function refillTomorrow(venue: VenueState, provider: Provider): void {
  if (provider.isRefilling) return
  provider.isRefilling = true
  venue.timeline.add(venue.now + DAY_MS, () => {
    provider.isRefilling = false
    refillRival(venue, provider)
  })
}
