import { describe, expect, it } from 'vitest'
import {
  DECIMALS,
  formatAmount,
  isStable,
  parseAmount,
  TO_18_DECIMALS,
  zeroAmounts,
} from '../../../src/money/asset.ts'

describe('amounts', () => {
  it('are base units: one dollar is a million, one shilling 10^18, one USDT on bnb 10^18', () => {
    expect(parseAmount('1', 'USDC')).toEqual({ ok: true, value: 1_000_000n })
    expect(parseAmount('1', 'USDT')).toEqual({ ok: true, value: 1_000_000n })
    expect(parseAmount('1', 'NTZS')).toEqual({ ok: true, value: 10n ** 18n })
    expect(parseAmount('1', 'USDT.bnb')).toEqual({ ok: true, value: 10n ** 18n })
  })

  it('are exact to the last of eighteen decimals', () => {
    const text = '123456789012345.123456789012345678'
    expect(parseAmount(text, 'NTZS')).toEqual({ ok: true, value: 123456789012345123456789012345678n })
  })

  it('with one digit too many are an error, not a rounding', () => {
    const answer = parseAmount('1.0000001', 'USDC')
    expect(answer).toMatchObject({ ok: false, error: { kind: 'too-many-digits' } })
  })

  it('may carry zeros beyond their decimals: nothing is lost with them', () => {
    expect(parseAmount('1.500000000', 'USDC')).toEqual({ ok: true, value: 1_500_000n })
  })

  it.each(['', ' 1', '1 ', '1e3', '1E-2', '+1', '.5', '5.', '1,000', '0x10', 'NaN', 'Infinity', '--1', '１'])(
    'are not guessed from %j',
    (text) => {
      expect(parseAmount(text, 'USDC')).toMatchObject({ ok: false, error: { kind: 'not-decimal' } })
    },
  )

  it('of endless digits are refused before they cost anything', () => {
    expect(parseAmount('9'.repeat(1_000_000), 'NTZS')).toMatchObject({
      ok: false,
      error: { kind: 'too-large' },
    })
  })

  it('may be negative, and minus zero is zero', () => {
    expect(parseAmount('-0.5', 'USDC')).toEqual({ ok: true, value: -500_000n })
    expect(parseAmount('-0', 'USDC')).toEqual({ ok: true, value: 0n })
    expect(formatAmount(0n, 'USDC')).toBe('0')
    expect(formatAmount(-1n, 'USDC')).toBe('-0.000001')
  })

  it('of every asset are brought to 18 decimals by their own factor', () => {
    for (const asset of ['NTZS', 'USDC', 'USDT', 'USDT.bnb'] as const) {
      expect(10n ** BigInt(DECIMALS[asset]) * TO_18_DECIMALS[asset]).toBe(10n ** 18n)
      expect(zeroAmounts()[asset]).toBe(0n)
      expect(isStable(asset)).toBe(asset !== 'NTZS')
    }
  })
})
