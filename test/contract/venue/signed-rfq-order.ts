import { privateKeyToAccount } from 'viem/accounts'
import { TOKENS } from '../../../src/simulator/sandbox/market/tokens.ts'
import type { SignedRfqOrder } from '../../../src/core/engine/model/venue-answer.ts'

/** The well-known first key of development chains: the sandbox's wallet is its address. */
const MAKER = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

type Order = ReturnType<typeof rfqOrderFor>

/** An order of the sandbox's maker that the contract would take at `now`. */
export function rfqOrderFor(solver: string | null, now: number) {
  return {
    makerToken: TOKENS.USDC.address,
    takerToken: TOKENS.NTZS.address,
    makerAmount: 100_000_000n,
    takerAmount: 260_000n * 10n ** 18n,
    maker: MAKER.address,
    taker: solver as `0x${string}`,
    txOrigin: solver as `0x${string}`,
    pool: `0x${'0'.repeat(64)}` as const,
    expiry: BigInt(Math.floor(now / 1_000) + 600),
    salt: 1n,
  }
}

export async function signRfqOrder(
  order: Order,
  info: { readonly chainId: number | null; readonly exchange: string | null },
): Promise<SignedRfqOrder> {
  const field = <Type extends string>(name: keyof Order, type: Type) => ({ name, type })
  const signature = await MAKER.signTypedData({
    domain: {
      name: 'ZeroEx',
      version: '1.0.0',
      chainId: info.chainId ?? 0,
      verifyingContract: info.exchange as `0x${string}`,
    },
    types: {
      RfqOrder: [
        field('makerToken', 'address'),
        field('takerToken', 'address'),
        field('makerAmount', 'uint128'),
        field('takerAmount', 'uint128'),
        field('maker', 'address'),
        field('taker', 'address'),
        field('txOrigin', 'address'),
        field('pool', 'bytes32'),
        field('expiry', 'uint64'),
        field('salt', 'uint256'),
      ],
    },
    primaryType: 'RfqOrder',
    message: order,
  })
  return {
    order,
    signature: {
      signatureType: 2,
      v: Number.parseInt(signature.slice(130), 16),
      r: signature.slice(0, 66),
      s: `0x${signature.slice(66, 130)}`,
    },
  }
}
