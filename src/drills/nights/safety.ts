import type { PositionView } from '../../view/position-view.ts'
import type { DrilledPosition } from '../model/drilled-position.ts'
import type { Course } from '../model/drill.ts'

/** Nights that are about a pool do not concern a desk whose tokens stay in its own wallet. */
export function whyNotPooled({ config }: DrilledPosition): string | null {
  return config.rfq === null
    ? null
    : 'the capital is in a wallet of its own (rfq): no quote stands at the venue'
}

/** The venue itself holds no quote of ours that is better than the safe one. */
export async function holdsSafeQuote({ stage }: Course): Promise<boolean> {
  const { safeBps } = stage.position.config.quote
  const { isActive, bidBps, askBps } = await stage.market.quote()
  return !isActive || ((bidBps ?? safeBps) >= safeBps && (askBps ?? safeBps) >= safeBps)
}

export const SAFE_QUOTE = 'the venue holds the safe quote, or none'

/** The daemon answers, its books are reconciled, it has every fill of the venue, and its quote is confirmed. */
export async function isInHand({ stage }: Course): Promise<boolean> {
  const view = await stage.view()
  if (view === null || view.reconciliation.state !== 'reconciled') return false
  return view.fills.total === stage.market.fillCount() && (await agreesWithVenue(view, stage))
}

export const IN_HAND =
  'every fill of the venue is booked, the books are reconciled and the quote is confirmed'

async function agreesWithVenue({ quote }: PositionView, stage: Course['stage']): Promise<boolean> {
  if (quote.status !== 'confirmed') return false
  const { isActive, bidBps, askBps } = await stage.market.quote()
  const shown = {
    bid: quote.quoteBid === false ? null : quote.bidBps,
    ask: quote.quoteAsk === false ? null : quote.askBps,
  }
  return !isActive || (shown.bid === bidBps && shown.ask === askBps)
}

/** Takers on both sides in turn, as on any evening: one of them is needed to see what a fill does. */
export async function tradeBothSides({ stage, sinceMs, takerUsd }: Course): Promise<void> {
  const isEven = Math.floor(sinceMs / 1_000) % 2 === 0
  await stage.market.take(isEven ? 'ask' : 'bid', takerUsd)
}
