import { formatTokens } from '../../../../base/money/asset.ts'
import { answer, type Answer } from '../../api/request.ts'
import { notFound, type PartnerRequest, type PartnerRoute } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import { simulatedBalanceOf } from '../money/tokens.ts'
import { executeOfframp } from './offramp.ts'
import { executeOnramp } from './onramp.ts'
import { quoteSimulatedRamp } from './quote.ts'
import { settlementData } from './settlement.ts'

function readSettlement({ payments }: Partner, { params }: PartnerRequest): Answer {
  const settlement = payments.settlements.get(params['id'] ?? '')
  return settlement === undefined ? notFound('settlement') : answer(200, settlementData(settlement))
}

/** Newest first, all of them: the contract shows neither query parameters nor pages. */
function listSettlements({ payments }: Partner): Answer {
  return answer(200, [...payments.settlements.values()].reverse().map(settlementData))
}

/** A token balance above zero is what a failed off-ramp returned; the next one uses it first. */
function readFloat({ world, settlementAddress }: Partner): Answer {
  return answer(200, {
    settlementAddress,
    chain: 'base',
    token: { symbol: 'TZS_TOKEN', decimals: 18 },
    usdcBalance: formatTokens(simulatedBalanceOf(world, settlementAddress, 'USDC'), 'USDC'),
    tokenBalance: formatTokens(simulatedBalanceOf(world, settlementAddress, 'NTZS'), 'NTZS'),
  })
}

const route = (
  method: 'GET' | 'POST',
  path: string,
  isIdempotent: boolean,
  handler: PartnerRoute['answer'],
): PartnerRoute => ({ method, path, capability: 'ramp', isIdempotent, answer: handler })

export const RAMP_ROUTES: readonly PartnerRoute[] = [
  route('POST', '/ramp/quote', false, quoteSimulatedRamp),
  route('POST', '/ramp/offramp', true, executeOfframp),
  route('POST', '/ramp/onramp', true, executeOnramp),
  route('GET', '/ramp/settlements', false, listSettlements),
  route('GET', '/ramp/balance', false, readFloat),
  route('GET', '/ramp/:id', false, readSettlement),
]
