import { mapValues } from '../../base/record.ts'
import type { PartnerCall } from './call.ts'
import { activateMerchant, createLink, deleteLink, listCollections, listLinks } from './commerce/merchant.ts'
import {
  changeMerchantSettlement,
  financingStatus,
  financingWithdraw,
  merchantStats,
  merchantTransfer,
  merchantWallet,
  merchantWithdraw,
  readMerchantSettlement,
} from './commerce/wallet.ts'
import { createDeposit, readDeposit } from './deposits/deposit.ts'
import type { PartnerEndpoint } from './kit/endpoint.ts'
import type { CallSettings } from './kit/shilling-symbol.ts'
import { lookupMerchant, lookupQr, lookupRecipient } from './lookup/lookup.ts'
import { payMerchant, payMobileMoney, payStatus } from './merchant/pay.ts'
import { createSubWallet, reconcile, supply } from './platform/platform.ts'
import { quoteRamp } from './ramp/ramp-quote.ts'
import { listSettlements, offramp, onramp, rampBalance, readSettlement } from './ramp/settlement.ts'
import { listBillers } from './spend/billers.ts'
import { createSpend, quoteSpend, readSpend } from './spend/spend.ts'
import { swapRate } from './swap/swap-rate.ts'
import { swap } from './swap/swap.ts'
import { advance, approveUser, reset, signup, testmode } from './testmode/testmode.ts'
import { createTransfer } from './transfers/transfer.ts'
import { attestKyc, createUser, readUser, submitKyc } from './users/user.ts'
import { createWithdrawal, readWithdrawal } from './withdrawals/withdrawal.ts'
import { quoteWithdrawal } from './withdrawals/withdrawal-quote.ts'

/** Every endpoint of the partner API; calls, methods, commands and docs are derived from this record. */
export const ENDPOINTS = {
  createUser,
  readUser,
  submitKyc,
  attestKyc,
  createDeposit,
  readDeposit,
  createTransfer,
  quoteWithdrawal,
  createWithdrawal,
  readWithdrawal,
  quoteSpend,
  createSpend,
  readSpend,
  listBillers,
  lookupRecipient,
  lookupMerchant,
  lookupQr,
  payMerchant,
  payStatus,
  payMobileMoney,
  swap,
  swapRate,
  quoteRamp,
  offramp,
  onramp,
  readSettlement,
  listSettlements,
  rampBalance,
  reconcile,
  supply,
  signup,
  testmode,
  advance,
  approveUser,
  reset,
  createSubWallet,
  activateMerchant,
  createLink,
  listLinks,
  deleteLink,
  merchantStats,
  listCollections,
  merchantWallet,
  readMerchantSettlement,
  changeMerchantSettlement,
  merchantWithdraw,
  merchantTransfer,
  financingStatus,
  financingWithdraw,
}

type Endpoints = typeof ENDPOINTS
export type EndpointName = keyof Endpoints
export type ParamsOf<Name extends EndpointName> =
  Endpoints[Name] extends PartnerEndpoint<infer Params> ? Params : never
export type PartnerAnswerOf<Name extends EndpointName> =
  ReturnType<ReturnType<Endpoints[Name]['open']>> extends PartnerCall<infer Answer> ? Answer : never

/** The endpoints that move value with an Idempotency-Key, so that a journal can hold their attempts. */
export type MoneyEndpointName = {
  [Name in EndpointName]: Endpoints[Name] extends { isMoney: true; takesKey: true } ? Name : never
}[EndpointName]

/** Every endpoint as a function that creates a call. Throws ZodError for invalid parameters. */
export type PartnerCalls = {
  readonly [Name in EndpointName]: (params: ParamsOf<Name>) => PartnerCall<PartnerAnswerOf<Name>>
}

export function createPartnerCalls(settings: CallSettings): PartnerCalls {
  return mapValues(ENDPOINTS, ({ open }: PartnerEndpoint) => open(settings)) as PartnerCalls
}
