import { describe, expect, test } from 'vitest'
import {
  createFeeLearning,
  feeAtRate,
  feeDebit,
  KEPT_UNDECIDED,
  recordFee,
  recordMatch,
  otherFeeModel,
  postedFill,
  type PostedFill,
} from '../../../../../src/core/ledger/fills/fees.ts'
import {
  fillAsLastSeen,
  fillElsewhere,
  isChainAsset,
  legsElsewhere,
  postedElsewhere,
} from '../../../../../src/core/ledger/fills/other-chain.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { fillOf, NTZS, USD } from '../reconciliation/harness.ts'

const NO_COUNTS = { NTZS: 0, USDC: 0, USDT: 0, 'USDT.bnb': 0 }
const UNIT = 10n ** 12n
const BARE = fillOf('b', {
  inAsset: 'NTZS',
  amountIn: 25_000n * NTZS,
  outAsset: 'USDT',
  amountOut: 10n * USD,
  fee: 7n * UNIT,
  chainNamed: false,
})

const elsewhere = (id: string): PostedFill => ({
  ...postedFill(BARE, 7n * UNIT, 5n * UNIT),
  elsewhere: { id, fee: 6n * UNIT, word: 4n * UNIT, mid: 3n },
})

describe('the fee of a fill', () => {
  test('is debited under the model that takes it from the position, and the two models are each other', () => {
    expect(feeDebit('from-position', 7n)).toBe(7n)
    expect(feeDebit('none', 7n)).toBe(0n)
    expect(otherFeeModel('none')).toBe('from-position')
    expect(otherFeeModel('from-position')).toBe('none')
  })

  test('at a rate is a share of the payout before it, or after it, rounded up to one grain', () => {
    expect(feeAtRate({ bps: 10, of: 'gross' }, { amountOut: 9_990n, word: 10n }, 1n)).toBe(10n)
    expect(feeAtRate({ bps: 10, of: 'gross' }, { amountOut: 9_990n, word: 11n }, 1n)).toBe(11n)
    expect(feeAtRate({ bps: 10, of: 'net' }, { amountOut: 9_990n, word: 99n }, 1n)).toBe(10n)
    const dollars = { amountOut: 9_990n * UNIT, word: 11n * UNIT }
    expect(feeAtRate({ bps: 10, of: 'gross' }, dollars, UNIT)).toBe(11n * UNIT)
    expect(feeAtRate({ bps: 10, of: 'gross' }, dollars, 1n)).toBe(10_001n * 10n ** 9n)
  })

  test('is computed where the row has none, and the fee that the row names is its word', () => {
    const fill = fillOf('a', { createdAt: 9 })
    const legs = { inAsset: 'USDC', amountIn: 10n * USD, outAsset: 'NTZS', amountOut: 24_900n * NTZS }
    expect(postedFill(fill, 5n)).toEqual({ ...legs, fee: 5n, word: 5n, computed: false, at: 9 })
    expect(postedFill({ ...fill, fee: null }, 5n, 4n)).toMatchObject({ fee: 5n, word: 4n, computed: true })
    expect(postedFill(fill, 5n, 4n, true)).toMatchObject({ computed: true })
  })
})

