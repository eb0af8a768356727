import {
  type Amounts,
  type Asset,
  STABLE_ASSETS,
  type StableAsset,
  zeroAmounts,
} from '../../../base/money/asset.ts'
import type { MidPlaces } from '../../../base/money/mid-places.ts'
import { type Rate, RATE_ONE } from '../../../base/money/rate.ts'
import { inverseRate, type Tzs36, USD18_TO_USD54, type Usd54 } from './value.ts'
import { invariant } from '../../../base/result.ts'
import { beginStretch, deepestFall, extendStretch, steepestRise, type Stretch } from './stretch.ts'

/** The PnL of trading and holding one stable. */
export type StableComponents = {
  /** Sum of dN + dU S: the income from the quoted spread, after the protocol fee, against the venue's mid. */
  spreadCapture: Tzs36
  /** Sum of dU (M - S): the gain or loss because the venue's mid differed from the fair value. */
  staleMid: Tzs36
  /** Sum of U (M_j - M_{j-1}): the gain or loss of holding these dollars. */
  inventory: Tzs36
  /** Sum of dU + dN / M: the edge of the same fills, counted in dollars. */
  edgeUsd: Usd54
}

/** The cause of a change of value other than a fill or a move of the mark. */
type ValueClass = 'opening' | 'flows' | 'costs' | 'unreconciled'

/**
 * Running sums of both identities, valid once the marks are settled, as `settledPnl` of the book returns them. Every posting adds
 * its exact share, so no history is recomputed. Signed as contributions: a cost is negative, and the total is the plain sum.
 */
export type PnlState = {
  /** The fair value of the last mark; null = nothing can be valued yet. */
  mark: Rate | null
  /** The ledger's inverse of the mark (see `inverseRate`); 0 while there is no mark. */
  inverse: bigint
  tzs: Record<ValueClass, Tzs36>
  usd: Record<ValueClass, Usd54>
  byStable: Record<StableAsset, StableComponents>
  /** Sum of N (1/M_j - 1/M_{j-1}): shillings held lose dollars when the shilling weakens. */
  inventoryUsd: Usd54
  /** PnL since the opening net of flows, its highest value so far (0 at the opening), its deepest fall. */
  totalTzs: Tzs36
  peakTzs: Tzs36
  maxDrawdownTzs: Tzs36
  /** Postings before the first mark, which values them. Null after the first mark. */
  unvalued: Unvalued | null
  /** The marks since the last settlement; absent = it is settled, as every snapshot is. */
  stretch?: Stretch | undefined
}

type Unvalued = {
  classes: Record<ValueClass, Amounts>
  /** Fills by their dollars: dollars at 18 decimals and NTZS base units, signed. */
  traded: Record<StableAsset, { dollars: bigint; shillings: bigint }>
}

export function createPnlState(): PnlState {
  const zeroes = () => ({ opening: 0n, flows: 0n, costs: 0n, unreconciled: 0n })
  const components = () => ({ spreadCapture: 0n, staleMid: 0n, inventory: 0n, edgeUsd: 0n })
  const traded = () => ({ dollars: 0n, shillings: 0n })
  return {
    mark: null,
    inverse: 0n,
    tzs: zeroes(),
    usd: zeroes(),
    byStable: { USDC: components(), USDT: components(), 'USDT.bnb': components() },
    inventoryUsd: 0n,
    totalTzs: 0n,
    peakTzs: 0n,
    maxDrawdownTzs: 0n,
    unvalued: {
      classes: {
        opening: zeroAmounts(),
        flows: zeroAmounts(),
        costs: zeroAmounts(),
        unreconciled: zeroAmounts(),
      },
      traded: { USDC: traded(), USDT: traded(), 'USDT.bnb': traded() },
    },
  }
}

/** Moves the mark. Its effect on the PnL accrues at the next settlement. */
export function accrueMark(state: PnlState, mark: Rate): void {
  if (state.mark === mark) return
  if (state.mark === null) {
    state.mark = mark
    state.inverse = inverseRate(mark)
    valueWhatWentBefore(state)
    trackDrawdown(state)
    return
  }
  state.stretch ??= beginStretch(state.mark)
  extendStretch(state.stretch, mark)
  state.mark = mark
}

/** Moves the mark along a path. A mark that changes no figure of the stretch costs two comparisons of doubles. */
export function accrueMarks(
  state: PnlState,
  { rates, tzs }: MidPlaces,
  path: Int32Array,
  from: number,
  to: number,
): void {
  const first = rates[path[from]!]!
  accrueMark(state, first)
  const { stretch } = state
  // Equal doubles count as a change.
  const at = (rate: Rate = first): number => Number(rate) / 1e18
  let [highest, lowest] = [at(stretch?.highest), at(stretch?.lowest)]
  let [sinceHighest, sinceLowest] = [at(stretch?.sinceHighest), at(stretch?.sinceLowest)]
  for (let i = from + 1; i < to; i++) {
    const place = path[i]!
    const mark = tzs[place]!
    if (mark > sinceHighest && mark < sinceLowest) continue
    accrueMark(state, rates[place]!)
    if (mark >= highest) highest = sinceHighest = mark
    else if (mark < sinceHighest) sinceHighest = mark
    if (mark <= lowest) lowest = sinceLowest = mark
    else if (mark > sinceLowest) sinceLowest = mark
  }
  state.mark = rates[path[to - 1]!]!
}

