import { z } from 'zod'
import { between } from './field.ts'

/** Errors of a feed, for a filter: absent = as calibrated, else the default. */
export const feedErrorKeys = {
  errorBps: between(0, 1_000)
    .optional()
    .describe('Standard deviation of the error of its readings, bps. Default: as calibrated, else 25.'),
  errorHalfLifeDays: between(0.01, 365)
    .optional()
    .describe('Half-life of an error in days. Default: as calibrated, else 0.25.'),
}

/** How the true rate moves and how the mid follows it; the gap between them is estimated with these. */
export const fairValueSection = z
  .strictObject({
    sigmaBps: between(1, 500)
      .optional()
      .describe(
        'Volatility of the true rate, bps per square root of a working day. Default: as calibrated, else 21.',
      ),
    driftSdBpsPerDay: between(0, 500)
      .default(5)
      .describe('Standard deviation of its drift, bps per working day.'),
    driftHalfLifeDays: between(0.25, 1_000).default(10).describe('Half-life of a drift in days.'),
    followShare: between(0.01, 1)
      .optional()
      .describe(
        "The share of the distance to the previous working day's mean that an update of the mid closes. Default: as calibrated, else 0.65.",
      ),
    publicationNoiseBps: between(0, 200)
      .optional()
      .describe('What rounding and composition add to each update, bps. Default: as calibrated, else 7.'),
    weekendMovement: between(0, 1)
      .default(0)
      .describe(
        'How much of the movement of a working day a day of the weekend has (Saturday and Sunday, UTC).',
      ),
    judgeFeeds: z
      .boolean()
      .default(true)
      .describe(
        'Whether later updates of the mid judge each feed: its offset is subtracted, its error widened where it is larger than stated.',
      ),
  })
  .describe('How the gap between fair value and mid is estimated; strategies read it as context.fairShift.')
