import type { LegKind } from '../../model/intent.ts'
import type { TreasuryPlace, TreasuryAsset } from '../../model/place.ts'
import type { PlannedLeg } from '../../model/plan-types.ts'
import { bpsOfAmount, wholeUnits } from '../units.ts'

/** A transfer may lose the partner's own platform fee; beyond this it is not the transfer that was planned. */
const TRANSFER_FEE_BPS = 100

/** The most that the partner's own fee takes of a transfer, base units. */
export function transferFeeBound(amount: bigint): bigint {
  return bpsOfAmount(amount, TRANSFER_FEE_BPS)
}

/** A leg within one token that brings `least` of `amount`. */
export function plainLeg(
  kind: LegKind,
  from: TreasuryPlace,
  to: TreasuryPlace,
  asset: TreasuryAsset,
  amount: bigint,
  least: bigint = amount,
): PlannedLeg {
  return { kind, from, to, asset, amount, receiveAsset: asset, leastReceived: least, payee: null }
}

/** From the treasury's wallet to another address, of which the sender pays the partner's own fee. */
export function transferLeg(
  to: TreasuryPlace,
  asset: TreasuryAsset,
  amount: bigint,
  least: bigint,
): PlannedLeg {
  const afterFee = wholeUnits(least - transferFeeBound(least), asset)
  return plainLeg('transfer', 'treasury', to, asset, amount, afterFee)
}

/** Sweeps what stands in the LP wallet into the pool. */
export function activationLeg(asset: TreasuryAsset, amount: bigint, least: bigint): PlannedLeg {
  return plainLeg('lpActivation', 'lpWallet', 'pool', asset, amount, least)
}

/** Out of the pool into the treasury's wallet. */
export function outOfPoolLeg(asset: TreasuryAsset, amount: bigint): PlannedLeg {
  return plainLeg('lpWithdrawal', 'pool', 'treasury', asset, amount)
}
