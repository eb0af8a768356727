import { describe, expect, test } from 'vitest'
import { fallbackText, FallbackTime } from '../../../../../src/research/backtest/simulation/fallback-time.ts'
import type { StrategyQuote } from '../../../../../src/core/strategy/define-strategy.ts'
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

const HOUR = 3_600_000

describe('the time in which a strategy falls back', () => {
  test('is counted over the run, with the first moment and its sentence, and is a warning', async () => {
    const quote = { bidBps: 60, askBps: 60, reasons: ['the same'] }
    // Equal quotes: only the fallback tells them apart. It is there at the first mid, and again at the third.
    const strategy = pureStrategy(({ mid }): StrategyQuote =>
      mid === 2_501 ? quote : { ...quote, fallback: `no k at ${mid}` },
    )
    const { outcome } = await runTape(
      [
        rateRow(START, 2_500n * NTZS),
        balancesRow(START),
        quoteRow(START, 60, 60),
        rateRow(START + HOUR, 2_501n * NTZS),
        rateRow(START + 3 * HOUR, 2_502n * NTZS),
        rateRow(START + 4 * HOUR, 2_502n * NTZS),
      ],
      { strategy },
    )
    expect(outcome.fallback).toMatchObject({ firstAt: START, why: 'no k at 2500' })
    expect(outcome.fallback?.share).toBeCloseTo(0.5, 1)
    expect(outcome.warnings).toEqual([expect.stringMatching(/^the strategy fell/)])
    expect(outcome.warnings[0]).toMatch(/: no k at 2500$/)
  })

  test('is zero where no answer names a fallback', async () => {
    const strategy = pureStrategy(() => ({ bidBps: 60, askBps: 60, reasons: [] }))
    const tape = [
      rateRow(START, MID),
      balancesRow(START),
      quoteRow(START, 60, 60),
      rateRow(START + HOUR, MID),
    ]
    const { outcome } = await runTape(tape, { strategy })
    expect(outcome.fallback).toBeNull()
    expect(outcome.warnings).toEqual([])
  })

  test('runs from the first answer on, ends and begins again', () => {
    const time = new FallbackTime()
    expect(time.result(5)).toBeNull()
    time.note(100, undefined)
    time.note(200, 'no feed')
    time.note(250, 'another sentence')
    time.note(300, undefined)
    time.note(450, 'no feed again')
    const found = time.result(500)
    expect(found).toEqual({ firstAt: 200, why: 'no feed', share: 0.375 })
    expect(found === null ? '' : fallbackText(found)).toBe(
      'the strategy fell back 37.5 % of the time, first at 1970-01-01T00:00:00.200Z: no feed',
    )
  })

  test('is all of a run of one moment', () => {
    const time = new FallbackTime()
    time.note(100, 'no calibration')
    expect(time.result(100)?.share).toBe(1)
  })
})
