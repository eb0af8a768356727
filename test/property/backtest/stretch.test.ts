import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import type { CoreConfig } from '../../../src/core/engine/model/config.ts'
import type { LoadedStrategy } from '../../../src/core/strategy/define-strategy.ts'
import type { BacktestSettings } from '../../../src/research/backtest/settings.ts'
import { compareRows } from '../../../src/store/tape/model/encode-row.ts'
import type { RateRow, TapeRow } from '../../../src/store/tape/model/row.ts'
import { balancesRow, MID, rateRow, START } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { coreConfig } from '../../support/core-config.ts'
import { pureStrategy } from '../../support/test-strategy.ts'
import { type Happening, happenings } from './any-tape.ts'
import { runCore } from './run-core.ts'

const { risk, quote, pacing } = coreConfig()
const TZS = 10n ** 36n
/** From the start of the other tapes to two hours before midnight. */
const TO_EVENING_MS = 54_000_000

/** Many mids, each `stepMs` after the one before, and what else happens while they come. */
type Walk = {
  readonly stepMs: number
  readonly mids: number
  readonly stepBps: number
  /** 1 = the mid only rises, so that GET /rate and the public rate, asked at different times, rarely agree. */
  readonly upShare: number
  readonly seed: number
  /** About one row in so many repeats the mid, jumps, is not quotable or has another date. */
  readonly oddEvery: number
  readonly others: readonly Happening[]
}

/** A mid is dated now, at the last hour, not at all, or by a clock that is ahead. */
type Dating = 'now' | 'hour' | 'undated' | 'ahead'

const walk: fc.Arbitrary<Walk> = fc.record({
  stepMs: fc.constantFrom(400, 2_500, 6_000, 6_000, 7_000, 12_000, 20_000, 60_000, 60_000, 400_000),
  mids: fc.integer({ min: 5, max: 150 }),
  stepBps: fc.constantFrom(1, 4, 20),
  upShare: fc.constantFrom(0.5, 0.5, 1),
  seed: fc.nat(),
  oddEvery: fc.constantFrom(7, 60, 1_000, 1_000),
  others: fc.oneof(fc.constant([]), happenings(600_000, 12)),
})

function rowsOf(walks: readonly Walk[], dating: Dating, startsAt: number): TapeRow[] {
  let [t, mid] = [startsAt, MID]
  const opening = { rateUpdatedAt: datedAt(dating, t, 0) }
  const rows: TapeRow[] = [rateRow(t, mid, opening), balancesRow(t)]
  for (const { stepMs, mids, stepBps, upShare, seed, oddEvery, others } of walks) {
    const random = seededRandom(seed, 'walk')
    let at = t + 1
    for (const { afterMs, row } of others) {
      at += afterMs
      rows.push(row(at, rows.length))
    }
    for (let i = 0; i < mids; i++) {
      t += stepMs
      const odd = Math.floor(random() * oddEvery)
      if (odd !== 0) mid += ((random() < upShare ? 1n : -1n) * BigInt(stepBps) * MID) / 10_000n
      if (odd === 1) mid = MID + (BigInt(Math.floor(random() * 600) - 300) * MID) / 10_000n
      const change: Partial<RateRow> = { rateUpdatedAt: datedAt(dating, t, i) }
      if (odd === 2) Object.assign(change, { quotable: random() < 0.5 ? null : false })
      if (odd === 3) Object.assign(change, { rateUpdatedAt: t - Math.floor(random() * 9e6) })
      rows.push(rateRow(t, mid, change))
    }
  }
  return rows.sort(compareRows)
}

function datedAt(dating: Dating, t: number, index: number): number | null {
  if (dating === 'undated') return null
  if (dating === 'ahead') return t + (index % 3) * 50_000
  return dating === 'now' ? t : t - (t % 3_600_000)
}

const trials = fc
  .record({
    maxMidStepBps: fc.constantFrom(null, 150, 150, 60),
    maxMidMoveBpsPerHour: fc.constantFrom(null, null, 100, 400),
    maxMidMoveBpsPerDay: fc.constantFrom(null, null, 300),
    maxLossTzs: fc.option(fc.bigInt({ min: 1n, max: 90_000_000n }).map((tzs) => tzs * TZS)),
    maxDrawdownTzs: fc.option(fc.bigInt({ min: 1n, max: 90_000_000n }).map((tzs) => tzs * TZS)),
    maxMidAgeMs: fc.constantFrom(345_600_000, null, 1_800_000, 7_400_000),
    maxReferenceDeviationBps: fc.constantFrom(null, 100, 15, 2),
    maxFillsPerMinute: fc.constantFrom(null, null, 1),
    ditherBps: fc.constantFrom(0, 0, 7),
    publicRequestsPerMinute: fc.constantFrom(30, 30, 7, 0),
    rateIntervalMs: fc.constantFrom(6_000, 6_000, 1_500, 11_000),
    latencyMs: fc.constantFrom(250, 250, 0, 1_700),
    acceptMidAfterMs: fc.constantFrom(600_000, 30_000),
    venueClock: fc.constantFrom(null, 'virtual' as const),
  })
  .map((chosen): { readonly core: Partial<CoreConfig>; readonly settings: Partial<BacktestSettings> } => {
    const { ditherBps, publicRequestsPerMinute, rateIntervalMs, venueClock, ...others } = chosen
    const { latencyMs, acceptMidAfterMs, ...bounds } = others
    return {
      core: {
        risk: { ...risk, ...bounds },
        quote: { ...quote, ditherBps, ditherPeriodMs: 900_000 },
        pacing: { ...pacing, publicRequestsPerMinute, rateIntervalMs },
        venueClock,
      },
      settings: { latencyMs, acceptMidAfterMs },
    }
  })

const cases = fc.record({
  walks: fc.array(walk, { minLength: 1, maxLength: 3 }),
  trial: trials,
  dating: fc.constantFrom<Dating[]>('now', 'now', 'now', 'hour', 'undated', 'ahead'),
  startsAfterMs: fc.integer({ min: TO_EVENING_MS, max: TO_EVENING_MS + 7_200_000 }),
  // A run may end anywhere, so that the state after every stretch is compared.
  rows: fc.nat(),
  cut: fc.nat(),
})

/** These answers hold while only the mid moves. */
const STEADY = [
  'fixed-spread',
  'looks at the competition',
  'looks at its fills',
  'looks at what stands',
  'in lots',
]

const strategies: Readonly<Record<string, () => LoadedStrategy>> = {
  ...WATCHERS,
  'in lots': () =>
    pureStrategy(({ inventory: { usd } }) => {
      const skew = 2 * Math.round((usd - 50_000) / 100)
      return { bidBps: 60 - skew, askBps: 60 + skew, reasons: ['by lots of 100 dollars'] }
    }),
}

describe('a backtest that absorbs stretches of mids equals one that processes every row', () => {
  for (const [name, strategyOf] of Object.entries(strategies)) {
    test(name, async () => {
      const runs = Number(process.env['STRETCH_RUNS'] ?? 1) * (STEADY.includes(name) ? 40 : 4)
      await fc.assert(
        fc.asyncProperty(cases, async ({ walks, dating, trial, startsAfterMs, rows, cut }) => {
          const all = rowsOf(walks, dating, START + startsAfterMs)
          const tape = all.slice(0, 2 + (rows % (all.length - 1)))
          const run = (absorbs: boolean, cuts: readonly number[]) =>
            runCore(tape, { ...trial, strategy: strategyOf() }, absorbs, cuts)
          expect(await run(true, [cut % tape.length])).toEqual(await run(false, []))
        }),
        { numRuns: runs },
      )
    })
  }
})
