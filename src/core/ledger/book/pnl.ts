import { STABLE_ASSETS, type StableAsset } from '../../../base/money/asset.ts'
import { type BookState, position, settledPnl } from './book.ts'
import type { StableComponents } from './accrual.ts'
import { valueTzs, valueUsd, type Tzs36, type Usd54 } from './value.ts'

/** The terms of the PnL in the order in which they are shown; the total is their sum. */
export const PNL_TERMS = ['spreadCapture', 'staleMid', 'inventory', 'costs', 'unreconciled'] as const
export type PnlTerm = (typeof PNL_TERMS)[number]

/** Returns a record of the terms with the values of `of`. */
export function mapTerms<Value>(of: (term: PnlTerm) => Value): Record<PnlTerm, Value> {
  return Object.fromEntries(PNL_TERMS.map((term) => [term, of(term)])) as Record<PnlTerm, Value>
}

type Totals = 'total' | 'opening' | 'flows' | 'value'

/**
 * Profit and loss since the opening, net of own deposits and withdrawals. All components are signed
 * contributions (a cost paid is negative): `total` is their plain sum, and exactly
 * `value - opening - flows`. The terms of the two currencies do not convert one by one.
 * Source: quant.md section 4, both identities.
 */
export type Pnl = {
  readonly tzs: Readonly<Record<PnlTerm | Totals, Tzs36>>
  /** In dollars spread capture and stale mid are one term, the edge. */
  readonly usd: Readonly<Record<'edge' | 'inventory' | 'costs' | 'unreconciled' | Totals, Usd54>>
  readonly byStable: Readonly<Record<StableAsset, Readonly<StableComponents>>>
  /** Highest total so far, at least 0. */
  readonly peakTzs: Tzs36
  /** Current and maximum drawdown from the peak of the total. */
  readonly drawdownTzs: Tzs36
  readonly maxDrawdownTzs: Tzs36
}

/** Returns the PnL of the book at its mark; null = there is no mark, so the PnL is unknown (not zero). */
export function pnl(book: BookState): Pnl | null {
  const state = settledPnl(book)
  const held = position(book)
  const valueInTzs = valueTzs(held, state.mark)
  const valueInUsd = valueUsd(held, state.mark)
  if (valueInTzs === null || valueInUsd === null) return null
  const tzs = { spreadCapture: 0n, staleMid: 0n, inventory: 0n }
  let edge = 0n
  for (const stable of STABLE_ASSETS) {
    const components = state.byStable[stable]
    tzs.spreadCapture += components.spreadCapture
    tzs.staleMid += components.staleMid
    tzs.inventory += components.inventory
    edge += components.edgeUsd
  }
  const terms = tzs.spreadCapture + tzs.staleMid + tzs.inventory
  return {
    tzs: {
      ...tzs,
      ...state.tzs,
      total: terms + state.tzs.costs + state.tzs.unreconciled,
      value: valueInTzs,
    },
    usd: {
      edge,
      inventory: state.inventoryUsd,
      ...state.usd,
      total: edge + state.inventoryUsd + state.usd.costs + state.usd.unreconciled,
      value: valueInUsd,
    },
    byStable: structuredCopy(state.byStable),
    peakTzs: state.peakTzs,
    drawdownTzs: state.peakTzs - state.totalTzs,
    maxDrawdownTzs: state.maxDrawdownTzs,
  }
}

/**
 * value - opening - flows - sum of the terms, in both currencies: exactly zero by construction, always.
 * Anything else is a bug of the ledger. Null = cannot be valued.
 */
export function identityResidual(book: BookState): { readonly tzs: Tzs36; readonly usd: Usd54 } | null {
  const now = pnl(book)
  if (now === null) return null
  return {
    tzs: now.tzs.value - now.tzs.opening - now.tzs.flows - now.tzs.total,
    usd: now.usd.value - now.usd.opening - now.usd.flows - now.usd.total,
  }
}

function structuredCopy(byStable: Record<StableAsset, StableComponents>): Pnl['byStable'] {
  return {
    USDC: { ...byStable.USDC },
    USDT: { ...byStable.USDT },
    'USDT.bnb': { ...byStable['USDT.bnb'] },
  }
}