describe('what is learned of fees since the last match', () => {
  test('sums, counts and words are kept per token that left', () => {
    const learning = createFeeLearning('none', { bps: 5, of: 'net' })
    expect(learning).toMatchObject({ model: 'none', rate: { bps: 5, of: 'net' }, counts: NO_COUNTS })
    recordFee(learning, postedFill(fillOf('a'), 25n, 24n))
    recordFee(learning, postedFill(fillOf('b', { fee: null }), 5n, 6n))
    recordFee(learning, postedFill(BARE, 7n * UNIT))
    expect(learning).toMatchObject({
      fees: { ...zeroAmounts(), NTZS: 30n, USDT: 7n * UNIT },
      words: { ...zeroAmounts(), NTZS: 30n, USDT: 7n * UNIT },
      nets: { ...zeroAmounts(), NTZS: 49_800n * NTZS, USDT: 10n * USD },
      counts: { ...NO_COUNTS, NTZS: 2, USDT: 1 },
      computed: { ...NO_COUNTS, NTZS: 1 },
      undecided: [],
    })
  })

  test('of fills that name no chain the latest 32 are kept', () => {
    const learning = createFeeLearning('none')
    for (let n = 0; n < KEPT_UNDECIDED; n++) recordFee(learning, elsewhere(`${n}`))
    expect(learning.undecided[0]?.elsewhere?.id).toBe('0')
    recordFee(learning, elsewhere('last'))
    expect(learning.undecided).toHaveLength(KEPT_UNDECIDED)
    expect(learning.undecided[0]?.elsewhere?.id).toBe('1')
  })

  test('a match leaves only the fills after it, under its model and rate', () => {
    const learning = createFeeLearning('none')
    recordFee(learning, postedFill(fillOf('a'), 25n))
    recordMatch(learning, 'from-position', { bps: 10, of: 'gross' }, [postedFill(BARE, 7n * UNIT)])
    expect(learning).toMatchObject({
      model: 'from-position',
      rate: { bps: 10, of: 'gross' },
      fees: { ...zeroAmounts(), USDT: 7n * UNIT },
      counts: { ...NO_COUNTS, USDT: 1 },
    })
  })
})

describe('a fill on the other chain', () => {
  test('has the same dollars, both ways, and the same shillings', () => {
    expect(legsElsewhere(BARE)).toEqual({
      inAsset: 'NTZS',
      amountIn: 25_000n * NTZS,
      outAsset: 'USDT.bnb',
      amountOut: 10n * USD,
    })
    const ask = fillOf('a', { inAsset: 'USDT.bnb', amountIn: 3n * USD })
    expect(legsElsewhere(ask)).toMatchObject({ inAsset: 'USDT', amountIn: 3n * USD, outAsset: 'NTZS' })
    expect(legsElsewhere(fillOf('c'))).toMatchObject({ inAsset: 'USDC', amountIn: 10n * USD })
    expect((['NTZS', 'USDC', 'USDT', 'USDT.bnb'] as const).filter(isChainAsset)).toEqual(['USDT', 'USDT.bnb'])
  })

  test('takes its fee with it, which is in the token that left', () => {
    expect(fillElsewhere(BARE)).toMatchObject({ id: 'b', outAsset: 'USDT.bnb', fee: 7n * UNIT })
    expect(fillElsewhere({ ...BARE, fee: null }).fee).toBeNull()
    expect(fillElsewhere(fillOf('a', { inAsset: 'USDT' })).fee).toBe(25n * NTZS)
  })

  test('is read on the chain where such fills were last seen, unless its row names one', () => {
    expect(fillAsLastSeen(BARE, null)).toBe(BARE)
    expect(fillAsLastSeen(BARE, 'USDT')).toBe(BARE)
    expect(fillAsLastSeen(BARE, 'USDT.bnb').outAsset).toBe('USDT.bnb')
    const ask = fillOf('a', { inAsset: 'USDT', chainNamed: false })
    expect(fillAsLastSeen(ask, 'USDT')).toBe(ask)
    expect(fillAsLastSeen(ask, 'USDT.bnb').inAsset).toBe('USDT.bnb')
    const { chainNamed: _, ...named } = BARE
    expect(fillAsLastSeen(named, 'USDT.bnb')).toBe(named)
  })

  test('a posting moved there and back is what it was', () => {
    const booked = elsewhere('x')
    const { elsewhere: other } = booked
    const shown = postedElsewhere({ ...booked, elsewhere: other! })
    expect(shown).toEqual({
      ...booked,
      ...legsElsewhere(booked),
      fee: 6n * UNIT,
      word: 4n * UNIT,
      elsewhere: { id: 'x', fee: 7n * UNIT, word: 5n * UNIT, mid: 3n },
    })
    expect(postedElsewhere({ ...shown, elsewhere: shown.elsewhere! })).toEqual(booked)
  })
})
