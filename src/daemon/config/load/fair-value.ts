import type { GapSettings } from '../../../core/models/fair-value/gap-filter.ts'
import {
  DEFAULT_FEED_ERROR,
  DEFAULT_RATE_MODEL,
  type FeedError,
} from '../../../core/models/fair-value/rate-model.ts'
import type { Calibration } from '../../../core/models/calibration.ts'
import type { ConfigFile } from '../schema/schema.ts'

/** The file takes precedence over a calibration, and that over the defaults. */
export function fairValueSettings(
  { fairValue, feeds }: Pick<ConfigFile, 'fairValue' | 'feeds'>,
  learned: Calibration['fairValue'] | null,
): GapSettings {
  const known = learned ?? null
  return {
    sigmaBps: fairValue.sigmaBps ?? known?.sigmaBps.value ?? DEFAULT_RATE_MODEL.sigmaBps,
    driftSdBpsPerDay: fairValue.driftSdBpsPerDay,
    driftHalfLifeDays: fairValue.driftHalfLifeDays,
    followShare: fairValue.followShare ?? known?.followShare.value ?? DEFAULT_RATE_MODEL.followShare,
    publicationNoiseBps:
      fairValue.publicationNoiseBps ??
      known?.publicationNoiseBps.value ??
      DEFAULT_RATE_MODEL.publicationNoiseBps,
    weekendMovement: fairValue.weekendMovement,
    feeds: feedErrors(feeds, known?.feeds ?? []),
    judgesFeeds: fairValue.judgeFeeds,
  }
}

type LearnedFeed = NonNullable<Calibration['fairValue']>['feeds'][number]

/** Sources that are on the tape but not in the file use the calibrated errors. */
function feedErrors(
  feeds: ConfigFile['feeds'],
  learned: readonly LearnedFeed[],
): Readonly<Record<string, FeedError>> {
  const errors = new Map<string, FeedError>()
  for (const { name, errorBps, errorHalfLifeDays } of learned)
    errors.set(name, { errorBps: errorBps.value, errorHalfLifeDays: errorHalfLifeDays.value })
  for (const { name, errorBps, errorHalfLifeDays } of feeds) {
    const before = errors.get(name) ?? DEFAULT_FEED_ERROR
    errors.set(name, {
      errorBps: errorBps ?? before.errorBps,
      errorHalfLifeDays: errorHalfLifeDays ?? before.errorHalfLifeDays,
    })
  }
  return Object.fromEntries(errors)
}
