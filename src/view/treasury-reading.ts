import type { Ms } from '../base/time.ts'
import type { TreasuryState } from '../treasury/core/state.ts'
import type { Plan } from '../treasury/policy/plan-types.ts'
import type { WebhookCounts } from '../treasury/webhooks/listener.ts'

/** A treasury as it is now, with what its policy would do. Plain data, amounts in base units. */
export type TreasuryReading = {
  readonly now: Ms
  readonly state: Readonly<TreasuryState>
  /** Null = nothing was read yet. */
  readonly plan: Plan | null
  /** Null = no listener runs. */
  readonly webhooks: (WebhookCounts & { readonly port: number }) | null
}
