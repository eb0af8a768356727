import { MAX_SPREAD_BPS } from '../base/money/bps.ts'
import { mapValues } from '../base/record.ts'
import type { Result } from '../base/result.ts'
import type { Spread, VenueEffect } from '../core/engine/model/effect.ts'
import type { VenueAnswer } from '../core/engine/model/event.ts'
import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import { prepareRequest, type VenueCall, type VenueRequest } from './call.ts'
import { account } from './lp/account.ts'
import { activate } from './lp/activate.ts'
import { balances } from './lp/balances.ts'
import { custody } from './lp/custody.ts'
import type { Endpoint, EndpointContext } from './lp/endpoint.ts'
import { fills } from './lp/fills.ts'
import { quoteEndpoint, quoteProbe } from './lp/quote.ts'
import { rateEndpoint } from './lp/rate.ts'
import { rfqInfo } from './lp/rfq-info.ts'
import { rfqOrder } from './lp/rfq-order.ts'
import { spread } from './lp/spread.ts'
import { swapRateEndpoint, type SwapRateParams } from './lp/swap-rate.ts'
import { createTokenRegistry } from './lp/token-registry.ts'
import { withdrawEndpoint } from './lp/withdraw.ts'
import { venueSettingsSchema, type VenueSettings, type VenueSettingsInput } from './settings.ts'
import type { GuardRequests } from './wire/guard.ts'

/** Every endpoint of the LP API. Calls, answers and the client's methods are derived from this record. */
const ENDPOINTS = {
  account,
  activate,
  balances,
  custody,
  fills,
  quote: quoteEndpoint,
  rate: rateEndpoint,
  rfqInfo,
  rfqOrder,
  spread,
  swapRate: swapRateEndpoint,
  withdraw: withdrawEndpoint,
}

/** The endpoints that change nothing. */
export const READS: readonly Endpoint[] = Object.values(ENDPOINTS).filter(({ route }) =>
  route.startsWith('GET '),
)

/** Every endpoint of one position as a function that builds a call: the request, and how to read its answer. No I/O. */
export type VenueCalls = {
  readonly [Name in keyof typeof ENDPOINTS]: ReturnType<(typeof ENDPOINTS)[Name]['open']>
}

type AnswerTo<Call> = Call extends VenueCall<infer Given> ? Given : never

/** Returns the calls of one position. They share what was learned of the tokens, and the fills of the previous poll. */
export function createVenueCalls(settings: VenueSettings): VenueCalls {
  const context: EndpointContext = { settings, assetOf: createTokenRegistry(settings) }
  return mapValues(ENDPOINTS, ({ open }: Endpoint) => open(context)) as VenueCalls
}

/** One method per endpoint: it builds the call and sends it. */
export type EndpointMethods = {
  readonly [Name in keyof VenueCalls]: (
    ...parameters: Parameters<VenueCalls[Name]>
  ) => Promise<Result<AnswerTo<ReturnType<VenueCalls[Name]>>, VenueFailure>>
}

export function createMethods(
  calls: VenueCalls,
  send: (call: VenueCall<unknown>) => Promise<Result<unknown, VenueFailure>>,
): EndpointMethods {
  type MakeCall = (...parameters: readonly unknown[]) => VenueCall<unknown>
  return mapValues(calls, (makeCall: MakeCall) => (...parameters: readonly unknown[]) => {
    return send(makeCall(...parameters))
  }) as EndpointMethods
}

/** Returns the call for an effect: the request, and how to read its answer. No I/O. */
export function effectCall(
  calls: VenueCalls,
  effect: VenueEffect,
  settings: VenueSettings,
): VenueCall<VenueAnswer> {
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
    case 'readBestQuote':
      return calls.swapRate(probeOf(effect))
    case 'setQuote':
      return calls.spread(effect.spread)
    case 'activate':
      return calls.activate(effect.isActive)
    case 'withdraw':
      return calls.withdraw(effect)
    case 'readSolver':
      return calls.rfqInfo()
  }
}

/** Returns the probe of an effect. Its answer names a stable only if the effect does. */
function probeOf({
  side,
  probe,
  stable,
}: Extract<VenueEffect, { readonly type: 'readBestQuote' }>): SwapRateParams {
  return stable === undefined ? { side, probe } : { side, probe, stable }
}

/** The safe quote: its spread in bps on both sides, and its pairs. */
export type GuardedQuote = { readonly safeBps: number; readonly pairs: Spread['quotePairs'] }

/** Returns the guard's requests, prepared once, so that the guard sends the same requests as the daemon. */
export function guardRequests(venue: VenueSettingsInput, { safeBps, pairs }: GuardedQuote): GuardRequests {
  const settings = venueSettingsSchema.parse({ ...venue, publicUrl: null })
  const calls = createVenueCalls(settings)
  const prepare = (call: VenueRequest) => prepareRequest(settings.baseUrl, call)
  const safe: Spread = { bidBps: safeBps, askBps: safeBps, quoteBid: true, quoteAsk: true, quotePairs: pairs }
  return {
    safe: prepare(calls.spread(safe)),
    // Also set the widest spread: a venue that ignores flags cannot close the side.
    'bid-off': prepare(calls.spread({ ...safe, bidBps: MAX_SPREAD_BPS, quoteBid: false })),
    'ask-off': prepare(calls.spread({ ...safe, askBps: MAX_SPREAD_BPS, quoteAsk: false })),
    readBid: prepare(calls.quote(quoteProbe(settings, 'bid'))),
    readAsk: prepare(calls.quote(quoteProbe(settings, 'ask'))),
    deactivate: prepare(calls.activate(false)),
    account: prepare(calls.account()),
  }
}
