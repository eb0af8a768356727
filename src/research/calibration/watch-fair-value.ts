import { DAY_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import type { FairValueCalibration } from '../../core/models/calibration.ts'
import { type BeforeUpdate, feedLead } from '../models/fair-value/feed-lead.ts'
import { fitRateModel, type RateModelFit, type Seen } from '../models/fair-value/fit-rate-model.ts'
import { type Rate, rateToNumber } from '../../base/money/rate.ts'
import type { ReferenceRow } from '../../store/tape/model/row.ts'

type Feed = {
  readonly name: string
  count: number
  last: Seen | null
  /** One reading per half hour, newest last. */
  readonly readings: Seen[]
  /** Last reading before each update of the mid, by the update's number; absent = no reading in the day before it. */
  readonly before: Map<number, Seen>
}

const SPAN_MS = 30 * MINUTE_MS
/** The fit uses the last three weeks of readings: more adds time but little information about a feed's error. */
const MOST_READINGS = 21 * 48
const FEWEST_READINGS = 48
const MOST_FEEDS = 10
const MOST_UPDATES = 250

/** Collects the updates of the mid, the last figure of each day, and the readings of each reference. */
export function watchFairValue() {
  const updates: Seen[] = []
  const feeds = new Map<string, Feed>()
  let mid: Rate | null = null
  return {
    rate(t: Ms, now: Rate): void {
      if (now === mid) return
      mid = now
      const seen = { t, tzsPerUsd: rateToNumber(now) }
      const last = updates.at(-1)
      if (last !== undefined && Math.floor(last.t / DAY_MS) === Math.floor(t / DAY_MS)) {
        updates[updates.length - 1] = { ...seen, t: last.t }
        return
      }
      for (const { last: reading, before } of feeds.values())
        if (reading !== null && t - reading.t <= DAY_MS) before.set(updates.length, reading)
      updates.push(seen)
    },
    reference({ t, source, mid: shown }: ReferenceRow): void {
      const feed = feedOf(feeds, source)
      if (feed === null) return
      feed.count += 1
      feed.last = { t, tzsPerUsd: rateToNumber(shown) }
      const { readings } = feed
      const newest = readings.at(-1)
      if (newest !== undefined && Math.floor(newest.t / SPAN_MS) === Math.floor(t / SPAN_MS))
        readings[readings.length - 1] = feed.last
      else readings.push(feed.last)
      if (readings.length > 2 * MOST_READINGS) readings.splice(0, MOST_READINGS)
    },
    /** Null if the tape has fewer than two updates. */
    result: (): FairValueCalibration | null => calibrated(updates, [...feeds.values()]),
  }
}

function feedOf(feeds: Map<string, Feed>, name: string): Feed | null {
  const known = feeds.get(name)
  if (known !== undefined) return known
  if (feeds.size >= MOST_FEEDS) return null
  const feed: Feed = { name, count: 0, last: null, readings: [], before: new Map() }
  feeds.set(name, feed)
  return feed
}

function calibrated(updates: readonly Seen[], feeds: readonly Feed[]): FairValueCalibration | null {
  const recent = updates.slice(-MOST_UPDATES)
  const alone = fitRateModel(recent, [])
  if (alone === null) return null
  const fitted = feeds.flatMap((feed) => {
    const readings = feed.readings.slice(-MOST_READINGS)
    const fit = readings.length < FEWEST_READINGS ? null : fitRateModel(recent, readings)
    return fit?.errorBps == null || fit.errorHalfLifeDays === null ? [] : [{ feed, fit }]
  })
  // Uses the fit that estimates the volatility best: a feed shows it within the day, updates only from day to day.
  const best = fitted
    .map(({ fit }) => fit)
    .reduce((one, other) => (widthOf(other) < widthOf(one) ? other : one), alone)
  return {
    sigmaBps: best.sigmaBps,
    followShare: best.followShare,
    publicationNoiseBps: best.publicationNoiseBps,
    updates: updates.length,
    feeds: fitted.map(({ feed, fit }) => ({
      name: feed.name,
      readings: feed.count,
      errorBps: fit.errorBps!,
      errorHalfLifeDays: fit.errorHalfLifeDays!,
      lead: feedLead(aroundUpdates(updates, feed)),
    })),
  }
}

function widthOf({ sigmaBps: { low, high } }: RateModelFit): number {
  return Math.log(high / low)
}

function aroundUpdates(updates: readonly Seen[], { before }: Feed): readonly BeforeUpdate[] {
  const [first] = updates
  const bpsOf = ({ tzsPerUsd }: Seen) => 1e4 * Math.log(tzsPerUsd / (first?.tzsPerUsd ?? tzsPerUsd))
  return updates.slice(1).map((update, index) => {
    const reading = before.get(index + 1)
    return {
      mid: bpsOf(updates[index]!),
      next: bpsOf(update),
      feed: reading === undefined ? null : bpsOf(reading),
    }
  })
}

/** Returns what the tape cannot show, in sentences. */
export function describeFairValue(found: FairValueCalibration | null): readonly string[] {
  if (found === null) return []
  const { sigmaBps, followShare, publicationNoiseBps, updates, feeds } = found
  const figures = [
    ['the volatility of the true rate', sigmaBps],
    ['how closely updates follow it', followShare],
    ['their noise', publicationNoiseBps],
    ...feeds.flatMap(
      ({ name, errorBps, errorHalfLifeDays }) =>
        [
          [`the error of ${name}`, errorBps],
          [`how long that lasts`, errorHalfLifeDays],
        ] as const,
    ),
  ] as const
  const untold = figures.flatMap(([name, { isMeasured }]) => (isMeasured ? [] : [name]))
  if (untold.length === 0) return []
  return [
    `With ${updates} updates of the mid the tape does not show ${untold.join(', ')}: the default applies, with its interval unchanged.`,
  ]
}
