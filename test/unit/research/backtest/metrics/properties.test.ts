import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { clusteredRatio } from '../../../../../src/core/models/intervals.ts'
import type { BacktestMetrics } from '../../../../../src/research/backtest/result.ts'
import { HOUR_MS } from '../../../../../src/base/time.ts'
import { MONDAY, trailRun, type TrailRun } from './trail-run.ts'

type Step =
  | {
      readonly kind: 'fill'
      readonly side: 'bid' | 'ask'
      readonly usd: number
      readonly bps: number
      readonly synthetic: boolean
    }
  | { readonly kind: 'print'; readonly mid: number }
  | { readonly kind: 'reference'; readonly fair: number }
  | { readonly kind: 'quote'; readonly bid: number | null; readonly ask: number | null }
  | { readonly kind: 'competition'; readonly side: 'bid' | 'ask'; readonly bps: number | null }

const side = fc.constantFrom('bid' as const, 'ask' as const)
const bps = fc.integer({ min: 10, max: 500 })
const orNull = fc.option(bps, { nil: null })
const rate = fc.integer({ min: 20_000, max: 30_000 }).map((value) => value / 10)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      side,
      usd: fc.integer({ min: 1, max: 40 }),
      bps,
      synthetic: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('print' as const), mid: rate }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reference' as const), fair: rate }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('quote' as const), bid: orNull, ask: orNull }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('competition' as const), side, bps: orNull }) },
)
const story = fc.array(fc.tuple(fc.double({ min: 0, max: 30, noNaN: true }), step), { maxLength: 60 })

function play(steps: readonly (readonly [number, Step])[]): {
  readonly run: TrailRun
  readonly hours: number
} {
  const run = trailRun()
  let hours = 0
  for (const [gap, one] of steps) {
    hours += gap
    if (one.kind === 'fill') run.fill(hours, one.side, one.usd, one.bps, one)
    else if (one.kind === 'print') run.print(hours, one.mid)
    else if (one.kind === 'reference') run.reference(hours, one.fair)
    else if (one.kind === 'quote') run.quote(hours, one.bid, one.ask)
    else run.competition(hours, one.side, one.bps)
  }
  run.end(hours + 1)
  return { run, hours: hours + 1 }
}

/** A story takes some 15 ms; a hundred of each would say little more. */
const RUNS = 20

describe('whatever happens', () => {
  test('every figure is a number or said to be unknown, and shares are shares', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const metrics = play(steps).run.trail.metrics()
        expect(notFinite(metrics)).toEqual([])
        const { syntheticPnlShare, uptime, bestShare, inventory, maxDrawdown } = metrics
        const shares = [syntheticPnlShare, uptime.bid, uptime.ask, bestShare.bid ?? 0, bestShare.ask ?? 0]
        for (const share of [...shares, inventory.timeAtLimit, maxDrawdown.share]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
        expect(maxDrawdown.usd).toBeGreaterThanOrEqual(0)
        expect(maxDrawdown.tzs).not.toMatch(/^-/)
        for (const { bps: value, ci90 } of metrics.markouts) {
          if (value !== null && ci90 !== null) expect(ci90[0] <= value && value <= ci90[1]).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
  })

  test("the path's end and the days agree with the books", () => {
    fc.assert(
      fc.property(story, (steps) => {
        const { run } = play(steps)
        const total = Number(pnl(run.book)?.usd.total ?? 0n) / 1e54
        const { equity, drawdown, attribution } = run.trail.series()
        expect((equity.usd.at(-1) ?? 0) - 800).toBeCloseTo(total, 6)
        expect(run.trail.daily().pnlUsd.reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 8)
        expect(Math.max(...drawdown.usd)).toBeCloseTo(run.trail.metrics().maxDrawdown.usd, 5)
        const { spreadCapture, staleMid, inventory } = attribution
        const inTzs = Number(pnl(run.book)?.tzs.total ?? 0n) / 1e36
        expect((spreadCapture.at(-1) ?? 0) + (staleMid.at(-1) ?? 0) + (inventory.at(-1) ?? 0)).toBeCloseTo(
          inTzs,
          4,
        )
      }),
      { numRuns: RUNS },
    )
  })

  test('sums say what keeping every fill would say', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const { run, hours } = play(steps)
        const metrics = run.trail.metrics()
        const kept = keepEverything(steps, hours)
        expect(metrics.edgeBps.mean ?? 0).toBeCloseTo(kept.edge ?? 0, 6)
        const horizons = [0, 1, 2, 5]
        horizons.forEach((later, index) => {
          expect(metrics.markouts[index]?.bps ?? 0).toBeCloseTo(kept.markout(later) ?? 0, 6)
        })
        expect(metrics.uptime.bid).toBeCloseTo(kept.bidUptime, 9)
        expect(metrics.inventory.meanAbs).toBeCloseTo(kept.meanAbs, 6)
        expect(metrics.prints).toBe(kept.prints)
      }),
      { numRuns: RUNS },
    )
  })

  test('in which order quotes, competition and other news of one moment come changes nothing but the last word', () => {
    fc.assert(
      fc.property(story, bps, orNull, (steps, own, other) => {
        const one = play([
          ...steps,
          [0, { kind: 'quote', bid: own, ask: null }],
          [0, { kind: 'competition', side: 'bid', bps: other }],
        ])
        const two = play([
          ...steps,
          [0, { kind: 'competition', side: 'bid', bps: other }],
          [0, { kind: 'quote', bid: own, ask: null }],
        ])
        expect(one.run.trail.metrics()).toEqual(two.run.trail.metrics())
        expect(one.run.trail.series()).toEqual(two.run.trail.series())
      }),
      { numRuns: RUNS },
    )
  })
})

