import { describe, expect, test } from 'vitest'
import { createMetricsRecorder } from '../../../../../src/research/backtest/metrics/create-recorder.ts'
import type { RecordedDecision, Recorder } from '../../../../../src/research/backtest/recorder.ts'
import type { StrategyQuote } from '../../../../../src/core/strategy/define-strategy.ts'
import {
  balancesRow,
  bringsUsdc,
  MID,
  quoteRow,
  rateRow,
  runTape,
  SILENT_TRAIL,
  START,
  type Trial,
} from '../../../../support/backtest-tape.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { pureStrategy, testStrategy } from '../../../../support/test-strategy.ts'

const HOUR = 3_600_000
const opening = [rateRow(START, MID), balancesRow(START), quoteRow(START, 500, 500)]
const quote = (bidBps: number | null, askBps: number | null, reasons = ['a test']): StrategyQuote => ({
  bidBps,
  askBps,
  reasons,
})

async function decisionsOf(rows: Parameters<typeof runTape>[0], trial: Trial) {
  const decisions: RecordedDecision[] = []
  const trail: Recorder = { ...SILENT_TRAIL, decision: (one) => void decisions.push(one) }
  const { outcome } = await runTape(rows, { ...trial, trail })
  return { decisions, outcome }
}

async function boundIn(rows: Parameters<typeof runTape>[0], trial: Trial) {
  const trail = createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null })
  await runTape(rows, { ...trial, trail })
  return trail.metrics().timeBound
}

describe('the time under risk rules and clamps', () => {
  test('a spread of 700 on one side and of -20 on the other binds at the cap and at the floor all the time', async () => {
    const strategy = testStrategy(() => quote(700, -20))
    const bound = await boundIn([...opening, rateRow(START + HOUR, MID)], { strategy })
    expect(bound).toEqual([
      { kind: 'clamp', name: 'ask-floor', share: 1 },
      { kind: 'clamp', name: 'bid-cap', share: 1 },
    ])
  })

  test('spreads at the bounds themselves are no clamps', async () => {
    const strategy = testStrategy(() => quote(10, 500))
    expect(await boundIn([...opening, rateRow(START + HOUR, MID)], { strategy })).toEqual([])
  })

  test('a rule counts from when it binds to when it lifts, as a share of the run', async () => {
    const { risk } = coreConfig()
    const core = { risk: { ...risk, maxMidAgeMs: 2 * HOUR } }
    const dated = (t: number) => rateRow(t, MID, { rateUpdatedAt: t })
    // The mid is too old from the second hour to the third of four.
    const rows = [
      dated(START),
      balancesRow(START),
      quoteRow(START, 500, 500),
      dated(START + 3 * HOUR),
      dated(START + 4 * HOUR),
    ]
    const [age, ...others] = await boundIn(rows, { core })
    expect(others).toEqual([])
    expect(age).toMatchObject({ kind: 'rule', name: 'mid-age' })
    expect(age?.share).toBeCloseTo(0.25, 2)
  })

  test('a run without breaches and clamps lists nothing', async () => {
    expect(await boundIn([...opening, rateRow(START + HOUR, MID)], {})).toEqual([])
  })
})

describe('what a strategy plots', () => {
  const rows = [
    ...opening,
    rateRow(START + HOUR, MID + MID / 1_000n),
    rateRow(START + 2 * HOUR, MID + MID / 1_000n),
    rateRow(START + 3 * HOUR, MID),
    rateRow(START + 4 * HOUR, MID),
  ]
  const strategy = pureStrategy(({ mid }) => ({ ...quote(60, 60), plot: { mid } }))

  test('is a series of its changes, at the times of the decisions', async () => {
    const trail = createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null })
    await runTape(rows, { strategy, trail })
    const { mid } = trail.plots()
    expect(mid?.value.slice(0, 3)).toEqual([2_568, 2_570.568, 2_568])
    const delays = (mid?.time ?? []).map((t, index) => t - START - [0, HOUR, 3 * HOUR][index]!)
    expect(delays[0]).toBe(0)
    // The core reads a new mid at its next poll.
    for (const delay of delays.slice(1)) expect([delay > 0, delay < 60_000]).toEqual([true, true])
    expect(trail.series().plots).toMatchObject([{ name: 'mid' }])
  })

  test('makes a row of the list of decisions where it changes, and changes no digest', async () => {
    const { decisions, outcome } = await decisionsOf(rows, { strategy })
    expect(decisions.map(({ plot }) => plot['mid'])).toContain(2_570.568)
    const { outcome: plain } = await runTape(rows, { strategy: testStrategy(() => quote(60, 60)) })
    expect(outcome.digest).toBe(plain.digest)
  })
})

