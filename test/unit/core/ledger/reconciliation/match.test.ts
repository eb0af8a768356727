import { describe, expect, test } from 'vitest'
import {
  createFeeLearning,
  type FeeModel,
  type FeeRate,
  recordFee,
  type PostedFill,
} from '../../../../../src/core/ledger/fills/fees.ts'
import { postedElsewhere } from '../../../../../src/core/ledger/fills/other-chain.ts'
import { matchChains } from '../../../../../src/core/ledger/reconciliation/match-chains.ts'
import {
  differences,
  fittedFeeBps,
  matchSnapshot,
  type MatchInput,
} from '../../../../../src/core/ledger/reconciliation/match.ts'
import { type Amounts, TOKEN_UNIT, zeroAmounts } from '../../../../../src/base/money/asset.ts'

/** One unit of USDC and USDT. */
const UNIT = 10n ** 12n

/** 1,000 units of dollars came in for 10,000 units of shillings, and a fee of 10. */
const FILL: PostedFill = {
  inAsset: 'USDC',
  amountIn: 1_000n,
  outAsset: 'NTZS',
  amountOut: 10_000n,
  fee: 10n,
  word: 10n,
  computed: false,
  at: null,
}

type Given = {
  readonly fills?: readonly PostedFill[]
  readonly model?: FeeModel
  readonly rate?: FeeRate | null
  readonly rates?: readonly number[]
  /** Venue minus ledger. */
  readonly off?: Partial<Amounts>
  /** Fills of before that no match has proven yet. */
  readonly earlier?: readonly PostedFill[]
}

/** A ledger with all fills in it, and a venue that differs by so much. */
function input({
  fills = [],
  model = 'from-position',
  rate = null,
  rates = [],
  off = {},
  earlier = [],
}: Given): MatchInput {
  const ledger = { ...zeroAmounts(), NTZS: 1_000_000n, USDC: 50_000n }
  const venue = { NTZS: ledger.NTZS + (off.NTZS ?? 0n), USDC: ledger.USDC + (off.USDC ?? 0n) }
  const learning = createFeeLearning(model, rate)
  for (const fill of [...earlier, ...fills]) recordFee(learning, fill)
  return { venue, ledger, fills, learning, grain: TOKEN_UNIT, rates }
}

const match = (given: Given) => matchSnapshot(input(given))

