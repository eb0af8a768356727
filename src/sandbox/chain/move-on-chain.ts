import type { Address, Hex } from 'viem'
import type { VenueTransfer } from '../provider.ts'
import { OPERATOR_ADDRESS, POOL_ADDRESS } from './pool-address.ts'
import { TEST_ACCOUNTS } from './test-accounts.ts'
import type { ChainTokens } from './chain-tokens.ts'
import { CHAIN_TOKENS, type ChainAsset } from './etch-contracts.ts'

export function isChainAsset(asset: string): asset is ChainAsset {
  return CHAIN_TOKENS.some((token) => token.asset === asset)
}

/**
 * Makes a movement of the venue's books one on the chain, and tells its transaction. It takes the tokens by
 * `moveByOperator`, so that the maker's own count of transactions stays theirs. Null for a token that the chain does not have.
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

/** The pool trades in the venue's books only: what takers brought is there once somebody takes it out. */
async function refill(
  tokens: ChainTokens,
  asset: ChainAsset,
  holder: Address,
  amount: bigint,
): Promise<void> {
  if ((await tokens.balance(asset, holder)) < amount) await tokens.setBalance(asset, holder, amount)
}
