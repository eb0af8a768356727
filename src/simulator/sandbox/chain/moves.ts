import type { Address, Hex } from 'viem'
import { ASSETS } from '../../../base/money/asset.ts'
import { holderAt } from '../market/book.ts'
import type { VenueTransfer } from '../market/provider.ts'
import type { VenueState } from '../state.ts'
import { OPERATOR_ADDRESS, POOL_ADDRESS, TEST_ACCOUNTS } from './addresses.ts'
import { CHAIN_TOKENS, type EtchedAsset } from './etch-contracts.ts'
import type { ChainTokens } from './tokens.ts'

function isChainAsset(asset: string): asset is EtchedAsset {
  return CHAIN_TOKENS.some((token) => token.asset === asset)
}

/**
 * Executes a movement of the venue's books on the chain and returns its transaction. Uses `moveByOperator`, so that
 * the maker's own nonce does not change. Null for a token that the chain does not have.
 */
export async function moveOnChain(
  tokens: ChainTokens,
  maker: Address,
  { kind, asset, amount, to }: VenueTransfer,
): Promise<Hex | null> {
  if (!isChainAsset(asset)) return null
  switch (kind) {
    case 'sweep-to-pool':
      return tokens.move(asset, maker, POOL_ADDRESS, amount)
    case 'sweep-to-wallet':
      await refill(tokens, asset, POOL_ADDRESS, amount)
      return tokens.move(asset, POOL_ADDRESS, maker, amount)
    case 'deposit':
      await refill(tokens, asset, OPERATOR_ADDRESS, amount)
      return tokens.move(asset, OPERATOR_ADDRESS, maker, amount)
    case 'withdrawal':
      return tokens.move(asset, maker, (to ?? STRANGER) as Address, amount)
    case 'stolen-from-wallet':
      return tokens.move(asset, maker, STRANGER, amount)
    case 'stolen-from-pool':
      await refill(tokens, asset, POOL_ADDRESS, amount)
      return tokens.move(asset, POOL_ADDRESS, STRANGER, amount)
  }
}

const STRANGER = TEST_ACCOUNTS.stranger.address

/** The pool trades only in the venue's books, so tokens from takers are created when someone takes them out. */
async function refill(
  tokens: ChainTokens,
  asset: EtchedAsset,
  holder: Address,
  amount: bigint,
): Promise<void> {
  if ((await tokens.balance(asset, holder)) < amount) await tokens.setBalance(asset, holder, amount)
}

/**
 * A movement out of the wallet cannot exceed its balance at execution, which a fill may have reduced since the
 * decision. Shortens the movements from number `from` on, the latest first, until the books' wallet is no longer
 * negative.
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

/** Returns the account that receives units of the wallet; null = the movement takes none. */
function receiverOf(venue: VenueState, { kind, to }: VenueTransfer): VenueState['external'] | null {
  if (kind === 'sweep-to-pool') return venue.ours.pool
  if (kind === 'withdrawal' && to !== undefined) return holderAt(venue, to)
  return kind === 'withdrawal' || kind === 'stolen-from-wallet' ? venue.external : null
}
