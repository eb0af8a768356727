import { z } from 'zod'
import { COUNTER_TOKENS, OWNED_TOKENS } from '../money/counter-tokens.ts'
import { field } from './field.ts'

export const quoteSection = z.strictObject({
  requoteThresholdBps: field.bps.default(2),
  minRequoteIntervalMs: field.durationMs.default(2_000),
  safeBps: field.spreadBps.default(500).describe('Both sides at this spread is the safe quote.'),
  whenBothOff: z.enum(['deactivate', 'safe']).default('safe'),
  onExit: z.enum(['keep', 'widen', 'deactivate']).default('widen'),
  ditherBps: z
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe('Up to so many bps either way are added at random, to learn how takers answer; it is logged.'),
  ditherPeriodMs: field.intervalMs.default(3_600_000).describe('How long one draw of the dither stands.'),
  pairs: z
    .array(z.enum(COUNTER_TOKENS))
    .min(1)
    .refine((pairs) => new Set(pairs).size === pairs.length, 'names a token twice')
    .nullable()
    .default([...OWNED_TOKENS])
    .describe(
      'Counter tokens that are quoted. null = all of the venue, also those that cannot be booked or withdrawn.',
    ),
})
