import {
  addDay,
  type FeedHypotheses,
  type FeedHypothesis,
  type JudgedDay,
  logSum,
  OFFSET_SD_BPS,
  offsetUnder,
  startHypotheses,
  WITHIN_STEP,
} from './feed-hypotheses.ts'
import type { FeedError, RateModel } from './rate-model.ts'

/** A figure with its 90 % interval. */
export type JudgedFigure = { readonly value: number; readonly low: number; readonly high: number }

/** What the updates of the mid showed about a feed. */
export type FeedJudgement = {
  /** Updates that followed a day with readings. */
  readonly updates: number
  /** Constant distance from the true rate, if there is one, bps; + = the feed shows a dearer dollar. */
  readonly offsetBps: JudgedFigure
  /** Probability that there is an offset. */
  readonly offsetProbability: number
  /** Standard deviation of the fading error and its half-life. */
  readonly errorBps: JudgedFigure
  readonly errorHalfLifeDays: JudgedFigure
  /** How old the rate is that the feed shows. */
  readonly delayDays: JudgedFigure
  /** Log evidence that the feed predicts updates better than no feed. */
  readonly gain: number
  readonly terms: FeedTerms
}

/**
 * How the filter reads a feed: less the offset, and with an error that is not below the configured one. The doubt about the offset
 * is not part of it: with it, `optimal` without rivals lost 4 % of its PnL to an unbiased feed.
 */
export type FeedTerms = FeedError & { readonly offsetBps: number; readonly isLeftOut: boolean }

/**
 * What is kept of a feed to judge it by later updates of the mid. Plain data, in snapshots; the hypotheses are computed again
 * from `days`.
 */
export type FeedJudge = {
  /** The level of the mid before the first day, log bps. */
  levelBps: number
  readonly days: JudgedDay[]
  /** Readings of the current day. */
  sum: number
  count: number
}

/** After this number of days the older half is forgotten, because a feed may change. */
const MOST_DAYS = 120
const OFFSET_PRIOR = 0.2
const REACH_90 = 1.645
/** A feed without this evidence is left out, after this number of updates. */
const LEAST_GAIN = -0.5
const FEWEST_UPDATES = 5

export function startFeedJudge(levelBps: number): FeedJudge {
  return { levelBps, days: [], sum: 0, count: 0 }
}

export function addJudgedReading(judge: FeedJudge, bps: number): void {
  judge.sum += bps
  judge.count += 1
}

/** Cached per judge until the settings change. */
const cache = new WeakMap<FeedJudge, { readonly model: RateModel; readonly all: FeedHypotheses }>()

/** Ends a day with the figure of its update; null = no update that counts. Returns the new judgement. */
export function endJudgedDay(
  judge: FeedJudge,
  model: RateModel,
  stated: FeedError,
  { day, published }: Pick<JudgedDay, 'day' | 'published'>,
): FeedJudgement {
  const { days } = judge
  if (days.length >= MOST_DAYS) {
    const forgotten = days.splice(0, MOST_DAYS / 2)
    judge.levelBps = forgotten.findLast((one) => one.published !== null)?.published ?? judge.levelBps
    cache.delete(judge)
  }
  let known = cache.get(judge)
  if (known?.model !== model) {
    known = { model, all: startHypotheses(model, stated, judge.levelBps) }
    for (const before of days) addDay(known.all, before)
    cache.set(judge, known)
  }
  const today = { day, published, mean: judge.count === 0 ? null : judge.sum / judge.count }
  judge.sum = 0
  judge.count = 0
  days.push(today)
  addDay(known.all, today)
  return judgementOf(known.all, stated)
}

/**
 * Returns the judgement, weighing the hypotheses with an offset against the same without one by the density of the offset at 0
 * after the data, relative to before. Source: Dickey 1971.
 */
function judgementOf({ ofFeed, updates, gain }: FeedHypotheses, stated: FeedError): FeedJudgement {
  const total = logSum(ofFeed)
  const offsets = ofFeed.map((one) => {
    const { mean, variance } = offsetUnder(one)
    const share = Math.exp(one.logWeight - total)
    const withoutOffset = (OFFSET_SD_BPS / Math.sqrt(variance)) * Math.exp(-(mean * mean) / variance / 2)
    return { mean, square: variance + mean * mean, share, none: share * withoutOffset }
  })
  const sumOf = (term: (one: (typeof offsets)[number]) => number) =>
    offsets.reduce((sum, one) => sum + term(one), 0)
  const none = sumOf((one) => one.none)
  const mean = sumOf(({ share, mean: of }) => share * of)
  const square = sumOf((one) => one.share * one.square)
  const probability = OFFSET_PRIOR / (OFFSET_PRIOR + (1 - OFFSET_PRIOR) * none)
  const shares = offsets.map(
    ({ share, none: without }) =>
      probability * share + (none === 0 ? 0 : ((1 - probability) * without) / none),
  )
  const momentsOf = (figure: (one: FeedHypothesis) => number) => moments(ofFeed.map(figure), shares)
  const errorLog = momentsOf(({ error }) => Math.log(error.errorBps))
  const delay = interval(
    widened(
      momentsOf(({ delayDays }) => delayDays),
      WITHIN_STEP.delay,
    ),
  )
  // The filter takes a reading for the present rate, so the movement within the delay is an error to it.
  const moved = momentsOf(({ delayDays, model }) => delayDays * model.sigmaBps ** 2).mean
  const read = Math.max(stated.errorBps ** 2, Math.exp(2 * errorLog.mean) + moved)
  return {
    updates,
    offsetBps: interval({ mean, variance: square - mean * mean }),
    offsetProbability: probability,
    errorBps: interval(widened(errorLog, WITHIN_STEP.error), Math.exp),
    errorHalfLifeDays: interval(
      widened(
        momentsOf(({ error }) => Math.log(error.errorHalfLifeDays)),
        WITHIN_STEP.halfLife,
      ),
      Math.exp,
    ),
    delayDays: { ...delay, low: Math.max(0, delay.low) },
    gain,
    terms: {
      offsetBps: probability * mean,
      errorBps: Math.sqrt(read),
      errorHalfLifeDays: stated.errorHalfLifeDays,
      isLeftOut: updates >= FEWEST_UPDATES && gain < LEAST_GAIN,
    },
  }
}

type Moments = { readonly mean: number; readonly variance: number }

function moments(values: readonly number[], shares: readonly number[]): Moments {
  const mean = values.reduce((sum, value, index) => sum + shares[index]! * value, 0)
  const variance = values.reduce((sum, value, index) => sum + shares[index]! * (value - mean) ** 2, 0)
  return { mean, variance }
}

function widened({ mean, variance }: Moments, by: number): Moments {
  return { mean, variance: variance + by }
}

function interval({ mean, variance }: Moments, shown = (value: number) => value): JudgedFigure {
  const reach = REACH_90 * Math.sqrt(Math.max(0, variance))
  return { value: shown(mean), low: shown(mean - reach), high: shown(mean + reach) }
}
