import type { TrailFill } from '../trail.ts'
import { revalue } from './revalue.ts'
import type { TrailState } from './trail-state.ts'

/** A fill: its edge against the fair value, and what we hold from now on. Keeps sums, not the fill. */
export function onFill(state: TrailState, fill: TrailFill): void {
  const { held, fills } = state
  const { dollars18, synthetic } = fill
  const isBid = fill.side === 'bid'
  const dollars = Number(dollars18) / 1e18
  const shillings = Number(fill.shillings) / 1e18
  const usd = Math.abs(dollars)
  const weight = usd * state.fair
  const edge = shillings + dollars * state.fair

  // Sums of doubles: a million fills of a position of 10^8 TZS wander by less than a thousandth of a shilling.
  held.dollars += dollars
  held.tzs += shillings

  fills.turnover18 = dollars18 < 0n ? fills.turnover18 - dollars18 : fills.turnover18 + dollars18
  if (isBid) fills.bid += 1
  else fills.ask += 1
  fills.weight += weight
  fills.postedWeight += weight * fill.bps
  fills.edge += Math.abs(edge)
  if (synthetic) {
    fills.synthetic += 1
    fills.syntheticEdge += Math.abs(edge)
  }

  state.edge.add(state.prints, edge, weight, 1)
  state.printMarkouts.fill(dollars, shillings, weight, state.fair)
  if (state.moves > 0) state.timedMarkouts.fill(state.t, state.prints, dollars, shillings, weight)
  state.size.add(usd)
  state.sample.add(state.t, usd > 0 ? Math.abs(shillings) / usd : Number.NaN, usd, isBid, synthetic)
  revalue(state)
}
