import { answer, type Answer } from '../../api/request.ts'
import { LEAST_SALE_TZS } from '../commerce/links.ts'
import { CLOSED_SHOP, merchantOfHandle } from '../commerce/merchants.ts'
import { closeSale } from '../commerce/sales.ts'
import { mint } from '../kit/burns.ts'
import {
  fateOf,
  hasField,
  mobileNumber,
  plainText,
  SHILLING_UNITS,
  textField,
  wholeTzs,
} from '../kit/fields.ts'
import { userSource } from '../money/funding.ts'
import { newId, newTxHash } from '../kit/ids.ts'
import {
  isRefusal,
  notFound,
  type PartnerAnswer,
  type PartnerRefusal,
  type PartnerRequest,
  type PartnerRoute,
  refuse,
} from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Collection, Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { refuseFunds } from '../money/funds.ts'
import { simulatedBalanceOf, phoneAccount, send } from '../money/tokens.ts'

const LONGEST_REFERENCE = 128

/** What both tenders say alike: whom to pay, how much, and the payer's own reference. */
type SaleWish = {
  readonly merchant: Merchant
  readonly amountTzs: bigint
  readonly linkId: string | null
  readonly externalReference: string | null
}

function readSale({ world, isLive }: Partner, { body }: PartnerRequest): SaleWish | Answer | PartnerRefusal {
  const handle = textField(body, 'handle')
  if (handle === null) return refuse('missing_required_fields', 'handle is required')
  const reference = body['externalReference'] ?? null
  if (reference !== null && !isReference(reference))
    return refuse(
      'invalid_external_reference',
      `externalReference must be text of at most ${LONGEST_REFERENCE} characters without control characters`,
    )
  const amountTzs = wholeTzs(body['amountTzs'])
  if (amountTzs === null || amountTzs < LEAST_SALE_TZS)
    return refuse('invalid_amount', `amountTzs must be a whole number from ${LEAST_SALE_TZS}`)
  const merchant = merchantOfHandle(world, handle)
  if (merchant === null) return notFound('merchant')
  if (!merchant.isAvailable) return refuse('merchant_unavailable', 'this merchant takes no payments now')
  // A test key pays whom it likes and reaches no one: the merchant and the link are looked at all the same.
  const linkId = textField(body, 'linkId')
  const link = linkId === null ? null : merchant.links.get(linkId)
  if (link === undefined) return notFound('payment link')
  if (link !== null && link.amountTzs !== null && link.amountTzs !== amountTzs)
    return refuse('invalid_amount', `the link is of ${link.amountTzs}`)
  const paid = isLive || merchant.partnerKey === null ? merchant : simulated(world, merchant)
  return { merchant: paid, amountTzs, linkId, externalReference: reference }
}

/** The merchant as a test key pays it: nothing arrives in its wallet, and it is not informed. */
function simulated(world: PartnerWorld, merchant: Merchant): Merchant {
  const closed = merchantOfHandle(world, CLOSED_SHOP) ?? merchant
  return { ...closed, id: merchant.id, handle: merchant.handle, businessName: merchant.businessName }
}

function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_REFERENCE && !/\p{Cc}/u.test(value)
}

/** POST /v1/merchant/pay: from a user's balance, synchronous and final, without a fee. */
function payFromBalance(partner: Partner, request: PartnerRequest): PartnerAnswer {
  const { world, isLive } = partner
  const { body } = request
  if (!hasField(body, 'payerUserId')) return refuse('missing_required_fields', 'payerUserId is required')
  const wish = readSale(partner, request)
  if (!('merchant' in wish)) return wish
  const payerUserId = plainText(body, 'payerUserId')
  const payer = userSource(partner, payerUserId)
  if (isRefusal(payer)) return payer
  const { merchant, amountTzs } = wish
  const refused = refuseFunds(world, {
    available: simulatedBalanceOf(world, payer.account, 'NTZS') / SHILLING_UNITS,
    requested: amountTzs,
    unit: 1n,
    destination: merchant.walletAddress,
  })
  if (refused !== null) return refused
  const sale = openSale(world, request, wish, {
    paymentMethod: 'svc_balance',
    payerUserId,
    payerPhone: mobileNumber(body['payerPhone']),
  })
  sale.txHash = send(world, 'NTZS', payer.account, merchant.walletAddress, amountTzs * SHILLING_UNITS)
  closeSale(partner, merchant, sale)
  return answer(201, {
    id: sale.paymentId,
    collectionId: sale.id,
    transferId: newId(world),
    status: 'completed',
    ...shown(merchant, sale),
    payerUserId: sale.payerUserId,
    livemode: isLive,
  })
}

