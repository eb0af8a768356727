import { describe, expect, it } from 'vitest'
import {
  ASSETS,
  BOOK_DECIMALS,
  bookAmounts,
  formatAmount,
  formatTokens,
  isStable,
  parseAmount,
  parseTokens,
  toBook,
  TOKEN_DECIMALS,
  TOKEN_UNIT,
  toTokens,
  zeroAmounts,
} from '../../../../src/base/money/asset.ts'

describe('token amounts', () => {
  it('are base units: one dollar is a million, one shilling 10^18, one USDT on bnb 10^18', () => {
    expect(parseTokens('1', 'USDC')).toEqual({ ok: true, value: 1_000_000n })
    expect(parseTokens('1', 'USDT')).toEqual({ ok: true, value: 1_000_000n })
    expect(parseTokens('1', 'NTZS')).toEqual({ ok: true, value: 10n ** 18n })
    expect(parseTokens('1', 'USDT.bnb')).toEqual({ ok: true, value: 10n ** 18n })
  })

  it('with one digit too many are an error, not a rounding', () => {
    const answer = parseTokens('1.0000001', 'USDC')
    expect(answer).toMatchObject({ ok: false, error: { kind: 'too-many-digits' } })
  })

  it('may carry zeros beyond their decimals: nothing is lost with them', () => {
    expect(parseTokens('1.500000000', 'USDC')).toEqual({ ok: true, value: 1_500_000n })
  })

  it('may be negative, and minus zero is zero', () => {
    expect(parseTokens('-0.5', 'USDC')).toEqual({ ok: true, value: -500_000n })
    expect(parseTokens('-0', 'USDC')).toEqual({ ok: true, value: 0n })
    expect(formatTokens(0n, 'USDC')).toBe('0')
    expect(formatTokens(-1n, 'USDC')).toBe('-0.000001')
    expect(formatTokens(-1n, 'NTZS')).toBe('-0.000000000000000001')
  })
})

describe('book amounts', () => {
  it('have 18 decimals, whatever the token', () => {
    expect(parseAmount('1')).toEqual({ ok: true, value: 10n ** 18n })
    expect(formatAmount(1_500_000n * 10n ** 12n)).toBe('1.5')
    expect(formatAmount(-1n)).toBe('-0.000000000000000001')
  })

  it('are exact to the last of eighteen decimals', () => {
    const text = '123456789012345.123456789012345678'
    expect(parseAmount(text)).toEqual({ ok: true, value: 123456789012345123456789012345678n })
  })

  it('with one digit too many are an error, not a rounding', () => {
    const answer = parseAmount('1.0000000000000000001')
    expect(answer).toMatchObject({ ok: false, error: { kind: 'too-many-digits' } })
  })

  it.each(['', ' 1', '1 ', '1e3', '1E-2', '+1', '.5', '5.', '1,000', '0x10', 'NaN', 'Infinity', '--1', '１'])(
    'are not guessed from %j, and token amounts neither',
    (text) => {
      expect(parseAmount(text)).toMatchObject({ ok: false, error: { kind: 'not-decimal' } })
      expect(parseTokens(text, 'USDC')).toMatchObject({ ok: false, error: { kind: 'not-decimal' } })
    },
  )

  it('of endless digits are refused before they cost anything', () => {
    expect(parseAmount('9'.repeat(1_000_000))).toMatchObject({ ok: false, error: { kind: 'too-large' } })
  })

  it('hold one unit of every token exactly', () => {
    for (const asset of ASSETS) {
      expect(10n ** BigInt(TOKEN_DECIMALS[asset]) * TOKEN_UNIT[asset]).toBe(10n ** BigInt(BOOK_DECIMALS))
      expect(toBook(7n, asset)).toBe(7n * TOKEN_UNIT[asset])
      expect(zeroAmounts()[asset]).toBe(0n)
      expect(isStable(asset)).toBe(asset !== 'NTZS')
    }
  })

  it('of less than one unit of the token are cut towards zero when they become token amounts', () => {
    expect(toTokens(2n * 10n ** 12n - 1n, 'USDC')).toBe(1n)
    expect(toTokens(1n - 2n * 10n ** 12n, 'USDT')).toBe(-1n)
    expect(toTokens(2n * 10n ** 12n - 1n, 'USDT.bnb')).toBe(2n * 10n ** 12n - 1n)
  })

  it('of several tokens are converted each by its own unit, and one that is absent stays absent', () => {
    expect(bookAmounts({ NTZS: 5n, USDC: -3n, 'USDT.bnb': 7n })).toEqual({
      NTZS: 5n,
      USDC: -3n * 10n ** 12n,
      'USDT.bnb': 7n,
    })
  })
})