describe('balances that equal the ledger', () => {
  test('after all fills, or after all but the last ones', () => {
    const found = { model: 'from-position', rate: null, corrections: {} }
    expect(match({})).toEqual({ ...found, after: 0 })
    expect(match({ fills: [FILL] })).toEqual({ ...found, after: 0 })
    expect(match({ fills: [FILL, FILL], off: { USDC: -1_000n, NTZS: 10_010n } })).toEqual({
      ...found,
      after: 1,
    })
    expect(match({ fills: [FILL, FILL], off: { USDC: -2_000n, NTZS: 20_020n } })).toEqual({
      ...found,
      after: 2,
    })
    expect(match({ fills: [FILL], off: { USDC: -2_000n, NTZS: 20_020n } })).toBeNull()
    expect(match({ off: { USDC: 1n } })).toBeNull()
  })

  test('under the other fee model where there are fees, which is then put right', () => {
    expect(match({ fills: [FILL], off: { NTZS: 10n } })).toEqual({
      model: 'none',
      rate: null,
      after: 0,
      corrections: { NTZS: -10n },
    })
    expect(match({ fills: [FILL], model: 'none', off: { NTZS: -10n } })).toEqual({
      model: 'from-position',
      rate: null,
      after: 0,
      corrections: { NTZS: 10n },
    })
    const free = { ...FILL, fee: 0n, word: 0n }
    expect(match({ fills: [free], off: { NTZS: 10n } })).toBeNull()
  })

  test('with one unit of rounding for each computed fee that is in the balances', () => {
    const computed = { ...FILL, computed: true }
    for (const off of [1n, -1n])
      expect(match({ fills: [computed], off: { NTZS: off } })).toMatchObject({
        after: 0,
        corrections: { NTZS: -off },
      })
    expect(match({ fills: [computed], off: { NTZS: -2n } })).toBeNull()
    expect(match({ fills: [computed, computed], off: { NTZS: -2n } })).toMatchObject({
      corrections: { NTZS: 2n },
    })
    expect(match({ fills: [FILL], off: { NTZS: -1n } })).toBeNull()
    expect(match({ fills: [computed, FILL], off: { USDC: -1_000n, NTZS: 10_009n } })).toMatchObject({
      after: 1,
    })
    expect(match({ fills: [FILL, computed], off: { USDC: -1_000n, NTZS: 10_009n } })).toBeNull()
  })

  test('in dollars with one grain for each computed fee, which the venue may show to be finer than the token', () => {
    const computed = { ...FILL, inAsset: 'NTZS', outAsset: 'USDC', computed: true } as const
    const rounded = input({ fills: [computed], off: { USDC: -UNIT } })
    expect(matchSnapshot(rounded)).toMatchObject({ after: 0, corrections: { USDC: UNIT } })
    expect(match({ fills: [computed], off: { USDC: -UNIT - 1n } })).toBeNull()
    const fine = { ...TOKEN_UNIT, USDC: 1n }
    expect(matchSnapshot({ ...rounded, grain: fine })).toBeNull()
    const finely = input({ fills: [computed], off: { USDC: -1n } })
    expect(matchSnapshot({ ...finely, grain: fine })).toMatchObject({ corrections: { USDC: 1n } })
  })

  test('where the venue does not mention a token nothing is compared', () => {
    const { venue: _, ...rest } = input({})
    expect(matchSnapshot({ ...rest, venue: { USDC: 50_000n } })).toMatchObject({ after: 0 })
  })
})

describe('balances that show another protocol fee', () => {
  // 10,010 before the fee: 20 bps of it are 20.02, of what arrived 20.04.
  test('of a rate that a source names, for every fill since the last match', () => {
    const gross: FeeRate = { bps: 20, of: 'gross' }
    expect(match({ fills: [FILL], rates: [20], off: { NTZS: -11n } })).toEqual({
      model: 'from-position',
      rate: gross,
      after: 0,
      corrections: { NTZS: 11n },
    })
    expect(match({ fills: [FILL], rates: [30, 20], off: { NTZS: -11n } })).toMatchObject({ rate: gross })
    expect(match({ fills: [FILL], rates: [20], off: { NTZS: -8n } })).toBeNull()
    expect(match({ fills: [FILL], off: { NTZS: -11n } })).toBeNull()
    expect(match({ fills: [FILL], earlier: [FILL], rates: [20], off: { NTZS: -22n } })).toMatchObject({
      corrections: { NTZS: 22n },
    })
  })

  test('of the payout after the fee where only that fits', () => {
    const large = { ...FILL, amountOut: 10_000_000n, fee: 10_000n, word: 10_000n }
    // 50 bps of 10,010,000 are 50,050; of the net they are 50,252 to one unit.
    const found = match({ fills: [large], rates: [50], off: { NTZS: -40_252n } })
    expect(found).toMatchObject({ rate: { bps: 50, of: 'net' }, corrections: { NTZS: 40_252n } })
    expect(match({ fills: [large], rates: [50], off: { NTZS: -40_050n } })).toMatchObject({
      rate: { bps: 50, of: 'gross' },
    })
  })

  test('puts right what was posted after the reading too', () => {
    const later = { ...FILL, fee: 10n }
    const found = match({ fills: [FILL, later], rates: [20], off: { USDC: -1_000n, NTZS: 10_010n - 11n } })
    expect(found).toMatchObject({ after: 1, rate: { bps: 20 }, corrections: { NTZS: 22n } })
  })

  test('goes back to what the rows name where that fits again', () => {
    const atRate = { ...FILL, fee: 21n }
    const found = match({ fills: [atRate], rate: { bps: 20, of: 'gross' }, off: { NTZS: 11n } })
    expect(found).toEqual({ model: 'from-position', rate: null, after: 0, corrections: { NTZS: -11n } })
  })
})

