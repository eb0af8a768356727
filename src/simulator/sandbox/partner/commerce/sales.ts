import { DAY_MS } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { emit } from '../kit/emit.ts'
import { type PartnerRequest, refuseWith } from '../kit/request.ts'
import type { Collection, Merchant } from '../model/commerce.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'
import { burn, CASH, phoneAccount } from '../money/tokens.ts'

/** The lender's share of each sale while something is drawn. The contract has no figure. */
const REPAYMENT_PERCENT = 50n
const PAGE_LIMIT = 50
const DEFAULT_PAGE = 20

/**
 * A sale has reached the merchant's wallet: it is listed, repays the lender, settles the merchant's share to its phone, and
 * is reported to the partner that activated the merchant. A sample's sale is reported to its payer.
 */
export function closeSale(payer: Partner, merchant: Merchant, sale: Collection): void {
  const { world } = payer
  sale.status = 'success'
  if (merchant.partnerKey !== null) {
    merchant.collections.push(sale)
    shareSale(world, merchant, sale.amountTzs)
  }
  const reportedTo = world.partners.get(merchant.partnerKey ?? '') ?? payer
  const { id, amountTzs, paymentMethod, payerName, payerPhone, payerUserId, externalReference, txHash } = sale
  emit(reportedTo, 'merchant.sale.completed', {
    merchantId: merchant.id,
    collectionId: id,
    amountTzs,
    paymentMethod,
    payerName,
    payerPhone,
    payerUserId,
    externalReference,
    txHash,
    createdAt: isoTime(sale.createdAt),
  })
}

function shareSale(world: PartnerWorld, merchant: Merchant, amountTzs: bigint): void {
  const { walletAddress, autoSettlePercent, settlementPhone } = merchant
  const share = (amountTzs * REPAYMENT_PERCENT) / 100n
  const repaid = share < merchant.drawnTzs ? share : merchant.drawnTzs
  burn(world, walletAddress, CASH.lender, repaid)
  merchant.drawnTzs -= repaid
  const settled = ((amountTzs - repaid) * BigInt(autoSettlePercent)) / 100n
  burn(world, walletAddress, phoneAccount(settlementPhone), settled)
}

/** GET /commerce/stats. The contract names the figures and not their fields. */
export function getStats({ collections }: Merchant, { now }: PartnerRequest): Answer {
  const since = (start: number) => {
    const sales = collections.filter(({ createdAt }) => createdAt >= start)
    return { count: sales.length, amountTzs: sales.reduce((sum, { amountTzs }) => sum + amountTzs, 0n) }
  }
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth())
  return answer(200, { today: since(now - (now % DAY_MS)), thisMonth: since(month) })
}

/** GET /commerce/collections: newest first, at most fifty; the cursor is the id of the last one of a page. */
export function getCollections({ collections }: Merchant, { query }: PartnerRequest): Answer {
  const { limit = String(DEFAULT_PAGE), cursor } = query
  if (!/^[1-9]\d{0,3}$/.test(limit)) invalid('limit must be a whole number from 1')
  const newest = [...collections].reverse()
  const after = cursor === undefined ? -1 : newest.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && after < 0) invalid('the cursor is not a collection of this merchant')
  const page = newest.slice(after + 1, after + 1 + Math.min(PAGE_LIMIT, Number(limit)))
  const isLast = after + 1 + page.length >= newest.length
  return answer(200, {
    collections: page.map(({ paymentId: _payment, payerUserId: _payer, status: _status, ...sale }) => ({
      ...sale,
      createdAt: isoTime(sale.createdAt),
    })),
    nextCursor: isLast ? null : (page.at(-1)?.id ?? null),
  })
}

function invalid(message: string): never {
  return refuseWith(400, { error: 'invalid_request', message })
}
