import { drawExponential, drawNormal, type Random, seededRandom } from '../../src/base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../src/base/time.ts'
import { RATE_ONE, type Rate } from '../../src/base/money/rate.ts'
import { SIDES, type Side } from '../../src/base/money/side.ts'
import { gammaQuantile, normalQuantile } from '../../src/core/models/distributions.ts'
import { INTENSITY_PRIOR } from '../../src/research/models/intensity-posterior.ts'
import { compareRows } from '../../src/store/tape/model/encode-row.ts'
import type { TapeFill, TapeRow } from '../../src/store/tape/model/row.ts'
import { fillRow, MONDAY } from '../unit/research/calibration/drawn-tape.ts'

/** Takers of a week: A a day and side at no spread, k per bps. */
export type Truth = { readonly a: number; readonly k: number }

/** How a week of market making looks to the recorder. */
export type WeekShape = {
  readonly days: number
  readonly halfSpreadBps: number
  /** Every hour each side quotes a whole number of bps drawn evenly from so far below to so far above; 0 = one spread. */
  readonly ditherBps: number
  /** `ours`: another provider stands at our very number all the time, and takers come by turns. */
  readonly rival: 'none' | 'ours'
  /** What a probe names: the other provider as another, no matter who is next as it is, or only the number. */
  readonly names: 'other' | 'next' | 'number'
  readonly probesAnHour: number
}

/** Steps of the additive recurrence that fills a square evenly. Source: Roberts 2018, R2. */
const [STEP_A, STEP_K] = [0.7548776662466927, 0.5698402909980532]

/** The n-th of a sequence of truths that is distributed as the stated prior, more evenly than by chance. */
export function truthOfPrior(n: number): Truth {
  const { fills, days, medianK, logSdOfK } = INTENSITY_PRIOR
  return {
    a: gammaQuantile((0.5 + n * STEP_A) % 1, fills) / days,
    k: medianK * Math.exp(logSdOfK * normalQuantile((0.5 + n * STEP_K) % 1)),
  }
}

const MID = 2568n * RATE_ONE

/** The tape of such a week, in its order: takers come at the rates of the truth and are routed as the venue routes them. */
export function drawWeek(shape: WeekShape, truth: Truth, seed: number): readonly TapeRow[] {
  const random = seededRandom(seed, 'calibration week')
  const rows: TapeRow[] = []
  const isOurTurn = { bid: true, ask: true }
  for (let hour = 0; hour < 24 * shape.days; hour++) {
    const t = MONDAY + hour * HOUR_MS
    rows.push({ type: 'rate', t, mid: midOf(hour, seed), rateUpdatedAt: null, quotable: true })
    const [bidBps, askBps] = [drawnBps(shape, random), drawnBps(shape, random)]
    rows.push({ type: 'quote', t, bidBps, askBps, quoteBid: true, quoteAsk: true, quotePairs: null })
    for (const side of SIDES) {
      const bps = side === 'bid' ? bidBps : askBps
      isOurTurn[side] = drawHour({ shape, truth, t, side, bps, random, rows }, isOurTurn[side])
    }
  }
  rows.push({ type: 'rate', t: MONDAY + shape.days * DAY_MS, mid: MID, rateUpdatedAt: null, quotable: true })
  return rows.sort(compareRows)
}

function midOf(hour: number, seed: number): Rate {
  const day = Math.floor((hour + 17) / 24)
  const bps = Math.round(25 * drawNormal(seededRandom(seed, `mid of day ${day}`)))
  return MID + (MID * BigInt(bps)) / 10_000n
}

function drawnBps({ halfSpreadBps, ditherBps }: WeekShape, random: Random): number {
  return halfSpreadBps - ditherBps + Math.floor(random() * (2 * ditherBps + 1))
}

type HourOfSide = {
  readonly shape: WeekShape
  readonly truth: Truth
  readonly t: Ms
  readonly side: Side
  readonly bps: number
  readonly random: Random
  readonly rows: TapeRow[]
}

/** Probes and takers of one hour in their order. Returns whether the next taker is ours. */
function drawHour({ shape, truth, t: from, side, bps, random, rows }: HourOfSide, turn: boolean): boolean {
  const isShared = shape.rival === 'ours'
  const perMs = (truth.a * Math.exp(-truth.k * bps)) / DAY_MS
  const wait = () => Math.ceil(drawExponential(random) / perMs)
  let isOurTurn = turn
  let taker = from + wait()
  for (let probe = 0; probe < shape.probesAnHour; probe++) {
    const at = from + Math.floor((probe * HOUR_MS) / shape.probesAnHour)
    const until = from + Math.floor(((probe + 1) * HOUR_MS) / shape.probesAnHour)
    rows.push(probeOf(shape, at, side, bps, isOurTurn))
    for (; taker < until; taker += wait()) {
      if (isOurTurn) rows.push({ ...fillOf(taker, side, bps, random), id: `${side}-${rows.length}` })
      if (isShared) isOurTurn = !isOurTurn
    }
  }
  return isOurTurn
}

function fillOf(t: Ms, side: Side, bps: number, random: Random): TapeFill {
  return fillRow({ t, side, bps, mid: MID, usd: 50 + Math.floor(random() * 400) })
}

/** Without rivals a probe of the others is empty, and a probe of the next provider shows us. */
function probeOf({ rival, names }: WeekShape, t: Ms, side: Side, bps: number, isOurTurn: boolean): TapeRow {
  const isNext = names === 'next' && (rival === 'none' || isOurTurn)
  const shown = rival === 'ours' || names === 'next' ? bps : null
  const own = names === 'number' || shown === null ? {} : { own: isNext }
  const probe = { type: 'competition', t, ...own } as const
  return side === 'ask'
    ? { ...probe, from: 'USDC', to: 'NTZS', amount: 100n * 10n ** 18n, bidBps: null, askBps: shown }
    : { ...probe, from: 'NTZS', to: 'USDC', amount: 256_800n * 10n ** 18n, bidBps: shown, askBps: null }
}
