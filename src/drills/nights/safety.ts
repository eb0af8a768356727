import type { PositionView } from '../../view/position-view.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import { whyNoChain } from '../stage/chain.ts'
import type { Course } from '../model/drill.ts'

/** Nights that are about a pool do not concern a desk whose tokens stay in its own wallet. */
export function whyNotPooled({ config }: DrilledPosition): string | null {
  return config.rfq === null
    ? null
    : 'the capital is in a wallet of its own (rfq): no quote stands at the venue'
}

/** Nights that a desk has with pooled capital and with signed orders alike. */
export function whyNotAtAll({ config }: DrilledPosition): string | null {
  return config.rfq === null ? null : whyNoChain(config)
}

/** The venue itself holds no quote of ours that is better than the safe one. */
export async function holdsSafeQuote({ stage }: Course): Promise<boolean> {
  const { chain } = stage.market
  if (chain !== null) return (await chain.paying()).length === 0
  const { safeBps } = stage.position.config.quote
  const { isActive, bidBps, askBps } = await stage.market.quote()
  return !isActive || ((bidBps ?? safeBps) >= safeBps && (askBps ?? safeBps) >= safeBps)
}

export const SAFE_QUOTE =
  'the venue holds the safe quote, or none; with signed orders: none of them can be filled at a loss'

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

/** In self-custody: the books equal the wallet's balances on the chain to the last unit, and orders can be filled. */
export async function agreesWithChain({ view, market }: Course['stage']): Promise<boolean> {
  const [seen, held] = [await view(), await market.chain?.balances()]
  if (seen?.reconciliation.state !== 'reconciled' || held === undefined) return false
  const hasOrders = seen.rfq?.blocked === null && seen.rfq.orders.some(({ phase }) => phase === 'open')
  return hasOrders && [...held].every(([asset, amount]) => seen.balances[asset] === amount)
}

/** Takers on both sides in turn, as on any evening: one of them is needed to see what a fill does. */
export async function tradeBothSides({ stage, sinceMs, takerUsd }: Course): Promise<void> {
  const isEven = Math.floor(sinceMs / 1_000) % 2 === 0
  await stage.market.take(isEven ? 'ask' : 'bid', takerUsd)
}
