import { Gauge, type Registry } from 'prom-client'
import type { PositionView } from '../../view/position-view.ts'
import { absentGauge } from './optional-gauge.ts'

export type FeedMetrics = {
  readonly feedsLive: Gauge
  readonly feedLive: Gauge<'feed'>
  readonly feedTzs: Gauge<'feed'>
  readonly feedAgeSeconds: Gauge<'feed'>
  readonly referenceDeviationBps: Gauge
}

/** The reference feeds: other sources of the rate than the venue. */
export function feedMetrics(registry: Registry): FeedMetrics {
  const registers = [registry]
  const labelNames = ['feed'] as const
  return {
    feedsLive: absentGauge(
      registry,
      'mizani_feeds_live',
      "Live reference feeds. 0 = the venue's mid is the only source.",
    ),
    feedLive: new Gauge({
      name: 'mizani_feed_live',
      help: '1 = the feed is live and counts in the fair value, 0 = it is silent, frozen, implausible, outvoted, not read yet, or of the venue itself.',
      labelNames,
      registers,
    }),
    feedTzs: new Gauge({
      name: 'mizani_feed_tzs',
      help: 'The last valid value of a feed, TZS per USD. Absent before the first one.',
      labelNames,
      registers,
    }),
    feedAgeSeconds: new Gauge({
      name: 'mizani_feed_age_seconds',
      help: 'Time since the last valid reading of a feed in the journal; an unchanged value is journalled once a minute. Absent before the first one of this process.',
      labelNames,
      registers,
    }),
    referenceDeviationBps: absentGauge(
      registry,
      'mizani_reference_deviation_bps',
      "How far the venue's mid is above the weighted median of the live feeds, in basis points; negative = below. Absent while no feed is live.",
    ),
  }
}

/** What the view shows of the feeds; one that is gone loses its series. */
export function setFeeds(metrics: FeedMetrics, { reference }: Pick<PositionView, 'reference'>): void {
  const { feeds, deviationBps } = reference
  for (const gauge of [metrics.feedLive, metrics.feedTzs, metrics.feedAgeSeconds]) gauge.reset()
  for (const { name: feed, status, mid, ageMs } of feeds) {
    metrics.feedLive.set({ feed }, Number(status === 'live'))
    if (mid !== null) metrics.feedTzs.set({ feed }, Number(mid))
    if (ageMs !== null) metrics.feedAgeSeconds.set({ feed }, ageMs / 1_000)
  }
  metrics.feedsLive.set(feeds.filter(({ status }) => status === 'live').length)
  if (deviationBps === null) metrics.referenceDeviationBps.remove()
  else metrics.referenceDeviationBps.set(deviationBps)
}
