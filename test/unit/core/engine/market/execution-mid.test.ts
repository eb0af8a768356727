import { expect, test } from 'vitest'
import type { Effect } from '../../../../../src/core/engine/model/effect.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { rateToNumber, RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { failureOf } from '../../../../support/failure-of.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'

const MINUTE = 60_000
const RATE = 2_500n * RATE_ONE

type Mids = { USDC: bigint; USDT: bigint }

/** A venue whose pairs have mids of their own; the public rate fails while `mids.isDown`. */
function apart(mids: Mids & { isDown?: boolean }): Harness {
  return coreHarness({
    config: {
      publicRate: { quoteStable: 'USDC', unfilled: null },
      risk: { ...coreConfig().risk, maxReferenceDeviationBps: 300, maxFillPriceDeviationBps: 50 },
    },
    venue: {
      answers: {
        readBestQuote(effect) {
          if (effect.type !== 'readBestQuote') return 'silence'
          const { side, probe, stable = 'USDC' } = effect
          if (mids.isDown === true) return failureOf('server')
          const base = { type: 'bestQuote', side, probe, stable, protocolFeeBps: 20 } as const
          return { ...base, mid: mids[stable], bestBps: 70, lowLiquidity: false }
        },
      },
    },
  })
}

const alerts = (harness: Harness) =>
  harness.observations.flatMap((seen) =>
    seen.type === 'alert' && seen.code === 'execution-mid' && seen.severity === 'warning' ? [seen.t] : [],
  )
const probes = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'readBestQuote' ? [effect.stable] : []))

test('a public rate that is 100 bps from GET /rate for an hour raises one alert and names the mid in force', () => {
  const harness = apart({ USDC: 2_525n * RATE_ONE, USDT: 2_525n * RATE_ONE })
  harness.run(60 * MINUTE)
  // One for each pair.
  expect(alerts(harness)).toHaveLength(2)
  expect(harness.state().market).toMatchObject({ mid: 2_525n * RATE_ONE, midSource: 'public' })
  expect(harness.state().decision).toMatchObject({ tradingState: 'ACTIVE', findings: [] })
})

test.each([
  ['USDC', { USDC: 2_700n * RATE_ONE, USDT: RATE }],
  ['USDT', { USDC: RATE, USDT: 2_700n * RATE_ONE }],
])('a mid of %s beyond risk.maxReferenceDeviationBps brings the safe quote until it is closer', (_, mids) => {
  const harness = apart(mids)
  harness.run(2 * MINUTE)
  const { state } = harness
  expect(state().decision?.findings).toContainEqual(
    expect.objectContaining({ rule: 'reference-deviation', effect: 'safe', actual: '800.0 bps' }),
  )
  const { safeBps } = state().config.quote
  expect(state().approvedTarget).toMatchObject({ bidBps: safeBps, askBps: safeBps })
  Object.assign(mids, { USDC: RATE, USDT: RATE })
  harness.run(MINUTE)
  expect(state().decision?.findings.map(({ rule }) => rule)).not.toContain('reference-deviation')
})

test.each([100, 250])(
  'a public rate that is %i bps from GET /rate from the start, or gone for a while, books no PnL',
  (bps) => {
    const mid = (RATE * BigInt(10_000 - bps)) / 10_000n
    const mids = { USDC: mid, USDT: mid, isDown: false }
    const harness = apart(mids)
    harness.run(5 * MINUTE)
    expect(harness.state().market.mid).toBe(mid)
    mids.isDown = true
    harness.run(6 * MINUTE)
    // A step beyond the bound waits for an operator, whatever its source.
    expect(harness.state().market.mid).toBe(bps === 100 ? RATE : mid)
    mids.isDown = false
    harness.run(5 * MINUTE)
    expect(harness.state().market.mid).toBe(mid)
    expect(pnl(harness.state().book)?.tzs).toMatchObject({ inventory: 0n, spreadCapture: 0n, total: 0n })
  },
)

test('a public rate that fails gives way to GET /rate and comes back without an operator', () => {
  const mids = { USDC: 2_525n * RATE_ONE, USDT: 2_525n * RATE_ONE, isDown: false }
  const harness = apart(mids)
  harness.run(5 * MINUTE)
  mids.isDown = true
  harness.run(6 * MINUTE)
  expect(harness.state().market).toMatchObject({ mid: RATE, midSource: 'key' })
  mids.isDown = false
  harness.run(5 * MINUTE)
  expect(rateToNumber(harness.state().market.mid ?? 0n)).toBe(2_525)
  expect(harness.state().decision).toMatchObject({ tradingState: 'ACTIVE' })
})

