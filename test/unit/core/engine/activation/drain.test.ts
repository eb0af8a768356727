import { describe, expect, test } from 'vitest'
import { whyStillLeaving } from '../../../../../src/core/engine/activation/leaving.ts'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { failureOf } from '../../../../support/failure-of.ts'

const DEACTIVATE = { name: 'deactivate', insists: true } as const
const DRAIN_MS = 30_000
const { quote, risk } = coreConfig()

/** A position in the market at a narrow quote, with a drain of 30 s. */
function inMarket(change: Partial<CoreConfig> = {}): Harness {
  const desk = runCore(60_000, { config: { quote: { ...quote, drainMs: DRAIN_MS }, ...change } })
  expect(desk.state().activation.isActive).toBe(true)
  expect(desk.venue.held.bidBps).toBeLessThan(500)
  return desk
}

const calls = ({ effects }: Harness) =>
  effects.filter((effect) => effect.type === 'activate' && !effect.isActive).length

/** How long after the order the deactivation is sent, to a second. */
function sentAfter(desk: Harness, mostMs = 120_000): number | null {
  for (let ms = 0; ms <= mostMs; ms += 1_000) {
    if (calls(desk) > 0) return ms
    desk.run(1_000)
  }
  return null
}

/** One fill more, of 100 USDC, which the venue books. */
function swap({ venue }: Harness): void {
  const amountIn = 100n * 10n ** 18n
  const amountOut = 248_000n * 10n ** 18n
  const legs = { side: 'ask', inAsset: 'USDC', amountIn, outAsset: 'NTZS', amountOut, fee: 0n } as const
  const id = `drained-${venue.fills.length}`
  const fill: Fill = { id, ...legs, earnedText: null, txHash: null, createdAt: null, raw: '{}' }
  venue.fills.push(fill)
  venue.amounts.USDC += amountIn
  venue.amounts.NTZS -= amountOut
}

describe('an ordered deactivation', () => {
  test('is sent when 10 s have passed without a fill since both sides are at 500 bps', () => {
    const desk = inMarket()
    expect(desk.order(DEACTIVATE).accepted).toBe(true)
    desk.run(1_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    const ms = sentAfter(desk)
    expect(ms).toBeGreaterThanOrEqual(9_000)
    expect(ms).toBeLessThan(13_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  test('widens to 500 bps where quote.safeBps is narrower', () => {
    const desk = inMarket({ quote: { ...quote, safeBps: 200, drainMs: DRAIN_MS } })
    desk.order(DEACTIVATE)
    desk.run(1_000)
    expect(desk.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  test('waits for 10 s after the last fill, and for quote.drainMs at most', () => {
    const once = inMarket()
    once.order(DEACTIVATE)
    once.run(6_000)
    swap(once)
    const ms = sentAfter(once)
    expect(ms).toBeGreaterThanOrEqual(9_000)
    expect(ms).toBeLessThan(16_000)

    const flow = inMarket()
    flow.order(DEACTIVATE)
    for (let round = 0; round < 6; round += 1) {
      swap(flow)
      expect(calls(flow)).toBe(0)
      flow.run(4_900)
    }
    flow.run(1_000)
    expect(calls(flow)).toBe(1)
  })

  test('is sent within 6 s where the venue does not confirm the wide quote', () => {
    for (const answer of [failureOf('refused'), 'silence'] as const) {
      const desk = inMarket()
      desk.venue.answers.setQuote = () => answer
      desk.order(DEACTIVATE)
      desk.run(4_000)
      expect(calls(desk)).toBe(0)
      desk.run(2_000)
      expect(calls(desk)).toBe(1)
    }
  })

  test('is sent at once with `now`, also in the middle of the wait, and where the account is inactive', () => {
    const hurried = inMarket()
    hurried.order({ ...DEACTIVATE, now: true })
    hurried.run(100)
    expect(calls(hurried)).toBe(1)

    const later = inMarket()
    later.order(DEACTIVATE)
    later.run(3_000)
    expect(calls(later)).toBe(0)
    later.order({ ...DEACTIVATE, now: true })
    later.run(100)
    expect(calls(later)).toBe(1)

    const inactive = inMarket({ risk: { ...risk, foreignWrites: 'latch' } })
    inactive.venue.isActive = false
    inactive.run(120_000)
    expect(inactive.state().activation.isActive).toBe(false)
    inactive.order(DEACTIVATE)
    inactive.run(100)
    expect(calls(inactive)).toBe(1)
  })

  test('that waits is sent at once by a halt', () => {
    const desk = inMarket()
    desk.order(DEACTIVATE)
    desk.run(3_000)
    expect(calls(desk)).toBe(0)
    desk.order({ name: 'halt' })
    desk.run(100)
    expect(calls(desk)).toBe(1)
  })

  test('shows what it waits for until it is sent', () => {
    const desk = inMarket()
    expect(desk.order(DEACTIVATE).answer).toContain('quote.drainMs')
    desk.run(2_000)
    expect(whyStillLeaving(desk.state())).toMatch(/10 s .* 30 s/)
    sentAfter(desk)
    expect(whyStillLeaving(desk.state()) ?? '').not.toContain('quote.drainMs')
  })

  test('is neither forgotten nor waits twice when the process dies in the middle', () => {
    const desk = inMarket()
    desk.order(DEACTIVATE)
    desk.run(8_000)
    expect(calls(desk)).toBe(0)
    desk.restart()
    const ms = sentAfter(desk)
    expect(ms).toBeGreaterThan(4_000)
    expect(ms).toBeLessThanOrEqual(23_000)
    expect(desk.venue.isActive).toBe(false)
  })

  test('of a journal from before quote.drainMs is sent at once', () => {
    const desk = runCore(60_000)
    desk.order(DEACTIVATE)
    desk.run(100)
    expect(calls(desk)).toBe(1)
    expect(desk.state().activation.leaving ?? {}).not.toHaveProperty('drain')
  })
})

test('a halt and an exit deactivate without a wait', () => {
  const halted = inMarket()
  halted.order({ name: 'halt' })
  halted.run(100)
  expect(calls(halted)).toBe(1)

  const ended = inMarket({ quote: { ...quote, onExit: 'deactivate', drainMs: DRAIN_MS } })
  ended.order({ name: 'shutdown' })
  ended.run(1_000)
  expect(calls(ended)).toBe(1)
})
