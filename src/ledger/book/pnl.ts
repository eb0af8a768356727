import { STABLE_ASSETS, type StableAsset } from '../../money/asset.ts'
import { type BookState, position } from './book.ts'
import type { StableComponents } from './accrual.ts'
import { valueTzs, valueUsd, type Tzs36, type Usd54 } from './value.ts'

/**
 * Profit and loss since the opening, net of own deposits and withdrawals. All components are signed
 * contributions (a cost paid is negative): `total` is their plain sum, and exactly
 * `value - opening - flows`. The terms of the two currencies do not convert one by one.
 * Source: quant.md section 4, both identities.
 */
export type Pnl = {
  readonly tzs: {
    readonly spreadCapture: Tzs36
    readonly staleMid: Tzs36
    readonly inventory: Tzs36
    readonly costs: Tzs36
    readonly unreconciled: Tzs36
    readonly total: Tzs36
    readonly opening: Tzs36
    readonly flows: Tzs36
    readonly value: Tzs36
  }
  readonly usd: {
    readonly edge: Usd54
    readonly inventory: Usd54
    readonly costs: Usd54
    readonly unreconciled: Usd54
    readonly total: Usd54
    readonly opening: Usd54
    readonly flows: Usd54
    readonly value: Usd54
  }
  readonly byStable: Readonly<Record<StableAsset, Readonly<StableComponents>>>
  /** Highest total so far, at least 0. */
  readonly peakTzs: Tzs36
  /** How far the total is below its peak now, and at worst. */
  readonly drawdownTzs: Tzs36
  readonly maxDrawdownTzs: Tzs36
}

/** The PnL of the book at its mark; null = there is no mark, it cannot be valued (which is not zero). */
export function pnl(book: BookState): Pnl | null {
  const state = book.pnl
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

function structuredCopy(byStable: BookState['pnl']['byStable']): Pnl['byStable'] {
  return {
    USDC: { ...byStable.USDC },
    USDT: { ...byStable.USDT },
    'USDT.bnb': { ...byStable['USDT.bnb'] },
  }
}
