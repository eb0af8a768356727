import { z } from 'zod'
import { BOOK_DECIMALS, COUNTER_TOKENS, OWNED_TOKENS } from '../../../base/money/asset.ts'
import { field, money, perAsset, whole } from './field.ts'

export const quoteSection = z.strictObject({
  requoteThresholdBps: field.bps.default(2),
  minRequoteIntervalMs: field.durationMs.default(2_000),
  safeBps: field.spreadBps.default(500).describe('The spread of both sides of the safe quote.'),
  whenBothOff: z.enum(['deactivate', 'safe']).default('safe'),
  onExit: z.enum(['keep', 'widen', 'deactivate']).default('widen'),
  drainMs: whole(0, 40_000)
    .default(30_000)
    .describe(
      'An ordered deactivation first widens both sides to 500 bps and waits until 10 s passed without a fill, but no longer than this.',
    ),
  ditherBps: whole(0, 100)
    .default(0)
    .describe(
      'Random offset of the spread, up to this many bps either way, to measure the response of takers; it is logged.',
    ),
  ditherPeriodMs: field.intervalMs.default(3_600_000).describe('How long one draw of the dither applies.'),
  pairs: z
    .array(z.enum(COUNTER_TOKENS))
    .min(1)
    .refine((pairs) => new Set(pairs).size === pairs.length, 'names a token twice')
    .nullable()
    .default([...OWNED_TOKENS])
    .describe(
      'Counter tokens that are quoted. null = all of the venue, including those that cannot be booked or withdrawn.',
    ),
})

export const inventorySection = z.strictObject({
  target: field.share.default(0.5).describe('Share of the value to hold in USD stables.'),
  limits: perAsset(() =>
    z
      .strictObject({
        min: money(BOOK_DECIMALS).nullable().default(null),
        max: money(BOOK_DECIMALS).nullable().default(null),
      })
      .refine(({ min, max }) => min === null || max === null || min < max, {
        path: ['min'],
        message: 'no room between min and max, so a side would always be off; min must be below max',
      }),
  )
    .default({})
    .describe('Tokens. Below min only the side that refills is quoted, above max only the side that drains.'),
  capitalCost: z
    .strictObject({ ntzsPerYear: field.share.default(0), usdPerYear: field.share.default(0) })
    .prefault({})
    .describe(
      'Interest a year on shillings and dollars held, 0.12 = 12 %: a backtest shows it beside the PnL, and `optimal` prefers to hold what costs less.',
    ),
})

/** Poll intervals when nothing is urgent; the pacer polls sooner if worthwhile, but never over the budget. */
export const pacingSection = z.strictObject({
  fillsIntervalMs: field.intervalMs.default(2_000),
  rateIntervalMs: field.intervalMs.default(6_000),
  balancesIntervalMs: field.intervalMs.default(15_000),
  accountIntervalMs: field.intervalMs.default(60_000),
  quoteCheckIntervalMs: field.intervalMs.default(60_000),
  reservePerMinute: whole(0, 1_000).default(10).describe('Requests kept free for safety writes.'),
})
