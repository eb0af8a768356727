import { answer, type Answer } from '../../api/request.ts'
import { accountOf } from '../../market/book.ts'
import { isoTime, type VenueState } from '../../state.ts'
import { hasField, plainText, readPhone, requireTzs, textField } from '../kit/fields.ts'
import { newAddress, newId } from '../kit/ids.ts'
import { notFound, type PartnerRequest, refuse } from '../kit/request.ts'
import type { Commerce, Merchant, PaymentLink } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { userSource } from '../money/source.ts'

/** A lender's facility for a new merchant; the contract has no figure. */
const FACILITY_TZS = 500_000n

/** Source: contract, limits of a balance payment. */
export const LEAST_SALE_TZS = 100n

/** Where a test key's payments go: its payer is debited, and no merchant's wallet receives them. */
const TEST_SALES = '0x000000000000000000000000000000000000a0a0'

/** A shop that every key can pay, with a link of 25,000, and a shop that takes no payments now. */
export const SAMPLE_SHOP = 'sample-shop'
export const CLOSED_SHOP = 'closed-shop'
export const SAMPLE_LINK = '00000000-0000-4000-a000-000000000001'

type MerchantProfile = Pick<
  Merchant,
  'id' | 'partnerKey' | 'userId' | 'email' | 'businessName' | 'handle' | 'walletAddress' | 'ownerAddress'
>

function createMerchant(
  profile: MerchantProfile,
  settlementPhone: string,
  facilityTzs: bigint,
  isAvailable = true,
): Merchant {
  return {
    ...profile,
    links: new Map(),
    collections: [],
    facilityTzs,
    usedTransferKeys: new Set(),
    isAvailable,
    settlementPhone,
    autoSettlePercent: 0,
    drawnTzs: 0n,
    transferUntil: 0,
  }
}

/** The platform's merchants before any key has activated one: two samples, so that a test key has a payee. */
export function createCommerce(venue: VenueState): Commerce {
  accountOf(venue, TEST_SALES)
  const open = sample('00000000-0000-4000-a000-0000000000a1', SAMPLE_SHOP, 'Sample shop', true)
  const closed = sample('00000000-0000-4000-a000-0000000000a2', CLOSED_SHOP, 'Closed shop', false)
  open.links.set(SAMPLE_LINK, { id: SAMPLE_LINK, amountTzs: 25_000n, label: 'Sample link', createdAt: 0 })
  return { merchants: new Map([open, closed].map((shop) => [shop.id, shop])), sales: new Map() }
}

function sample(id: string, handle: string, businessName: string, isAvailable: boolean): Merchant {
  const email = `${handle}@sandbox.invalid`
  const profile = { id, partnerKey: null, userId: null, email, businessName, handle, ownerAddress: null }
  return createMerchant({ ...profile, walletAddress: TEST_SALES }, '255754000222', 0n, isAvailable)
}

export function merchantOfHandle({ commerce }: PartnerWorld, handle: string): Merchant | null {
  return [...commerce.merchants.values()].find((merchant) => merchant.handle === handle) ?? null
}

type MerchantHandler = (merchant: Merchant, request: PartnerRequest, partner: Partner) => Answer

/** A handler for the merchant of the x-merchant-id header, which this key must have activated. */
export function ofMerchant(handler: MerchantHandler): (partner: Partner, request: PartnerRequest) => Answer {
  return (partner, request) => {
    const { merchantId } = request
    if (merchantId === null) return refuse('missing_required_fields', 'the x-merchant-id header is required')
    const merchant = partner.world.commerce.merchants.get(merchantId)
    if (merchant?.partnerKey !== partner.key) return notFound('merchant')
    return handler(merchant, request, partner)
  }
}

/** POST /commerce/accounts: idempotent for each user or email under the key. */
export function postMerchant(partner: Partner, { body }: PartnerRequest): Answer {
  const { world, key } = partner
  const email = textField(body, 'email')
  const businessName = textField(body, 'businessName')
  if (!hasField(body, 'userId') || email === null || businessName === null)
    return refuse('missing_required_fields', 'userId, email and businessName are required')
  const settlementPhone = readPhone(body, 'settlementPhone')
  const userId = plainText(body, 'userId')
  userSource(partner, userId)
  const existing = [...world.commerce.merchants.values()].find(
    (one) => one.partnerKey === key && (one.userId === userId || one.email === email),
  )
  if (existing !== undefined) return answer(200, { ...accountBody(existing), alreadyExists: true })
  const profile: MerchantProfile = {
    id: newId(world),
    partnerKey: key,
    userId,
    email,
    businessName,
    handle: freeHandle(world, businessName),
    walletAddress: newAddress(world),
    ownerAddress: partner.users.get(userId)?.walletAddress ?? null,
  }
  const merchant = createMerchant(profile, settlementPhone, FACILITY_TZS)
  world.commerce.merchants.set(merchant.id, merchant)
  accountOf(world.venue, merchant.walletAddress.toLowerCase())
  return answer(201, accountBody(merchant))
}

function accountBody({ id, handle, walletAddress }: Merchant): object {
  return { merchantId: id, handle, walletAddress }
}

/** The name in lower case with hyphens, and the first free number if it is taken. */
function freeHandle(world: PartnerWorld, businessName: string): string {
  const words = businessName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const wanted = words === '' ? 'shop' : words.slice(0, 40)
  let handle = wanted
  for (let number = 2; merchantOfHandle(world, handle) !== null; number++) handle = `${wanted}-${number}`
  return handle
}

/** POST /commerce/links: a fixed amount, or without an amount a link whose payer chooses it. */
export function postLink(merchant: Merchant, { body, now }: PartnerRequest, { world }: Partner): Answer {
  const label = textField(body, 'label') ?? refuse('missing_required_fields', 'label is required')
  const amountTzs = hasField(body, 'amountTzs') ? requireTzs(body, 'amountTzs', LEAST_SALE_TZS) : null
  const link: PaymentLink = { id: newId(world), amountTzs, label, createdAt: now }
  merchant.links.set(link.id, link)
  return answer(201, linkBody(merchant, link))
}

/** GET /commerce/links: oldest first. */
export function getLinks(merchant: Merchant): Answer {
  return answer(200, { links: [...merchant.links.values()].map((link) => linkBody(merchant, link)) })
}

/** DELETE /commerce/links. The contract does not show how a link is named: `linkId` or `id`, in the query or the body. */
export function deleteLink(merchant: Merchant, { query, body }: PartnerRequest): Answer {
  const id =
    query['linkId'] ??
    query['id'] ??
    textField(body, 'linkId') ??
    textField(body, 'id') ??
    refuse('missing_required_fields', 'linkId is required')
  return merchant.links.delete(id) ? answer(200, { deleted: true, id }) : notFound('link')
}

function linkBody({ handle }: Merchant, { id, amountTzs, label, createdAt }: PaymentLink): object {
  const url = `https://pay.sandbox.invalid/${handle}/${id}`
  return { id, amountTzs, label, url, createdAt: isoTime(createdAt) }
}
