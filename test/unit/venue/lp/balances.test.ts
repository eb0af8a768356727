import { describe, expect, test } from 'vitest'
import { callsWith, failureOf, read, valueOf } from '../read-answer.ts'

const calls = callsWith()
const amountsOf = (body: unknown) => valueOf(read(calls.balances(), body)).amounts
const E18 = 10n ** 18n

/** GET /mm/balances of an active position, as it was measured; totals are completed by shape. */
const MEASURED_POOL = `{"source":"pool","ntzs":"39997031.481679999999977263","usdc":"12004.288168230832770000",
  "positions":{"ntzs":{"contributed":"39997031.481679999999977263","earned":"3831.481680000003052555","total":"40000862.963360000000"},
  "usdc":{"contributed":"12004.288168230832770000","earned":"1.640193000000000000","total":"12005.928361230832770000"},
  "usdt":{"contributed":"4000.000000000000000000","earned":"0.000000000000000000","total":"4000.000000000000000000"}},
  "wallet":{"address":"0x00","chain":"base","ntzs":"0.0","usdc":"0.0"}}`

describe('the balances of the measured venue', () => {
  test('are read to 18 decimals, with the token that only the positions state', () => {
    expect(valueOf(read(calls.balances(), MEASURED_POOL))).toMatchObject({
      source: 'pool',
      amounts: {
        NTZS: 39_997_031_481_679_999_999_977_263n,
        USDC: 12_004_288_168_230_832_770_000n,
        USDT: 4_000n * E18,
      },
    })
  })
  test('of an inactive position leave a token that is not stated out', () => {
    const wallet = '{"source":"wallet","ntzs":"40000000.0","usdc":"12000.0","wallet":{"chain":"base"}}'
    expect(amountsOf(wallet)).toEqual({ NTZS: 40_000_000n * E18, USDC: 12_000n * E18 })
  })
})

describe('a figure of the balances', () => {
  test('that is a JSON number is read from its digits, not through a double', () => {
    expect(amountsOf('{"ntzs":40000000.000000000000000001,"usdc":0.10}')).toEqual({
      NTZS: 40_000_000n * E18 + 1n,
      USDC: E18 / 10n,
    })
  })
  test.each([
    ['another figure in the positions', '{"usdc":"5","positions":{"usdc":{"contributed":"6"}}}'],
    ['more than 18 decimals', '{"usdc":"5.0000000000000000001"}'],
    ['an exponent', '{"usdc":5e3}'],
    ['a number beyond every double', '{"usdc":1e400}'],
    ['below zero', '{"usdc":"-1","ntzs":"1"}'],
    ['below zero in the positions', '{"ntzs":"1","positions":{"usdc":{"contributed":-0.5}}}'],
    ['true', '{"usdc":true}'],
    ['an empty text', '{"usdc":"","ntzs":"1"}'],
    ['another level of nesting', '{"usdc":{"usdc":"5"}}'],
  ])(
    'that is contradicted or not exact (%s) makes the answer unreadable, and names its field',
    (_what, body) => {
      const { kind, message } = failureOf(read(calls.balances(), body))
      expect([kind, message.includes('usdc')]).toEqual(['malformed', true])
    },
  )
  test('that is a zero with a sign is zero', () => {
    expect(amountsOf('{"usdc":"-0.0"}')).toEqual({ USDC: 0n })
  })
  test.each(['null', '[]', '{}', '{"usdc":null}', '"text"'])(
    'is missing from %s, which is unreadable',
    (body) => {
      expect(failureOf(read(calls.balances(), body)).kind).toBe('malformed')
    },
  )
})
