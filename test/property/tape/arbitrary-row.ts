import fc from 'fast-check'
import { ASSETS, type Amounts, type Asset } from '../../../src/base/money/asset.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { anyCharacter } from '../../support/any-character.ts'

/** Any second of this century and the corners of what a tape can hold. */
const time = fc.oneof(
  fc.integer({ min: 1_767_225_600_000, max: 1_767_225_700_000 }),
  fc.integer({ min: 0, max: 253_402_300_799_999 }),
)
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: anyCharacter, maxLength: 8 }))
const asset = fc.constantFrom<Asset>(...ASSETS)
/** Up to 78 digits. */
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
const rate = fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n })
const bps = fc.integer({ min: 0, max: 32_767 })

const amounts = fc
  .record({
    NTZS: nullable(amount),
    USDC: nullable(amount),
    USDT: nullable(amount),
    'USDT.bnb': nullable(amount),
  })
  .map((all) => {
    const present: Partial<Amounts> = {}
    for (const name of ASSETS) {
      const value = all[name]
      if (value !== null) present[name] = value
    }
    return present
  })

/** A row of any kind, with nulls, empty lists and amounts of up to 78 digits. */
export const arbitraryRow: fc.Arbitrary<TapeRow> = fc.oneof(
  fc.record({
    type: fc.constant('rate' as const),
    t: time,
    mid: rate,
    rateUpdatedAt: nullable(time),
    quotable: nullable(fc.boolean()),
  }),
  fc.record({ type: fc.constant('reference' as const), t: time, source: text, mid: rate }),
  fc.record({
    type: fc.constant('competition' as const),
    t: time,
    from: asset,
    to: asset,
    amount,
    bidBps: nullable(bps),
    askBps: nullable(bps),
  }),
  fc.record({
    type: fc.constant('balances' as const),
    t: time,
    amounts,
    source: nullable(fc.constantFrom('pool' as const, 'wallet' as const)),
  }),
  fc.record({
    type: fc.constant('quote' as const),
    t: time,
    bidBps: bps,
    askBps: bps,
    quoteBid: fc.boolean(),
    quoteAsk: fc.boolean(),
    quotePairs: nullable(fc.array(text, { maxLength: 3 })),
  }),
  fc.record({
    type: fc.constant('fill' as const),
    t: time,
    id: text,
    from: asset,
    to: asset,
    amountIn: amount,
    amountOut: amount,
    protocolFee: nullable(amount),
    feesEarned: nullable(text),
    txHash: nullable(text),
    seenAt: nullable(time),
  }),
  fc.record({
    type: fc.constant('decision' as const),
    t: time,
    state: fc.constantFrom('ACTIVE' as const, 'REDUCING' as const, 'HALTED' as const),
    bidBps: nullable(bps),
    askBps: nullable(bps),
    because: fc.array(text, { maxLength: 3 }),
  }),
)
