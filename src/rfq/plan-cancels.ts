import { MINUTE_MS, type Ms } from '../base/time.ts'
import { rateToNumber } from '../money/rate.ts'
import type { OrderCancel } from './rfq-order.ts'
import type { OpenOrder } from './open-order.ts'
import { expiresAt, remainingUsd } from './plan-ladder.ts'
import type { RfqSettings } from './rfq-settings.ts'

/** Gas as measured on the contract; a batch of n costs 21,000 and 29,150 each. Source: rfq.md. */
const CANCEL_ONE_GAS = 56_000
const CANCEL_PAIR_GAS = 53_000
const BATCH_GAS = 21_000
const BATCH_ORDER_GAS = 29_150
/** Without a word on the price of gas: dear enough that only orders which must go are cancelled. */
const UNKNOWN_GAS_WEI = 10n ** 10n

export type CancelChoice = {
  readonly cancel: OrderCancel
  readonly orders: readonly OpenOrder[]
  readonly gasUsd: number
  /** What fills of these orders until their expiry are expected to cost us. */
  readonly expectedLossUsd: number
  readonly why: string
}

export type CancelParts = {
  readonly settings: RfqSettings
  readonly unwanted: readonly OpenOrder[]
  /** Standing orders that must survive a pair's cancellation. */
  readonly kept: readonly OpenOrder[]
  /** Safety wants them gone, whatever it costs. */
  readonly must: boolean
  /** What a dollar is worth, TZS; null = nobody knows. */
  readonly fairValue: number | null
  readonly gasPriceWei: bigint | null
  readonly now: Ms
}

/**
 * Decides which orders are cancelled on chain and which may expire. Cancelling pays where fills are
 * expected to cost more than the gas; of one transaction for a pair and one for its orders, the cheaper.
 */
export function planCancels(parts: CancelParts): CancelChoice[] {
  const { policy } = parts.settings.cancel
  if (policy === 'never') return []
  const all = parts.must || policy === 'always'
  const choices: CancelChoice[] = []
  for (const orders of byPair(parts.unwanted).values()) {
    const losing = all ? orders : orders.filter((owed) => expectedLoss(owed, parts) > 0)
    if (losing.length === 0) continue
    const expectedLossUsd = losing.reduce((sum, owed) => sum + expectedLoss(owed, parts), 0)
    const choice = cheapest(losing, parts)
    if (!all && expectedLossUsd <= choice.gasUsd) continue
    const why = parts.must
      ? 'nothing of it may stand'
      : policy === 'always'
        ? 'rfq.cancel.policy is always'
        : `fills would cost about ${expectedLossUsd.toFixed(2)} USD, the gas ${choice.gasUsd.toFixed(2)}`
    choices.push({ ...choice, expectedLossUsd, why })
  }
  return choices
}

/** One transaction for these orders of one pair. */
function cheapest(
  orders: readonly OpenOrder[],
  { kept, gasPriceWei, settings }: CancelParts,
): Pick<CancelChoice, 'cancel' | 'orders' | 'gasUsd'> {
  const [first] = orders as [OpenOrder, ...OpenOrder[]]
  const { makerToken, takerToken } = first.order
  const youngest = orders.reduce((salt, { order }) => (order.salt > salt ? order.salt : salt), 0n)
  const spares = kept.every(({ order }) => pairOf(order) !== pairOf(first.order) || order.salt > youngest)
  const eachGas = orders.length === 1 ? CANCEL_ONE_GAS : BATCH_GAS + BATCH_ORDER_GAS * orders.length
  const isPair = spares && CANCEL_PAIR_GAS < eachGas
  const gas = isPair ? CANCEL_PAIR_GAS : eachGas
  const gasUsd = (Number(BigInt(gas) * (gasPriceWei ?? UNKNOWN_GAS_WEI)) / 1e18) * settings.cancel.usdPerEth
  const cancel: OrderCancel = isPair
    ? { kind: 'pair', makerToken, takerToken, minValidSalt: youngest + 1n }
    : { kind: 'each', orders: orders.map(({ order }) => order) }
  return { cancel, orders, gasUsd }
}

/** What we give away where it is filled, times the chance that it is before it expires. Never negative. */
function expectedLoss(owed: OpenOrder, { settings, fairValue, now }: CancelParts): number {
  if (fairValue === null) return 0
  const price = rateToNumber(owed.price)
  const edge = owed.side === 'ask' ? (fairValue - price) / fairValue : (price - fairValue) / fairValue
  if (edge >= 0) return 0
  const minutes = Math.max(0, expiresAt(owed) - now) / MINUTE_MS
  const chance = 1 - Math.exp(-settings.cancel.pickOffsPerMinute * minutes)
  return remainingUsd(owed) * -edge * chance
}

function byPair(orders: readonly OpenOrder[]): Map<string, OpenOrder[]> {
  const groups = new Map<string, OpenOrder[]>()
  for (const owed of orders) {
    const group = groups.get(pairOf(owed.order))
    if (group === undefined) groups.set(pairOf(owed.order), [owed])
    else group.push(owed)
  }
  return groups
}

function pairOf({ makerToken, takerToken }: OpenOrder['order']): string {
  return `${makerToken}>${takerToken}`
}
