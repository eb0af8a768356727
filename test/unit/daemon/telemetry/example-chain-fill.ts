import type { ChainFill } from '../../../../src/core/rfq/chain-reading.ts'

export const EXAMPLE_HASH = `0x${'ab'.repeat(32)}` as const

/** A fill of order 7. */
export const EXAMPLE_CHAIN_FILL: ChainFill = {
  key: `${EXAMPLE_HASH}:3`,
  salt: 7n,
  orderHash: EXAMPLE_HASH,
  block: 12n,
  txHash: EXAMPLE_HASH,
  makerToken: '0x01',
  takerToken: '0x02',
  makerAmount: 10n ** 18n,
  takerAmount: 10n ** 6n,
}
