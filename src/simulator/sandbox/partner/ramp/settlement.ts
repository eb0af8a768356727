import { formatTokens } from '../../../../base/money/asset.ts'
import { isoTime } from '../../state.ts'
import type { RampDestination, Settlement } from '../model/payments.ts'

/** Whose dollars and shillings the ramp trades with: the operator's, which began outside of the economy. */
export const RAMP_DOLLARS = 'ramp:dollars'
export const RAMP_CASH = 'outside:ramp'
/** Shillings of off-ramps that have not ended. */
export const RAIL = 'rail:ramp'

/** What executing answers, and what GET /ramp/:id adds to it; the contract names no more fields. */
export function shownSettlement(settlement: Settlement): object {
  const { destination, recipientName } = settlement
  return {
    settlementId: settlement.id,
    status: settlement.status,
    ...(settlement.direction === 'onramp' || destination.kind === 'phone'
      ? {}
      : { destination: shownDestination(destination), recipientName }),
  }
}

/** The figures of a settlement, as its reading and its events have them. */
export function settlementData(settlement: Settlement): Readonly<Record<string, unknown>> {
  return {
    ...shownSettlement(settlement),
    direction: settlement.direction,
    usdcAmount: Number(formatTokens(settlement.usdc, 'USDC')),
    tzsAmount: Number(settlement.tzs),
    feeTzs: Number(settlement.feeTzs),
    tokenUsedTzs: Number(settlement.fromTokenTzs),
    createdAt: isoTime(settlement.createdAt),
    txHash: settlement.txHash,
    ...(settlement.destination.kind === 'phone' ? { phoneNumber: settlement.destination.phone } : {}),
    ...(settlement.destinationAddress === null ? {} : { destinationAddress: settlement.destinationAddress }),
  }
}

function shownDestination(destination: Exclude<RampDestination, { kind: 'phone' }>): object {
  const { kind } = destination
  return kind === 'lipa'
    ? { kind, payNumber: destination.payNumber }
    : { kind, utilityCode: destination.utilityCode, utilityRef: destination.utilityRef }
}
