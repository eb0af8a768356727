import type { Ms } from '../../../base/time.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import type { Course, Drill } from '../drill.ts'
import { boundCost, readSooner } from '../model/advice.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import { whyNoChain } from '../stage/chain.ts'

/**
 * Returns a night with the common defaults, overridden by `parts`: every desk has it, someone must notice it, and informed takers trade.
 */
export function night(
  parts: Pick<Drill, 'what' | 'safeMeans' | 'disrupt' | 'isSafe' | 'advise'> & Partial<Drill>,
): Drill {
  return {
    whyUnplayable: whyUnplayableAtAll,
    mustBeNoticed: true,
    eachSecond: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    ...parts,
  }
}

/** Nights that a desk has with pooled capital and with signed orders alike. */
export function whyUnplayableAtAll({ config }: DrilledPosition): string | null {
  return config.rfq === null ? null : whyNoChain(config)
}

/** Returns advice that bounds the cost if the night cost too much, and uses `advise` for other failures. */
export function boundCostOr(advise: Drill['advise']): Drill['advise'] {
  return (position, failure) =>
    failure.kind === 'cost' ? boundCost(position, failure) : advise(position, failure)
}

/** The same, with fills and balances read more often. */
export function boundCostOrReadSooner(why: string): Drill['advise'] {
  return boundCostOr((position, failure) => ({ settings: readSooner(position, failure), why }))
}

/** Whether every live quote of the position at the venue is at least as wide as the safe one. */
export async function holdsSafeQuote({ stage }: Course): Promise<boolean> {
  const { chain } = stage.market
  if (chain !== null) return (await chain.paying()).length === 0
  const { safeBps } = stage.position.config.quote
  const { isActive, bidBps, askBps } = await stage.market.quote()
  return !isActive || ((bidBps ?? safeBps) >= safeBps && (askBps ?? safeBps) >= safeBps)
}

export const SAFE_QUOTE =
  'the venue holds the safe quote, or none; with signed orders: none of them can be filled at a loss'

/**
 * Whether the safe quote is live because the books are in doubt. With signed orders: none can be filled at a loss and
 * none is signed, because of a break of the books or a halt; a difference under investigation alone delays them after
 * any fill.
 */
export async function isOutOfMarket(course: Course): Promise<boolean> {
  if (!(await holdsSafeQuote(course))) return false
  if (course.stage.market.chain === null) return true
  const view = await course.stage.view()
  if (view === null) return course.stage.daemon().hasEnded()
  const isInDoubt = view.tradingState === 'HALTED' || view.reconciliation.state === 'break'
  return isInDoubt && view.rfq?.blocked !== null
}

export const OUT_OF_MARKET =
  'the venue holds the safe quote, or none; with signed orders: no new one is signed, and none can be filled at a loss'

/** Time in which a daemon signs new orders after it has read the mid and the chain. */
const SIGNED_MS = 5_000

/** Signed orders do not change: the drill judges the orders that the daemon signs after it has read the mid. */
export function isSignedAnew({ stage, sinceMs }: Course): boolean {
  return sinceMs >= signedAnewMs(stage.position)
}

/** Returns how long to wait before judging signed orders; a quote of pooled capital can be judged at once. */
export function signedAnewMs({ config: { rfq, pacing } }: DrilledPosition): Ms {
  return rfq === null ? 0 : 2 * pacing.rateIntervalMs + rfq.pollMs + SIGNED_MS
}

/** The daemon answers, its books are reconciled, it has every fill of the venue, and its quote is confirmed. */
export async function isInHand({ stage }: Course): Promise<boolean> {
  if (stage.market.chain !== null) return agreesWithChain(stage)
  const view = await stage.view()
  if (view === null || view.reconciliation.state !== 'reconciled') return false
  return view.fills.total === stage.market.fillCount() && (await agreesWithVenue(view, stage))
}

export const IN_HAND =
  'every fill of the venue is booked, the books are reconciled and the quote is confirmed, or orders are open'

async function agreesWithVenue({ quote }: PositionView, stage: Course['stage']): Promise<boolean> {
  if (quote.status !== 'confirmed') return false
  const { isActive, bidBps, askBps } = await stage.market.quote()
  const shown = {
    bid: quote.quoteBid === false ? null : quote.bidBps,
    ask: quote.quoteAsk === false ? null : quote.askBps,
  }
  return !isActive || (shown.bid === bidBps && shown.ask === askBps)
}

/** In self-custody: the books equal the wallet's balances on chain to the last unit, and orders can be filled. */
export async function agreesWithChain({ view, market }: Course['stage']): Promise<boolean> {
  const [seen, held] = [await view(), await market.chain?.balances()]
  if (seen?.reconciliation.state !== 'reconciled' || held === undefined) return false
  const hasOrders = seen.rfq?.blocked === null && seen.rfq.orders.some(({ phase }) => phase === 'open')
  return hasOrders && [...held].every(([asset, amount]) => seen.balances[asset] === amount)
}

/** Takers on both sides in turn, as on any evening: a fill is needed to see its consequences. */
export async function tradeBothSides({ stage, sinceMs, takerUsd }: Course): Promise<void> {
  const isEven = Math.floor(sinceMs / 1_000) % 2 === 0
  await stage.market.take(isEven ? 'ask' : 'bid', takerUsd)
}
