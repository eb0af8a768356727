import type { Spread } from '../engine/model/effect.ts'
import type {
  AccountAnswer,
  ActivationAnswer,
  BalancesAnswer,
  CustodyAnswer,
  FillsAnswer,
  PublicRateAnswer,
  QuoteAnswer,
  RateAnswer,
  RfqInfoAnswer,
  RfqOrderAnswer,
  SpreadAnswer,
  WithdrawnAnswer,
} from './answer.ts'
import { accountRequest, translateAccount } from './lp/account.ts'
import { activateRequest, translateActivation } from './lp/activate.ts'
import { balancesRequest, translateBalances } from './lp/balances.ts'
import { custodyRequest, translateCustody } from './lp/custody.ts'
import { createFillsTranslator, fillsRequest } from './lp/fills.ts'
import { type QuoteParams, quoteRequest, translateQuote } from './lp/quote.ts'
import { rateRequest, translateRate } from './lp/rate.ts'
import { rfqInfoRequest, translateRfqInfo } from './lp/rfq-info.ts'
import {
  codeOfOrderRefusal,
  rfqOrderRequest,
  type SignedRfqOrder,
  translateRfqOrder,
} from './lp/rfq-order.ts'
import { spreadRequest, translateSpread } from './lp/spread.ts'
import { noActivePair, type SwapRateParams, swapRateRequest, translateSwapRate } from './lp/swap-rate.ts'
import { translateWithdrawal, type WithdrawParams, withdrawRequest } from './lp/withdraw.ts'
import type { VenueSettings } from './settings.ts'
import { createTokenRegistry } from './lp/token-registry.ts'
import type { VenueCall } from './call.ts'

/** Every endpoint as a call: what to send, and how to read what comes back. No I/O. */
export type VenueCalls = {
  account(): VenueCall<AccountAnswer>
  balances(): VenueCall<BalancesAnswer>
  rate(): VenueCall<RateAnswer>
  quote(params: QuoteParams): VenueCall<QuoteAnswer>
  spread(spread: Spread): VenueCall<SpreadAnswer>
  activate(isActive: boolean): VenueCall<ActivationAnswer>
  fills(): VenueCall<FillsAnswer>
  withdraw(params: WithdrawParams): VenueCall<WithdrawnAnswer>
  custody(isEnabled: boolean): VenueCall<CustodyAnswer>
  rfqInfo(): VenueCall<RfqInfoAnswer>
  rfqOrder(order: SignedRfqOrder): VenueCall<RfqOrderAnswer>
  swapRate(params: SwapRateParams): VenueCall<PublicRateAnswer>
}

const READ = { isPublic: false, isWrite: false, isRepeatable: true, isSlow: false, mayBeEmpty: false }
const WRITE = { ...READ, isWrite: true }
const ORDER = { ...WRITE, translate: translateRfqOrder, codeOfRefusal: codeOfOrderRefusal }

/** The calls of one position; they share the memory of its last fills. */
export function createCalls(settings: VenueSettings): VenueCalls {
  const assetOf = createTokenRegistry(settings)
  const fills = createFillsTranslator(assetOf)
  const { primaryChain, protocolFeeBps } = settings
  return {
    account: () => ({ ...accountRequest(settings), ...READ, translate: translateAccount }),
    balances: () => ({
      ...balancesRequest(settings),
      ...READ,
      translate: (body) => translateBalances(body, assetOf, primaryChain),
    }),
    rate: () => ({
      ...rateRequest(settings),
      ...READ,
      translate: (body, { venueTime }) => translateRate(body, venueTime),
    }),
    quote: (params) => ({
      ...quoteRequest(settings, params),
      ...READ,
      translate: (body) => translateQuote(body, params, protocolFeeBps),
    }),
    spread: (spread) => ({ ...spreadRequest(settings, spread), ...WRITE, translate: translateSpread }),
    activate: (isActive) => ({
      ...activateRequest(settings, isActive),
      ...WRITE,
      isSlow: true,
      translate: (body, { status }) => translateActivation(body, status, assetOf),
    }),
    fills: () => ({
      ...fillsRequest(settings),
      ...READ,
      translate: (body, { text }) => fills.translate(body, text),
      recall: (body) => fills.recall(body),
    }),
    withdraw: (params) => ({
      ...withdrawRequest(settings, params),
      ...WRITE,
      isRepeatable: false,
      isSlow: true,
      translate: (body) => translateWithdrawal(body, params),
    }),
    custody: (isEnabled) => ({
      ...custodyRequest(settings, isEnabled),
      ...WRITE,
      mayBeEmpty: true,
      translate: translateCustody,
    }),
    rfqInfo: () => ({ ...rfqInfoRequest(settings), ...READ, translate: translateRfqInfo }),
    // The same signed order has the same hash: a second copy of it is no second order.
    rfqOrder: (order) => ({ ...rfqOrderRequest(settings, order), ...ORDER }),
    swapRate: (params) => ({
      ...swapRateRequest(settings, params),
      ...READ,
      isPublic: true,
      translate: (body) => translateSwapRate(body, params),
      answerOfRefusal: (status, words) => noActivePair(status, words, params),
    }),
  }
}
