import type { SealedCancels } from '../../../src/rfq/sealed/sealed-cancels.ts'

export const MAKER = `0x${'a'.repeat(40)}` as const

/** Cancels for these nonces at three levels: the hash of nonce 7 at level 2 is 0x72, and its bytes 0x02f872. */
export function sealOf(nonces: readonly number[], change: Partial<SealedCancels> = {}): SealedCancels {
  return {
    chainId: 8_453,
    exchange: `0x${'e'.repeat(40)}`,
    maker: MAKER,
    pairs: [{ makerToken: '0x01', takerToken: '0x02' }],
    minValidSalt: 1_000n,
    sealedAt: 0,
    usefulUntil: 100_000_000,
    transactions: nonces.flatMap((nonce) =>
      [1, 2, 3].map((level) => ({
        nonce,
        level,
        maxFeePerGas: BigInt(level),
        maxPriorityFeePerGas: 1n,
        hash: `0x${nonce}${level}` as const,
        raw: `0x02f8${nonce}${level}` as const,
      })),
    ),
    ...change,
  }
}
