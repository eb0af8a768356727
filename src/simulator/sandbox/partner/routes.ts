import { answer } from '../api/request.ts'
import { postSubWallet } from './agents/agents.ts'
import { deleteLink, getLinks, ofMerchant, postLink, postMerchant } from './commerce/accounts.ts'
import { getCollections, getStats } from './commerce/sales.ts'
import {
  getFinancing,
  getMerchantWallet,
  getSettings,
  patchMerchantSettings,
  postFinancing,
  postMerchantWithdrawal,
  postTransferToOwner,
} from './commerce/settlement.ts'
import { depositBody, postDeposit } from './deposits/deposits.ts'
import { notFound, type PartnerRoute, refuse } from './kit/request.ts'
import { billerCatalogue } from './lookup/billers.ts'
import { postMerchantName, postQr, postRecipientName } from './lookup/lookups.ts'
import { getPaymentStatus, postBalancePayment, postPhonePayment } from './merchant/pay.ts'
import type { Partner } from './model/partner.ts'
import { getReconcile, getSupply } from './platform.ts'
import { postOfframp } from './ramp/offramp.ts'
import { postOnramp } from './ramp/onramp.ts'
import { postRampQuote } from './ramp/quote.ts'
import { getFloat, getSettlements, settlementData } from './ramp/settlement.ts'
import { postSpend, postSpendQuote, spendBody } from './spend/spend.ts'
import { postSwap } from './swap.ts'
import { getTestmode, postAdvance, postApproval, postReset, postSignup, testKeysOnly } from './testmode.ts'
import { postTransfer } from './transfers.ts'
import { postAttestation } from './users/attestation.ts'
import { getUser, postKyc, postUser } from './users/users.ts'
import { postWithdrawal, postWithdrawalQuote, withdrawalBody } from './withdrawals/withdrawals.ts'

type Rules = Partial<Omit<PartnerRoute, 'method' | 'path' | 'answer'>>

function route(name: string, answer: PartnerRoute['answer'], rules: Rules = {}): PartnerRoute {
  const [method, path] = name.split(' ') as [PartnerRoute['method'], string]
  return { method, path, capability: null, isIdempotent: false, ...rules, answer }
}

/** Answers the record with the id of the path. */
function recordOf<T>(
  what: string,
  recordsOf: (partner: Partner) => ReadonlyMap<string, T>,
  bodyOf: (record: T) => unknown,
): PartnerRoute['answer'] {
  return (partner, { params }) =>
    answer(200, bodyOf(recordsOf(partner).get(params['id'] ?? '') ?? notFound(what)))
}

const IDENTITY: Rules = { capability: 'wallets', isIdentity: true }
const COLLECT: Rules = { capability: 'collections' }
const DISBURSE: Rules = { capability: 'disbursements' }
const RAMP: Rules = { capability: 'ramp' }
const MERCHANT: Rules = { capability: 'commerce', needsKyb: true }
const ONCE: Rules = { isIdempotent: true }

