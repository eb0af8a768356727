import { SHILLING_UNITS } from '../kit/fields.ts'
import { type PartnerRefusal, type PartnerRequest, notFound, refuse } from '../kit/request.ts'
import type { Answer } from '../../api/request.ts'
import type { Commerce, Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { accountOf } from '../../market/accounts.ts'
import type { VenueState } from '../../state.ts'
import { simulatedBalanceOf } from '../money/tokens.ts'

/** What a lender grants a new merchant; the contract has no figure. */
export const FACILITY_TZS = 500_000n

/** What test keys pay: the simulated payer is debited, and no merchant's wallet sees it. */
const TEST_SALES = '0x000000000000000000000000000000000000a0a0'

/** A shop that every key can pay, with a link of 25,000, and one that takes no payments now. */
export const SAMPLE_SHOP = 'sample-shop'
export const CLOSED_SHOP = 'closed-shop'
export const SAMPLE_LINK = '00000000-0000-4000-a000-000000000001'

/** The platform's merchants before any key has activated one: two samples, so that a test key has whom to pay. */
export function createCommerce(venue: VenueState): Commerce {
  accountOf(venue, TEST_SALES)
  const open = sample('00000000-0000-4000-a000-0000000000a1', SAMPLE_SHOP, 'Sample shop', true)
  const closed = sample('00000000-0000-4000-a000-0000000000a2', CLOSED_SHOP, 'Closed shop', false)
  open.links.set(SAMPLE_LINK, { id: SAMPLE_LINK, amountTzs: 25_000n, label: 'Sample link', createdAt: 0 })
  return { merchants: new Map([open, closed].map((shop) => [shop.id, shop])), sales: new Map() }
}

function sample(id: string, handle: string, businessName: string, isAvailable: boolean): Merchant {
  return {
    id,
    partnerKey: null,
    userId: null,
    email: `${handle}@sandbox.invalid`,
    businessName,
    handle,
    walletAddress: TEST_SALES,
    ownerAddress: null,
    links: new Map(),
    collections: [],
    facilityTzs: 0n,
    usedTransferKeys: new Set(),
    isAvailable,
    settlementPhone: '255754000222',
    autoSettlePercent: 0,
    drawnTzs: 0n,
    transferUntil: 0,
  }
}

export function merchantOfHandle({ commerce }: PartnerWorld, handle: string): Merchant | null {
  return [...commerce.merchants.values()].find((merchant) => merchant.handle === handle) ?? null
}

/** The merchant of the x-merchant-id header, if this key has activated it. */
export function readMerchant(
  { world, key }: Partner,
  { merchantId }: PartnerRequest,
): Merchant | Answer | PartnerRefusal {
  if (merchantId === null) return refuse('missing_required_fields', 'the x-merchant-id header is required')
  const merchant = world.commerce.merchants.get(merchantId)
  return merchant?.partnerKey === key ? merchant : notFound('merchant')
}

/** Whole shillings in a merchant's wallet. */
export function merchantBalance(world: PartnerWorld, { walletAddress }: Merchant): bigint {
  return simulatedBalanceOf(world, walletAddress, 'NTZS') / SHILLING_UNITS
}

/** While a lender funds the merchant, the lender holds the controls of its money. */
export function refuseLender({ drawnTzs }: Merchant): PartnerRefusal | null {
  if (drawnTzs === 0n) return null
  return refuse('lender_controls_settlement', 'a lender funds this merchant: its controls are read-only', {
    drawnTzs: Number(drawnTzs),
  })
}
