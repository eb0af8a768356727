import { z } from 'zod'
import { field } from './field.ts'

export const quoteSection = z.strictObject({
  requoteThresholdBps: field.bps.default(2),
  minRequoteIntervalMs: field.durationMs.default(2_000),
  safeBps: field.spreadBps.default(500).describe('Both sides at this spread is the safe quote.'),
  whenBothOff: z.enum(['deactivate', 'safe']).default('safe'),
  onExit: z.enum(['keep', 'widen', 'deactivate']).default('widen'),
  pairs: z.array(field.text.max(20)).min(1).max(50).nullable().default(null).describe('null = all pairs.'),
})
