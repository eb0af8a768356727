import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ASSETS,
  formatAmount,
  formatTokens,
  parseAmount,
  parseTokens,
  toBook,
  TOKEN_UNIT,
  toTokens,
} from '../../../src/base/money/asset.ts'
import { formatDecimalText, parseDecimalText } from '../../../src/base/money/decimal-text.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../../src/base/money/payout.ts'
import { formatRate, parseRate, rateToNumber } from '../../../src/base/money/rate.ts'
import { divide } from '../../../src/base/money/rounding.ts'

const asset = fc.constantFrom(...ASSETS)
const grain = fc.constantFrom(1n, TOKEN_UNIT.USDC)
const units = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n })
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n })
const mid = fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n })
const bps = fc.integer({ min: 10, max: 500 })

describe('amounts, whatever they are', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(units, asset, (value, of) => {
        expect(parseTokens(formatTokens(value, of), of)).toEqual({ ok: true, value })
        expect(parseAmount(formatAmount(value))).toEqual({ ok: true, value })
      }),
    )
  })

  it('are the same as book amounts and as token amounts, to the digit, both ways', () => {
    fc.assert(
      fc.property(units, asset, (value, of) => {
        expect(formatAmount(toBook(value, of))).toBe(formatTokens(value, of))
        expect(toTokens(toBook(value, of), of)).toBe(value)
      }),
    )
  })

  it('are written without a needless digit', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 36 }), (value, decimals) => {
        expect(formatDecimalText(value, decimals)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })

  it('are read exactly or not at all, from any text', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789.-+e ,'.split('')), maxLength: 40 })
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), fc.integer({ min: 0, max: 18 }), (text, decimals) => {
        const read = parseDecimalText(text, decimals)
        if (!read.ok) return
        const plain = text.replace(/(\.\d*?)0*$/, '$1').replace(/\.$/, '')
        const canonical = plain.replace(/^(-?)0+(?=\d)/, '$1').replace(/^-0$/, '0')
        expect(formatDecimalText(read.value, decimals)).toBe(canonical)
      }),
    )
  })
})

describe('texts of few digits, whatever they are', () => {
  it('are the amounts that the same texts with a longer fraction are, and invalid ones are refused', () => {
    const few = fc.string({ unit: fc.constantFrom(...'0123456789.'.split('')), maxLength: 17 })
    fc.assert(
      fc.property(few, fc.integer({ min: 0, max: 18 }), (text, decimals) => {
        const read = parseDecimalText(text, decimals)
        const zeros = '0'.repeat(40)
        const long = parseDecimalText(text.includes('.') ? text + zeros : `${text}.${zeros}`, decimals)
        if (/^\d+(\.\d+)?$/.test(text))
          expect(read.ok ? read : read.error.kind).toEqual(long.ok ? long : long.error.kind)
        else expect(read.ok).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('rates, whatever number the venue sends', () => {
  it('are exactly that number, or refused', () => {
    fc.assert(
      fc.property(fc.double(), (figure) => {
        const read = parseRate(figure)
        if (read.ok) expect(rateToNumber(read.value)).toBe(figure)
        else expect(figure >= 10 && figure <= 1_000_000).toBe(false)
      }),
    )
  })
})

describe('rounding, whatever is divided', () => {
  it('down and up enclose the quotient, one unit apart at most', () => {
    fc.assert(
      fc.property(units, fc.bigInt({ min: 1n, max: 2n ** 200n }), (numerator, denominator) => {
        const down = divide(numerator, denominator, 'down')
        const up = divide(numerator, denominator, 'up')
        expect(down * denominator <= numerator && numerator <= up * denominator).toBe(true)
        expect(up - down).toBe(numerator % denominator === 0n ? 0n : 1n)
      }),
    )
  })

  it('a payout rounded down never exceeds the exact one, rounded up never falls short of it', () => {
    fc.assert(
      fc.property(amount, grain, mid, bps, (value, step, at, spread) => {
        const exactUp = value * 10n ** 18n * 10_000n
        const share = at * (10_000n + BigInt(spread))
        const down = dollarsForShillings(value, at, spread, 'divide', step, 'down')
        const up = dollarsForShillings(value, at, spread, 'divide', step, 'up')
        expect(down * share <= exactUp && exactUp <= up * share).toBe(true)
        expect(down % step === 0n && up % step === 0n && up - down <= step).toBe(true)
        const exact = value * at * (10_000n - BigInt(spread))
        const whole = 10n ** 18n * 10_000n
        expect(shillingsForDollars(value, at, spread, 'down') * whole <= exact).toBe(true)
        expect(shillingsForDollars(value, at, spread, 'up') * whole >= exact).toBe(true)
      }),
    )
  })

  it('no round trip through both of our sides brings the taker a unit', () => {
    fc.assert(
      fc.property(amount, grain, mid, bps, bps, (value, step, at, bid, ask) => {
        const shillings = shillingsForDollars(value, at, ask, 'down')
        for (const formula of ['divide', 'multiply'] as const) {
          expect(dollarsForShillings(shillings, at, bid, formula, step, 'down') <= value).toBe(true)
        }
      }),
    )
  })

  it('the contract never pays less than the other formula, and at most 26 bps more', () => {
    fc.assert(
      fc.property(amount, mid, bps, (value, at, spread) => {
        const divided = dollarsForShillings(value, at, spread, 'divide', 1n, 'down')
        const multiplied = dollarsForShillings(value, at, spread, 'multiply', 1n, 'down')
        expect(divided >= multiplied).toBe(true)
        expect((divided - multiplied) * 10_000n <= 26n * multiplied + 10_000n).toBe(true)
      }),
    )
  })

  it('net and protocol fee are the gross payout, to the unit', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), grain, (gross, fee, step) => {
        const split = splitProtocolFee(gross, fee, step)
        expect(split.net + split.fee).toBe(gross)
        expect(split.net >= 0n && split.fee >= 0n).toBe(true)
        expect(fee === 0 || split.net % step === 0n).toBe(true)
      }),
    )
  })
})

describe('a rate as a double', () => {
  it('is the nearest one, whichever rates were asked for before it and however often', () => {
    // Few whole rates, neighbours of one unit and any others, so that some recur at once, some later and most never.
    const whole = fc.integer({ min: 2_500, max: 2_540 }).map((shillings) => BigInt(shillings) * 10n ** 18n)
    const rate = fc.oneof(
      whole,
      fc.tuple(whole, fc.bigInt({ min: -2n, max: 2n })).map(([a, b]) => a + b),
      mid,
    )
    fc.assert(
      fc.property(fc.array(rate, { minLength: 1, maxLength: 400 }), (rates) => {
        for (const one of rates) expect(rateToNumber(one)).toBe(Number(formatRate(one)))
      }),
    )
  })

  it('is the nearest one of a rate of any size and sign, and of those beside the middle between two doubles', () => {
    const middle = fc
      .tuple(fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }), fc.integer({ min: 0, max: 42 }))
      .map(([mantissa, places]) => ((2n * mantissa + 1n) * 10n ** 18n) / 2n ** BigInt(places))
    const any = fc.bigInt({ min: -(2n ** 140n), max: 2n ** 140n })
    const rate = fc.oneof(
      any,
      fc.bigInt({ min: -1_000n, max: 1_000n }),
      fc.tuple(middle, fc.bigInt({ min: -2n, max: 2n })).map(([a, b]) => a + b),
    )
    fc.assert(
      fc.property(rate, (one) => {
        expect(rateToNumber(one)).toBe(Number(formatRate(one)))
      }),
      { numRuns: 2_000 },
    )
  })
})
