import { formatAmount } from '../money/amount.ts'
import type { EngineState } from '../engine/model/state.ts'
import type { AmountTexts, WithdrawalView } from './position-view.ts'
import type { Ms } from '../base/time.ts'
import { ASSETS, DECIMALS, type Amounts } from '../money/asset.ts'
import { formatDecimalText } from '../money/decimal-text.ts'
import { formatRate } from '../money/rate.ts'
import type { OpenOrder } from '../rfq/open-order.ts'
import { quoteShare } from '../pacing/budget.ts'
import { expiresAt } from '../rfq/plan-ladder.ts'
import { available, committed } from '../rfq/commitment.ts'
import type { OrderView, RfqView } from './rfq-view.ts'
import { whyNoneStand } from '../engine/orders/signing-gate.ts'

/** What is shown of orders; null with pooled capital and nothing owed. */
export function buildRfqView(state: EngineState, now: Ms): RfqView | null {
  const { rfq, orders } = state
  const { rfq: settings } = state.config
  if (settings === null) return null
  const { chain, counts } = rfq
  const ours = ASSETS.filter((asset) => settings.tokens[asset] !== undefined)
  const texts = (amounts: Readonly<Partial<Amounts>>): AmountTexts =>
    Object.fromEntries(
      ours.flatMap((asset) => {
        const amount = amounts[asset]
        return amount === undefined ? [] : [[asset, formatAmount(amount, asset)]]
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
    orders: Object.values(rfq.owed).map(orderView),
    counts: {
      signed: counts.signed,
      filled: counts.fills,
      rejected: counts.rejected,
      cancelled: counts.cancelled,
      expired: counts.expired,
    },
  }
}

function orderView(owed: OpenOrder): OrderView {
  const { order, side, stable, makerFilled, takerFilled } = owed
  const [whole, filled] = side === 'ask' ? [order.takerAmount, takerFilled] : [order.makerAmount, makerFilled]
  return {
    salt: order.salt.toString(),
    hash: owed.hash,
    side,
    stable,
    usd: formatDecimalText(whole, DECIMALS[stable]),
    remainingUsd: formatDecimalText(whole - filled, DECIMALS[stable]),
    priceTzs: formatRate(owed.price),
    expiresAt: expiresAt(owed),
    phase: owed.cancel === null ? owed.phase : 'cancelling',
    status: owed.status,
  }
}

/** What people are shown: those that have not left, and those without a clear answer. */
export function withdrawalsView({ withdrawals }: EngineState): readonly WithdrawalView[] {
  return withdrawals.requests.flatMap(({ by: _by, amount, stage, ...request }) =>
    stage === 'waiting' || stage === 'approved' || stage === 'sent' || stage === 'unknown'
      ? [{ ...request, stage, amount: formatAmount(amount, request.asset) }]
      : [],
  )
}
