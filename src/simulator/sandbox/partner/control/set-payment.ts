import { err, ok } from '../../../../base/result.ts'
import { revokeCredential } from '../agents/credentials.ts'
import { unschedule } from '../kit/schedule.ts'
import type { Partner } from '../model/partner.ts'
import type { Settlement, Spend } from '../model/payments.ts'
import { completeOfframp, failOfframp, leaveOfframp } from '../ramp/offramp.ts'
import { completeOnramp, failOnramp } from '../ramp/onramp.ts'
import { completeSpend, leaveUnconfirmed, revertSpend } from '../spend/spend.ts'
import type { SetState } from './set-state.ts'

const SPEND_ENDS: ReadonlyMap<string, (partner: Partner, spend: Spend) => void> = new Map([
  ['completed', completeSpend],
  ['reverted', revertSpend],
  ['reconcile_required', leaveUnconfirmed],
])

/** Null where the key has no such payment of a bill or a till. An unconfirmed one waits for exactly this. */
export const setSpend: SetState = (partner, id, state) => {
  const spend = partner.payments.spends.get(id)
  if (spend === undefined) return null
  if (spend.status !== 'burned') return err(`from ${spend.status} there is no way to ${state}`)
  const end = SPEND_ENDS.get(state)
  const isRepeated = state === spend.payoutStatus
  if (end === undefined || isRepeated) return err(`from ${spend.payoutStatus} there is no way to ${state}`)
  unschedule(partner, id)
  end(partner, spend)
  return ok(undefined)
}

/** Null where the key has no such settlement of the ramp. */
export const setSettlement: SetState = (partner, id, state) => {
  const settlement = partner.payments.settlements.get(id)
  if (settlement === undefined) return null
  const { status } = settlement
  const isOpen = status === 'paying_out' || status === 'minting' || status === 'reconcile_required'
  const ends = endsOf(settlement)
  const end = Object.hasOwn(ends, state) ? ends[state] : undefined
  if (!isOpen || end === undefined || state === status)
    return err(`from ${status} there is no way to ${state}`)
  unschedule(partner, id)
  end(partner, settlement)
  return ok(undefined)
}

type End = (partner: Partner, settlement: Settlement) => void

function endsOf({ direction }: Settlement): Readonly<Record<string, End>> {
  return direction === 'onramp'
    ? { completed: completeOnramp, failed: failOnramp }
    : { completed: completeOfframp, failed: failOfframp, reconcile_required: leaveOfframp }
}

/** A credential of an agent, by its key: `revoked` is the one state, and has no way back. */
export const setAgent: SetState = (partner, key, state) => {
  if (!partner.payments.agents.has(key)) return null
  if (state !== 'revoked') return err(`a credential can be revoked, and not ${state}`)
  revokeCredential(partner, key)
  return ok(undefined)
}

/** A merchant of any key, by its id: `available` or `unavailable` for payments. */
export const setMerchant: SetState = ({ world }, id, state) => {
  const merchant = world.commerce.merchants.get(id)
  if (merchant === undefined) return null
  if (state !== 'available' && state !== 'unavailable')
    return err(`a merchant is available or unavailable, and not ${state}`)
  merchant.isAvailable = state === 'available'
  return ok(undefined)
}
