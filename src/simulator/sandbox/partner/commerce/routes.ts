import { answer } from '../../api/request.ts'
import { type PartnerAnswer, type PartnerRequest, type PartnerRoute } from '../kit/request.ts'
import type { Merchant } from '../model/commerce.ts'
import type { Partner } from '../model/partner.ts'
import { activateSimulatedMerchant } from './accounts.ts'
import { createSimulatedLink, deleteSimulatedLink, listSimulatedLinks } from './links.ts'
import { merchantBalance, readMerchant } from './merchants.ts'
import { listSimulatedCollections, readStats } from './sales.ts'
import {
  changeSettlement,
  drawFinancing,
  readFinancing,
  readSimulatedSettlement,
  transferToOwner,
  withdrawSettlement,
} from './settlement.ts'

type Handler = (partner: Partner, request: PartnerRequest, merchant: Merchant) => PartnerAnswer

/** A route of one merchant, which the x-merchant-id header names. */
function ofMerchant(method: PartnerRoute['method'], path: string, handler: Handler): PartnerRoute {
  return {
    method,
    path: `/commerce/${path}`,
    capability: 'commerce',
    needsKyb: true,
    isIdempotent: method === 'POST',
    answer(partner, request) {
      const merchant = readMerchant(partner, request)
      return 'links' in merchant ? handler(partner, request, merchant) : merchant
    },
  }
}

/** The merchant product. Its contract names fields and few bodies; what it leaves open is this venue's. */
export const COMMERCE_ROUTES: readonly PartnerRoute[] = [
  {
    method: 'POST',
    path: '/commerce/accounts',
    capability: 'commerce',
    needsKyb: true,
    isIdempotent: false,
    answer: activateSimulatedMerchant,
  },
  ofMerchant('POST', 'links', createSimulatedLink),
  ofMerchant('GET', 'links', (_partner, _request, merchant) => listSimulatedLinks(merchant)),
  ofMerchant('DELETE', 'links', (_partner, request, merchant) => deleteSimulatedLink(request, merchant)),
  ofMerchant('GET', 'stats', (_partner, request, merchant) => readStats(request, merchant)),
  ofMerchant('GET', 'collections', (_partner, request, merchant) =>
    listSimulatedCollections(request, merchant),
  ),
  ofMerchant('GET', 'wallet', ({ world }, _request, merchant) =>
    answer(200, {
      walletAddress: merchant.walletAddress,
      balanceTzs: Number(merchantBalance(world, merchant)),
    }),
  ),
  ofMerchant('GET', 'settlement', (_partner, _request, merchant) => readSimulatedSettlement(merchant)),
  ofMerchant('PATCH', 'settlement', (_partner, request, merchant) => changeSettlement(request, merchant)),
  ofMerchant('POST', 'withdraw', withdrawSettlement),
  ofMerchant('POST', 'transfer-to-wallet', transferToOwner),
  ofMerchant('GET', 'financing/status', (_partner, _request, merchant) => readFinancing(merchant)),
  ofMerchant('POST', 'financing/withdraw', drawFinancing),
]
