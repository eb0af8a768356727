import { seededRandom } from '../../../src/base/random.ts'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StrategyQuote } from '../../../src/core/strategy/define-strategy.ts'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'

/** A calm market with this inventory imbalance: +1 = all dollars, -1 = all shillings. */
export function contextAt(imbalance: number, over: Partial<StrategyContext> = {}): StrategyContext {
  const usdShare = 0.5 + imbalance / 2
  return {
    now: 1_767_603_600_000,
    cause: 'fill',
    mid: 2_568.1584,
    midAgeMs: 60_000,
    fairValue: { tzsPerUsd: 2_568.1584, errorBps: 0 },
    fairShift: { bps: 0, errorBps: 20, driftBpsPerDay: 0, feeds: 0, reasons: [] },
    feeds: [],
    inventory: {
      ntzs: (1 - usdShare) * 256_815_840,
      usd: usdShare * 100_000,
      usdShare,
      target: 0.5,
      capitalCost: { ntzsPerYear: 0, usdPerYear: 0 },
      imbalance,
      totalTzs: 256_815_840,
    },
    recentFills: [],
    markouts: { bid: null, ask: null },
    competition: { bid: null, ask: null },
    standing: { bidBps: null, askBps: null },
    protocolFeeBps: 10,
    toleranceBps: 5,
    available: null,
    calibration: null,
    data: null,
    inWindow: () => false,
    random: (label) => seededRandom(1, label),
    ...over,
  }
}

/** The messages of a schema's refusal with their paths; empty when it accepts. */
export function refusals(
  schema: {
    safeParse: (value: unknown) => { success: boolean; error?: { issues: readonly Issue[] } | undefined }
  },
  value: unknown,
): string[] {
  const parsed = schema.safeParse(value)
  return parsed.success
    ? []
    : (parsed.error?.issues ?? []).map((one) => `${one.path.join('.')}: ${one.message}`)
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/** Holds a quote to its trace: on each side that is on, the terms sum to it, but for rounding of float64. */
export function expectTermsToSum({ bidBps, askBps, terms }: StrategyQuote): void {
  const sum = (of: (term: NonNullable<StrategyQuote['terms']>[number]) => number) =>
    (terms ?? []).reduce((total, term) => total + of(term), 0)
  const near = (total: number, bps: number) =>
    expect(Math.abs(total - bps)).toBeLessThan(1e-9 * (1 + Math.abs(bps)))
  expect(terms?.length).toBeGreaterThan(0)
  const [bid, ask] = [sum((term) => term.bidBps), sum((term) => term.askBps)]
  if (bidBps !== null) near(bid, bidBps)
  if (askBps !== null) near(ask, askBps)
}

type QuoteAt = (lots: number, given?: object, over?: Partial<StrategyContext>) => StrategyQuote

/** The tests of a strategy that quotes around a reservation price: an imbalance of one lot is 1,000 USD. */
export function testReservation(quoteAt: QuoteAt, params: fc.Arbitrary<object>): void {
  it('with too many dollars lowers the bid, to sell dollars, and raises the ask, to buy fewer', () => {
    const [even, long, short] = [quoteAt(0), quoteAt(5), quoteAt(-5)]
    expect(long.bidBps).toBeLessThan(even.bidBps ?? 0)
    expect(long.askBps).toBeGreaterThan(even.askBps ?? Infinity)
    expect(short.bidBps).toBeCloseTo(long.askBps ?? 0, 9)
    expect(short.askBps).toBeCloseTo(long.bidBps ?? 0, 9)
  })

  it('sells dollars wider and buys them nearer while they are worth more than the mid', () => {
    const { mid } = contextAt(0)
    const dear = quoteAt(0, {}, { fairValue: { tzsPerUsd: mid * 1.002, errorBps: 0 } })
    expect(dear.bidBps).toBeCloseTo((quoteAt(0).bidBps ?? 0) + 20, 6)
    expect(dear.askBps).toBeCloseTo((quoteAt(0).askBps ?? 0) - 20, 6)
  })

  it('turns off the side that makes a full inventory worse', () => {
    expect(quoteAt(40.1, { maxLots: 40 })).toMatchObject({ askBps: null })
    expect(quoteAt(-40.1, { maxLots: 40 })).toMatchObject({ bidBps: null })
    expect(quoteAt(39.9, { maxLots: 40 }).askBps).not.toBeNull()
  })

  it('is finite and monotone in the inventory for all that the schema admits', () => {
    const imbalance = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(params, imbalance, imbalance, (given, one, other) => {
        const less = quoteAt(50 * Math.min(one, other), given)
        const more = quoteAt(50 * Math.max(one, other), given)
        for (const bps of [less.bidBps, less.askBps, more.bidBps, more.askBps])
          expect(bps === null || Number.isFinite(bps)).toBe(true)
        // Equal inventories but for the last digits may give equal quotes but for the last digits.
        if (less.bidBps !== null && more.bidBps !== null)
          expect(more.bidBps - less.bidBps).toBeLessThanOrEqual(1e-9)
        if (less.askBps !== null && more.askBps !== null)
          expect(less.askBps - more.askBps).toBeLessThanOrEqual(1e-9)
      }),
    )
  })
}
