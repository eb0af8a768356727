import { z } from 'zod'

/** Errors of a feed, for a filter: absent = as calibrated, else the default. */
export const feedErrorKeys = {
  errorBps: z
    .number()
    .min(0)
    .max(1_000)
    .optional()
    .describe('Standard deviation of the error of its readings, bps. Default: as calibrated, else 25.'),
  errorHalfLifeDays: z
    .number()
    .min(0.01)
    .max(365)
    .optional()
    .describe('After so many days half of an error is left. Default: as calibrated, else 0.25.'),
}

/** How the true rate moves and how the mid follows it, by which the gap between them is estimated. */
export const fairValueSection = z
  .strictObject({
    sigmaBps: z
      .number()
      .min(1)
      .max(500)
      .optional()
      .describe(
        'Volatility of the true rate, bps per square root of a working day. Default: as calibrated, else 21.',
      ),
    driftSdBpsPerDay: z
      .number()
      .min(0)
      .max(500)
      .default(5)
      .describe('Standard deviation of its drift, bps per working day.'),
    driftHalfLifeDays: z
      .number()
      .min(0.25)
      .max(1_000)
      .default(10)
      .describe('After so many days half of a drift is left.'),
    followShare: z
      .number()
      .min(0.01)
      .max(1)
      .optional()
      .describe(
        "The share of the distance to the previous working day's mean that an update of the mid closes. Default: as calibrated, else 0.65.",
      ),
    publicationNoiseBps: z
      .number()
      .min(0)
      .max(200)
      .optional()
      .describe('What rounding and composition add to each update, bps. Default: as calibrated, else 7.'),
    weekendMovement: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe(
        'How much of the movement of a working day a day of the weekend has (Saturday and Sunday, UTC).',
      ),
  })
  .describe('How the gap between fair value and mid is estimated; strategies read it as context.fairShift.')