/**
 * Settles the marks since the last settlement, during which `pool` and `wallet` were held: accrues the inventory terms,
 * U (M_n - M_0) in shillings and N (1/M_n - 1/M_0) in dollars, and finds the same peak and drawdown as mark by mark.
 */
export function settleMarks(state: PnlState, pool: Readonly<Amounts>, wallet: Readonly<Amounts>): void {
  const { mark, stretch } = state
  if (stretch === undefined || mark === null) return
  state.stretch = undefined
  const before = state.totalTzs
  let dollars = 0n
  for (const asset of STABLE_ASSETS) {
    const held = pool[asset] + wallet[asset]
    if (held === 0n) continue
    state.byStable[asset].inventory += held * (mark - stretch.from)
    dollars += held
  }
  const inverse = inverseRate(mark)
  state.inventoryUsd += (pool.NTZS + wallet.NTZS) * (inverse - state.inverse)
  state.inverse = inverse
  if (dollars === 0n) return
  state.totalTzs = before + dollars * (mark - stretch.from)
  const { highest, lowest } = stretch
  const [best, worst] = dollars > 0n ? [highest, lowest] : [lowest, highest]
  const deepest = dollars > 0n ? dollars * deepestFall(stretch) : -dollars * steepestRise(stretch)
  const belowPeak = state.peakTzs - (before + dollars * (worst - stretch.from))
  state.maxDrawdownTzs = larger(larger(belowPeak, deepest), state.maxDrawdownTzs)
  state.peakTzs = larger(before + dollars * (best - stretch.from), state.peakTzs)
}

/** Moves the mark of settled sums; the value of the step is added to the opening. */
export function restate(
  state: PnlState,
  mark: Rate,
  pool: Readonly<Amounts>,
  wallet: Readonly<Amounts>,
): void {
  if (state.mark === null) return accrueMark(state, mark)
  for (const asset of STABLE_ASSETS) state.tzs.opening += (pool[asset] + wallet[asset]) * (mark - state.mark)
  const inverse = inverseRate(mark)
  state.usd.opening += (pool.NTZS + wallet.NTZS) * (inverse - state.inverse)
  state.mark = mark
  state.inverse = inverse
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/**
 * Accrues a fill of `dollars` (18 decimals) of one stable and `shillings` (base units), signed as our changes and net of the protocol
 * fee, at the venue's mid `venueMid`; null = unknown, and the mark is used.
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
  components.spreadCapture += posted
  state.totalTzs += posted
  components.edgeUsd += dollars * USD18_TO_USD54 + shillings * state.inverse
  if (mid === state.mark) return
  const stale = dollars * (state.mark - mid)
  components.staleMid += stale
  state.totalTzs += stale
}

/** Accrues units that entered (positive) or left for the reason `valueClass`, valued at the mark. */
export function accrueValue(state: PnlState, valueClass: ValueClass, asset: Asset, amount: bigint): void {
  if (state.mark === null) {
    unvaluedOf(state).classes[valueClass][asset] += amount
    return
  }
  const tzs = amount * (asset === 'NTZS' ? RATE_ONE : state.mark)
  state.tzs[valueClass] += tzs
  state.usd[valueClass] += amount * (asset === 'NTZS' ? state.inverse : USD18_TO_USD54)
  if (valueClass === 'costs' || valueClass === 'unreconciled') state.totalTzs += tzs
}

function unvaluedOf(state: PnlState): Unvalued {
  invariant(state.unvalued !== null, 'postings before the first mark are kept until it values them')
  return state.unvalued
}

function valueWhatWentBefore(state: PnlState): void {
  const before = state.unvalued
  state.unvalued = null
  if (before === null) return
  for (const valueClass of ['opening', 'flows', 'costs', 'unreconciled'] as const) {
    const amounts = before.classes[valueClass]
    for (const asset of ['NTZS', ...STABLE_ASSETS] as const) {
      accrueValue(state, valueClass, asset, amounts[asset])
    }
  }
  for (const stable of STABLE_ASSETS) {
    const { dollars, shillings } = before.traded[stable]
    accrueTraded(state, stable, dollars, shillings, null)
  }
}

/** Updates peak and drawdown. Called after each complete posting, because a partly posted fill is not a peak. */
export function trackDrawdown(state: PnlState): void {
  state.peakTzs = larger(state.totalTzs, state.peakTzs)
  state.maxDrawdownTzs = larger(state.peakTzs - state.totalTzs, state.maxDrawdownTzs)
}
