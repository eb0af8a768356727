import { answer, type Answer } from '../../api/request.ts'
import { CLOSED_SHOP, LEAST_SALE_TZS, merchantOfHandle } from '../commerce/accounts.ts'
import { closeSale } from '../commerce/sales.ts'
import {
  fateUnder,
  hasField,
  mobileNumber,
  plainText,
  requireTzs,
  SHILLING_UNITS,
  textField,
} from '../kit/fields.ts'
import { newId, newTxHash } from '../kit/ids.ts'
import { notFound, type PartnerRequest, refuse } from '../kit/request.ts'
import { schedule } from '../kit/schedule.ts'
import type { Collection, Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { checkBalance, checkMoving } from '../money/caps.ts'
import { userSource } from '../money/source.ts'
import { mint, phoneAccount, send, shillingsAt } from '../money/tokens.ts'

const LONGEST_REFERENCE = 128

/** The fields that payments from a balance and from a phone share: payee, amount and the payer's own reference. */
type SaleOrder = {
  readonly merchant: Merchant
  readonly amountTzs: bigint
  readonly linkId: string | null
  readonly externalReference: string | null
}

function readSale({ world, isLive }: Partner, { body }: PartnerRequest): SaleOrder {
  const handle = textField(body, 'handle') ?? refuse('missing_required_fields', 'handle is required')
  const externalReference = body['externalReference'] ?? null
  if (externalReference !== null && !isReference(externalReference))
    return refuse(
      'invalid_external_reference',
      `externalReference must be text of at most ${LONGEST_REFERENCE} characters without control characters`,
    )
  const amountTzs = requireTzs(body, 'amountTzs', LEAST_SALE_TZS)
  const merchant = merchantOfHandle(world, handle) ?? notFound('merchant')
  if (!merchant.isAvailable) refuse('merchant_unavailable', 'this merchant takes no payments now')
  // A test key's payment reaches no merchant, but merchant and link must exist.
  const linkId = textField(body, 'linkId')
  const link = linkId === null ? null : (merchant.links.get(linkId) ?? notFound('payment link'))
  if (link !== null && link.amountTzs !== null && link.amountTzs !== amountTzs)
    refuse('invalid_amount', `the amount of the link is ${link.amountTzs}`)
  const paid = isLive || merchant.partnerKey === null ? merchant : testMerchant(world, merchant)
  return { merchant: paid, amountTzs, linkId, externalReference }
}

/** The payee of a test key's payment: nothing reaches the real merchant's wallet, and the merchant is not notified. */
function testMerchant(world: PartnerWorld, { id, handle, businessName }: Merchant): Merchant {
  const closed = merchantOfHandle(world, CLOSED_SHOP) ?? notFound('merchant')
  return { ...closed, id, handle, businessName }
}

function isReference(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_REFERENCE && !/\p{Cc}/u.test(value)
}

/** POST /v1/merchant/pay: from a user's balance, synchronous and final, without a fee. */
export function postBalancePayment(partner: Partner, request: PartnerRequest): Answer {
  const { world, isLive } = partner
  const { body } = request
  if (!hasField(body, 'payerUserId')) refuse('missing_required_fields', 'payerUserId is required')
  const order = readSale(partner, request)
  const payerUserId = plainText(body, 'payerUserId')
  const payer = userSource(partner, payerUserId)
  const { merchant, amountTzs } = order
  checkMoving(world, merchant.walletAddress)
  checkBalance(world, shillingsAt(world, payer.account), amountTzs)
  const payerPhone = mobileNumber(body['payerPhone'])
  const sale = openSale(world, request, order, { paymentMethod: 'svc_balance', payerUserId, payerPhone })
  sale.txHash = send(world, 'NTZS', payer.account, merchant.walletAddress, amountTzs * SHILLING_UNITS)
  closeSale(partner, merchant, sale)
  return answer(201, {
    id: sale.paymentId,
    collectionId: sale.id,
    transferId: newId(world),
    status: 'completed',
    ...saleBody(merchant, sale),
    payerUserId,
    livemode: isLive,
  })
}

/** POST /api/merchant/pay: prompts a phone; the sale closes when its owner has paid. */
export function postPhonePayment(partner: Partner, request: PartnerRequest): Answer {
  const { world, isLive } = partner
  const { body } = request
  const payerPhone =
    mobileNumber(body['payerPhone'] ?? body['phoneNumber']) ??
    refuse('invalid_phone', 'payerPhone must be a Tanzanian mobile number')
  const order = readSale(partner, request)
  const { merchant, amountTzs } = order
  const sale = openSale(world, request, order, {
    paymentMethod: 'mobile_money',
    payerUserId: null,
    payerPhone,
  })
  const fate = fateUnder(partner, String(amountTzs))
  const settle = () => {
    if (fate !== 'completes') {
      sale.status = 'failed'
      return
    }
    mint(world, phoneAccount(payerPhone), merchant.walletAddress, amountTzs)
    sale.txHash = newTxHash(world)
    closeSale(partner, merchant, sale)
  }
  if (fate !== 'never') schedule(partner, sale.paymentId, settle)
  return answer(202, {
    id: sale.paymentId,
    collectionId: sale.id,
    status: 'pending',
    ...saleBody(merchant, sale),
    livemode: isLive,
  })
}

function openSale(
  world: PartnerWorld,
  { body, now }: PartnerRequest,
  { amountTzs, linkId, externalReference }: SaleOrder,
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

function saleBody({ handle, businessName }: Merchant, sale: Collection): object {
  const { paymentMethod, txHash, amountTzs, externalReference } = sale
  return { paymentMethod, txHash, amountTzs, merchant: { handle, businessName }, externalReference }
}

/** GET /api/pay/status?id=: `success` once the sale has closed. */
export function getPaymentStatus({ world }: Partner, { query }: PartnerRequest): Answer {
  const { id } = query
  if (id === undefined || id === '') return refuse('missing_required_fields', 'id is required')
  const { status } = world.commerce.sales.get(id) ?? notFound('payment')
  return answer(200, { status })
}
