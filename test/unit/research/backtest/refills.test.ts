import { describe, expect, test } from 'vitest'
import type { RefillSettings } from '../../../../src/research/backtest/venue/refills.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  MID,
  NTZS,
  quoteRow,
  rateRow,
  runTape,
  START,
  USD,
} from '../../../support/backtest-tape.ts'

const HOUR = 3_600_000
const refills = (change: Partial<RefillSettings> = {}): RefillSettings => ({
  delayMs: 2 * HOUR,
  costBps: 20,
  failure: 0,
  belowBps: 5_000,
  seed: 1,
  ...change,
})
const OPENING = { NTZS: 10_000_000n * NTZS, USDC: 0n, USDT: 0n }
/** 1,000 dollars an hour for shillings: the pool has less than half after the second one. */
const drain = (hours: number) => [
  rateRow(START, MID),
  balancesRow(START),
  quoteRow(START, 500, 500),
  ...Array.from({ length: hours }, (_, index) => bringsUsdc(START + (index + 1) * HOUR, `d${index}`, 1_000)),
  rateRow(START + (hours + 1) * HOUR, MID),
]
const run = (hours: number, settings?: RefillSettings) =>
  runTape(drain(hours), {
    settings: { opening: OPENING, ...(settings === undefined ? {} : { refills: settings }) },
  })

describe('a treasury in a backtest', () => {
  test('brings the pool back to its opening balance, so that takers are paid who were turned away without it', async () => {
    const without = await run(12)
    const refilled = await run(12, refills())
    expect(without.outcome).toMatchObject({ fills: 3 })
    expect(without.outcome.rejected).toBe(9)
    expect('refills' in without.outcome).toBe(false)
    expect(refilled.outcome.fills).toBeGreaterThan(6)
    expect(refilled.outcome.refills?.arrived).toBeGreaterThan(1)
  })

  test('arrives after its delay and not before', async () => {
    const { outcome, told } = await run(6, refills({ delayMs: 2.5 * HOUR }))
    // Below half after the second taker at 2 h: the refill comes at 4.5 h, and the taker at 4 h is turned away.
    expect(told.fills.map(({ t }) => (t - START) / HOUR)).toEqual([1, 2, 3, 5, 6])
    expect(outcome.refills?.arrived).toBe(1)
  })

  test('costs its basis points of what it brings, rounded up, and is a flow and no profit', async () => {
    const { outcome } = await run(5, refills({ delayMs: HOUR / 2 }))
    const { arrived = 0, brought, costUsd18 = 0n } = outcome.refills ?? {}
    expect(arrived).toBeGreaterThan(0)
    const value = (brought!.NTZS * NTZS) / MID
    const cost = (value * 20n) / 10_000n
    expect(costUsd18 - cost).toBeGreaterThanOrEqual(0n)
    expect(costUsd18 - cost).toBeLessThanOrEqual(BigInt(2 * arrived))
    expect(outcome.held.NTZS).toBeGreaterThan(0n)
  })

  test('of dollars brings whole dollars, which the core and the venue book alike', async () => {
    const rows = [
      rateRow(START, MID),
      balancesRow(START),
      quoteRow(START, 500, 500),
      ...Array.from({ length: 6 }, (_, index) =>
        bringsShillings(START + (index + 1) * HOUR, `s${index}`, 1_000_000),
      ),
      rateRow(START + 7 * HOUR, MID),
    ]
    const opening = { NTZS: 0n, USDC: 1_000n * USD, USDT: 0n }
    const { outcome } = await runTape(rows, {
      settings: { opening, refills: refills({ delayMs: HOUR / 2 }) },
    })
    expect(outcome.refills?.arrived).toBeGreaterThan(0)
    expect(outcome.refills!.brought.USDC).toBeGreaterThan(100n * USD)
    expect(outcome.fills).toBe(6)
  })

  test('that always fails brings nothing, is tried again, and costs each time', async () => {
    const { outcome } = await run(12, refills({ failure: 1, delayMs: HOUR }))
    expect(outcome.refills).toMatchObject({ arrived: 0, underWay: 1 })
    expect(outcome.refills?.failed).toBeGreaterThan(3)
    expect(outcome.refills?.costUsd18).toBeGreaterThan(0n)
    expect(outcome.fills).toBe(3)
  })

  test('is the same with the same seed, and one that never refills changes no digest', async () => {
    const [first, second] = [
      await run(12, refills({ failure: 0.5 })),
      await run(12, refills({ failure: 0.5 })),
    ]
    expect(second.outcome.digest).toBe(first.outcome.digest)
    const [without, idle] = [await run(12), await run(12, refills({ belowBps: 0 }))]
    expect(idle.outcome.digest).toBe(without.outcome.digest)
    expect(first.outcome.digest).not.toBe(without.outcome.digest)
  })
})
