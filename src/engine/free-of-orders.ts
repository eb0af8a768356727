import { position } from '../ledger/position.ts'
import { ASSETS, zeroAmounts, type Amounts } from '../money/asset.ts'
import { freeToPromise } from '../rfq/promised.ts'
import type { RfqSettings } from '../rfq/rfq-settings.ts'
import type { EngineState } from './engine-state.ts'

/**
 * What new orders may promise, per token: of what the chain said last and what the books hold the lesser,
 * without what withdrawals may be taking along. A withdrawal is in the books before the chain shows it.
 */
export function freeOfOrders(state: EngineState, settings: RfqSettings): Amounts {
  const { chain } = state.rfq
  if (chain === null) return zeroAmounts()
  const staying = position(state.book)
  for (const request of Object.values(state.requests)) {
    if (request.what === 'withdraw') staying[request.asset] -= request.amount
  }
  for (const { asset, amount } of state.withdrawals.unknown) staying[asset] -= amount
  const balances = { ...chain.balances }
  for (const asset of ASSETS) {
    const said = balances[asset]
    if (said !== undefined && staying[asset] < said) balances[asset] = staying[asset]
  }
  return freeToPromise({ ...state.rfq, chain: { ...chain, balances } }, settings)
}
