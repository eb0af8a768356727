import { invariant } from '../base/invariant.ts'
import { STABLE_ASSETS, TO_18_DECIMALS, type Amounts, type Asset, type StableAsset } from '../money/asset.ts'
import { RATE_ONE, type Rate } from '../money/rate.ts'
import { inverseRate } from './inverse-rate.ts'
import { USD18_TO_USD54 } from './value-tzs.ts'
import type { ValueClass, PnlState, Unvalued } from './pnl-state.ts'
import { trackDrawdown } from './track-drawdown.ts'

/** The mark moves to `mark` while `pool` and `wallet` are held: accrues the inventory components. */
export function accrueMark(
  state: PnlState,
  pool: Readonly<Amounts>,
  wallet: Readonly<Amounts>,
  mark: Rate,
): void {
  if (state.mark === mark) return
  const inverse = inverseRate(mark)
  if (state.mark === null) {
    state.mark = mark
    state.inverse = inverse
    valueWhatWentBefore(state)
    trackDrawdown(state)
    return
  }
  const step = mark - state.mark
  for (const asset of STABLE_ASSETS) {
    const held = pool[asset] + wallet[asset]
    if (held === 0n) continue
    const gain = held * TO_18_DECIMALS[asset] * step
    state.byStable[asset].inventory += gain
    state.totalTzs += gain
  }
  state.inventoryUsd += (pool.NTZS + wallet.NTZS) * (inverse - state.inverse)
  state.mark = mark
  state.inverse = inverse
  trackDrawdown(state)
}

/**
 * A fill moved `dollars` (18 decimals) of one stable and `shillings` (base units), ours positive, net of
 * the protocol fee, at the venue's mid `venueMid`; null = not known, then the mark stands in for it.
 */
export function accrueTraded(
  state: PnlState,
  stable: StableAsset,
  dollars: bigint,
  shillings: bigint,
  venueMid: Rate | null,
): void {
  if (state.mark === null) {
    const waiting = unvaluedOf(state).traded[stable]
    waiting.dollars += dollars
    waiting.shillings += shillings
    return
  }
  const mid = venueMid ?? state.mark
  const components = state.byStable[stable]
  const posted = shillings * RATE_ONE + dollars * mid
  const stale = dollars * (state.mark - mid)
  components.postedSpread += posted
  components.staleMid += stale
  components.edgeUsd += dollars * USD18_TO_USD54 + shillings * state.inverse
  state.totalTzs += posted + stale
}

/** Units came (positive) or went for a reason of `valueClass`, valued at the mark. */
export function accrueValue(state: PnlState, valueClass: ValueClass, asset: Asset, amount: bigint): void {
  if (state.mark === null) {
    unvaluedOf(state).classes[valueClass][asset] += amount
    return
  }
  const dollars = asset === 'NTZS' ? 0n : amount * TO_18_DECIMALS[asset]
  const tzs = asset === 'NTZS' ? amount * RATE_ONE : dollars * state.mark
  state.tzs[valueClass] += tzs
  state.usd[valueClass] += asset === 'NTZS' ? amount * state.inverse : dollars * USD18_TO_USD54
  if (valueClass === 'costs' || valueClass === 'unexplained') state.totalTzs += tzs
}

function unvaluedOf(state: PnlState): Unvalued {
  invariant(state.unvalued !== null, 'before the first mark there is a place for what it will value')
  return state.unvalued
}

function valueWhatWentBefore(state: PnlState): void {
  const before = state.unvalued
  state.unvalued = null
  if (before === null) return
  for (const valueClass of ['opening', 'flows', 'costs', 'unexplained'] as const) {
    const amounts = before.classes[valueClass]
    for (const asset of ['NTZS', ...STABLE_ASSETS] as const) {
      if (amounts[asset] !== 0n) accrueValue(state, valueClass, asset, amounts[asset])
    }
  }
  for (const stable of STABLE_ASSETS) {
    const { dollars, shillings } = before.traded[stable]
    if (dollars !== 0n || shillings !== 0n) accrueTraded(state, stable, dollars, shillings, null)
  }
}
