import { seededRandom } from '../../src/base/random.ts'
import { DAY_MS } from '../../src/base/time.ts'
import { createTapeReader } from '../../src/research/calibration/calibrate.ts'
import { estimateTakers, FEWEST_ESTIMATED_FILLS } from '../../src/research/calibration/estimate-intensity.ts'
import { walkBatch } from '../../src/research/calibration/walk-batch.ts'
import { loadVariant } from '../../src/research/jobs/tournament/participants.ts'
import { drawWorld, prepareScenario } from '../../src/research/scenarios/draw/world.ts'
import type { ScenarioChanges } from '../../src/research/scenarios/scenario.ts'
import type { Participant } from '../../src/research/scenarios/play/participant.ts'
import { CoreParticipant } from '../../src/research/tournament/core/core-participant.ts'
import { batchOfRows } from '../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../src/store/tape/model/row.ts'
import { drawRows, GOLDEN_MARKET, MONDAY } from '../unit/research/calibration/drawn-tape.ts'
import { truthOfPrior, type Truth } from './calibration-week.ts'
import { playedTape } from './played-tape.ts'
import { shippedScenario } from './shipped-scenario.ts'

/** A tape, and the takers from a day on. */
type Played = { readonly rows: readonly TapeRow[]; readonly truthFrom: (day: number) => Truth }

type PlayedCell = {
  readonly title: string
  readonly draws: number
  readonly play: () => Promise<(seed: number) => Played>
}

const ALONE = { rivals: { followBps: [], staticBps: [] } } satisfies ScenarioChanges
const PLAIN = {
  ...ALONE,
  retail: { knowingShare: 0 },
  informed: { looksPerDay: 0 },
} satisfies ScenarioChanges

/** The tapes whose quotes follow something. The sentences are rows of docs/calibration-model.md. */
export const PLAYED_CELLS = {
  optimal: {
    title: '`optimal` alone, one week; takers measure from the mid',
    draws: 400,
    play: () => played(PLAIN, 7, optimal),
  },
  optimalNormal: {
    title: '`optimal` among the rivals of `normal`, one week',
    draws: 400,
    play: () => played({}, 7, optimal),
  },
  hour: {
    title: 'spreads of 90 bps by day, 40 by night, two weeks',
    draws: 400,
    play: () => played(PLAIN, 14, () => Promise.resolve(byHour(0))),
  },
  hourDithered: {
    title: 'these spreads, up to 20 bps more or less',
    draws: 400,
    play: () => played(PLAIN, 14, () => Promise.resolve(byHour(20))),
  },
  changed: {
    title: 'four weeks: A falls from 80 to 25, spreads from 90 to 45 bps on the same day',
    draws: 200,
    play: () => Promise.resolve(changed),
  },
  optimalKnown: {
    title: '`optimal` alone, one week; 70 % of the takers know the true rate',
    draws: 400,
    play: () => played(ALONE, 7, optimal),
  },
  optimalMonth: {
    title: '`optimal` among the rivals of `normal`, four weeks',
    draws: 100,
    play: () => played({}, 28, optimal),
  },
} as const satisfies Record<string, PlayedCell>

export type PlayedCoverage = {
  readonly draws: number
  /** Draws with fewer fills are not counted. */
  readonly counted: number
  readonly a: number
  readonly k: number
  readonly byLikelihood: number
  readonly changes: number
  readonly meanFills: number
}

