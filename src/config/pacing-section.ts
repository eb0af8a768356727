import { z } from 'zod'
import { field } from './field.ts'

/** How often to ask when there is nothing urgent; the pacer asks sooner where it pays and never over the budget. */
export const pacingSection = z.strictObject({
  fillsIntervalMs: field.intervalMs.default(2_000),
  rateIntervalMs: field.intervalMs.default(6_000),
  balancesIntervalMs: field.intervalMs.default(15_000),
  accountIntervalMs: field.intervalMs.default(60_000),
  quoteCheckIntervalMs: field.intervalMs.default(300_000),
  reservePerMinute: z.int().min(0).max(1_000).default(10).describe('Requests kept free for safety writes.'),
})
