import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { RfqState } from '../../rfq/state.ts'
import type { Transition } from '../transition.ts'

/**
 * What is remembered of the chain and of orders belongs to one wallet on one exchange. With another one the
 * chain is looked at afresh once nothing is owed; until then nothing of it can be read or promised, and that
 * is said once. True = go on.
 */
export function isSameWallet({ state, alert }: Transition, settings: RfqSettings): boolean {
  const { rfq, orders } = state
  const wallet = walletOf(settings)
  if (rfq.wallet === wallet) return true
  const owed = Object.keys(rfq.owed).length
  if (!isOfOtherWallet(rfq, settings)) {
    const isFirst = rfq.wallet === null
    rfq.wallet = wallet
    if (!isFirst) Object.assign(rfq, { chain: null, fillsFrom: null, recentFills: [] })
    return true
  }
  const why = `${owed} orders of another wallet, exchange or chain are owed; put the former rfq section back until they have ended`
  if (orders.blocked !== why) {
    orders.blocked = why
    alert('critical', 'orders-left', why)
  }
  return false
}

/** Whether orders are owed that these settings can neither read nor cancel. */
export function isOfOtherWallet({ wallet, owed }: RfqState, settings: RfqSettings): boolean {
  return wallet !== null && wallet !== walletOf(settings) && Object.keys(owed).length > 0
}

function walletOf({ chainId, exchange, maker, tokens }: RfqSettings): string {
  return [chainId, exchange, maker, ...Object.entries(tokens).flat().toSorted()].join(' ')
}
