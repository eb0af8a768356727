import type { Ms } from '../../../base/time.ts'

/** The events that the partner API posts. Source: contract, events. */
export type WebhookType =
  | 'deposit.completed'
  | 'withdrawal.updated'
  | 'merchant.sale.completed'
  | 'kyc.updated'
  | 'spend.updated'
  | 'ramp.settlement.completed'
  | 'ramp.settlement.failed'

/** One posting of an event: a duplicate is another one of the same event. */
export type WebhookEvent = {
  readonly type: WebhookType
  readonly url: string | null
  readonly secret: string
  /** When it leaves the venue, in virtual time; also its timestamp. */
  readonly at: Ms
  /** The JSON text, as signed. */
  readonly text: string
}
