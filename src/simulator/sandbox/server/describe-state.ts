import {
  type TokenAmounts,
  type Asset,
  ASSETS,
  formatAmount,
  formatTokens,
} from '../../../base/money/asset.ts'
import { formatRate } from '../../../base/money/rate.ts'
import type { OrderLook } from '../chain/order-states.ts'
import { readBook, type ProviderBook } from '../market/book.ts'
import { poolInBook, type Provider, type VenueFill } from '../market/provider.ts'
import { isoTime, type TakenOrder, type VenueState } from '../state.ts'

/** GET /sandbox/state: the book, our live quote, the mid, the clock and the counters, as JSON without bigint. */
export function describeState(
  venue: VenueState,
  looks: ReadonlyMap<string, OrderLook> | null = null,
): object {
  const book = readBook(venue)
  const { ours } = venue
  return {
    now: venue.now,
    nowIso: isoTime(venue.now),
    scenario: venue.options.scenario,
    seed: venue.options.seed,
    mid: formatRate(venue.mid),
    rateUpdatedAt: isoTime(venue.rateUpdatedAt),
    quotable: venue.now >= venue.notQuotableUntil,
    inOutage: venue.now < venue.outageUntil,
    isActive: ours.isActive,
    isActivating: venue.isActivating,
    isSuspended: ours.isSuspended,
    selfCustody: venue.selfCustody,
    quote: {
      bidBps: ours.bidBps,
      askBps: ours.askBps,
      quoteBid: ours.quoteBid,
      quoteAsk: ours.quoteAsk,
      quotePairs: ours.quotePairs,
      updatedAt: isoTime(venue.spreadUpdatedAt),
    },
    book: {
      ours: providerText(book.ours),
      fees: amountsText(book.fees),
      takers: amountsText(book.takers),
      reserve: amountsText(book.reserve),
      external: amountsText(book.external),
    },
    competitors: venue.providers
      .filter((provider) => !provider.ours)
      .map((provider) => ({
        name: provider.name,
        bidBps: provider.quoteBid ? provider.bidBps : null,
        askBps: provider.quoteAsk ? provider.askBps : null,
        pool: poolText(provider),
        fills: provider.fillCount,
      })),
    orders: [...venue.orders.values()].map((order) => describeOrder(order, looks?.get(order.hash))),
    counters: { ...venue.counters },
    faults: venue.faults,
    nextRequests: [...venue.nextRequests],
  }
}

function providerText(book: ProviderBook): object {
  return {
    opening: amountsText(book.opening),
    pool: poolText(book),
    wallet: amountsText(book.wallet),
    feesPaid: amountsText(book.feesPaid),
    fills: book.fills.map((fill) => ({
      ...fill,
      amountIn: formatTokens(fill.amountIn, fill.from),
      amountOut: formatTokens(fill.amountOut, fill.to),
      fee: formatTokens(fill.fee, fill.to),
      debit: formatTokens(fill.debit, fill.to),
      credit: formatTokens(fill.credit, fill.from),
      earned: formatTokens(fill.earned, fill.to),
      ...measuredText(fill),
      mid: formatRate(fill.mid),
    })),
    orderFills: book.orderFills.map((fill) => ({
      ...fill,
      makerAmount: formatTokens(fill.makerAmount, fill.makerAsset),
      takerAmount: formatTokens(fill.takerAmount, fill.takerAsset),
    })),
    transfers: book.transfers.map((moved) => ({ ...moved, amount: formatTokens(moved.amount, moved.asset) })),
  }
}

/** Returns the amounts in the measured venue's book, instead of those in whole units of the token. */
function measuredText({ measured }: VenueFill): object {
  if (measured === undefined) return {}
  const { amountOut, fee, debit, earned, source } = measured
  return {
    amountOut: formatAmount(amountOut),
    fee: formatAmount(fee),
    debit: formatAmount(debit),
    earned: formatAmount(earned),
    measured: undefined,
    source,
  }
}

/** Returns a pool as in the venue's book. */
function poolText(provider: Pick<Provider, 'pool' | 'poolRest'>): Record<Asset, string> {
  const entries = ASSETS.map((asset) => [asset, formatAmount(poolInBook(provider, asset))] as const)
  return Object.fromEntries(entries) as Record<Asset, string>
}

function amountsText(amounts: TokenAmounts): Record<Asset, string> {
  const entries = ASSETS.map((asset) => [asset, formatTokens(amounts[asset], asset)] as const)
  return Object.fromEntries(entries) as Record<Asset, string>
}

/** Returns an order of GET /sandbox/state, with its state on chain if the chain answered. */
function describeOrder({ hash, expiry, at, order }: TakenOrder, look: OrderLook | undefined): object {
  const text = Object.entries(order).map(([name, value]) => [name, String(value)])
  const told = { hash, expiry, at, order: Object.fromEntries(text) as Record<string, string> }
  if (look === undefined) return told
  return {
    ...told,
    status: look.status,
    takerFilled: look.takerFilled.toString(),
    fillable: look.fillable.toString(),
  }
}
