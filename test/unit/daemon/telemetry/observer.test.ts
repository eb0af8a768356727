import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import type { RequoteReason } from '../../../../src/core/quoting/next-move.ts'
import { metricsText } from './metrics-text.ts'
import { REQUOTE_REASONS } from '../../../../src/daemon/telemetry/metrics/metric-labels.ts'
import { EXAMPLE_CHAIN_FILL, EXAMPLE_HASH } from './example-chain-fill.ts'
import {
  EXAMPLE_POSTED,
  EXAMPLE_REJECTED,
  EXAMPLE_RESERVED,
  EXAMPLE_SPREAD as spread,
  EXAMPLE_T as t,
  observed,
} from './example-observations.ts'

describe('the observer', () => {
  test('a fill is counted by side with its dollars, and logged in exact whole tokens', async () => {
    const { lines, metrics } = observed(EXAMPLE_POSTED, EXAMPLE_POSTED)
    expect(lines[0]).toMatchObject({
      amountIn: '100',
      amountOut: '258700.123456789012345678',
      fee: '258.7',
      mid: '2600',
      volumeUsd: '100',
    })
    const text = await metricsText(metrics)
    expect(text).toContain('mizani_fills_total{side="ask",position="p"} 2')
    expect(text).toContain('mizani_fill_volume_usd_total{side="ask",position="p"} 200')
    expect(text).toContain('mizani_fills_total{side="bid",position="p"} 0')
  })

  test('every row that is set aside is counted, and at most one line a minute says so with their number', async () => {
    const at = (ms: number): Observation => ({
      type: 'rowQuarantined',
      t: t + ms,
      row: { id: null, reason: 'no token', raw: '{}' },
    })
    const { lines, metrics } = observed(...[0, 0, 10, 59_999, 60_000, 60_001, 120_000].map(at))
    expect(lines.map(({ rows: count }) => count)).toEqual([1, 4, 2])
    expect(lines[1]?.['msg']).toMatch(/^4 .*: no token$/)
    expect(await metricsText(metrics)).toContain('mizani_fill_rows_quarantined_total{position="p"} 7')
  })

  test('a clamped spread, a refusal and a requote are counted under their words', async () => {
    const { metrics } = observed(
      { type: 'clamped', t, side: 'bid', wanted: 900, sent: 500 },
      { type: 'refusal', t, rule: 'mid-age', limit: '', actual: '', message: '' },
      { type: 'refusal', t, rule: 'made-up-7', limit: '', actual: '', message: '' },
      { type: 'requote', t, reason: 'threshold', spread, because: [] },
      { type: 'requote', t, reason: 'made-up-8', spread, because: [] },
    )
    const text = await metricsText(metrics)
    for (const line of [
      'mizani_risk_refusals_total{rule="out-of-range",position="p"} 1',
      'mizani_risk_refusals_total{rule="mid-age",position="p"} 1',
      'mizani_risk_refusals_total{rule="other",position="p"} 1',
      'mizani_requotes_total{reason="threshold",position="p"} 1',
      'mizani_requotes_total{reason="other",position="p"} 1',
    ])
      expect(text).toContain(line)
    expect(text).not.toContain('made-up')
  })

  test('orders are counted: signed once it left, filled part by part, rejected by code', async () => {
    const { metrics, lines } = observed(
      EXAMPLE_RESERVED,
      { type: 'orderPlaced', t, salt: 7n, hash: EXAMPLE_HASH },
      EXAMPLE_REJECTED,
      { ...EXAMPLE_REJECTED, stage: 'sign', code: 'made-up-9', isVoid: true },
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: false },
      { type: 'orderFilled', t, salt: 7n, fill: EXAMPLE_CHAIN_FILL, isWhole: true },
      { type: 'orderFillUndone', t, fill: EXAMPLE_CHAIN_FILL },
    )
    const text = await metricsText(metrics)
    for (const line of [
      'mizani_rfq_signed_total{position="p"} 2',
      'mizani_rfq_fills_total{position="p"} 2',
      'mizani_rfq_rejected_total{code="WRONG_TAKER",position="p"} 1',
      'mizani_rfq_rejected_total{code="other",position="p"} 1',
      'mizani_rfq_rejected_total{code="BAD_SIGNATURE",position="p"} 0',
    ])
      expect(text).toContain(line)
    expect(lines[0]).toMatchObject({ salt: '7', usd: '200.5', priceTzs: '2587' })
    expect(lines[4]).toMatchObject({ salt: '7', block: '12', makerAmount: '1000000000000000000' })
  })

  test('an unreconciled balance is logged in tokens, sign and all', () => {
    const { lines } = observed({
      type: 'reconciliationChanged',
      t,
      state: 'break',
      why: 'balances',
      unreconciled: { USDC: -1_500_001n * 10n ** 12n },
    })
    expect(lines[0]?.['unreconciled']).toEqual({ USDC: '-1.500001' })
  })
})

describe('the vocabularies of labels', () => {
  test('the labels of mizani_requotes_total are exactly the reasons of the quoter', () => {
    // The records have a key for every word of the rooms' own types, or this file does not compile.
    const reasons: Record<RequoteReason, true> = Object.fromEntries(
      REQUOTE_REASONS.map((reason) => [reason, true]),
    ) as Record<(typeof REQUOTE_REASONS)[number], true>
    const moves: readonly RequoteReason[] = REQUOTE_REASONS
    expect(Object.keys(reasons).sort()).toEqual([...moves].sort())
  })
})
