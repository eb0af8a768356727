import { formatDecimalText } from '../../../../base/money/decimal-text.ts'
import { refuse, type PartnerRefusal } from '../kit/request.ts'
import type { PartnerWorld } from '../model/partner.ts'

/** What speaks against moving tokens now, before anything moves: the token, the relay, compliance, the balance. */
export function refuseFunds(
  world: PartnerWorld,
  wanted: {
    /** In the smallest parts that the API names: whole shillings, or base units of a dollar. */
    readonly available: bigint
    readonly requested: bigint
    /** So many of these parts make one. */
    readonly unit: bigint
    readonly destination: string
  },
): PartnerRefusal | null {
  return refuseMoving(world, wanted.destination) ?? refuseShortfall(world, wanted)
}

/** The same without the balance. */
export function refuseMoving({ settings }: PartnerWorld, destination: string): PartnerRefusal | null {
  const { outOfOrder, blocked } = settings
  if (outOfOrder.includes('token'))
    return refuse('token_paused', 'the issuer has paused transfers of the token')
  if (outOfOrder.includes('relayer')) return refuse('relayer_unavailable', 'the gas relay is offline')
  if (outOfOrder.includes('compliance'))
    return refuse('compliance_screening_unavailable', 'the screening is down; nothing moved')
  const wanted = destination.toLowerCase()
  return blocked.some((entry) => entry.toLowerCase() === wanted)
    ? refuse('compliance_screening_blocked', 'this destination cannot be paid')
    : null
}

export function refuseShortfall(
  { settings }: PartnerWorld,
  {
    available,
    requested,
    unit,
  }: { readonly available: bigint; readonly requested: bigint; readonly unit: bigint },
): PartnerRefusal | null {
  if (available >= requested) return null
  const decimals = String(unit).length - 1
  const shown = (value: bigint) => Number(formatDecimalText(value, decimals))
  return {
    ...refuse('insufficient_balance', 'the balance is too small', {
      available: shown(available),
      requested: shown(requested),
      shortfall: shown(requested - available),
    }),
    status: settings.insufficientStatus,
  }
}
