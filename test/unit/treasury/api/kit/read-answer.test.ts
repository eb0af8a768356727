import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBody } from '../../../../../src/base/http/body.ts'
import { formatDecimalText } from '../../../../../src/base/money/decimal-text.ts'
import { readFigure } from '../../../../../src/treasury/api/kit/read-answer.ts'
import { bodyText, dollarNumber } from '../../../../../src/treasury/api/kit/endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../../../../../src/treasury/api/endpoints.ts'
import { interpretPartner } from '../../../../../src/treasury/api/interpret.ts'
import { partnerSettingsSchema } from '../../../../../src/treasury/api/settings.ts'

const money = fc.bigInt({ min: 0n, max: 2n ** 120n })

function readBack(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseBody(text, 'exact')
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value as Readonly<Record<string, unknown>>
}

describe('amounts of a body', () => {
  test('of whole shillings come back exactly, beyond what a double holds too', () => {
    fc.assert(
      fc.property(money, (amountTzs) => {
        const { amountTzs: written } = readBack(bodyText({ amountTzs }))
        expect(readFigure(written, 0)).toBe(amountTzs)
      }),
    )
  })

  test('of dollars come back exactly with their 6 decimals', () => {
    fc.assert(
      fc.property(money, (units) => {
        const text = bodyText({ amount: dollarNumber(units) })
        expect(text).toBe(`{"amount":${formatDecimalText(units, 6)}}`)
        expect(readFigure(readBack(text)['amount'], 6)).toBe(units)
      }),
    )
  })

  test('are read from the digits as they were written, exponents included', () => {
    expect(readFigure(readBack('{"a":1e3}')['a'], 0)).toBe(1_000n)
    expect(readFigure(readBack('{"a":1.5e-6}')['a'], 6, 'down')).toBe(1n)
    expect(readFigure(readBack('{"a":1e-7}')['a'], 6)).toBeNull()
    expect(readFigure(readBack('{"a":9007199254740993}')['a'], 0)).toBe(9_007_199_254_740_993n)
    expect(readFigure(readBack('{"a":0.1}')['a'], 18)).toBe(100_000_000_000_000_000n)
    expect(readFigure('-12.50', 2)).toBe(-1_250n)
  })

  test('are unreadable rather than rounded, where no rounding is named', () => {
    expect(readFigure(500.5, 0)).toBeNull()
    expect(readFigure(500.5, 0, 'down')).toBe(500n)
    expect(readFigure('500.000', 0)).toBe(500n)
  })

  test.each([
    null,
    undefined,
    '',
    ' 5',
    '5 ',
    '0x10',
    '1_000',
    '1,000',
    'NaN',
    Infinity,
    {},
    [],
    true,
    '1e999',
    '9'.repeat(101),
  ])('%j is no amount', (value) => {
    expect(readFigure(value, 6)).toBeNull()
    expect(readFigure(value, 6, 'down')).toBeNull()
  })

  test('of anything at all are an amount or null, and never throw', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(0, 6, 18), (value, decimals) => {
        expect(['bigint', 'object']).toContain(typeof readFigure(value, decimals, 'down'))
      }),
    )
  })
})

const SETTINGS = partnerSettingsSchema.parse({ baseUrl: 'https://pay.example' })

function readAs(name: EndpointName, body: object) {
  const call = ENDPOINTS[name].callOf(SETTINGS, { body: '{}' })
  const reply = { status: 200, headers: {}, text: JSON.stringify(body), receivedAt: 1_000_000 }
  return interpretPartner<unknown>(call, reply)
}

const QUOTE = { quoteId: 'q', receiveAmountTzs: 500_000, burnAmountTzs: 503_000 }
const FEES = { platformFeeTzs: 1_000, pspFeeTzs: 1_500 }

describe('a quote of a payout', () => {
  test('has its whole fee at the top, inside of its fees, or in both alike', () => {
    for (const body of [
      { ...QUOTE, totalFeeTzs: 3_000, fees: FEES },
      { ...QUOTE, fees: { ...FEES, totalFeeTzs: 3_000 } },
      { ...QUOTE, totalFeeTzs: 3_000, fees: { ...FEES, totalFeeTzs: 3_000 } },
    ])
      expect(readAs('quoteWithdrawal', body)).toMatchObject({
        kind: 'answered',
        value: { totalFeeTzs: 3_000n },
      })
  })

  test('with two fees that disagree, or without a fee, is unreadable', () => {
    const both = { ...QUOTE, totalFeeTzs: 3_000, fees: { ...FEES, totalFeeTzs: 3_001 } }
    expect(readAs('quoteWithdrawal', both)).toMatchObject({
      kind: 'unknown',
      words: expect.stringMatching(/totalFeeTzs: 3000, .* 3001/) as string,
    })
    expect(readAs('quoteWithdrawal', { ...QUOTE, fees: FEES }).kind).toBe('unknown')
  })

  test("reads the operator's fee under the operator's name, and no other fee", () => {
    const fees = { ...FEES, totalFeeTzs: 3_000, acmeFeeTzs: 500 }
    expect(readAs('quoteWithdrawal', { ...QUOTE, fees })).toMatchObject({
      value: { fees: { operatorFeeTzs: 500n } },
    })
    const without = { ...FEES, totalFeeTzs: 2_500 }
    expect(readAs('quoteWithdrawal', { ...QUOTE, fees: without })).toMatchObject({
      value: { fees: { operatorFeeTzs: null } },
    })
  })
})

describe('the float of the ramp', () => {
  test('reads the balance of the token under its symbol, and not that of the dollars', () => {
    const body = { usdcBalance: '1000', ntzsBalance: '812' }
    expect(readAs('rampBalance', body)).toMatchObject({ value: { tokenBalance: 812n * 10n ** 18n } })
    expect(readAs('rampBalance', { usdcBalance: '1000', usdtBalance: '5' })).toMatchObject({
      value: { tokenBalance: null },
    })
  })

  test('whose two balances of the token disagree is unreadable', () => {
    expect(readAs('rampBalance', { usdcBalance: '1', ntzsBalance: '812', tokenBalance: '811' }).kind).toBe(
      'unknown',
    )
  })
})

test.each([
  ['minted', 'completed'],
  ['rejected', 'failed'],
  ['pending', 'pending'],
  ['toString', 'other(toString)'],
])('a deposit that the venue calls %s is %s', (status, wanted) => {
  expect(readAs('readDeposit', { id: 'd', status })).toMatchObject({ value: { status: wanted } })
})
