import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import type { TreasuryState } from '../../treasury/state.ts'
import type { BankFormats } from '../../treasury/statement/bank-format.ts'
import type { Plan } from '../../treasury/model/plan-types.ts'
import type { WebhookCounts } from '../../treasury/webhooks/listener.ts'

/** The current state of a treasury with its policy's plan. Plain data, amounts in base units. */
export type TreasuryReading = {
  readonly now: Ms
  readonly state: Readonly<TreasuryState>
  /** Null = not read yet. */
  readonly plan: Plan | null
  /** Null = no listener runs. */
  readonly webhooks: WebhooksView | null
  /** The formats of banks' CSV files. */
  readonly bankFormats: BankFormats
}

export type WebhooksView = WebhookCounts & { readonly port: number }

const count = z.int().min(0)

/** Counts of the webhook listener since the start of the process. */
export const webhooksSchema: z.ZodType<WebhooksView> = z.object({
  port: z.int(),
  kept: count.describe('Deliveries stored on disk, each counted once.'),
  repeated: count,
  lost: count.describe('Deliveries that could not be stored; the venue sends them again.'),
  refused: z
    .record(z.string(), count)
    .describe('By the reason: forged, stale, headers, flood, size, broken, method.'),
  bySecret: z.array(count).describe('By the place of the secret in treasury.webhooks.secrets.'),
})
