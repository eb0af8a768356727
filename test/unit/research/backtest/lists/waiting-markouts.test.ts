import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WaitingMarkouts } from '../../../../../src/research/backtest/lists/waiting-markouts.ts'
import type { Trade } from '../../../../../src/research/backtest/lists/trade.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import { units } from '../metrics/trail-run.ts'

const HORIZONS = { afterUpdates: [1, 2], afterMs: [5 * MINUTE_MS, HOUR_MS] }
const FAIR = 2500

/** A taker of 100 dollars at so many bps. */
function fill(t: number, side: 'bid' | 'ask', bps: number, fair = FAIR): Omit<Trade, 'markoutsBps'> {
  const sign = side === 'bid' ? -1 : 1
  const held = { dollars18: 0n, share: 0.5 }
  return {
    t,
    id: `f${t}`,
    side,
    stable: 'USDC',
    dollars18: BigInt(sign) * units(100),
    shillings: BigInt(-sign) * units(100 * fair * (1 - (sign * bps) / 1e4)),
    edgeUsd54: 0n,
    mid: units(fair),
    fair: units(fair),
    bps,
    synthetic: false,
    bestOtherBps: null,
    before: held,
    after: held,
    because: [],
    bound: [],
  }
}

function listOf(mostWaiting?: number) {
  const given: Trade[] = []
  const waiting = new WaitingMarkouts(HORIZONS, (trade) => void given.push(trade), mostWaiting)
  waiting.open(0, units(FAIR))
  const mark = (t: number, fair: number, print: boolean): void => waiting.mark(t, units(fair), print)
  return { waiting, given, mark }
}

describe('the markouts of single fills', () => {
  test('dollars sold at 60 bps, then mid and reference rise by 100 bps at one moment: the markout is -40', () => {
    const { waiting, given, mark } = listOf()
    waiting.add(fill(1_000, 'bid', 60))
    mark(2_000, FAIR, true)
    mark(2_000, FAIR * 1.01, false)
    waiting.end(DAY_MS)
    expect(given[0]?.markoutsBps[0]).toBeCloseTo(-40, 8)
  })

  test('dollars bought below the mid gain when the shilling weakens afterwards', () => {
    const { waiting, given, mark } = listOf()
    waiting.add(fill(1_000, 'ask', 60))
    mark(2_000, FAIR * 1.01, true)
    waiting.end(DAY_MS)
    expect(given[0]?.markoutsBps[0]).toBeCloseTo(160, 8)
  })

  test('a horizon that has not come when the run ends is not known; one that ends with it is', () => {
    const { waiting, given, mark } = listOf()
    mark(500, 2501, false)
    waiting.add(fill(1_000, 'ask', 60, 2501))
    mark(2_000, 2502, true)
    waiting.end(1_000 + HOUR_MS)
    expect(given[0]?.markoutsBps.map((value) => value !== null)).toEqual([true, false, false, true, true])
  })

  test("after a fixed time the venue's own mid is no fair value: without a reference there is no markout", () => {
    const { waiting, given, mark } = listOf()
    waiting.add(fill(1_000, 'ask', 60))
    mark(2_000, 2502, true)
    waiting.end(DAY_MS)
    expect(given[0]?.markoutsBps).toEqual([expect.closeTo(68, 6), null, null, null, null])
  })

  test('the first reference leaves the markouts at rate updates of fills before it unknown', () => {
    const { waiting, given, mark } = listOf()
    waiting.add(fill(1_000, 'ask', 60))
    waiting.restate(1_500, units(2600))
    waiting.add(fill(1_600, 'ask', 60, 2600))
    mark(2_000, 2600, true)
    waiting.end(DAY_MS)
    expect(given.map(({ markoutsBps }) => markoutsBps[0])).toEqual([null, expect.closeTo(60, 8)])
  })

  test('when more fills wait than may the oldest continues with what is known, and is counted', () => {
    const { waiting, given } = listOf(3)
    for (let t = 1; t <= 5; t++) waiting.add(fill(t, 'ask', 60))
    expect(given.map(({ t }) => t)).toEqual([1, 2])
    expect(waiting.cutShort()).toBe(2)
    waiting.end(10)
    expect(given.map(({ t }) => t)).toEqual([1, 2, 3, 4, 5])
  })

  type Step = { readonly gap: number; readonly kind: 'fill' | 'update' | 'move'; readonly fair: number }
  const step: fc.Arbitrary<Step> = fc.record({
    gap: fc.constantFrom(0, 1, MINUTE_MS, 4 * MINUTE_MS, 5 * MINUTE_MS, HOUR_MS),
    kind: fc.constantFrom('fill' as const, 'fill' as const, 'update' as const, 'move' as const),
    fair: fc.integer({ min: 2_400, max: 2_600 }),
  })

  test('are those of looking everything up in the whole history, and every fill is given once, in order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { waiting, given, mark } = listOf()
        let t = 0
        let fair = FAIR
        const history: { t: number; fair: number; kind: Step['kind'] }[] = []
        for (const { gap, kind, fair: next } of steps) {
          t += gap
          if (kind === 'fill') waiting.add(fill(t, 'ask', 60, fair))
          else {
            fair = next
            mark(t, fair, kind === 'update')
          }
          history.push({ t, fair, kind })
        }
        waiting.end(t)
        const fills = history.flatMap((one, index) => (one.kind === 'fill' ? [{ ...one, index }] : []))
        expect(given.map((trade) => trade.t)).toEqual(fills.map((one) => one.t))
        given.forEach(({ markoutsBps }, number) => {
          const one = fills[number]!
          const later = laterFairs(history, one.index, one.t, t)
          const expected = later.map((at) => at && expect.closeTo((1e4 * (at - one.fair)) / one.fair + 60, 6))
          expect(markoutsBps).toEqual(expected)
        })
      }),
    )
  })
})

type Told = { readonly t: number; readonly fair: number; readonly kind: string }

/**
 * The fair value at each horizon of a fill; null = it is not known. Rate updates of one moment without a fill between
 * them are one, and count with the fair value that the rows of that moment left.
 */
function laterFairs(history: readonly Told[], index: number, filledAt: number, end: number) {
  const updates: { readonly t: number; fair: number }[] = []
  let open = false
  for (const { t, fair, kind } of history.slice(index + 1)) {
    const last = updates.at(-1)
    if (kind === 'fill' || last?.t !== t) open = false
    if (open && last !== undefined) last.fair = fair
    else if (kind === 'update') {
      updates.push({ t, fair })
      open = true
    }
  }
  const before = history.slice(0, index)
  const isFed = before.some(
    ({ kind, fair }, at) => kind === 'move' && fair !== (before[at - 1]?.fair ?? FAIR),
  )
  const timed = HORIZONS.afterMs.map((after) =>
    isFed && filledAt + after <= end
      ? (history.findLast(({ t }) => t <= filledAt + after)?.fair ?? null)
      : null,
  )
  return [0, 1, 2].map((later): number | null => updates[later]?.fair ?? null).concat(timed)
}
