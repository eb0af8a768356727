import { BPS } from '../../../base/money/bps.ts'
import { type Asset, ASSETS, toBook, TOKEN_UNIT, type StableAsset } from '../../../base/money/asset.ts'
import { shillingsForDollars } from '../../../base/money/payout.ts'
import { transfer } from '../market/book.ts'
import type { Provider, VenueFill } from '../market/provider.ts'
import { count, type VenueState } from '../state.ts'
import type { WorldStep } from './world.ts'

const DOLLARS: readonly StableAsset[] = ['USDC', 'USDT', 'USDT.bnb']

/**
 * Returns our dollars in the pool to the opening amount; the shillings pay or receive their value at the given rate,
 * less the cost. Changes nothing if a side holds enough, the position is not in the pool, or the shillings do not
 * suffice.
 */
export function restockOurs(
  venue: VenueState,
  { rate, belowShare, costBps }: WorldStep & { readonly type: 'restock' },
): void {
  const { ours } = venue
  if (!ours.isActive || ours.isLeaving || (belowShare !== null && !needsRestocking(ours, belowShare))) return
  const missing = DOLLARS.map((asset) => ({ asset, amount: ours.opening[asset] - ours.pool[asset] }))
  let shillings = 0n
  for (const { asset, amount } of missing) {
    // The cost makes incoming dollars more expensive and outgoing ones cheaper.
    const worth = shillingsForDollars(toBook(amount, asset), rate, 0, 'down')
    const cost = ((worth < 0n ? -worth : worth) * BigInt(costBps)) / BPS
    shillings -= worth + cost
  }
  if (ours.pool.NTZS + shillings < 0n) {
    count(venue, 'restocking: not enough shillings')
    return
  }
  for (const { asset, amount } of missing) bring(venue, asset, amount)
  bring(venue, 'NTZS', shillings)
  count(venue, 'restocking')
}

function needsRestocking({ opening, pool }: Provider, belowShare: number): boolean {
  const ofDollars = shareOf(dollarsIn(pool), dollarsIn(opening))
  return Math.min(ofDollars, shareOf(pool.NTZS, opening.NTZS)) < belowShare
}

function shareOf(held: bigint, target: bigint): number {
  return target === 0n ? 1 : Number(held) / Number(target)
}

/** Returns the sum of all dollars with 18 decimals. */
export function dollarsIn(amounts: Readonly<Record<Asset, bigint>>): bigint {
  return DOLLARS.reduce((sum, asset) => sum + amounts[asset] * TOKEN_UNIT[asset], 0n)
}

/** Moves units into our pool from outside, or out of it; the book shows a deposit or a withdrawal. */
function bring(venue: VenueState, asset: Asset, amount: bigint): void {
  if (amount === 0n) return
  venue.ours.pool[asset] += amount
  venue.external[asset] -= amount
  const [kind, moved] = amount > 0n ? (['deposit', amount] as const) : (['withdrawal', -amount] as const)
  venue.ours.transfers.push(transfer(venue, kind, asset, moved))
}

/** Returns a fill's tokens to a rival that small takers do not deplete. */
export function returnFill(
  venue: VenueState,
  { pool }: Provider,
  { from, to, credit, debit }: VenueFill,
): void {
  pool[from] -= credit
  venue.external[from] += credit
  pool[to] += debit
  venue.external[to] -= debit
}

/** Restores a rival's opening stock. */
export function refillRival({ external }: VenueState, { opening, pool }: Provider): void {
  for (const asset of ASSETS) {
    external[asset] += pool[asset] - opening[asset]
    pool[asset] = opening[asset]
  }
}