/** Calibrates `draws` tapes of a cell and counts the intervals that hold the truth. */
export async function playedCoverage(
  cell: keyof typeof PLAYED_CELLS,
  draws: number = PLAYED_CELLS[cell].draws,
): Promise<PlayedCoverage> {
  const play = await PLAYED_CELLS[cell].play()
  const found = { counted: 0, a: 0, k: 0, byLikelihood: 0, changes: 0, fills: 0 }
  for (let seed = 1; seed <= draws; seed++) {
    const { rows, truthFrom } = play(FIRST_SEED + seed)
    const reader = createTapeReader({ toleranceBps: 5, seed })
    walkBatch(batchOfRows(rows), reader.visitor)
    const { exposure } = reader.end()
    const { both, sinceDay } = estimateTakers({
      cells: { bid: exposure.ledgers.bid.cells(), ask: exposure.ledgers.ask.cells() },
      followsFairValue: exposure.followsFairValue(),
      fillsEndExposure: exposure.fillsEndExposure(),
    })
    const { a, k, fills, method } = both.intensity
    if (fills < FEWEST_ESTIMATED_FILLS) continue
    const truth = truthFrom(sinceDay === null ? 0 : sinceDay - MONDAY / DAY_MS)
    found.counted += 1
    found.a += Number(a.low <= truth.a && truth.a <= a.high)
    found.k += Number(k.low <= truth.k && truth.k <= k.high)
    found.byLikelihood += Number(method === 'likelihood')
    found.changes += Number(sinceDay !== null)
    found.fills += fills
  }
  const { fills, ...counts } = found
  return { draws, ...counts, meanFills: fills / found.counted }
}

/** Seeds of worlds that no strategy was tuned in. */
const FIRST_SEED = 7_700_000
const FEED_BPS = 25
/** The mean of the days of a week in a world, whose weekends have 70 % of the takers. */
const WEEK_FACTOR = (5 + 2 * 0.7) / 7

async function optimal(): Promise<() => Participant> {
  const loaded = await loadVariant({ use: 'optimal', params: {} }, 'config/tournament.yaml')
  if (!loaded.ok) throw new Error(loaded.error)
  return () => new CoreParticipant(loaded.value, FEED_BPS, () => false).decide
}

function byHour(reachBps: number): (seed: number) => Participant {
  return (seed) => {
    const random = seededRandom(seed, 'spreads by hour')
    let [hour, quotes] = [-1, { bidBps: 60, askBps: 60 }]
    return (view) => {
      if (Math.floor(view.hour) === hour) return quotes
      hour = Math.floor(view.hour)
      const middle = hour % 24 >= 5 && hour % 24 < 17 ? 90 : 40
      const drawn = () => middle + Math.round(reachBps * (2 * random() - 1))
      quotes = { bidBps: drawn(), askBps: drawn() }
      return quotes
    }
  }
}

/** Worlds of `normal` with these changes, whose A and k are distributed as the prior; six of seven takers bring dollars. */
async function played(
  changes: ScenarioChanges,
  days: number,
  makeParticipant: () => Promise<(seed: number) => Participant>,
): Promise<(seed: number) => Played> {
  const normal = shippedScenario('normal', changes)
  const { gapBps } = prepareScenario(normal, days)
  const participant = await makeParticipant()
  return (seed) => {
    const { a, k } = truthOfPrior(seed)
    const retail = {
      ...normal.retail,
      askPerDay: (12 / 7) * a,
      bidPerDay: (2 / 7) * a,
      reservationBps: 1 / k,
    }
    const world = drawWorld({ scenario: { ...normal, retail }, days, gapBps }, seed)
    const truth = { a: WEEK_FACTOR * a, k }
    return { rows: playedTape(world, participant(seed), FEED_BPS), truthFrom: () => truth }
  }
}

const CHANGED_AFTER_DAYS = 14

function changed(seed: number): Played {
  const [before, after] = [80, 25]
  const market = { ...GOLDEN_MARKET, days: CHANGED_AFTER_DAYS, ditherBps: 15 }
  const later = drawRows({ ...market, seed: -seed, a: after, halfSpreadBps: 45 })
  const moved = later.map((row) => ({ ...row, t: row.t + CHANGED_AFTER_DAYS * DAY_MS }))
  const rows = [
    ...drawRows({ ...market, seed, a: before, halfSpreadBps: 90 }),
    ...moved.map((row) => (row.type === 'fill' ? { ...row, id: `${row.id} later` } : row)),
  ]
  const { k } = GOLDEN_MARKET
  return {
    rows,
    truthFrom: (day) => {
      const share = Math.max(0, CHANGED_AFTER_DAYS - day) / (2 * CHANGED_AFTER_DAYS - day)
      return { a: share * before + (1 - share) * after, k }
    },
  }
}
