import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../src/base/random.ts'
import {
  coversPayout,
  dollarsForShillings,
  grossPayout,
  shillingsForDollars,
  splitProtocolFee,
} from '../../../../src/base/money/payout.ts'
import { divide } from '../../../../src/base/money/rounding.ts'

const RATE = 10n ** 18n
const MID = 2_500n * RATE
const NTZS = 10n ** 18n
const USD = 10n ** 18n
/** One unit of USDC. */
const GRAIN = 10n ** 12n

describe('what a taker is paid', () => {
  it('for dollars: shillings at the mid less the ask', () => {
    expect(shillingsForDollars(100n * USD, MID, 60, 'down')).toBe(248_500n * NTZS)
  })

  it('for shillings: dollars at the mid and the bid on top, by the formula of the contract', () => {
    // 251,500 / (2,500 * 1.006) = 100
    expect(dollarsForShillings(251_500n * NTZS, MID, 60, 'divide', GRAIN, 'down')).toBe(100n * USD)
  })

  it('for shillings, by the formula that is also seen: the mid, less the bid', () => {
    // 250,000 / 2,500 * 0.994 = 99.4
    expect(dollarsForShillings(250_000n * NTZS, MID, 60, 'multiply', GRAIN, 'down')).toBe(99_400_000n * GRAIN)
  })

  it('differs by about 24 bps between the two formulas at 500 bps, and the contract pays more', () => {
    const divided = dollarsForShillings(250_000_000n * NTZS, MID, 500, 'divide', GRAIN, 'down')
    const multiplied = dollarsForShillings(250_000_000n * NTZS, MID, 500, 'multiply', GRAIN, 'down')
    const bps = (Number(divided - multiplied) / Number(multiplied)) * 1e4
    expect(bps).toBeGreaterThan(24)
    expect(bps).toBeLessThan(26)
    expect((Number(divided - multiplied) / 1e23) * 1e4).toBeCloseTo(23.8, 1)
  })

  it('never differs between the formulas where there is no spread', () => {
    for (const amount of [1n, 7n * NTZS, 123_456_789n * NTZS]) {
      expect(dollarsForShillings(amount, MID, 0, 'divide', GRAIN, 'down')).toBe(
        dollarsForShillings(amount, MID, 0, 'multiply', GRAIN, 'down'),
      )
    }
  })

  it('goes the way that is named when it does not come out even', () => {
    const odd = 3_333_333_333_333_333_333n
    for (const formula of ['divide', 'multiply'] as const) {
      const down = dollarsForShillings(odd, MID, 37, formula, GRAIN, 'down')
      expect(dollarsForShillings(odd, MID, 37, formula, GRAIN, 'up')).toBe(down + GRAIN)
    }
    const mid = MID + 1n
    const down = shillingsForDollars(1n, mid, 37, 'down')
    expect(shillingsForDollars(1n, mid, 37, 'up')).toBe(down + 1n)
  })

  it('and the protocol fee are together the gross payout; the odd unit is fee', () => {
    expect(splitProtocolFee(10_000n, 10)).toEqual({ net: 9_990n, fee: 10n })
    expect(splitProtocolFee(9_999n, 10)).toEqual({ net: 9_989n, fee: 10n })
    expect(splitProtocolFee(0n, 10)).toEqual({ net: 0n, fee: 0n })
  })

  it('is whole grains, and the fee has the rest', () => {
    const gross = 9_999n * GRAIN + 5n
    expect(splitProtocolFee(gross, 10, GRAIN)).toEqual({ net: 9_989n * GRAIN, fee: 10n * GRAIN + 5n })
    expect(splitProtocolFee(gross, 0, GRAIN)).toEqual({ net: gross, fee: 0n })
  })

  it('in dollars is whole grains, and the finest grain is one unit of the book', () => {
    // 10 / 3 = 3.333...
    expect(dollarsForShillings(10n * NTZS, 3n * RATE, 0, 'divide', GRAIN, 'down')).toBe(3_333_333n * GRAIN)
    expect(dollarsForShillings(10n * NTZS, 3n * RATE, 0, 'divide', 1n, 'down')).toBe(
      3_333_333_333_333_333_333n,
    )
    expect(dollarsForShillings(10n * NTZS, 3n * RATE, 0, 'multiply', 1n, 'up')).toBe(
      3_333_333_333_333_333_334n,
    )
  })
})

describe('the signs of the two sides', () => {
  it('a wider ask gives fewer shillings for a dollar: we sell shillings dearer', () => {
    const narrow = shillingsForDollars(USD, MID, 10, 'down')
    expect(shillingsForDollars(USD, MID, 500, 'down')).toBeLessThan(narrow)
  })

  it('a wider bid gives fewer dollars for a shilling: we sell dollars dearer', () => {
    for (const formula of ['divide', 'multiply'] as const) {
      const narrow = dollarsForShillings(NTZS, MID, 10, formula, GRAIN, 'down')
      expect(dollarsForShillings(NTZS, MID, 500, formula, GRAIN, 'down')).toBeLessThan(narrow)
    }
  })

  it('a weaker shilling (a higher mid) buys fewer dollars and costs more shillings', () => {
    const weaker = (MID * 11n) / 10n
    expect(shillingsForDollars(USD, weaker, 60, 'down')).toBeGreaterThan(
      shillingsForDollars(USD, MID, 60, 'down'),
    )
    expect(dollarsForShillings(NTZS, weaker, 60, 'divide', GRAIN, 'down')).toBeLessThan(
      dollarsForShillings(NTZS, MID, 60, 'divide', GRAIN, 'down'),
    )
  })

  it('there and back always costs the taker: no round trip takes anything from us', () => {
    const shillings = shillingsForDollars(1_000n * USD, MID, 10, 'down')
    expect(dollarsForShillings(shillings, MID, 10, 'divide', GRAIN, 'down')).toBeLessThan(1_000n * USD)
  })
})

describe('a division', () => {
  it('down goes towards minus infinity and up towards plus infinity, below zero too', () => {
    expect(divide(7n, 2n, 'down')).toBe(3n)
    expect(divide(7n, 2n, 'up')).toBe(4n)
    expect(divide(-7n, 2n, 'down')).toBe(-4n)
    expect(divide(-7n, 2n, 'up')).toBe(-3n)
    expect(divide(-6n, 2n, 'down')).toBe(-3n)
  })

  it('by nothing, or by less, is a bug of ours', () => {
    expect(() => divide(1n, 0n, 'down')).toThrow(/positive denominator/)
    expect(() => divide(1n, -1n, 'down')).toThrow(/positive denominator/)
  })
})

it('a provider covers a swap exactly where it holds the whole payout at mid, rounded down', () => {
  const random = seededRandom(7, 'cover')
  for (let n = 0; n < 500; n += 1) {
    const side = random() < 0.5 ? 'ask' : 'bid'
    const grain = random() < 0.5 ? GRAIN : 1n
    const swap = { side, grain } as const
    const mid = BigInt(1 + Math.floor(random() * 1e15)) * 4_321n
    const amountIn = BigInt(1 + Math.floor(random() * 1e15)) * 10n ** 9n
    for (const formula of ['divide', 'multiply'] as const) {
      const payout = grossPayout(swap, amountIn, mid, 0, formula)
      expect(coversPayout(payout, swap, amountIn, mid)).toBe(true)
      expect(coversPayout(payout - (side === 'bid' ? grain : 1n), swap, amountIn, mid)).toBe(false)
    }
  }
})