describe('the list of decisions', () => {
  test('shows what was wanted, what was approved, why, what bound and what was sent', async () => {
    const strategy = testStrategy(() => quote(700.4, 44.6, ['long dollars']))
    const { decisions } = await decisionsOf([...opening, rateRow(START + HOUR, MID)], { strategy })
    const sent = decisions.filter(({ request }) => request !== null)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      mid: MID,
      fair: MID,
      target: { bidBps: 700.4, askBps: 44.6 },
      approved: { kind: 'quote', bidBps: 500, askBps: 45 },
      tradingState: 'ACTIVE',
      because: ['long dollars'],
      bound: [{ kind: 'clamp', name: 'bid-cap' }],
      unsent: null,
    })
  })

  test('a decision closer to the live quote than the threshold is listed with the reason why it was not sent', async () => {
    const strategy = testStrategy(({ recentFills }) => quote(60, recentFills.length === 0 ? 60 : 61))
    const rows = [...opening, bringsUsdc(START + 60_000, 'one', 10), rateRow(START + HOUR, MID)]
    const { decisions } = await decisionsOf(rows, {
      strategy,
      core: { quote: { ...coreConfig().quote, requoteThresholdBps: 5 } },
    })
    expect(decisions.at(-1)).toMatchObject({
      cause: 'fills',
      approved: { bidBps: 60, askBps: 61 },
      request: null,
      unsent: 'closer to the quote than quote.requoteThresholdBps',
    })
  })

  test('a decision that waits for the interval between updates is listed when it is taken and when it is sent', async () => {
    const strategy = testStrategy(({ recentFills }) => quote(60, recentFills.length === 0 ? 60 : 90))
    const rows = [...opening, bringsUsdc(START + 3_000, 'one', 10), rateRow(START + HOUR, MID)]
    const { decisions } = await decisionsOf(rows, {
      strategy,
      core: { quote: { ...coreConfig().quote, minRequoteIntervalMs: 60_000 } },
    })
    const wide = decisions.filter(({ approved }) => approved.askBps === 90)
    expect(wide.map(({ unsent }) => unsent)).toEqual(['waits for quote.minRequoteIntervalMs', null])
    expect((wide[1]?.t ?? 0) - (wide[0]?.t ?? 0)).toBeGreaterThan(50_000)
  })

  test('while a rule asks for the safe quote no target of the strategy is shown', async () => {
    const { risk } = coreConfig()
    const core = { risk: { ...risk, maxMidAgeMs: HOUR } }
    const rows = [
      rateRow(START, MID, { rateUpdatedAt: START }),
      balancesRow(START),
      quoteRow(START, 500, 500),
      rateRow(START + 3 * HOUR, MID, { rateUpdatedAt: START }),
    ]
    const { decisions } = await decisionsOf(rows, { core })
    const old = decisions.filter(({ bound }) => bound.some(({ name }) => name === 'mid-age'))
    expect(old.length).toBeGreaterThan(0)
    expect(old.every(({ target, tradingState }) => target === null && tradingState === 'REDUCING')).toBe(true)
    // What repeats the one before is no row of its own.
    expect(old.length).toBeLessThanOrEqual(2)
  })

  test('a listener changes nothing: the digest is that of a run without one', async () => {
    const rows = [...opening, bringsUsdc(START + 60_000, 'one', 10), rateRow(START + HOUR, MID)]
    const { outcome } = await decisionsOf(rows, {})
    expect(outcome.digest).toBe((await runTape(rows)).outcome.digest)
  })
})
