import { seededRandom } from '../../../src/base/random.ts'
import { expect } from 'vitest'
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
    inventory: {
      ntzs: (1 - usdShare) * 256_815_840,
      usd: usdShare * 100_000,
      usdShare,
      target: 0.5,
      imbalance,
      totalTzs: 256_815_840,
    },
    recentFills: [],
    markouts: { bid: null, ask: null },
    competition: { bid: null, ask: null },
    standing: { bidBps: null, askBps: null },
    protocolFeeBps: 10,
    available: null,
    calibration: null,
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
  if (bidBps !== null)
    near(
      sum((term) => term.bidBps),
      bidBps,
    )
  if (askBps !== null)
    near(
      sum((term) => term.askBps),
      askBps,
    )
}
