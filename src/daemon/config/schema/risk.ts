import { z } from 'zod'
import { BOOK_DECIMALS } from '../../../base/money/asset.ts'
import { field, money, orNull, rate } from './field.ts'

/**
 * Four days: the mid is published on working days, and Friday morning's must last over a weekend and a Monday holiday
 * until Tuesday morning. A shorter limit would halt every long weekend; a longer one would trade on a dead feed.
 */
const MAX_MID_AGE_MS = 345_600_000

const priceCorridor = z
  .strictObject({
    min: rate().describe('The lowest TZS per USD.'),
    max: rate().describe('The highest TZS per USD.'),
  })
  .refine(({ min, max }) => min < max, {
    path: ['max'],
    message: 'not above min; expected the lowest and the highest TZS per USD',
  })

export const riskSection = z.strictObject({
  priceCorridor: orNull(
    priceCorridor,
    'TZS per USD: no quote or signature is derived from a mid or fair value outside. Required with `mode: live` and with `rfq`; `mizani check` proposes one. Changes by restart only.',
  ),
  maxMidAgeMs: field.intervalMs.nullable().default(MAX_MID_AGE_MS),
  maxMidStepBps: field.bps.positive().nullable().default(150),
  maxReferenceDeviationBps: field.bps
    .positive()
    .nullable()
    .default(300)
    .describe(
      "Between the venue's mid and the reference feeds, and between the public rate's mid of a pair and GET /rate; beyond it the safe quote.",
    ),
  maxFillPriceDeviationBps: field.bps
    .positive()
    .nullable()
    .default(50)
    .describe('A fill that is worse than our least favourable quote by more than this, fee included, halts.'),
  reviewAfter: orNull(
    z.strictObject({
      fills: orNull(field.count, 'Fills of both sides.'),
      sameSideFills: orNull(field.count, 'Fills of one side in a row.'),
      usd: orNull(money(18), 'USD traded, both sides.'),
    }),
    'After this much since an operator last resumed: the safe quote until an operator resumes. null = never.',
  ),
  maxMidMoveBpsPerHour: field.bps
    .positive()
    .nullable()
    .default(200)
    .describe('The same limit against every mid of the last hour, which bounds many small steps.'),
  maxMidMoveBpsPerDay: field.bps
    .positive()
    .nullable()
    .default(500)
    .describe('The same limit against every mid of the last 24 hours.'),
  foreignWrites: z
    .enum(['latch', 'repair'])
    .default('latch')
    .describe(
      'A deactivation, spread or custody switch that this key did not send: latch = the safe quote and no activation until an operator resumes; repair = the daemon restores its own setting.',
    ),
  maxLossTzs: orNull(money(36), 'TZS lost since the start of the ledger.'),
  maxDrawdownTzs: orNull(money(36), 'TZS below the highest PnL.'),
  maxFillsPerMinute: field.count.nullable().default(null),
  maxVolumePerDayUsd: orNull(money(18), 'USD per side in a rolling 24 hours.'),
  errorCyclesThreshold: field.count.default(5),
  unexplainedGraceMs: field.durationMs
    .default(30_000)
    .describe('A balances reading unreconciled for this long is a break; a break for this long halts.'),
  maxUnreadableMs: field.durationMs
    .default(90_000)
    .describe(
      'A figure of the venue that cannot be read ends `reconciled` at once. For half of this time, counted while the venue answers, it requires the safe quote; for all of it a halt.',
    ),
  dust: z
    .strictObject({
      NTZS: money(BOOK_DECIMALS).prefault('1'),
      USDC: money(BOOK_DECIMALS).prefault('0.001'),
      USDT: money(BOOK_DECIMALS).prefault('0.001'),
      'USDT.bnb': money(BOOK_DECIMALS).prefault('0.001'),
    })
    .prefault({})
    .describe('Unreconciled inflows up to this many tokens are booked as dust, without an alert.'),
  onHalt: z.enum(['deactivate', 'safe']).default('deactivate'),
})
