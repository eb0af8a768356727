import type { RfqSettings } from '../rfq/rfq-settings.ts'
import type { Turn } from './turn.ts'

/**
 * What is remembered of the chain and of orders belongs to one wallet on one exchange. With another one the
 * chain is looked at afresh once nothing is owed; until then nothing of it can be read or promised, and that
 * is said once. True = go on.
 */
export function isSameWallet({ state, now, observations }: Turn, settings: RfqSettings): boolean {
  const { rfq, orders } = state
  const { chainId, exchange, maker, tokens } = settings
  const wallet = [chainId, exchange, maker, ...Object.entries(tokens).flat().toSorted()].join(' ')
  if (rfq.wallet === wallet) return true
  const owed = Object.keys(rfq.owed).length
  if (rfq.wallet === null || owed === 0) {
    const isFirst = rfq.wallet === null
    rfq.wallet = wallet
    if (!isFirst) Object.assign(rfq, { chain: null, fillsFrom: null, recentFills: [] })
    return true
  }
  const why = `${owed} orders of another wallet, exchange or chain are owed; put the former rfq section back until they have ended`
  if (orders.blocked !== why) {
    orders.blocked = why
    observations.push({ type: 'alert', t: now, severity: 'critical', code: 'orders-left', message: why })
  }
  return false
}