/** POST /api/merchant/pay: prompts a phone; the sale closes when its owner has paid. */
function payFromPhone(partner: Partner, request: PartnerRequest): PartnerAnswer {
  const { world, isLive } = partner
  const { body } = request
  const payerPhone = mobileNumber(body['payerPhone'] ?? body['phoneNumber'])
  if (payerPhone === null) return refuse('invalid_phone', 'payerPhone is no Tanzanian mobile number')
  const wish = readSale(partner, request)
  if (!('merchant' in wish)) return wish
  const { merchant, amountTzs } = wish
  const sale = openSale(world, request, wish, {
    paymentMethod: 'mobile_money',
    payerUserId: null,
    payerPhone,
  })
  const fate = isLive ? 'completes' : fateOf(String(amountTzs))
  if (fate !== 'never') {
    schedule(partner, sale.paymentId, world.settings.settleMs, () => {
      if (fate !== 'completes') {
        sale.status = 'failed'
        return
      }
      mint(world, phoneAccount(payerPhone), merchant.walletAddress, amountTzs)
      sale.txHash = newTxHash(world)
      closeSale(partner, merchant, sale)
    })
  }
  return answer(202, {
    id: sale.paymentId,
    collectionId: sale.id,
    status: 'pending',
    ...shown(merchant, sale),
    livemode: isLive,
  })
}

function openSale(
  world: PartnerWorld,
  { body, now }: PartnerRequest,
  { amountTzs, linkId, externalReference }: SaleWish,
  payer: Pick<Collection, 'paymentMethod' | 'payerUserId' | 'payerPhone'>,
): Collection {
  const sale: Collection = {
    id: newId(world),
    paymentId: newId(world),
    amountTzs,
    ...payer,
    payerName: textField(body, 'payerName'),
    externalReference,
    linkId,
    createdAt: now,
    txHash: null,
    status: 'pending',
  }
  world.commerce.sales.set(sale.paymentId, sale)
  return sale
}

function shown({ handle, businessName }: Merchant, sale: Collection): object {
  return {
    paymentMethod: sale.paymentMethod,
    txHash: sale.txHash,
    amountTzs: Number(sale.amountTzs),
    merchant: { handle, businessName },
    externalReference: sale.externalReference,
  }
}

/** GET /api/pay/status?id=: `success` once the sale has closed. */
function readStatus({ world }: Partner, { query }: PartnerRequest): PartnerAnswer {
  const { id } = query
  if (id === undefined || id === '') return refuse('missing_required_fields', 'id is required')
  const sale = world.commerce.sales.get(id)
  return sale === undefined ? notFound('payment') : answer(200, { status: sale.status })
}

export const MERCHANT_ROUTES: readonly PartnerRoute[] = [
  { method: 'POST', path: '/merchant/pay', capability: null, isIdempotent: true, answer: payFromBalance },
  {
    method: 'POST',
    path: '/merchant/pay',
    isUnversioned: true,
    capability: null,
    isIdempotent: true,
    answer: payFromPhone,
  },
  {
    method: 'GET',
    path: '/pay/status',
    isUnversioned: true,
    capability: null,
    isIdempotent: false,
    answer: readStatus,
  },
]
