import { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import type { EngineState } from '../../core/engine/model/state.ts'
import { whyNoneStand } from '../../core/engine/orders/signing-gate.ts'
import { type Amounts, ASSETS, formatAmount, formatTokens } from '../../base/money/asset.ts'
import { formatDecimalText } from '../../base/money/decimal-text.ts'
import { formatRate } from '../../base/money/rate.ts'
import { quoteShare } from '../../core/pacing/budget.ts'
import { available, committed } from '../../core/rfq/commitment.ts'
import { expiresAt, type OpenOrder } from '../../core/rfq/open-order.ts'
import { amounts, decimal, hex, ms, side, stable, type AmountTexts, type Shown } from './fields.ts'

const order = z.object({
  /** Decimal; the order's id here. */
  salt: z.string(),
  hash: hex.nullable(),
  side,
  stable,
  /** Dollars of the whole order, and of what is not filled. */
  usd: decimal,
  remainingUsd: decimal,
  /** TZS per USD. */
  priceTzs: decimal,
  expiresAt: ms,
  phase: z.enum(['reserving', 'placing', 'open', 'unknown', 'refused', 'cancelling']),
  /** The status that the chain reported last; null = not read yet. */
  status: z.enum(['INVALID', 'FILLABLE', 'FILLED', 'CANCELLED', 'EXPIRED']).nullable(),
})
export type OrderView = Shown<z.infer<typeof order>>

/** A position in self-custody: its open orders, what is committed and available, and why no order is placed. */
export const rfqSchema = z.object({
  custody: z.literal('self'),
  /** The solver that may fill orders; null = unknown yet. */
  solver: hex.nullable(),
  /** Why no order is placed, one sentence; null = orders are placed. */
  blocked: z.string().nullable(),
  /** The newest block read, and its age. */
  chain: z.object({ block: z.string(), ageMs: ms, gasGwei: decimal }).nullable(),
  /** Theirs minus ours; null = not measured. */
  clockOffsetMs: z.object({ venue: ms.nullable(), chain: ms.nullable() }),
  /** Requests of the key that the ladder may send in a minute, and those that it sent. */
  requestShare: z.object({ limit: z.number(), used: z.number() }),
  /** Committed: what takers may still take. */
  promised: amounts,
  /** Available on top of it; negative = overcommitted. */
  free: amounts,
  /** The maker's wallet, and what the exchange may take of it, as the chain reported last. */
  balances: amounts,
  allowances: amounts,
  /** Open orders, oldest first. */
  orders: z.array(order),
  /** Since the journal began. */
  counts: z.object({
    signed: z.int(),
    filled: z.int(),
    rejected: z.int(),
    cancelled: z.int(),
    expired: z.int(),
  }),
})
export type RfqView = Shown<z.infer<typeof rfqSchema>>

/** Returns the view of orders; null = pooled capital without open orders. */
export function rfqView(state: EngineState, now: Ms): RfqView | null {
  const { rfq, orders } = state
  const { rfq: settings } = state.config
  if (settings === null) return null
  const { chain, counts } = rfq
  const ours = ASSETS.filter((token) => settings.tokens[token] !== undefined)
  const texts = (held: Readonly<Partial<Amounts>>): AmountTexts =>
    Object.fromEntries(
      ours.flatMap((token) => {
        const amount = held[token]
        return amount === undefined ? [] : [[token, formatAmount(amount)]]
      }),
    )
  return {
    custody: 'self',
    solver: orders.solver,
    blocked: orders.blocked ?? whyNoneStand(state, settings),
    chain:
      chain === null
        ? null
        : {
            block: chain.head.number.toString(),
            ageMs: now - chain.head.t,
            gasGwei: formatDecimalText(chain.gasPriceWei, 9),
          },
    clockOffsetMs: {
      venue: orders.venueOffsetMs,
      chain: chain === null ? null : chain.head.t - chain.readAt,
    },
    requestShare: quoteShare(state.pacing, state.config.pacing, now),
    promised: texts(committed(rfq)),
    free: texts(chain === null ? {} : available(rfq, settings)),
    balances: texts(chain?.balances ?? {}),
    allowances: texts(chain?.allowances ?? {}),
    orders: Object.values(rfq.openOrders).map(orderView),
    counts: {
      signed: counts.signed,
      filled: counts.fills,
      rejected: counts.rejected,
      cancelled: counts.cancelled,
      expired: counts.expired,
    },
  }
}

function orderView(open: OpenOrder): OrderView {
  const { order, makerFilled, takerFilled } = open
  const [whole, filled] =
    open.side === 'ask' ? [order.takerAmount, takerFilled] : [order.makerAmount, makerFilled]
  return {
    salt: order.salt.toString(),
    hash: open.hash,
    side: open.side,
    stable: open.stable,
    usd: formatTokens(whole, open.stable),
    remainingUsd: formatTokens(whole - filled, open.stable),
    priceTzs: formatRate(open.price),
    expiresAt: expiresAt(open),
    phase: open.cancel === null ? open.phase : 'cancelling',
    status: open.status,
  }
}
