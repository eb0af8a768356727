import type { TargetOrder } from '../rfq/build-order.ts'
import type { QuoteTerm, StrategyQuote } from './define-strategy.ts'

/**
 * Returns a wrapped quote moved by one more term: both spreads, and orders by the same bps of their own price. A side that is
 * off stays off. A quote without terms counts as one term. `reasons` follow those of the quote.
 */
export function addTerm(
  quote: StrategyQuote,
  term: QuoteTerm,
  reasons: readonly string[] = [],
): StrategyQuote {
  const { bidBps, askBps, orders } = quote
  return {
    bidBps: bidBps === null ? null : bidBps + term.bidBps,
    askBps: askBps === null ? null : askBps + term.askBps,
    ...(orders === undefined ? {} : { orders: orders.map((order) => movedOrder(order, term)) }),
    reasons: [...quote.reasons, ...reasons],
    terms: [...termsOf(quote), term],
    ...keptOf(quote),
  }
}

/** Returns a wrapped quote with both sides off: its terms show the original quote, and `name` the cause. */
export function switchOff(quote: StrategyQuote, name: string, reason: string): StrategyQuote {
  return {
    bidBps: null,
    askBps: null,
    ...(quote.orders === undefined ? {} : { orders: [] }),
    reasons: [reason, ...quote.reasons],
    terms: [...termsOf(quote), { name, bidBps: 0, askBps: 0 }],
    ...keptOf(quote),
  }
}

function keptOf({ fallback, plot }: StrategyQuote): Pick<StrategyQuote, 'fallback' | 'plot'> {
  return { ...(fallback === undefined ? {} : { fallback }), ...(plot === undefined ? {} : { plot }) }
}

function termsOf({ terms, bidBps, askBps }: StrategyQuote): readonly QuoteTerm[] {
  return terms ?? [{ name: 'wrapped quote', bidBps: bidBps ?? 0, askBps: askBps ?? 0 }]
}

/** Wider means that a bid asks for more shillings per dollar, and an ask gives fewer. */
function movedOrder(order: TargetOrder, { bidBps, askBps }: QuoteTerm): TargetOrder {
  const factor = order.side === 'bid' ? 1 + bidBps / 1e4 : 1 - askBps / 1e4
  return { ...order, tzsPerUsd: order.tzsPerUsd * factor }
}
