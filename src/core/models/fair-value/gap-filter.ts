import { DAY_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import { isTypingError, learnWildness, scaledModel, startWildness, type Wildness } from './wildness.ts'
import {
  addJudgedReading,
  endJudgedDay,
  type FeedJudge,
  type FeedJudgement,
  type FeedTerms,
  startFeedJudge,
} from './feed-judge.ts'
import { addFigure, copyOf, dropFigure, type JointEstimate, knownZeros, observe } from './joint-estimate.ts'
import {
  DEFAULT_RATE_MODEL,
  DRIFT,
  endWorkingDay,
  errorOf,
  type FeedError,
  FIRST_FEED,
  followDayBefore,
  LEVEL,
  passWithinDay,
  RATE,
  type RateModel,
} from './rate-model.ts'

/** The parameters of the estimate. */
export type GapSettings = RateModel & {
  /** Errors of feeds by name; other feeds have the default error. */
  readonly feeds: Readonly<Record<string, FeedError>>
  /** Whether later updates of the mid judge the feeds. Absent = no, as in older journals. */
  readonly judgesFeeds?: boolean
}

export const DEFAULT_GAP_SETTINGS: GapSettings = { ...DEFAULT_RATE_MODEL, feeds: {} }

/** The last reading of a feed, log bps from the anchor. `isTaken`: the estimate already includes it. */
type GapReading = {
  readonly name: string
  t: Ms
  bps: number
  isTaken: boolean
  /** Null in a copy, whose days are not judged. Absent before feeds were judged. */
  judge?: FeedJudge | null
  judgement?: FeedJudgement
}

/**
 * The estimate of the true rate. Plain data, in snapshots. The latest readings are not yet part of `joint`: the last reading of
 * a feed in ten minutes counts, and the last figure of an update on its day, so a corrected typing error leaves no trace.
 */
export type GapState = JointEstimate & {
  /** TZS per USD: all prices are log bps from it. */
  readonly anchor: number
  /** The estimate describes this moment. */
  t: Ms
  /** The figure that the venue published on the day of `t`; null = not yet. */
  published: number | null
  readonly readings: GapReading[]
  /** Twice the negative log-likelihood of the data so far, up to a constant: the prediction error. */
  loss: number
  /** The factor by which the true rate is more or less volatile than the parameters; null = not learned. */
  wildness: Wildness | null
}

/** The estimated gap between the true rate and the mid at a moment. */
export type GapEstimate = {
  /** Log bps, + = a dollar is worth more than the mid. */
  readonly gapBps: number
  readonly errorBps: number
  /** Expected move of the true rate, bps per working day. */
  readonly driftBpsPerDay: number
  /** The last reading of each feed, and how much of its error the estimate carries, 0..1. */
  readonly sources: readonly {
    readonly name: string
    readonly bps: number
    readonly ageMs: Ms
    readonly weight: number
  }[]
}

/** Readings of one feed within this span replace one another, because they share one error. */
const SPAN_MS = 10 * MINUTE_MS
/** Feeds beyond this number are ignored, because the cost grows with the square of their number. */
const MOST_FEEDS = 10
/** Number of updates, in multiples of 1 / followShare, after which the start value is forgotten. */
const FORGOTTEN_AFTER = 4
const MOST_WORKING_DAYS = 250
const PUBLISHED_AT_DAYS = 7 / 24

/**
 * Returns a filter after one update, with no earlier knowledge of the true rate. The parameters determine the width of the
 * prior, because the distant past is forgotten.
 */
export function startGapFilter(
  settings: GapSettings,
  tzsPerUsd: number,
  publishedAt: Ms,
  learnsWildness = true,
): GapState {
  const joint = knownZeros(FIRST_FEED)
  const days = Math.min(MOST_WORKING_DAYS, Math.ceil((7 / 5) * (FORGOTTEN_AFTER / settings.followShare + 20)))
  const from = (Math.floor(publishedAt / DAY_MS) - days) * DAY_MS
  const wildness = learnsWildness ? startWildness() : null
  const state: GapState = {
    ...joint,
    anchor: tzsPerUsd,
    t: from,
    published: null,
    readings: [],
    loss: 0,
    wildness,
  }
  for (let day = from; day + DAY_MS <= publishedAt; day += DAY_MS) {
    if (isWeekday(day)) followUnseen(state, settings, day)
    passTo(state, settings, day + DAY_MS)
  }
  passTo(state, settings, publishedAt)
  state.published = 0
  return state
}

/** Applies an update whose figure is unknown: the level follows the day before. */
function followUnseen(state: GapState, settings: GapSettings, day: Ms): void {
  passTo(state, settings, day + PUBLISHED_AT_DAYS * DAY_MS)
  followDayBefore(state, settings)
}

/** Adds a figure that the venue published at `t`; a later one of the same day replaces it. */
export function addUpdate(state: GapState, settings: GapSettings, t: Ms, tzsPerUsd: number): void {
  if (dayOf(t) > dayOf(state.t)) {
    takeReadings(state, settings, t)
    passTo(state, settings, t)
  }
  state.published = bpsFrom(state.anchor, tzsPerUsd)
}

/** Adds a reading of a feed at `t`. */
export function addReading(
  state: GapState,
  settings: GapSettings,
  { name, t, tzsPerUsd }: { readonly name: string; readonly t: Ms; readonly tzsPerUsd: number },
): void {
  const span = Math.floor(t / SPAN_MS)
  if (state.readings.some((one) => !one.isTaken && Math.floor(one.t / SPAN_MS) < span))
    takeReadings(state, settings)
  const bps = bpsFrom(state.anchor, tzsPerUsd)
  let reading = state.readings.find((one) => one.name === name)
  if (reading !== undefined) {
    reading.t = Math.max(reading.t, t)
    reading.bps = bps
    reading.isTaken = false
  } else {
    if (state.readings.length >= MOST_FEEDS) return
    reading = { name, t, bps, isTaken: false }
    state.readings.push(reading)
    addFigure(state, termsOf(settings, reading).errorBps ** 2)
  }
  if (settings.judgesFeeds === true) reading.judge ??= startFeedJudge(state.mean[LEVEL]!)
}

/** Removes the feeds for which `isKept` returns false. */
export function keepFeeds(state: GapState, isKept: (name: string) => boolean): void {
  for (let index = state.readings.length - 1; index >= 0; index--) {
    if (isKept(state.readings[index]!.name)) continue
    state.readings.splice(index, 1)
    dropFigure(state, FIRST_FEED + index)
  }
}

/** Returns the gap to a mid at `now`. Works on a copy and changes nothing. */
export function estimateGap(state: GapState, settings: GapSettings, now: Ms, tzsPerUsd: number): GapEstimate {
  const readings = state.readings.map((one) => ({ ...one, judge: null }))
  const wildness = state.wildness === null ? null : { ...state.wildness }
  const copy: GapState = { ...state, ...copyOf(state), readings, wildness }
  takeReadings(copy, settings)
  passTo(copy, settings, Math.max(now, copy.t))
  takeUpdate(copy, settings)
  const { mean, covariance } = copy
  const size = mean.length
  return {
    gapBps: mean[RATE]! - bpsFrom(state.anchor, tzsPerUsd),
    errorBps: Math.sqrt(varianceAt(copy, RATE)),
    driftBpsPerDay: mean[DRIFT]!,
    sources: readings.map((reading, index) => {
      const { name, t, bps } = reading
      const { errorBps: error } = termsOf(settings, reading)
      const carried = -covariance[RATE * size + FIRST_FEED + index]!
      const weight = error === 0 ? 1 : Math.min(1, Math.max(0, carried / (error * error)))
      return { name, bps: bps - bpsFrom(state.anchor, tzsPerUsd), ageMs: Math.max(0, now - t), weight }
    }),
  }
}

/** Applies everything received until `at`, including that day's update. Returns the loss, for a filter that is then done. */
export function settledLoss(state: GapState, settings: GapSettings, at: Ms): number {
  takeReadings(state, settings)
  passTo(state, settings, at)
  takeUpdate(state, settings)
  return state.loss
}

/** Applies the readings before `until`, by time and then by name, so the order of arrival does not matter. */
function takeReadings(state: GapState, settings: GapSettings, until: Ms = Infinity): void {
  const { readings } = state
  const fresh = readings.filter(({ isTaken, t }) => !isTaken && t < until)
  fresh.sort((a, b) => a.t - b.t || (a.name < b.name ? -1 : 1))
  for (const reading of fresh) {
    passTo(state, settings, reading.t)
    reading.isTaken = true
    if (reading.judge != null && isWeekday(reading.t)) addJudgedReading(reading.judge, reading.bps)
    const { offsetBps, isLeftOut } = termsOf(settings, reading)
    if (isLeftOut) continue
    const sum = [
      [RATE, 1],
      [FIRST_FEED + readings.indexOf(reading), 1],
    ] as const
    foresee(state, observe(state, sum, reading.bps - offsetBps, 0))
  }
}

/** Applies the day's update. Returns its figure; null = none that counts. */
function takeUpdate(state: GapState, settings: GapSettings): number | null {
  const { published, wildness } = state
  if (published === null) return null
  state.published = null
  followDayBefore(state, settings)
  const { publicationNoiseBps } = scaledModel(settings, wildness)
  const expected = { bps: state.mean[LEVEL]!, variance: varianceAt(state, LEVEL) + publicationNoiseBps ** 2 }
  if (wildness !== null && isTypingError(wildness, published - expected.bps, expected.variance)) return null
  const seen = observe(state, [[LEVEL, 1]], published, publicationNoiseBps ** 2)
  foresee(state, seen)
  if (wildness !== null && seen !== null) learnWildness(wildness, seen.surprise, seen.variance)
  return published
}

/** Judges each feed after a day with an update, and after each working day. */
function judgeDay(
  { readings }: GapState,
  settings: GapSettings,
  day: number,
  published: number | null,
): void {
  for (const reading of readings)
    if (reading.judge != null)
      reading.judgement = endJudgedDay(reading.judge, settings, errorOf(settings.feeds, reading.name), {
        day,
        published,
      })
}

function varianceAt({ mean, covariance }: GapState, place: number): number {
  return Math.max(0, covariance[place * mean.length + place]!)
}

function foresee(state: GapState, seen: ReturnType<typeof observe>): void {
  if (seen !== null) state.loss += Math.log(seen.variance) + seen.surprise ** 2 / seen.variance
}

/** Advances the time; a day ends with its update, which describes the day before. */
function passTo(state: GapState, settings: GapSettings, to: Ms): void {
  let errors = state.readings.map((reading) => termsOf(settings, reading))
  while (state.t < to) {
    const end = (dayOf(state.t) + 1) * DAY_MS
    const next = Math.min(end, to)
    const isWorking = isWeekday(state.t)
    passWithinDay(state, scaledModel(settings, state.wildness), errors, (next - state.t) / DAY_MS, isWorking)
    state.t = next
    if (next < end) continue
    const published = takeUpdate(state, settings)
    if (isWorking) endWorkingDay(state)
    if (settings.judgesFeeds !== true || (!isWorking && published === null)) continue
    judgeDay(state, settings, dayOf(end) - 1, published)
    errors = state.readings.map((reading) => termsOf(settings, reading))
  }
}

/** Returns how a feed is read: as judged, or as configured. */
function termsOf(settings: GapSettings, { name, judgement }: GapReading): FeedTerms {
  const stated = errorOf(settings.feeds, name)
  const isJudged = settings.judgesFeeds === true && judgement !== undefined
  return isJudged ? judgement.terms : { ...stated, offsetBps: 0, isLeftOut: false }
}

function bpsFrom(anchor: number, tzsPerUsd: number): number {
  return 1e4 * Math.log(tzsPerUsd / anchor)
}

function dayOf(t: Ms): number {
  return Math.floor(t / DAY_MS)
}

/** Monday to Friday, UTC. Day 0 of the epoch was a Thursday. */
export function isWeekday(t: Ms): boolean {
  const weekday = (((dayOf(t) + 4) % 7) + 7) % 7
  return weekday !== 0 && weekday !== 6
}
