import type { Ms } from '../base/time.ts'
import type { EngineState } from '../engine/model/state.ts'
import { whyMissing } from '../engine/activation/reconcile-activation.ts'
import { midAge } from '../market/market-state.ts'

export type Readiness = { readonly ready: boolean; readonly why: readonly string[] }

/** Ready: a fresh mid, reconciled balances, a known quote. `why` names what is missing. */
export function readiness(state: EngineState, now: Ms): Readiness {
  const { market, reconciliation, quoting, config } = state
  const why: string[] = []
  const age = midAge(market, now)
  const { maxMidAgeMs } = config.risk
  if (market.mid === null) why.push('no mid was seen yet')
  else if (market.problem !== null) why.push(`the mid is not usable: ${market.problem}`)
  else if (age !== null && maxMidAgeMs !== null && age > maxMidAgeMs) why.push('the mid is too old')
  if (reconciliation.state !== 'reconciled') why.push(`balances are not reconciled: ${reconciliation.why}`)
  if (config.rfq !== null) {
    if (state.orders.blocked !== null) why.push(`no order is signed: ${state.orders.blocked}`)
  } else if (state.activation.missing) why.push(`not in the market: ${whyMissing(state)}`)
  else if (quoting.belief !== 'known') why.push(`the quote is ${quoting.belief}: ${quoting.why}`)
  return { ready: why.length === 0, why }
}
