import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILL_MODELS, type FillModelName } from '../../../src/core/models/fill-models.ts'
import { createFillModel } from '../../../src/research/backtest/fill-models/create-fill-model.ts'
import { compareRows } from '../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { calibrationOf, MID, rateRow, runTape, SILENT_TRAIL, START } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { coreConfig } from '../../support/core-config.ts'
import { worldStrategy } from '../../support/world-strategies.ts'
import { happenings, tapeOf, type Happening } from './any-tape.ts'

const HOUR = 3_600_000
const { quote, risk } = coreConfig()
const core = {
  risk: { ...risk, maxMidAgeMs: 2 * HOUR, maxFillsPerMinute: 3, maxVolumePerDayUsd: 20_000n * 10n ** 18n },
  quote: { ...quote, ditherBps: 5, ditherPeriodMs: 700_000 },
}
const strategies = {
  ...WATCHERS,
  'wanders at random': () => worldStrategy({ use: 'wild', params: { throwChance: 0 } }),
}

/** What becomes of the rows after a moment: others come instead, or the same ones later. */
type Future =
  | { readonly kind: 'others'; readonly list: Happening[] }
  | { readonly kind: 'later'; readonly ms: number }
const future: fc.Arbitrary<Future> = fc.oneof(
  happenings(HOUR / 3, 8).map((list): Future => ({ kind: 'others', list })),
  fc.integer({ min: 1, max: HOUR }).map((ms): Future => ({ kind: 'later', ms })),
)

function withFuture(rows: readonly TapeRow[], from: number, change: Future): TapeRow[] {
  const past = rows.filter(({ t }) => t <= from)
  const after =
    change.kind === 'later'
      ? rows.filter(({ t }) => t > from).map((row) => ({ ...row, t: row.t + change.ms }))
      : change.list.map(({ afterMs, row }, index) => row(from + 1 + afterMs * (index + 1), 1_000 + index))
  return [...past, ...after, rateRow(from + 2 * HOUR, MID)].sort(compareRows)
}

/** All that a run tells, with its time first. */
async function tellings(rows: readonly TapeRow[], name: string, fills: FillModelName): Promise<string[]> {
  const out: string[] = []
  const say = (t: number, ...words: readonly unknown[]) => void out.push([t - START, ...words].join(' '))
  const trail = {
    ...SILENT_TRAIL,
    open: (t: number) => say(t, 'open'),
    fill: (fill: { t: number; id: string; bps: number; shillings: bigint; dollars18: bigint }) =>
      say(fill.t, 'fill', fill.id, fill.bps, fill.shillings, fill.dollars18),
    rejected: (t: number, side: string, why: string) => say(t, 'rejected', side, why),
    mark: (t: number, mid: bigint, fair: bigint) => say(t, 'mark', mid, fair),
    quote: (t: number, bid: number | null, ask: number | null) => say(t, 'quote', bid, ask),
    competition: (t: number, side: string, bps: number | null) => say(t, 'competition', side, bps),
  }
  const model = createFillModel({
    name: fills,
    seed: 5,
    calibration: calibrationOf(300, 1 / 60),
    draws: false,
  })
  const strategy = strategies[name as keyof typeof strategies]?.()
  await runTape(rows, { core, trail, fills: model, ...(strategy === undefined ? {} : { strategy }) })
  return out
}

test('whatever comes after a moment, no quote and no fill before it is another one', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      happenings(HOUR / 3, 20),
      fc.double({ min: 0, max: 1, noNaN: true }),
      future,
      fc.constantFrom(...Object.keys(strategies)),
      fc.constantFrom(...FILL_MODELS),
      async (list, share, change, name, fills) => {
        const rows = tapeOf(list)
        const last = rows.at(-1)?.t ?? START
        const moment = Math.floor(START + share * (last - HOUR - START))
        const until = (told: readonly string[]) =>
          told.filter((line) => Number(line.split(' ')[0]) <= moment - START)
        const one = until(await tellings(rows, name, fills))
        const other = until(await tellings(withFuture(rows, moment, change), name, fills))
        expect(other).toEqual(one)
        compared += one.filter((line) => /quote|fill/.test(line)).length
      },
    ),
    { numRuns: 20, seed: 20_261_102 },
  )
  expect(compared).toBeGreaterThan(500)
})
