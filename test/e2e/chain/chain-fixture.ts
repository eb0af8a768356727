import { parseAbi, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Chain, CHAIN_DEFAULTS, type ChainSettings } from '../../../src/custody/chain/chain.ts'
import { openChain, type ChainParts } from '../../../src/custody/chain/open-chain.ts'
import { EXCHANGE_ABI } from '../../../src/core/rfq/exchange-abi.ts'
import type { Hex, RfqOrder } from '../../../src/core/rfq/rfq-order.ts'
import type { StartedChain } from '../../../src/simulator/sandbox/chain/start-chain.ts'
import { signOrder } from '../../support/chain-order.ts'

const ABI = parseAbi(EXCHANGE_ABI)

export function settingsOn(
  { url, chainId, exchange, accounts, tokens }: StartedChain,
  more: Partial<ChainSettings> = {},
): ChainSettings {
  return {
    ...CHAIN_DEFAULTS,
    chainId,
    exchange,
    maker: accounts.maker.address,
    tokens: tokens.address,
    urls: [url],
    confirmations: 3,
    // The clock of a simulated chain may have been moved.
    maxHeadAgeMs: 10 ** 12,
    ...more,
  }
}

export function makerOf({ accounts }: StartedChain): LocalAccount {
  return privateKeyToAccount(accounts.maker.key)
}

/** Throws where it does not open. Close it. */
export async function opened(settings: ChainSettings, parts: Partial<ChainParts> = {}): Promise<Chain> {
  const chain = await openChain(settings, { account: null, now: Date.now, transactionsFile: null, ...parts })
  if (!chain.ok) throw new Error(chain.error)
  return chain.value
}

/** 2,600 shillings for a dollar, for an hour by the chain's clock. */
export async function orderOn(started: StartedChain, salt: bigint): Promise<RfqOrder> {
  const { tokens, accounts, now } = started
  const lower = (hex: string) => hex.toLowerCase() as Hex
  const solver = lower(accounts.solver.address)
  return {
    makerToken: lower(tokens.address.NTZS),
    takerToken: lower(tokens.address.USDC),
    makerAmount: 2_600n * 10n ** 18n,
    takerAmount: 1_000_000n,
    maker: lower(accounts.maker.address),
    taker: solver,
    txOrigin: solver,
    pool: `0x${'0'.repeat(64)}`,
    expiry: BigInt(Math.floor((await now()) / 1_000) + 3_600),
    salt,
  }
}

/** Lets the exchange take all that the maker and the solver could give. */
export async function allowAll({ tokens, accounts, exchange }: StartedChain): Promise<void> {
  await tokens.approve('NTZS', accounts.maker.address, exchange, 10n ** 30n)
  await tokens.approve('USDC', accounts.solver.address, exchange, 10n ** 30n)
}

/** The solver fills so much of an order that the maker signed. */
export async function fillOn(started: StartedChain, order: RfqOrder, takerAmount: bigint): Promise<Hex> {
  const { client, accounts, exchange } = started
  const { signature } = await signOrder(started, order)
  const account = privateKeyToAccount(accounts.solver.key)
  const call = { account, address: exchange, abi: ABI, functionName: 'fillRfqOrder' } as const
  const hash = await client.writeContract({ ...call, args: [order, signature, takerAmount] })
  const { status } = await client.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`the fill ${hash} reverted`)
  return hash
}
