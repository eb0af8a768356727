import { formatTokens } from '../../../../base/money/asset.ts'
import { answer, type Answer } from '../../api/request.ts'
import { isoTime } from '../../state.ts'
import { newId } from '../kit/ids.ts'
import type { PartnerRequest } from '../kit/request.ts'
import type { Partner } from '../model/partner.ts'
import type { RampQuote, Settlement } from '../model/payments.ts'
import { unitsAt } from '../money/tokens.ts'

/** Uses a quote and opens its settlement, which has not ended. */
export function openSettlement(
  { world, payments }: Partner,
  { now }: PartnerRequest,
  quote: RampQuote,
  fields: Omit<Settlement, 'id' | 'direction' | 'createdAt' | 'tzs' | 'feeTzs' | 'txHash'>,
): Settlement {
  const { direction, tzs, feeTzs } = quote
  const opening = { id: newId(world), direction, createdAt: now, tzs, feeTzs, txHash: null }
  const settlement: Settlement = { ...opening, ...fields }
  quote.isUsed = true
  payments.settlements.set(settlement.id, settlement)
  return settlement
}

/** The answer to an execution, whose fields GET /ramp/:id also has; the contract names no more. */
export function settlementBody({ id, status, direction, destination, recipientName }: Settlement): object {
  const body = { settlementId: id, status }
  if (direction === 'onramp' || destination.kind === 'phone') return body
  const { kind } = destination
  const shown =
    kind === 'lipa'
      ? { kind, payNumber: destination.payNumber }
      : { kind, utilityCode: destination.utilityCode, utilityRef: destination.utilityRef }
  return { ...body, destination: shown, recipientName }
}

/** The figures of a settlement, for GET /ramp/:id and for its events. */
export function settlementData(settlement: Settlement): Readonly<Record<string, unknown>> {
  const { direction, usdc, tzs, feeTzs, fromTokenTzs, createdAt, txHash, destination } = settlement
  const { destinationAddress } = settlement
  return {
    ...settlementBody(settlement),
    direction,
    usdcAmount: Number(formatTokens(usdc, 'USDC')),
    tzsAmount: tzs,
    feeTzs,
    tokenUsedTzs: fromTokenTzs,
    createdAt: isoTime(createdAt),
    txHash,
    ...(destination.kind === 'phone' ? { phoneNumber: destination.phone } : {}),
    ...(destinationAddress === null ? {} : { destinationAddress }),
  }
}

/** GET /ramp/settlements: newest first and complete, because the contract has neither query parameters nor pages. */
export function getSettlements({ payments }: Partner): Answer {
  return answer(200, [...payments.settlements.values()].reverse().map(settlementData))
}

/** GET /ramp/balance. A failed off-ramp returned the token balance, which the next one uses first. */
export function getFloat({ world, settlementAddress }: Partner): Answer {
  return answer(200, {
    settlementAddress,
    chain: 'base',
    token: { symbol: 'TZS_TOKEN', decimals: 18 },
    usdcBalance: formatTokens(unitsAt(world, settlementAddress, 'USDC'), 'USDC'),
    tokenBalance: formatTokens(unitsAt(world, settlementAddress, 'NTZS'), 'NTZS'),
  })
}