describe('differences', () => {
  test('are given at every prefix of the fills, the whole first', () => {
    expect(differences(input({ fills: [FILL, FILL], off: { NTZS: 5n } }))).toEqual([
      { NTZS: 5n },
      { NTZS: 5n - 10_010n, USDC: 1_000n },
      { NTZS: 5n - 20_020n, USDC: 2_000n },
    ])
    expect(differences(input({ fills: [FILL], model: 'none' }))[1]).toEqual({ NTZS: -10_000n, USDC: 1_000n })
    expect(differences(input({ fills: Array.from({ length: 250 }, () => FILL) }))).toHaveLength(200)
  })

  test('fit a protocol fee that no source names, where one rate explains them all', () => {
    const large = { ...FILL, amountOut: 990_000n, fee: 10_000n, word: 10_000n }
    const fitted = (off: Partial<Amounts>, given: Given = {}) =>
      fittedFeeBps(input({ fills: [large], ...given }), off)
    expect(fitted({ NTZS: -5_000n })).toBe(150)
    expect(fitted({ NTZS: 10_000n })).toBe(0)
    expect(fitted({ NTZS: 10_001n })).toBeNull()
    expect(fitted({ NTZS: -90_000n })).toBe(1_000)
    expect(fitted({ NTZS: -90_100n })).toBeNull()
    expect(fitted({ NTZS: -5_000n, USDC: -1n })).toBeNull()
    expect(fitted({ NTZS: -15_000n }, { model: 'none' })).toBe(150)
    const dollars = { ...large, inAsset: 'NTZS', outAsset: 'USDC' } as const
    expect(fitted({ NTZS: -5_000n, USDC: -5_004n }, { fills: [large, dollars] })).toBe(150)
    expect(fitted({ NTZS: -5_000n, USDC: -5_010n }, { fills: [large, dollars] })).toBeNull()
  })
})

