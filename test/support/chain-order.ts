import { hashMessage, hashTypedData, parseSignature, type Hex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import type { RfqOrder } from '../../src/core/rfq/rfq-order.ts'
import type { StartedChain } from '../../src/simulator/sandbox/chain/start-chain.ts'

export type TestSignature = {
  readonly signatureType: number
  readonly v: number
  readonly r: Hex
  readonly s: Hex
}
export type TestOrder = { readonly order: RfqOrder; readonly hash: Hex; readonly signature: TestSignature }

/** Written out again: what the program hashes is held against it. */
const TYPES = {
  RfqOrder: [
    { name: 'makerToken', type: 'address' },
    { name: 'takerToken', type: 'address' },
    { name: 'makerAmount', type: 'uint128' },
    { name: 'takerAmount', type: 'uint128' },
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'txOrigin', type: 'address' },
    { name: 'pool', type: 'bytes32' },
    { name: 'expiry', type: 'uint64' },
    { name: 'salt', type: 'uint256' },
  ],
} as const

/** 2,600 shillings for a dollar, for ten minutes by our clock; with an awkward number of units on each side. */
export function chainOrder({ tokens, accounts }: StartedChain, change: Partial<RfqOrder> = {}): RfqOrder {
  return {
    makerToken: tokens.address.NTZS,
    takerToken: tokens.address.USDC,
    makerAmount: 2_600_000_000_000_000_000_007n,
    takerAmount: 1_000_003n,
    maker: accounts.maker.address,
    taker: accounts.solver.address,
    txOrigin: accounts.solver.address,
    pool: `0x${'0'.repeat(64)}`,
    expiry: BigInt(Math.floor(Date.now() / 1_000) + 600),
    salt: 1n,
    ...change,
  }
}

/** Signed by viem, which knows nothing of this program's own packing and hashing. */
export async function signOrder(
  chain: StartedChain,
  order: RfqOrder,
  key: Hex = chain.accounts.maker.key,
  signatureType: 2 | 3 = 2,
): Promise<TestOrder> {
  const hash = hashTypedData({
    domain: {
      name: 'ZeroEx',
      version: '1.0.0',
      chainId: chain.chainId,
      verifyingContract: chain.exchange,
    },
    types: TYPES,
    primaryType: 'RfqOrder',
    message: order,
  })
  const digest = signatureType === 2 ? hash : hashMessage({ raw: hash })
  const { r, s, v } = parseSignature(await sign({ hash: digest, privateKey: key, to: 'hex' }))
  return { order, hash, signature: { signatureType, v: Number(v), r, s } }
}

/** The body of POST /rfq/orders. */
export function orderBody({ order, signature }: Omit<TestOrder, 'hash'>): object {
  const text = Object.entries(order).map(([name, value]) => [name, String(value)])
  return { order: Object.fromEntries(text) as Record<string, string>, signature }
}

/** A viem account for a wallet of the chain. */
export function accountOf(key: Hex) {
  return privateKeyToAccount(key)
}
