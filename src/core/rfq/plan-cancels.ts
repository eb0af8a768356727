import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { rateToNumber } from '../../base/money/rate.ts'
import type { OrderCancel } from './rfq-order.ts'
import { expiresAt, type OpenOrder, outstandingUsd } from './open-order.ts'
import type { RfqSettings } from './rfq-settings.ts'

/** Gas as measured on the contract; a batch costs 21,000 and 29,150 for each order. Source: rfq.md. */
const CANCEL_ONE_GAS = 56_000
const CANCEL_PAIR_GAS = 53_000
const BATCH_GAS = 21_000
const BATCH_ORDER_GAS = 29_150
/** For an unknown gas price: high enough that only orders which must go are cancelled. */
const UNKNOWN_GAS_WEI = 10n ** 10n

type CancelChoice = {
  readonly cancel: OrderCancel
  readonly orders: readonly OpenOrder[]
  readonly gasUsd: number
  /** The expected cost of fills of these orders until their expiry. */
  readonly expectedLossUsd: number
  readonly why: string
}

export type CancelParts = {
  readonly settings: RfqSettings
  readonly unwanted: readonly OpenOrder[]
  /** Live orders that a pair's cancellation must not touch. */
  readonly kept: readonly OpenOrder[]
  /** Safety requires their cancellation at any cost. */
  readonly must: boolean
  /** TZS per USD; null = unknown. */
  readonly fairValue: number | null
  readonly gasPriceWei: bigint | null
  readonly now: Ms
}

/**
 * Decides which orders to cancel on chain and which to let expire. A cancellation pays if fills are expected to cost more than
 * its gas. It uses the cheaper of one transaction for the pair and one for the individual orders.
 */
export function planCancels(parts: CancelParts): CancelChoice[] {
  const { policy } = parts.settings.cancel
  if (policy === 'never') return []
  const all = parts.must || policy === 'always'
  const choices: CancelChoice[] = []
  for (const orders of Map.groupBy(parts.unwanted, ({ order }) => pairOf(order)).values()) {
    const losing = all ? orders : orders.filter((open) => expectedLoss(open, parts) > 0)
    if (losing.length === 0) continue
    const expectedLossUsd = losing.reduce((sum, open) => sum + expectedLoss(open, parts), 0)
    const choice = cheapest(losing, parts)
    if (!all && expectedLossUsd <= choice.gasUsd) continue
    const why = parts.must
      ? 'none of it may stay open'
      : policy === 'always'
        ? 'rfq.cancel.policy is always'
        : `fills would cost about ${expectedLossUsd.toFixed(2)} USD, the gas ${choice.gasUsd.toFixed(2)}`
    choices.push({ ...choice, expectedLossUsd, why })
  }
  return choices
}

/** Returns one transaction that cancels these orders of one pair. */
function cheapest(
  orders: readonly OpenOrder[],
  { kept, gasPriceWei, settings }: CancelParts,
): Pick<CancelChoice, 'cancel' | 'orders' | 'gasUsd'> {
  const [first] = orders as [OpenOrder, ...OpenOrder[]]
  const { makerToken, takerToken } = first.order
  const youngest = orders.reduce((salt, { order }) => (order.salt > salt ? order.salt : salt), 0n)
  // Cancelling the pair is cheapest, but must not affect an order that is kept.
  const isPair = kept.every(({ order }) => pairOf(order) !== pairOf(first.order) || order.salt > youngest)
  const eachGas = orders.length === 1 ? CANCEL_ONE_GAS : BATCH_GAS + BATCH_ORDER_GAS * orders.length
  const gas = isPair ? CANCEL_PAIR_GAS : eachGas
  const gasUsd = (Number(BigInt(gas) * (gasPriceWei ?? UNKNOWN_GAS_WEI)) / 1e18) * settings.cancel.usdPerEth
  const cancel: OrderCancel = isPair
    ? { kind: 'pair', makerToken, takerToken, minValidSalt: youngest + 1n }
    : { kind: 'each', orders: orders.map(({ order }) => order) }
  return { cancel, orders, gasUsd }
}

/** Returns the loss of a fill times its probability before the order expires. Never negative. */
function expectedLoss(open: OpenOrder, { settings, fairValue, now }: CancelParts): number {
  if (fairValue === null) return 0
  const price = rateToNumber(open.price)
  const edge = open.side === 'ask' ? (fairValue - price) / fairValue : (price - fairValue) / fairValue
  if (edge >= 0) return 0
  const minutes = Math.max(0, expiresAt(open) - now) / MINUTE_MS
  const chance = 1 - Math.exp(-settings.cancel.pickOffsPerMinute * minutes)
  return (Number(outstandingUsd(open)) / 1e18) * -edge * chance
}

function pairOf({ makerToken, takerToken }: OpenOrder['order']): string {
  return `${makerToken}>${takerToken}`
}
