import { drawExponential, drawNormal, type Random, seededRandom } from '../../src/base/random.ts'
import { DAY_MS, HOUR_MS } from '../../src/base/time.ts'
import { type MarkWatch, watchMarks } from '../../src/research/calibration/watch-marks.ts'
import { RATE_ONE, type Rate } from '../../src/base/money/rate.ts'
import { SIDES, type Side } from '../../src/base/money/side.ts'
import { fillRow, MONDAY } from '../unit/research/calibration/drawn-tape.ts'

/** Weeks in which takers know nothing: a markout at every horizon is the half-spread, on average. */
export type MarkoutCell = { readonly weeks: number; readonly sides: readonly Side[] }

const HALF_SPREAD_BPS = 60
const FILLS_A_DAY = 8
/** The published mean: how the true rate moves, how an update follows it, and its noise. Source: quant.md section 6. */
const [SIGMA_BPS, FOLLOW_SHARE, NOISE_BPS] = [21, 0.65, 7]

export const MARKOUT_CELLS = [2, 4, 12].flatMap((weeks): readonly MarkoutCell[] => [
  { weeks, sides: SIDES },
  { weeks, sides: ['ask'] },
])

export type MarkoutCoverage = {
  /** Tapes whose 90 % interval holds the truth, and tapes that have an interval. */
  readonly covered: number
  readonly stated: number
}

/** By horizon: how often the intervals of `tapes` tapes hold the truth. Tape n has seed n. */
export function markoutCoverage(cell: MarkoutCell, tapes: number): ReadonlyMap<string, MarkoutCoverage> {
  const found = new Map<string, { covered: number; stated: number }>()
  for (let seed = 0; seed < tapes; seed++) {
    for (const { horizon, ratio } of watchedWeeks(cell, seed).markouts()) {
      if (ratio.interval === null) continue
      const counts = found.get(horizon) ?? { covered: 0, stated: 0 }
      const [low, high] = ratio.interval
      counts.stated += 1
      counts.covered += Number(low <= HALF_SPREAD_BPS && HALF_SPREAD_BPS <= high)
      found.set(horizon, counts)
    }
  }
  return found
}

/** An update every working morning, a reference every hour, and fills that come by chance. */
function watchedWeeks({ weeks, sides }: MarkoutCell, seed: number): MarkWatch {
  const random = seededRandom(seed, 'markout weeks')
  const marks = watchMarks(0, null)
  const perHour = FILLS_A_DAY / 24
  let [trueBps, midBps] = [0, 0]
  for (let hour = 0; hour < 24 * 7 * weeks; hour++) {
    const t = MONDAY + hour * HOUR_MS
    const isWorking = new Date(t).getUTCDay() % 6 !== 0
    if (isWorking) trueBps += (SIGMA_BPS / Math.sqrt(24)) * drawNormal(random)
    if (isWorking && hour % 24 === 7)
      midBps += FOLLOW_SHARE * (trueBps - midBps) + NOISE_BPS * drawNormal(random)
    marks.rate(t, rateAt(midBps))
    marks.reference({ type: 'reference', t, source: 'board', mid: rateAt(trueBps) })
    for (const at of drawTimes(random, t, perHour * sides.length)) {
      const side = sides[Math.floor(random() * sides.length)] ?? 'ask'
      marks.fill(fillRow({ t: at, side, bps: HALF_SPREAD_BPS, mid: rateAt(midBps) }))
    }
  }
  marks.end(MONDAY + 7 * weeks * DAY_MS)
  return marks
}

function drawTimes(random: Random, from: number, perHour: number): readonly number[] {
  const times: number[] = []
  const wait = () => Math.ceil((drawExponential(random) * HOUR_MS) / perHour)
  for (let t = from + wait(); t < from + HOUR_MS; t += wait()) times.push(t)
  return times
}

function rateAt(bps: number): Rate {
  return (BigInt(Math.round(2568e6 * (1 + bps / 1e4))) * RATE_ONE) / 1_000_000n
}
