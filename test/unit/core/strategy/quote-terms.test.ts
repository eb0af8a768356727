import { describe, expect, it } from 'vitest'
import { addTerm, switchOff } from '../../../../src/core/strategy/quote-terms.ts'

const orders = [
  { side: 'bid', stable: 'USDC', usd: 100, tzsPerUsd: 2_500 },
  { side: 'ask', stable: 'USDC', usd: 100, tzsPerUsd: 2_400 },
] as const

describe('one more term on a wrapped quote', () => {
  it('moves both spreads and stands last, after terms and reasons of the quote', () => {
    const terms = [{ name: 'half-spread', bidBps: 40, askBps: 50 }]
    const quote = { bidBps: 40, askBps: 50, reasons: ['first'], terms }
    expect(addTerm(quote, { name: 'calendar', bidBps: 5, askBps: 7 }, ['then'])).toEqual({
      bidBps: 45,
      askBps: 57,
      reasons: ['first', 'then'],
      terms: [...terms, { name: 'calendar', bidBps: 5, askBps: 7 }],
    })
  })

  it('counts a quote without terms as one, and leaves a side off', () => {
    const quote = { bidBps: null, askBps: 50, reasons: [] }
    expect(addTerm(quote, { name: 'rivals', bidBps: 5, askBps: -7 })).toMatchObject({
      bidBps: null,
      askBps: 43,
      terms: [
        { name: 'wrapped quote', bidBps: 0, askBps: 50 },
        { name: 'rivals', bidBps: 5, askBps: -7 },
      ],
    })
  })

  it('moves orders by as many bps of their own price: wider asks more for a dollar, or gives less', () => {
    const moved = addTerm(
      { bidBps: 40, askBps: 50, orders, reasons: [] },
      { name: 'calendar', bidBps: 100, askBps: 100 },
    )
    expect(moved.orders?.map(({ tzsPerUsd }) => tzsPerUsd)).toEqual([2_525, 2_376])
  })

  it('keeps the fallback that the quote rests on, on or off', () => {
    const quote = { bidBps: 40, askBps: 50, reasons: [], fallback: 'no calibration' }
    expect(addTerm(quote, { name: 'rivals', bidBps: 5, askBps: 5 }).fallback).toBe('no calibration')
    expect(switchOff(quote, 'calendar', 'a holiday: off').fallback).toBe('no calibration')
  })

  it('keeps what the quote plots, on or off', () => {
    const quote = { bidBps: 40, askBps: 50, reasons: [], plot: { ema: 2_500 } }
    expect(addTerm(quote, { name: 'rivals', bidBps: 5, askBps: 5 }).plot).toEqual({ ema: 2_500 })
    expect(switchOff(quote, 'calendar', 'a holiday: off').plot).toEqual({ ema: 2_500 })
  })

  it('turned off keeps no order, and has its reason first', () => {
    const off = switchOff(
      { bidBps: 40, askBps: 50, orders, reasons: ['first'] },
      'calendar',
      'a holiday: off',
    )
    expect(off).toMatchObject({
      bidBps: null,
      askBps: null,
      orders: [],
      reasons: ['a holiday: off', 'first'],
    })
    expect(off.terms?.at(-1)).toEqual({ name: 'calendar', bidBps: 0, askBps: 0 })
  })
})