test('pairs that agree with GET /rate are decided as by a configuration that probes USDC alone', () => {
  const both = apart({ USDC: RATE, USDT: RATE })
  const alone = coreHarness({ config: { risk: { ...coreConfig().risk, maxReferenceDeviationBps: 300 } } })
  for (const harness of [both, alone]) harness.run(10 * MINUTE)
  expect(new Set(probes(both.effects))).toEqual(new Set(['USDC', 'USDT']))
  expect(new Set(probes(alone.effects))).toEqual(new Set([undefined]))
  const known = ({ state }: Harness) => {
    const { decision, approvedTarget, market } = state()
    return {
      decision: decision?.findings,
      approvedTarget,
      mid: market.mid,
      gap: market.gap,
      pending: market.pending,
    }
  }
  expect(known(both)).toEqual(known(alone))
  expect(alone.state().market.pairs).toBeUndefined()
})

const posted = ({ observations }: Harness) => observations.filter((seen) => seen.type === 'fillPosted')

test.each([15_000, 3 * MINUTE])(
  "a fill of USDT at USDT's own mid after %i ms is explained by it and halts nothing",
  (after) => {
    const own = 2_550n * RATE_ONE
    const harness = apart({ USDC: RATE, USDT: own })
    harness.run(after)
    bringDollars(harness.venue, 100n * USD, 'USDT', own)
    harness.run(2 * MINUTE)
    expect(posted(harness)).toMatchObject([{ formula: 'ask', midAtFill: own }])
    expect(harness.state()).toMatchObject({
      latch: { halted: null },
      reconciliation: { state: 'reconciled' },
    })
  },
)

test.each(['USDC', 'USDT'] as const)(
  'a fill of %s before the public rate has named its first mid waits for that, a minute at most',
  (stable) => {
    const own = 2_525n * RATE_ONE
    const mids = { USDC: own, USDT: own, isDown: true }
    const [answered, silent] = [apart(mids), apart({ ...mids })]
    for (const { venue, run } of [answered, silent]) {
      run(20_000)
      bringDollars(venue, 100n * USD, stable, own)
      run(20_000)
    }
    expect([answered, silent].map(({ state }) => state().latch.halted)).toEqual([null, null])
    mids.isDown = false
    for (const { run } of [answered, silent]) run(2 * MINUTE)
    expect(answered.state().latch.halted).toBeNull()
    expect(silent.state().latch.halted).toMatchObject({ rule: 'fill-price' })
  },
)

test("a fill of USDC at USDT's mid halts by fill-price", () => {
  const harness = apart({ USDC: RATE, USDT: 2_550n * RATE_ONE })
  harness.run(3 * MINUTE)
  bringDollars(harness.venue, 100n * USD, 'USDC', 2_550n * RATE_ONE)
  harness.run(MINUTE)
  expect(harness.state().latch.halted).toMatchObject({ rule: 'fill-price' })
})

test("a fill of USDC at GET /rate's mid halts by fill-price where the public rate's mid has been lower for long", () => {
  const harness = apart({ USDC: 2_475n * RATE_ONE, USDT: 2_475n * RATE_ONE })
  harness.run(10 * MINUTE)
  bringDollars(harness.venue, 100n * USD, 'USDC', 2_475n * RATE_ONE)
  harness.run(MINUTE)
  expect(harness.state().latch.halted).toBeNull()
  bringDollars(harness.venue, 100n * USD, 'USDC', RATE)
  harness.run(MINUTE)
  expect(harness.state().latch.halted).toMatchObject({ rule: 'fill-price' })
})

test("a fill of USDT is marked out at USDT's mids, while one of USDC waits for the next mid of its own pair", () => {
  const mids = { USDC: RATE, USDT: 2_550n * RATE_ONE }
  const harness = apart(mids)
  harness.run(3 * MINUTE)
  bringDollars(harness.venue, 100n * USD, 'USDT', mids.USDT)
  bringDollars(harness.venue, 100n * USD)
  harness.run(10_000)
  mids.USDT = 2_555n * RATE_ONE
  harness.run(MINUTE)
  const { markouts, pairMarkouts } = harness.state().flow
  const [settled, ...others] = pairMarkouts?.USDT?.settled.ask ?? []
  expect(others).toEqual([])
  expect((settled?.sum ?? 0) / (settled?.usd ?? 1)).toBeCloseTo(60 + 1e4 * (5 / 2_550), 6)
  expect(markouts).toMatchObject({ open: { ask: { fills: 1 } }, settled: { ask: [] } })
})
