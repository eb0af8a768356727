import type { LegKind } from '../../model/intent.ts'
import type { TreasuryPlace, TreasuryAsset } from '../../model/place.ts'
import type { PlannedLeg } from '../../model/plan-types.ts'
import { bpsOfAmount, wholeUnits } from '../units.ts'

/** The partner's highest platform fee on a planned transfer. */
const TRANSFER_FEE_BPS = 100

/** Returns the highest platform fee of the partner on a transfer, in base units. */
export function transferFeeBound(amount: bigint): bigint {
  return bpsOfAmount(amount, TRANSFER_FEE_BPS)
}

/** Returns a leg within one token that delivers at least `least`. */
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

/** Returns a transfer from the treasury's wallet, from which the partner may deduct its platform fee. */
export function transferLeg(
  to: TreasuryPlace,
  asset: TreasuryAsset,
  amount: bigint,
  least: bigint,
): PlannedLeg {
  const afterFee = wholeUnits(least - transferFeeBound(least), asset)
  return plainLeg('transfer', 'treasury', to, asset, amount, afterFee)
}

/** Returns a leg that sweeps the LP wallet into the pool. */
export function activationLeg(asset: TreasuryAsset, amount: bigint, least: bigint): PlannedLeg {
  return plainLeg('lpActivation', 'lpWallet', 'pool', asset, amount, least)
}

/** Returns a leg from the pool into the treasury's wallet. */
export function outOfPoolLeg(asset: TreasuryAsset, amount: bigint): PlannedLeg {
  return plainLeg('lpWithdrawal', 'pool', 'treasury', asset, amount)
}
