import { DAY_MS } from '../../../../base/time.ts'
import { answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { burn } from '../kit/burns.ts'
import type { PartnerAnswer, PartnerRequest } from '../kit/request.ts'
import type { Collection, Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { phoneAccount } from '../money/tokens.ts'
import { emit } from '../webhooks/emit.ts'

/** Of each sale this goes to the lender while it is outstanding. The contract has no figure. */
const REPAYMENT_PERCENT = 50n
const LENDER = 'outside:lender'
const PAGE_LIMIT = 50
const DEFAULT_PAGE = 20

/**
 * A sale is in the merchant's wallet: it is listed, repays the lender, settles the share that the merchant has
 * asked for, and is reported to anyone who has activated the merchant. A sample's sale is reported to its payer.
 */
export function closeSale(payer: Partner, merchant: Merchant, sale: Collection): void {
  const { world } = payer
  sale.status = 'success'
  if (merchant.partnerKey !== null) {
    merchant.collections.push(sale)
    shareSale(world, merchant, sale.amountTzs)
  }
  const reportedTo = world.partners.get(merchant.partnerKey ?? '') ?? payer
  emit(reportedTo, 'merchant.sale.completed', {
    merchantId: merchant.id,
    collectionId: sale.id,
    amountTzs: Number(sale.amountTzs),
    paymentMethod: sale.paymentMethod,
    payerName: sale.payerName,
    payerPhone: sale.payerPhone,
    payerUserId: sale.payerUserId,
    externalReference: sale.externalReference,
    txHash: sale.txHash,
    createdAt: isoTime(sale.createdAt),
  })
}

function shareSale(world: PartnerWorld, merchant: Merchant, amountTzs: bigint): void {
  const { walletAddress, autoSettlePercent, settlementPhone } = merchant
  const share = (amountTzs * REPAYMENT_PERCENT) / 100n
  const repaid = share < merchant.drawnTzs ? share : merchant.drawnTzs
  burn(world, walletAddress, LENDER, repaid)
  merchant.drawnTzs -= repaid
  const settled = ((amountTzs - repaid) * BigInt(autoSettlePercent)) / 100n
  burn(world, walletAddress, phoneAccount(settlementPhone), settled)
}

/** GET /commerce/stats. The contract names the figures and not their fields. */
export function readStats({ now }: PartnerRequest, { collections }: Merchant): PartnerAnswer {
  const since = (start: number) => {
    const sales = collections.filter(({ createdAt }) => createdAt >= start)
    return {
      count: sales.length,
      amountTzs: Number(sales.reduce((sum, { amountTzs }) => sum + amountTzs, 0n)),
    }
  }
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth())
  return answer(200, { today: since(now - (now % DAY_MS)), thisMonth: since(month) })
}

/** GET /commerce/collections: newest first, fifty at most; the cursor is the id of the last one shown. */
export function listSimulatedCollections(
  { query }: PartnerRequest,
  { collections }: Merchant,
): PartnerAnswer {
  const { limit = String(DEFAULT_PAGE), cursor } = query
  if (!/^[1-9]\d{0,3}$/.test(limit)) return invalid('limit must be a whole number from 1')
  const newest = [...collections].reverse()
  const after = cursor === undefined ? -1 : newest.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && after < 0) return invalid('the cursor is of no collection of this merchant')
  const page = newest.slice(after + 1, after + 1 + Math.min(PAGE_LIMIT, Number(limit)))
  const isLast = after + 1 + page.length >= newest.length
  return answer(200, {
    collections: page.map(shown),
    nextCursor: isLast ? null : (page.at(-1)?.id ?? null),
  })
}

function invalid(message: string): PartnerAnswer {
  return answer(400, { error: 'invalid_request', message })
}

function shown(sale: Collection): object {
  return {
    id: sale.id,
    amountTzs: Number(sale.amountTzs),
    paymentMethod: sale.paymentMethod,
    payerName: sale.payerName,
    payerPhone: sale.payerPhone,
    linkId: sale.linkId,
    externalReference: sale.externalReference,
    txHash: sale.txHash,
    createdAt: isoTime(sale.createdAt),
  }
}
