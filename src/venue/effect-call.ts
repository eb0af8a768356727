import { InvariantError } from '../base/invariant.ts'
import type { Effect } from '../engine/model/effect.ts'
import type { Answer } from './answer.ts'
import type { VenueCalls } from './calls.ts'
import { quoteProbe } from './quote-probe.ts'
import type { VenueSettings } from './settings.ts'
import type { VenueCall } from './venue-call.ts'

/** The call that carries out an effect: what is sent, and how its answer is read. No I/O. */
export function effectCall(calls: VenueCalls, effect: Effect, settings: VenueSettings): VenueCall<Answer> {
  switch (effect.type) {
    case 'readAccount':
      return calls.account()
    case 'readRate':
      return calls.rate()
    case 'readBalances':
      return calls.balances()
    case 'readFills':
      return calls.fills()
    case 'readQuote':
      return calls.quote(quoteProbe(settings, effect.side))
    case 'readPublicRate':
      return calls.swapRate({ side: effect.side, probe: effect.probe })
    case 'patchSpread':
      return calls.spread(effect.spread)
    case 'activate':
      return calls.activate(effect.isActive)
    case 'withdraw': {
      const { asset, amount, toAddress } = effect
      return calls.withdraw({ asset, amount, toAddress })
    }
    case 'readRfqInfo':
      return calls.rfqInfo()
    case 'readChain':
    case 'reserveOrder':
    case 'placeOrder':
    case 'withholdOrder':
    case 'cancelOrders':
      throw new InvariantError(`${effect.type} is not for the venue alone`)
  }
}
