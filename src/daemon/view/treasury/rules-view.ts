import { z } from 'zod'
import { DAY_MS } from '../../../base/time.ts'
import { allowedOf, capUsed, MONTH_MS } from '../../../treasury/approvals/caps.ts'
import { transferCaps, transferredToday } from '../../../treasury/approvals/venue-caps.ts'
import { railScores } from '../../../treasury/rails.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import { decimal, ms, type Shown } from '../fields.ts'
import { payeeSchema, payeeViews } from './payee-view.ts'
import { amountOrNull, token, moneyText } from './treasury-fields.ts'

const used = z.object({ limit: decimal, used: decimal }).nullable()

/** Learned properties of the routes, the remaining caps, and the payees with their waiting times. */
export const rulesFields = {
  rails: z.array(
    z.object({
      route: z.string(),
      /** Whether the policy may use it. */
      isAllowed: z.boolean(),
      tries: z.int(),
      failures: z.int(),
      medianMs: ms.nullable(),
      p95Ms: ms.nullable(),
      costBps: z.number().nullable(),
      restedUntil: ms.nullable(),
    }),
  ),
  caps: z.array(
    z.object({
      /** Null = all routes and destinations. */
      route: z.string().nullable(),
      destination: z.string().nullable(),
      asset: token,
      /** Rolling 24 hours and 30 days; null = no cap. One person alone decides over half of the configured cap. */
      day: used,
      month: used,
    }),
  ),
  /** The venue's limits on shilling transfers, configured or learned from a refusal; null = unknown. */
  transferCaps: z
    .object({ perTransaction: decimal.nullable(), perDay: decimal.nullable(), usedToday: decimal })
    .nullable(),
  payees: z.array(payeeSchema),
}
type RulesView = { readonly [Field in keyof typeof rulesFields]: Shown<z.infer<(typeof rulesFields)[Field]>> }

export function rulesView(state: TreasuryState): RulesView {
  const { config } = state
  return {
    rails: railScores(state).map((score) => ({
      ...score,
      isAllowed: config.policy.routes.includes(score.route),
    })),
    caps: config.policy.caps.map((cap) => {
      const { route, destination, asset, perDay, perMonth } = cap
      const share = (limit: bigint | null, spanMs: number) =>
        limit === null
          ? null
          : {
              limit: moneyText(allowedOf(state, limit), asset).amount,
              used: moneyText(capUsed(state, cap, spanMs), asset).amount,
            }
      return { route, destination, asset, day: share(perDay, DAY_MS), month: share(perMonth, MONTH_MS) }
    }),
    transferCaps: transferCapsView(state),
    payees: payeeViews(state),
  }
}

function transferCapsView(state: TreasuryState): RulesView['transferCaps'] {
  const { perTransaction, perDay } = transferCaps(state)
  if (perTransaction === null && perDay === null) return null
  return {
    perTransaction: amountOrNull(perTransaction, 'NTZS'),
    perDay: amountOrNull(perDay, 'NTZS'),
    usedToday: moneyText(transferredToday(state), 'NTZS').amount,
  }
}

const watchedText = decimal.nullable()

/** The backing of the token, as it was read. */
export const supplySchema = z.object({
  reported: watchedText,
  onChain: watchedText,
  at: ms.nullable(),
  /** The difference of the venue's last reconciliation; negative = tokens without backing. */
  difference: watchedText,
  negativeInARow: z.int(),
  reconciledAt: ms.nullable(),
  alarm: z.string().nullable(),
  exit: z.enum(['alert', 'lower']).describe('What an alarm does: alert only, or deploy less.'),
})

export function supplyView({ supply, config }: TreasuryState): Shown<z.infer<typeof supplySchema>> {
  const { reported, onChain, at, difference, negativeInARow, reconciledAt, alarm } = supply
  return {
    reported: amountOrNull(reported, 'NTZS'),
    onChain: amountOrNull(onChain, 'NTZS'),
    at,
    difference: amountOrNull(difference, 'NTZS'),
    negativeInARow,
    reconciledAt,
    alarm,
    exit: config.supply.exit,
  }
}
