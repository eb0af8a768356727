import { DAY_MS } from '../../../base/time.ts'
import type { SandboxOptionsInput } from '../../sandbox/options.ts'
import type { VenueModel } from '../../sandbox/model.ts'
import type { StuckPayment } from '../model/stuck-payment.ts'
import type { DrilledPartner } from './drilled-treasury.ts'

/** The key of the drill's partner API. */
export const DRILL_PARTNER_KEY = 'svc_test_drill'

/** Balance of the treasury's wallet before a payout: more than the payout and its fees. */
const TO_PAY_OUT = '2000000'
/** No rail ends a payment before the drill is over, however long it takes. */
const NEVER_MS = 10_000 * DAY_MS

/** The simulated partner API with a rail that accepts payments and never ends them. */
export type DrillPartner = DrilledPartner & {
  /** Ids of payments that the venue accepted and that have not ended. */
  readonly openPayments: () => readonly string[]
}

/** Returns options of a venue whose rails hang: each payment is accepted, and neither ends nor is reported again. */
export function hangingRails(payment: StuckPayment | null): SandboxOptionsInput['partner'] {
  return {
    apiKey: DRILL_PARTNER_KEY,
    ...(payment === null ? {} : { settings: { settleMs: NEVER_MS } }),
    ...(payment?.kind === 'payout' ? { owner: { NTZS: TO_PAY_OUT } } : {}),
  }
}

const OPEN: ReadonlySet<string> = new Set([
  'submitted',
  'pending',
  'review',
  'requested',
  'burned',
  'paying_out',
  'minting',
  'reconcile_required',
])

export function drillPartner({ partner, options }: VenueModel): DrillPartner {
  const own = partner.partners.get(DRILL_PARTNER_KEY)
  return {
    userId: own?.ownerId ?? '',
    lpWallet: options.walletAddress,
    openPayments: () =>
      [own?.deposits, own?.withdrawals, own?.payments.settlements].flatMap((payments) =>
        [...(payments?.values() ?? [])].flatMap(({ id, status }) => (OPEN.has(status) ? [id] : [])),
      ),
  }
}
