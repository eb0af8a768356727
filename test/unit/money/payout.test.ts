import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import {
  coversPayout,
  dollarsForShillings,
  grossPayout,
  shillingsForDollars,
  splitProtocolFee,
} from '../../../src/money/payout.ts'
import { divide } from '../../../src/money/rounding.ts'

const MID = 2_500n * 10n ** 18n
const NTZS = 10n ** 18n
const USD = 10n ** 6n

describe('what a taker is paid', () => {
  it('for dollars: shillings at the mid less the ask', () => {
    expect(shillingsForDollars(100n * USD, 'USDC', MID, 60, 'down')).toBe(248_500n * NTZS)
    expect(shillingsForDollars(100n * NTZS, 'USDT.bnb', MID, 60, 'down')).toBe(248_500n * NTZS)
  })

  it('for shillings: dollars at the mid and the bid on top, by the formula of the contract', () => {
    // 251,500 / (2,500 * 1.006) = 100
    expect(dollarsForShillings(251_500n * NTZS, 'USDC', MID, 60, 'divide', 'down')).toBe(100n * USD)
  })

  it('for shillings, by the formula that is also seen: the mid, less the bid', () => {
    // 250,000 / 2,500 * 0.994 = 99.4
    expect(dollarsForShillings(250_000n * NTZS, 'USDC', MID, 60, 'multiply', 'down')).toBe(99_400_000n)
  })

  it('differs by about 24 bps between the two formulas at 500 bps, and the contract pays more', () => {
    const divided = dollarsForShillings(250_000_000n * NTZS, 'USDC', MID, 500, 'divide', 'down')
    const multiplied = dollarsForShillings(250_000_000n * NTZS, 'USDC', MID, 500, 'multiply', 'down')
    const bps = (Number(divided - multiplied) / Number(multiplied)) * 1e4
    expect(bps).toBeGreaterThan(24)
    expect(bps).toBeLessThan(26)
    expect((Number(divided - multiplied) / 1e11) * 1e4).toBeCloseTo(23.8, 1)
  })

  it('never differs between the formulas where there is no spread', () => {
    for (const amount of [1n, 7n * NTZS, 123_456_789n * NTZS]) {
      expect(dollarsForShillings(amount, 'USDC', MID, 0, 'divide', 'down')).toBe(
        dollarsForShillings(amount, 'USDC', MID, 0, 'multiply', 'down'),
      )
    }
  })

  it('goes the way that is named when it does not come out even', () => {
    const odd = 3_333_333_333_333_333_333n
    for (const formula of ['divide', 'multiply'] as const) {
      const down = dollarsForShillings(odd, 'USDC', MID, 37, formula, 'down')
      expect(dollarsForShillings(odd, 'USDC', MID, 37, formula, 'up')).toBe(down + 1n)
    }
    const mid = MID + 1n
    const down = shillingsForDollars(1n, 'USDC', mid, 37, 'down')
    expect(shillingsForDollars(1n, 'USDC', mid, 37, 'up')).toBe(down + 1n)
  })

  it('and the protocol fee are together the gross payout; the odd unit is fee', () => {
    expect(splitProtocolFee(10_000n, 10)).toEqual({ net: 9_990n, fee: 10n })
    expect(splitProtocolFee(9_999n, 10)).toEqual({ net: 9_989n, fee: 10n })
    expect(splitProtocolFee(0n, 10)).toEqual({ net: 0n, fee: 0n })
  })
})

describe('the signs of the two sides', () => {
  it('a wider ask gives fewer shillings for a dollar: we sell shillings dearer', () => {
    const narrow = shillingsForDollars(USD, 'USDC', MID, 10, 'down')
    expect(shillingsForDollars(USD, 'USDC', MID, 500, 'down')).toBeLessThan(narrow)
  })

  it('a wider bid gives fewer dollars for a shilling: we sell dollars dearer', () => {
    for (const formula of ['divide', 'multiply'] as const) {
      const narrow = dollarsForShillings(NTZS, 'USDC', MID, 10, formula, 'down')
      expect(dollarsForShillings(NTZS, 'USDC', MID, 500, formula, 'down')).toBeLessThan(narrow)
    }
  })

  it('a weaker shilling (a higher mid) buys fewer dollars and costs more shillings', () => {
    const weaker = (MID * 11n) / 10n
    expect(shillingsForDollars(USD, 'USDC', weaker, 60, 'down')).toBeGreaterThan(
      shillingsForDollars(USD, 'USDC', MID, 60, 'down'),
    )
    expect(dollarsForShillings(NTZS, 'USDC', weaker, 60, 'divide', 'down')).toBeLessThan(
      dollarsForShillings(NTZS, 'USDC', MID, 60, 'divide', 'down'),
    )
  })

  it('there and back always costs the taker: no round trip takes anything from us', () => {
    const shillings = shillingsForDollars(1_000n * USD, 'USDC', MID, 10, 'down')
    expect(dollarsForShillings(shillings, 'USDC', MID, 10, 'divide', 'down')).toBeLessThan(1_000n * USD)
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
    const stable = random() < 0.5 ? 'USDC' : 'USDT.bnb'
    const swap = { side, stable } as const
    const mid = BigInt(1 + Math.floor(random() * 1e15)) * 4_321n
    const amountIn = BigInt(1 + Math.floor(random() * 1e15)) * (side === 'bid' ? 10n ** 9n : 1n)
    for (const formula of ['divide', 'multiply'] as const) {
      const payout = grossPayout(swap, amountIn, mid, 0, formula)
      expect(coversPayout(payout, swap, amountIn, mid)).toBe(true)
      expect(coversPayout(payout - 1n, swap, amountIn, mid)).toBe(false)
    }
  }
})