/** Every simulated route of the partner API. */
export const PARTNER_ROUTES: readonly PartnerRoute[] = [
  route('POST /testmode/signup', postSignup, { isPublic: true }),
  route('GET /testmode', testKeysOnly(getTestmode)),
  route('POST /testmode/advance', testKeysOnly(postAdvance)),
  route('POST /testmode/reset', testKeysOnly(postReset)),
  route('POST /testmode/users/:userId/approve', testKeysOnly(postApproval)),
  route('POST /users', postUser, IDENTITY),
  route('GET /users/:id', getUser, IDENTITY),
  route('POST /users/:id/kyc', postKyc, IDENTITY),
  route('POST /users/:id/kyc/attestation', postAttestation, IDENTITY),
  route('POST /deposits', postDeposit, { ...COLLECT, ...ONCE }),
  route(
    'GET /deposits/:id',
    recordOf('deposit', ({ deposits }) => deposits, depositBody),
    COLLECT,
  ),
  route('POST /transfers', postTransfer, { capability: 'transfers', ...ONCE }),
  route('POST /withdrawals/quote', postWithdrawalQuote, DISBURSE),
  route('POST /withdrawals', postWithdrawal, { ...DISBURSE, ...ONCE }),
  route(
    'GET /withdrawals/:id',
    recordOf('withdrawal', ({ withdrawals }) => withdrawals, withdrawalBody),
    DISBURSE,
  ),
  route('GET /reconcile', getReconcile),
  route('GET /supply', getSupply),
  route('POST /lookup/recipient-name', postRecipientName),
  route('POST /lookup/merchant-name', postMerchantName),
  route('POST /lookup/qr', postQr),
  route('POST /spend/quote', postSpendQuote, DISBURSE),
  route('POST /spend', postSpend, { ...DISBURSE, ...ONCE }),
  route('GET /spend/billers', () => answer(200, billerCatalogue())),
  route(
    'GET /spend/:id',
    recordOf('spend', ({ payments }) => payments.spends, spendBody),
    DISBURSE,
  ),
  route('POST /ramp/quote', postRampQuote, RAMP),
  route('POST /ramp/offramp', postOfframp, { ...RAMP, ...ONCE }),
  route('POST /ramp/onramp', postOnramp, { ...RAMP, ...ONCE }),
  route('GET /ramp/settlements', getSettlements, RAMP),
  route('GET /ramp/balance', getFloat, RAMP),
  route(
    'GET /ramp/:id',
    recordOf('settlement', ({ payments }) => payments.settlements, settlementData),
    RAMP,
  ),
  route('POST /swap', postSwap, { capability: 'swap', onlyPartners: true }),
  route('POST /merchant/pay', postBalancePayment, ONCE),
  route('POST /merchant/pay', postPhonePayment, { isUnversioned: true, ...ONCE }),
  route('GET /pay/status', getPaymentStatus, { isUnversioned: true }),
  route('POST /partners/sub-wallets', postSubWallet, { capability: 'agent_float', needsKyb: true }),
  route('POST /commerce/accounts', postMerchant, MERCHANT),
  route('POST /commerce/links', ofMerchant(postLink), { ...MERCHANT, ...ONCE }),
  route('GET /commerce/links', ofMerchant(getLinks), MERCHANT),
  route('DELETE /commerce/links', ofMerchant(deleteLink), MERCHANT),
  route('GET /commerce/stats', ofMerchant(getStats), MERCHANT),
  route('GET /commerce/collections', ofMerchant(getCollections), MERCHANT),
  route('GET /commerce/wallet', ofMerchant(getMerchantWallet), MERCHANT),
  route('GET /commerce/settlement', ofMerchant(getSettings), MERCHANT),
  route('PATCH /commerce/settlement', ofMerchant(patchMerchantSettings), MERCHANT),
  route('POST /commerce/withdraw', ofMerchant(postMerchantWithdrawal), { ...MERCHANT, ...ONCE }),
  route('POST /commerce/transfer-to-wallet', ofMerchant(postTransferToOwner), { ...MERCHANT, ...ONCE }),
  route('GET /commerce/financing/status', ofMerchant(getFinancing), MERCHANT),
  route('POST /commerce/financing/withdraw', ofMerchant(postFinancing), { ...MERCHANT, ...ONCE }),
  // The contract does not name the withdrawn routes but describes their answer; this one represents them all.
  route('POST /payouts', () =>
    refuse('endpoint_retired', 'POST /v1/payouts is withdrawn', {
      migration: 'ask POST /v1/withdrawals/quote, then send POST /v1/withdrawals',
    }),
  ),
]

type Segments = { readonly route: PartnerRoute; readonly segments: readonly string[] }

/** By method and number of segments. Fixed segments come before named ones. */
const TABLE = Map.groupBy(
  PARTNER_ROUTES.map((route): Segments => {
    const full = `${route.isUnversioned === true ? '' : '/v1'}${route.path}`
    return { route, segments: full.split('/').slice(1) }
  }).sort((a, b) => names(a) - names(b)),
  ({ route, segments }) => `${route.method} ${segments.length}`,
)

function names({ segments }: Segments): number {
  return segments.filter((segment) => segment.startsWith(':')).length
}

/** The route of a path, with or without /api, and the values of its names; null for a path outside this API. */
export function findPartnerRoute(
  method: string,
  path: string,
): { readonly route: PartnerRoute; readonly params: Readonly<Record<string, string>> } | null {
  // Simulated days consist mostly of requests to the LP side.
  if (path.startsWith('/api/v1/mm/')) return null
  const asked = (path.startsWith('/api/') ? path.slice(4) : path).split('/').slice(1)
  for (const { route, segments } of TABLE.get(`${method} ${asked.length}`) ?? []) {
    const params: Record<string, string> = {}
    const isMatch = segments.every((segment, at) => {
      const part = asked[at] ?? ''
      if (!segment.startsWith(':')) return segment === part
      params[segment.slice(1)] = decodeSegment(part)
      return part !== ''
    })
    if (isMatch) return { route, params }
  }
  return null
}

/** A segment that is not a valid escape stays as sent, and no record has it as its id. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
