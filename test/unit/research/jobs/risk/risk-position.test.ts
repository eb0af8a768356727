import { describe, expect, test } from 'vitest'
import { riskPosition } from '../../../../../src/research/jobs/risk/risk-position.ts'
import { exampleView } from '../../../daemon/telemetry/example-view.ts'

const NOW = 5_000
const LIMITS = {
  NTZS: { min: 400_000n * 10n ** 18n, max: null },
  USDC: { min: 600n * 10n ** 18n, max: null },
}

describe('the position that a risk is measured of', () => {
  test('has the holdings, prices and live quote of the view, and what is above the minimums', () => {
    const view = exampleView({
      balances: { NTZS: '1000000', USDC: '500.5', USDT: '100' },
      pool: { NTZS: '900000', USDC: '500.5', USDT: '60' },
      fairValue: '2610',
      mid: '2600',
    })
    expect(riskPosition(view, 'daemon', LIMITS, null, NOW)).toMatchObject({
      ok: true,
      value: {
        source: 'daemon',
        at: view.now,
        ntzs: 1_000_000,
        usd: 600.5,
        tzsPerUsd: 2_610,
        mid: 2_600,
        bidBps: 40,
        askBps: null,
        pnlTzs: 106,
        payable: { bid: 560.5, ask: 900_000 / 2_600 },
        // USDC is under its minimum.
        limited: { bid: 60, ask: 600_000 / 2_600 },
        hasLiveFeed: false,
      },
    })
  })

  test('of a plan needs no view and has no live feed', () => {
    const plan = { NTZS: 2_500_000, USDT: 300, mid: 2_500, ask: 70 }
    expect(riskPosition(null, 'store', {}, plan, NOW)).toMatchObject({
      ok: true,
      value: {
        source: 'plan',
        at: NOW,
        usd: 300,
        tzsPerUsd: 2_500,
        bidBps: null,
        askBps: 70,
        payable: { bid: 300, ask: 1_000 },
        hasLiveFeed: false,
        pnlTzs: null,
      },
    })
  })

  test('is an error without a mid or without balances: unknown is not zero', () => {
    const error = (changes: Parameters<typeof exampleView>[0]) =>
      riskPosition(exampleView(changes), 'daemon', {}, null, NOW)
    expect(error({ mid: null })).toMatchObject({ ok: false, error: expect.stringContaining('no mid') })
    expect(error({ balances: {} })).toMatchObject({ ok: false, error: expect.stringContaining('balances') })
  })
})
