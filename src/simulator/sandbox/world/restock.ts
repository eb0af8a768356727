import { BPS } from '../../../base/money/bps.ts'
import { type Asset, ASSETS, toBook, TOKEN_UNIT, type StableAsset } from '../../../base/money/asset.ts'
import { shillingsForDollars } from '../../../base/money/payout.ts'
import { transfer } from '../market/book.ts'
import type { Provider, VenueFill } from '../market/provider.ts'
import { count, type VenueState } from '../state.ts'
import type { WorldStep } from './world.ts'

const DOLLARS: readonly StableAsset[] = ['USDC', 'USDT', 'USDT.bnb']

/**
 * Our dollars in the pool go back to the opening ones; the shillings beside them pay or receive their worth at the given
 * rate, less the cost. A side that holds enough, a position that is not in the pool, and shillings that do not suffice leave it as it is.
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
    // Dollars that come are dearer by the cost, those that go are cheaper.
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

/** With 18 decimals, whichever dollars. */
export function dollarsIn(amounts: Readonly<Record<Asset, bigint>>): bigint {
  return DOLLARS.reduce((sum, asset) => sum + amounts[asset] * TOKEN_UNIT[asset], 0n)
}

/** Units that come into our pool from outside, or leave it: they stand in the book as a deposit or a withdrawal. */
function bring(venue: VenueState, asset: Asset, amount: bigint): void {
  if (amount === 0n) return
  venue.ours.pool[asset] += amount
  venue.external[asset] -= amount
  const [kind, moved] = amount > 0n ? (['deposit', amount] as const) : (['withdrawal', -amount] as const)
  venue.ours.transfers.push(transfer(venue, kind, asset, moved))
}

/** A rival that small takers do not deplete gets back what a fill moved. */
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

/** A rival has its opening stock again. */
export function refillRival({ external }: VenueState, { opening, pool }: Provider): void {
  for (const asset of ASSETS) {
    external[asset] += pool[asset] - opening[asset]
    pool[asset] = opening[asset]
  }
}