/** Paths of what is no figure a reader could use. */
function notFinite(value: unknown, path = 'metrics'): readonly string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path]
  if (typeof value === 'string') return /NaN|Infinity/.test(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${path}.${key}`))
}

type Kept = {
  readonly edge: number | null
  readonly markout: (later: number) => number | null
  readonly bidUptime: BacktestMetrics['uptime']['bid']
  readonly meanAbs: number
  readonly prints: number
}

/** The same figures the plain way: all fills and prints in lists, looked at once at the end. */
function keepEverything(steps: readonly (readonly [number, Step])[], hours: number): Kept {
  const fills: { u: number; n: number; fair: number; print: number }[] = []
  const prints: number[] = []
  let [t, mid, fair, usd, tzs, bidHours, absHours] = [0, 2500, 2500, 400, 1_000_000, 0, 0]
  let bid: number | null = null
  let printedAt = Number.NaN
  const wait = (gap: number): void => {
    absHours += gap * Math.abs(usd - 0.5 * (usd + tzs / fair))
    if (bid !== null) bidHours += gap
    t += gap
  }
  for (const [gap, one] of steps) {
    wait(gap)
    if (one.kind === 'quote') ({ bid } = one)
    else if (one.kind === 'reference') {
      ;({ fair } = one)
      // A rate update leaves what all rows of its moment make of the fair value.
      if (MONDAY + t * HOUR_MS === printedAt) prints[prints.length - 1] = fair
    } else if (one.kind === 'print') {
      ;({ mid } = one)
      fair = mid
      prints.push(mid)
      printedAt = MONDAY + t * HOUR_MS
    } else if (one.kind === 'fill') {
      const sign = one.side === 'bid' ? -1 : 1
      const u = sign * one.usd
      const n = -sign * one.usd * mid * (1 - (sign * one.bps) / 1e4)
      fills.push({ u, n, fair, print: prints.length })
      usd += u
      tzs += n
      printedAt = Number.NaN
    }
  }
  wait(hours - t)
  const ratio = (worth: (fill: (typeof fills)[number]) => number | undefined): number | null => {
    const clusters = fills.flatMap((fill) => {
      const at = worth(fill)
      return at === undefined ? [] : [{ sum: fill.n + fill.u * at, weight: Math.abs(fill.u) * fill.fair }]
    })
    const found = clusteredRatio(clusters)
    return found === null ? null : 1e4 * found.value
  }
  return {
    edge: ratio(({ fair: at }) => at),
    markout: (later) => ratio(({ print }) => prints[print + later]),
    bidUptime: bidHours / hours,
    meanAbs: absHours / hours,
    prints: prints.length,
  }
}
