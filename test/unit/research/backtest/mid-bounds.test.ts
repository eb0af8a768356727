import { describe, expect, test } from 'vitest'
import {
  balancesRow,
  MID,
  quoteRow,
  rateRow,
  referenceRow,
  runTape,
  START,
} from '../../../support/backtest-tape.ts'
import { coreConfig } from '../../../support/core-config.ts'

const MINUTE = 60_000
const { risk } = coreConfig()
const opening = [rateRow(START, MID), balancesRow(START), quoteRow(START, 500, 500)]
const percent = (share: bigint) => (MID * share) / 100n

describe('a mid over a bound of movement in a backtest', () => {
  test('is adopted when no one has answered for acceptMidAfterMs, and the report counts it', async () => {
    const tape = [
      ...opening,
      rateRow(START + 20 * MINUTE, percent(104n)),
      rateRow(START + 60 * MINUTE, percent(104n)),
    ]
    const { outcome, told } = await runTape(tape)
    expect(outcome.midsAccepted).toBe(1)
    expect(outcome.warnings.join()).toContain(
      'the mid broke a bound of movement once: live, nothing is quoted until a person accepts it; here it was adopted after 600000 ms (backtest.acceptMidAfterMs)',
    )
    const minutes = told.quotes.map(({ t, askBps }) => [Math.floor((t - START) / MINUTE), askBps])
    expect(minutes).toEqual([
      [0, 60],
      [20, null],
      [30, 60],
    ])
  })

  test('waits as long as the setting says: with an hour of it the ask stays off for an hour', async () => {
    const tape = [
      ...opening,
      rateRow(START + MINUTE, percent(104n)),
      rateRow(START + 90 * MINUTE, percent(104n)),
    ]
    const { told } = await runTape(tape, { settings: { acceptMidAfterMs: 60 * MINUTE } })
    expect(told.quotes.map(({ t }) => Math.floor((t - START) / MINUTE))).toEqual([0, 1, 61])
  })

  test('a walk beyond the hour waits likewise, and each wait is counted', async () => {
    const walk = { ...risk, maxMidMoveBpsPerHour: 200, maxMidMoveBpsPerDay: 500 }
    const steps = [101n, 102n, 103n, 104n, 105n, 106n].map((share, n) =>
      rateRow(START + (n + 1) * 15 * MINUTE, percent(share)),
    )
    const { outcome } = await runTape([...opening, ...steps, rateRow(START + 180 * MINUTE, percent(106n))], {
      core: { risk: walk },
    })
    expect(outcome.midsAccepted).toBe(2)
  })

  test('within the bounds nothing waits and nothing is counted', async () => {
    const { outcome } = await runTape([...opening, rateRow(START + MINUTE, percent(101n))])
    expect(outcome).toMatchObject({ midsAccepted: 0, warnings: [] })
  })
})

describe('one mark for opening and valuation', () => {
  test.each([
    ['below', 95n],
    ['above', 105n],
  ])('a reference 5 %% %s the mid is no loss: the loss limit does not halt the opening', async (_, share) => {
    const tape = [
      rateRow(START, MID),
      referenceRow(START, percent(share)),
      balancesRow(START),
      quoteRow(START, 500, 500),
      // The mid moves, the reference does not: neither does what the position is worth.
      rateRow(START + 10 * MINUTE, (MID * 1_001n) / 1_000n),
      rateRow(START + 20 * MINUTE, (MID * 1_001n) / 1_000n),
    ]
    const limits = { maxLossTzs: 10n ** 36n, maxDrawdownTzs: 10n ** 36n }
    const { outcome } = await runTape(tape, { core: { risk: { ...risk, ...limits } } })
    expect(outcome.warnings).toEqual([])
  })
})
