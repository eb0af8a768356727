import { describe, expect, test } from 'vitest'
import { ENDPOINTS, type EndpointName } from '../../../../../src/treasury/api/endpoints.ts'
import { interpretPartner } from '../../../../../src/treasury/api/interpret.ts'
import { partnerSettingsSchema } from '../../../../../src/treasury/api/settings.ts'

const SETTINGS = partnerSettingsSchema.parse({ baseUrl: 'https://pay.example' })

function read(name: EndpointName, body: object) {
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
      expect(read('quoteWithdrawal', body)).toMatchObject({
        kind: 'answered',
        value: { totalFeeTzs: 3_000n },
      })
  })

  test('whose two fees disagree, or that states none, is unreadable', () => {
    const both = { ...QUOTE, totalFeeTzs: 3_000, fees: { ...FEES, totalFeeTzs: 3_001 } }
    expect(read('quoteWithdrawal', both)).toMatchObject({
      kind: 'unknown',
      words: expect.stringMatching(/totalFeeTzs and fees.totalFeeTzs disagree/) as string,
    })
    expect(read('quoteWithdrawal', { ...QUOTE, fees: FEES }).kind).toBe('unknown')
  })

  test('has the fee of the operator under the name of the operator, which no other fee is taken for', () => {
    const fees = { ...FEES, totalFeeTzs: 3_000, acmeFeeTzs: 500 }
    expect(read('quoteWithdrawal', { ...QUOTE, fees })).toMatchObject({
      value: { fees: { operatorFeeTzs: 500n } },
    })
    const without = { ...FEES, totalFeeTzs: 2_500 }
    expect(read('quoteWithdrawal', { ...QUOTE, fees: without })).toMatchObject({
      value: { fees: { operatorFeeTzs: null } },
    })
  })
})

describe('the float of the ramp', () => {
  test('has the balance of the token under its symbol, and the dollars are not taken for it', () => {
    const body = { usdcBalance: '1000', ntzsBalance: '812' }
    expect(read('rampBalance', body)).toMatchObject({ value: { tokenBalance: 812n * 10n ** 18n } })
    expect(read('rampBalance', { usdcBalance: '1000', usdtBalance: '5' })).toMatchObject({
      value: { tokenBalance: null },
    })
  })

  test('whose two balances of the token disagree is unreadable', () => {
    expect(read('rampBalance', { usdcBalance: '1', ntzsBalance: '812', tokenBalance: '811' }).kind).toBe(
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
  expect(read('readDeposit', { id: 'd', status })).toMatchObject({ value: { status: wanted } })
})