describe('fills that name no chain', () => {
  /** A bid of so many units of USDT. */
  const bare = (id: string, units: bigint, computed = false): PostedFill => ({
    inAsset: 'NTZS',
    amountIn: 2_500n,
    outAsset: 'USDT',
    amountOut: units * UNIT,
    fee: UNIT,
    word: UNIT,
    computed,
    at: null,
    elsewhere: { id, fee: UNIT, word: UNIT, mid: null },
  })

  /** All were booked as USDT; the venue has those of `there` on the other chain, and `missing` not yet. */
  function chains(
    fills: readonly PostedFill[],
    there: readonly number[],
    missing = 0,
    model: FeeModel = 'from-position',
  ) {
    const ledger = { ...zeroAmounts(), NTZS: 1_000_000n, USDT: 1_000n * UNIT, 'USDT.bnb': 1_000n * UNIT }
    const venue: Partial<Amounts> = { ...ledger }
    const learning = createFeeLearning(model)
    const debit = (fill: PostedFill) => fill.amountOut + (model === 'none' ? 0n : fill.fee)
    for (const [index, fill] of fills.entries()) {
      recordFee(learning, fill)
      if (index >= fills.length - missing) {
        venue.NTZS! -= fill.amountIn
        venue.USDT! += debit(fill)
      } else if (there.includes(index)) {
        venue.USDT! += debit(fill)
        venue['USDT.bnb']! -= debit(fill)
      }
    }
    const rates: readonly number[] = []
    return { venue, ledger, fills, learning, grain: TOKEN_UNIT, rates }
  }

  const moved = (given: ReturnType<typeof chains>) =>
    matchChains(given)?.moves.map(({ booked }) => booked.elsewhere?.id) ?? null

  const three = [bare('a', 10n), bare('b', 20n), bare('c', 40n)]

  test('are moved where the balances show them on the other one: one, neighbours, or all', () => {
    expect(moved(chains(three, [1]))).toEqual(['b'])
    expect(moved(chains(three, [0, 1]))).toEqual(['a', 'b'])
    expect(moved(chains(three, [1, 2]))).toEqual(['b', 'c'])
    expect(moved(chains(three, [0, 1, 2]))).toEqual(['a', 'b', 'c'])
    expect(moved(chains(three, [0, 2]))).toBeNull()
    expect(moved(chains(three, []))).toBeNull()
    expect(moved(chains([], []))).toBeNull()
  })

  test('are moved under either fee model, with the fee that the other chain has', () => {
    for (const model of ['none', 'from-position'] as const) {
      const found = matchChains(chains(three, [1], 0, model))
      expect(found).toMatchObject({ model, after: 0, corrections: {} })
      expect(found?.fills).toEqual([
        three[0],
        postedElsewhere({ ...three[1]!, elsewhere: three[1]!.elsewhere! }),
        three[2],
      ])
    }
  })

  test('are moved together with another fee, which is put right on both chains', () => {
    const known: PostedFill = { ...FILL, outAsset: 'USDT', fee: 0n, word: 0n }
    const fills = [known, bare('a', 9_999n), bare('b', 19_999n), bare('c', 39_999n), known]
    const free = chains(fills, [2])
    free.venue.USDT! += 2n * UNIT
    free.venue['USDT.bnb']! += UNIT
    const givenBack = { USDT: -2n * UNIT, 'USDT.bnb': -UNIT }
    expect(matchChains(free)).toMatchObject({ model: 'none', corrections: givenBack })
    // 20 bps of what each payout was before its fee: 20, 40 and 80 units, where one was posted.
    const dearer = { ...chains(fills, [2]), rates: [20] }
    dearer.venue.USDT! -= 98n * UNIT
    dearer.venue['USDT.bnb']! -= 39n * UNIT
    const taken = { USDT: 98n * UNIT, 'USDT.bnb': 39n * UNIT }
    expect(matchChains(dearer)).toMatchObject({ rate: { bps: 20 }, corrections: taken })
    expect(moved(dearer)).toEqual(['b'])
  })

  test('that are not in the balances yet stay where they were booked', () => {
    expect(moved(chains(three, [0], 1))).toEqual(['a'])
    expect(moved(chains(three, [0, 1], 1))).toEqual(['a', 'b'])
  })

  test('more than a dozen are moved together or among the newest', () => {
    const many = Array.from({ length: 14 }, (_, n) => bare(`${n}`, 2n ** BigInt(n)))
    const all = many.map((_, n) => n)
    expect(moved(chains(many, all))).toHaveLength(14)
    expect(moved(chains(many, all, 1))).toHaveLength(13)
    expect(moved(chains(many, all.slice(2)))).toHaveLength(12)
    expect(moved(chains(many, [1, 2]))).toBeNull()
    expect(moved(chains(many, [2, 3]))).toEqual(['2', '3'])
    expect(moved(chains(many, [0]))).toEqual(['0'])
  })

  test('lend their rounding to the chain where they are', () => {
    const computed = chains([bare('a', 10n, true)], [0])
    computed.venue['USDT.bnb']! -= 1n
    expect(matchChains(computed)).toMatchObject({ corrections: { 'USDT.bnb': 1n } })
    const exact = chains([bare('a', 10n)], [0])
    exact.venue['USDT.bnb']! -= 1n
    expect(matchChains(exact)).toBeNull()
    const other = chains([bare('a', 10n, true)], [0])
    other.venue.USDT! -= UNIT
    expect(matchChains(other)).toBeNull()
  })

  test('are no matter of chains where both piles are short, or one alone is off', () => {
    const short = chains(three, [])
    short.venue.USDT! -= 1n
    expect(matchChains(short)).toBeNull()
    short.venue['USDT.bnb']! -= 1n
    expect(matchChains(short)).toBeNull()
  })
})
