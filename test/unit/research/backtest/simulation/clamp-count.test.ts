import { describe, expect, test } from 'vitest'
import { clampText, createClampCount } from '../../../../../src/research/backtest/simulation/clamp-count.ts'
import {
  balancesRow,
  MID,
  NTZS,
  quoteRow,
  rateRow,
  runTape,
  START,
} from '../../../../support/backtest-tape.ts'
import { pureStrategy } from '../../../../support/test-strategy.ts'

const at = (seconds: number) => START + seconds * 1_000
const tape = [
  rateRow(START, MID),
  balancesRow(START),
  quoteRow(START, 60, 60),
  rateRow(at(60), MID + NTZS),
  rateRow(at(120), MID + 2n * NTZS),
]

describe('spreads outside of 10 to 500 bps', () => {
  test('are counted as clamps and named: a bid of 700 is quoted at 500, an ask of -20 at 10', async () => {
    const strategy = pureStrategy(({ mid }) => ({ bidBps: 700, askBps: -20, reasons: [`mid ${mid}`] }))
    const { outcome, told } = await runTape(tape, { strategy })
    const [bid, ask] = outcome.clamps
    expect(bid).toMatchObject({ side: 'bid', sentBps: 500, furthestBps: 700, firstAt: START })
    expect(ask).toMatchObject({ side: 'ask', sentBps: 10, furthestBps: -20, firstAt: START })
    expect(bid?.decisions).toBe(ask?.decisions)
    expect(bid?.decisions).toBeGreaterThan(2)
    expect(outcome.warnings).toEqual(outcome.clamps.map(clampText))
    expect(outcome.warnings[0]).toContain('wanted a bid outside 10 to 500 bps in')
    expect(outcome.warnings[1]).toContain('-20 bps: 10 bps')
    expect(told.quotes.at(-1)).toMatchObject({ bidBps: 500, askBps: 10 })
  })

  test('within the bounds leave no clamp and no warning', async () => {
    const { outcome } = await runTape(tape, {
      strategy: pureStrategy(() => ({ bidBps: 500, askBps: 10.4, reasons: [] })),
    })
    expect(outcome.clamps).toEqual([])
    expect(outcome.warnings).toEqual([])
  })

  test('keep the first moment and the furthest wish, one entry a side and bound', () => {
    const count = createClampCount()
    for (const [t, wanted] of [
      [1, 600],
      [2, 900],
      [3, 501],
    ] as const)
      count.note([{ type: 'clamped', t, side: 'bid', wanted, sent: 500 }])
    count.note([{ type: 'clamped', t: 4, side: 'bid', wanted: 3, sent: 10 }])
    expect(count.list()).toEqual([
      { side: 'bid', sentBps: 500, decisions: 3, furthestBps: 900, firstAt: 1 },
      { side: 'bid', sentBps: 10, decisions: 1, furthestBps: 3, firstAt: 4 },
    ])
  })
})
