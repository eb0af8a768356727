import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMetricsRecorder } from '../../../../src/research/backtest/metrics/create-recorder.ts'
import { runBacktest } from '../../../../src/research/backtest/run.ts'
import type { Trial } from '../../../support/backtest-tape.ts'
import { DAY_MS } from '../../../../src/base/time.ts'
import { identityResidual, pnl } from '../../../../src/core/ledger/book/pnl.ts'
import { compareRows } from '../../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  MID,
  NTZS,
  partsOf,
  quoteRow,
  rateRow,
  referenceRow,
  sourceOf,
  START,
} from '../../../support/backtest-tape.ts'

const at = (seconds: number) => START + seconds * 1_000
const opening = [rateRow(START, MID), balancesRow(START), quoteRow(START, 500, 500)]

/** A backtest with the recorder of metrics beside it. */
async function measured(rows: readonly TapeRow[], trial: Trial = {}) {
  const recorder = createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null })
  const run = await runBacktest(partsOf(sourceOf(rows.toSorted(compareRows)), { trail: recorder, ...trial }))
  if (!run.ok) throw new Error(run.error)
  return { outcome: run.value, metrics: recorder.metrics(), recorder }
}

describe('the first reference', () => {
  test('the step from the mid to the first reference is no PnL', async () => {
    const rows = [...opening, referenceRow(at(30), MID + 20n * NTZS), rateRow(at(60), MID + NTZS)]
    const { outcome, metrics, recorder } = await measured(rows)
    const now = pnl(outcome.book)
    expect([now?.tzs.total, now?.tzs.inventory, now?.usd.total, now?.usd.inventory]).toEqual([0n, 0n, 0n, 0n])
    expect(metrics.maxDrawdown).toMatchObject({ usd: 0, tzs: '0' })
    expect(metrics.inventoryTzs).toEqual({ buyAndHold: 0, adverse: 0, drift: 0 })
    expect(recorder.daily().pnlUsd).toEqual([0])
    expect(metrics.pnlLessHoldingUsd).toBe('0')
    expect(metrics.fairValue).toBe('reference')
  })

  test('what a later reference moves is PnL of the inventory again', async () => {
    const rows = [
      ...opening,
      referenceRow(at(30), MID + 20n * NTZS),
      referenceRow(at(60), MID + 23n * NTZS),
      rateRow(at(90), MID + NTZS),
    ]
    const { outcome, metrics } = await measured(rows)
    // 50,000 USDC times 3.
    expect(pnl(outcome.book)?.tzs.inventory).toBe(150_000n * 10n ** 36n)
    expect(metrics.inventoryTzs).toEqual({ buyAndHold: 150_000, adverse: 0, drift: 0 })
  })

  test('both identities hold to the last unit, whatever comes before and after the first reference', async () => {
    const second = fc.integer({ min: 1, max: 900 })
    const step = fc.bigInt({ min: -30n, max: 30n })
    const row = fc.oneof(
      fc.tuple(second, step).map(([s, by]) => rateRow(at(s), MID + by * NTZS)),
      fc.tuple(second, step).map(([s, by]) => referenceRow(at(s), MID + by * NTZS)),
      fc
        .tuple(second, fc.integer({ min: 1, max: 900 }))
        .map(([s, usd]) => bringsUsdc(at(s), `u${s}-${usd}`, usd)),
      fc
        .tuple(second, fc.integer({ min: 1_000, max: 900_000 }))
        .map(([s, tzs]) => bringsShillings(at(s), `n${s}-${tzs}`, tzs)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const unique = [
          ...new Map(
            rows.map((one) => [JSON.stringify(one, (_, v) => (typeof v === 'bigint' ? String(v) : v)), one]),
          ).values(),
        ]
        const { outcome, metrics } = await measured([...opening, ...unique, rateRow(at(1_000), MID)])
        expect(identityResidual(outcome.book)).toEqual({ tzs: 0n, usd: 0n })
        const { buyAndHold, adverse, drift } = metrics.inventoryTzs
        const inventory = Number(pnl(outcome.book)?.tzs.inventory ?? 0n) / 1e36
        expect(buyAndHold + adverse + drift).toBeCloseTo(inventory, 3)
      }),
      { numRuns: 20 },
    )
  })
})

describe('references of several sources', () => {
  const rows = [
    ...opening,
    referenceRow(at(10), MID + 2n * NTZS, 'bank-board'),
    referenceRow(at(20), MID + 50n * NTZS, 'street'),
    bringsUsdc(at(30), 'f', 100),
    rateRow(at(100), MID + NTZS),
  ]

  test('the first one on the tape is the fair value, alone, and the result names it with a warning', async () => {
    const { outcome, metrics } = await measured(rows)
    expect(outcome.fairValueSource).toBe('bank-board')
    expect(outcome.warnings).toEqual([
      'several sources have references on the tape: the fair value is bank-board, the first of them, and not street; backtest.fairValue names the one to use',
    ])
    // Bought at 60 bps below the mid; the fair value is 2 shillings above it.
    expect(metrics.halfSpreadBps.effective).toBeCloseTo((1e4 * (0.006 * 2568 + 2)) / 2570, 6)
  })

  test('the one that the configuration names is the fair value, without a warning', async () => {
    const { outcome } = await measured(rows, { settings: { fairValue: 'street' } })
    expect(outcome.fairValueSource).toBe('street')
    expect(outcome.warnings).toEqual([])
  })

  test('without references the result names none', async () => {
    const { outcome } = await measured([...opening, rateRow(at(100), MID + NTZS)])
    expect(outcome.fairValueSource).toBeNull()
  })
})

describe('midnight', () => {
  test('what happens at midnight belongs to the day that it begins', async () => {
    const midnight = Math.ceil(START / DAY_MS) * DAY_MS
    const rows = [
      ...opening,
      bringsUsdc(midnight - 1, 'yesterday', 100),
      bringsUsdc(midnight, 'today', 200),
      rateRow(midnight, MID + NTZS),
      rateRow(midnight + DAY_MS / 2, MID),
    ]
    const { recorder } = await measured(rows)
    const { day, fills, turnoverUsd } = recorder.daily()
    expect(day).toEqual([midnight - DAY_MS, midnight])
    expect(fills).toEqual([1, 1])
    expect(turnoverUsd).toEqual([100, 200])
  })

  test('a fill at the last midnight of a tape has a day of its own', async () => {
    const midnight = Math.ceil(START / DAY_MS) * DAY_MS
    const { recorder } = await measured([
      ...opening,
      bringsUsdc(at(60), 'a', 100),
      bringsUsdc(midnight, 'b', 200),
    ])
    expect(recorder.daily()).toMatchObject({ day: [midnight - DAY_MS, midnight], fills: [1, 1] })
  })
})
