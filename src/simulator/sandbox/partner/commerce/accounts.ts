import { answer } from '../../api/request.ts'
import { accountOf } from '../../market/accounts.ts'
import { hasField, mobileNumber, plainText, textField } from '../kit/fields.ts'
import { userSource } from '../money/funding.ts'
import { newAddress, newId } from '../kit/ids.ts'
import { isRefusal, type PartnerAnswer, type PartnerRequest, refuse } from '../kit/request.ts'
import type { Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { FACILITY_TZS, merchantOfHandle } from './merchants.ts'

/** POST /commerce/accounts: idempotent for each user or email under the key. */
export function activateSimulatedMerchant(partner: Partner, { body }: PartnerRequest): PartnerAnswer {
  const { world, key } = partner
  const email = textField(body, 'email')
  const businessName = textField(body, 'businessName')
  if (!hasField(body, 'userId') || email === null || businessName === null)
    return refuse('missing_required_fields', 'userId, email and businessName are required')
  const settlementPhone = mobileNumber(body['settlementPhone'])
  if (settlementPhone === null)
    return refuse('invalid_phone', 'settlementPhone is no Tanzanian mobile number')
  const userId = plainText(body, 'userId')
  const owner = userSource(partner, userId)
  if (isRefusal(owner)) return owner
  const existing = [...world.commerce.merchants.values()].find(
    (one) => one.partnerKey === key && (one.userId === userId || one.email === email),
  )
  if (existing !== undefined) return answer(200, { ...shown(existing), alreadyExists: true })
  const merchant: Merchant = {
    id: newId(world),
    partnerKey: key,
    userId,
    email,
    businessName,
    handle: freeHandle(world, businessName),
    walletAddress: newAddress(world),
    ownerAddress: partner.users.get(userId)?.walletAddress ?? null,
    links: new Map(),
    collections: [],
    facilityTzs: FACILITY_TZS,
    usedTransferKeys: new Set(),
    isAvailable: true,
    settlementPhone,
    autoSettlePercent: 0,
    drawnTzs: 0n,
    transferUntil: 0,
  }
  world.commerce.merchants.set(merchant.id, merchant)
  accountOf(world.venue, merchant.walletAddress.toLowerCase())
  return answer(201, shown(merchant))
}

function shown({ id, handle, walletAddress }: Merchant): object {
  return { merchantId: id, handle, walletAddress }
}

/** The name in lower case with hyphens; where it is taken, the first free number is appended. */
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
