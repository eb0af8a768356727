import { isChainAsset } from './move-on-chain.ts'
import { ASSETS } from '../../money/asset.ts'
import type { VenueTransfer } from '../provider.ts'
import type { VenueState } from '../venue-state.ts'

/**
 * A movement out of the wallet takes what is there when it happens on the chain: what a fill took between
 * the decision and then it cannot take. Shortens the movements from number `from` on, the latest first, until
 * the books' wallet is not below zero any more.
 */
export function shortenMoves(venue: VenueState, from: number): void {
  const { transfers, wallet } = venue.ours
  for (const asset of ASSETS.filter(isChainAsset)) {
    for (let at = transfers.length - 1; at >= from && wallet[asset] < 0n; at -= 1) {
      const move = transfers[at] as VenueTransfer
      const target = move.asset === asset ? receiverOf(venue, move) : null
      if (target === null) continue
      const short = -wallet[asset] < move.amount ? -wallet[asset] : move.amount
      transfers[at] = { ...move, amount: move.amount - short }
      wallet[asset] += short
      target[asset] -= short
    }
  }
}

/** The account that units of the wallet go to; null where the movement takes nothing from it. */
function receiverOf(venue: VenueState, { kind }: VenueTransfer): VenueState['external'] | null {
  if (kind === 'sweep-to-pool') return venue.ours.pool
  return kind === 'withdrawal' || kind === 'stolen-from-wallet' ? venue.external : null
}
