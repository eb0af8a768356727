import type { ConfigFile } from '../../../daemon/config/schema/schema.ts'
import { type Asset, formatTokens } from '../../../base/money/asset.ts'
import { findAnvil, NoAnvil } from '../../sandbox/chain/anvil.ts'
import { PLENTY } from '../../sandbox/chain/addresses.ts'
import { CHAIN_TOKENS } from '../../sandbox/chain/etch-contracts.ts'
import type { StartedChain } from '../../sandbox/chain/start-chain.ts'
import { type DrillVenue, type OrderFills, orderFills, type Received } from './order-fills.ts'
import { DRILL_ENV } from './drilled-treasury.ts'

/** The simulated chain beneath the venue: the desk's wallet, the real exchange, and anyone who fills. */
export type DrillChain = OrderFills & {
  /** Replaces the desk's own rfq section in the drilled configuration. */
  readonly section: Readonly<Record<string, unknown>>
  /** Removes the amount of a token from the desk's wallet without any event on chain. */
  readonly lose: (received: Received) => Promise<void>
  /** Starts a fork. The returned function reorganises the chain: it drops every block since and mines a longer branch. */
  readonly fork: () => Promise<() => Promise<void>>
  /** The balances of the desk's wallet, as decimal text. */
  readonly balances: () => Promise<ReadonlyMap<Asset, string>>
}

/** Returns why this desk cannot be given a chain; null = it can. */
export function whyNoChain({ rfq }: Pick<ConfigFile, 'rfq'>, find: () => string = findAnvil): string | null {
  if (rfq === null) return 'the capital is in the pool of the venue: nothing of it is on a chain'
  const names = CHAIN_TOKENS.map(({ asset }) => asset).filter((asset) => rfq.tokens[asset] !== undefined)
  if (names.length < 2)
    return 'the simulated chain has NTZS, USDC and USDT of Base, and rfq.tokens names others'
  try {
    find()
    return null
  } catch (error) {
    if (error instanceof NoAnvil) return error.message
    throw error
  }
}

/** Approves the exchange for the orders' tokens, like `mizani custody enable`, and opens the chain for the drill. */
export async function openDrillChain(
  chain: StartedChain,
  { rfq }: Pick<ConfigFile, 'rfq'>,
  venue: DrillVenue,
): Promise<DrillChain> {
  const { accounts, exchange, tokens } = chain
  const maker = accounts.maker.address
  for (const { asset, decimals } of CHAIN_TOKENS)
    await tokens.approve(asset, maker, exchange, PLENTY * 10n ** BigInt(decimals))
  const named = CHAIN_TOKENS.filter(({ asset }) => rfq?.tokens[asset] !== undefined)
  const height = () => chain.client.getBlockNumber({ cacheTime: 0 })
  return {
    ...orderFills(chain, venue),
    section: {
      chainId: chain.chainId,
      exchange,
      maker,
      solver: accounts.solver.address,
      tokens: Object.fromEntries(named.map(({ asset, address }) => [asset, address])),
      rpc: { urls: [chain.url] },
      signer: { envKey: `!env ${DRILL_ENV.maker}`, allowInLive: true },
    },
    async lose({ asset, amount }) {
      const held = await tokens.balance(asset, maker)
      await tokens.setBalance(asset, maker, held > amount ? held - amount : 0n)
    },
    async fork() {
      const before = await chain.snapshot()
      return async () => {
        const longest = await height()
        await chain.revert(before)
        await chain.mine(Number(longest - (await height())) + 1)
      }
    },
    async balances() {
      const held = await Promise.all(
        named.map(
          async ({ asset }) => [asset, formatTokens(await tokens.balance(asset, maker), asset)] as const,
        ),
      )
      return new Map<Asset, string>(held)
    },
  }
}
