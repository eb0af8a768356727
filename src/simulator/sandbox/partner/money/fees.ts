import { divide } from '../../../../base/money/rounding.ts'
import type { Biller } from '../lookup/billers.ts'
import type { SimulatedPartnerSettings } from '../options.ts'

/** A share of an amount, rounded up in favour of its receiver. */
export function bpsOf(amount: bigint, bps: number): bigint {
  return divide(amount * BigInt(bps), 10_000n, 'up')
}

/** The cost of a payout on top of the amount that arrives, in whole shillings. */
export type PayoutFees = {
  readonly platformFeeTzs: bigint
  readonly pspFeeTzs: bigint
  readonly operatorFeeTzs: bigint
  readonly totalFeeTzs: bigint
}

/** The tariff of payouts; the contract has no figures, so the options do. */
export function payoutFees(
  tzs: bigint,
  rail: 'phone' | 'bank',
  { fees }: SimulatedPartnerSettings,
): PayoutFees {
  const platformFeeTzs = bpsOf(tzs, fees.payoutPlatformBps)
  const phoneFeeTzs = atLeast(bpsOf(tzs, fees.phoneRailBps), BigInt(fees.phoneRailLeastTzs))
  const pspFeeTzs = rail === 'bank' ? BigInt(fees.bankRailTzs) : phoneFeeTzs
  const operatorFeeTzs = BigInt(fees.operatorTzs)
  const totalFeeTzs = platformFeeTzs + pspFeeTzs + operatorFeeTzs
  return { platformFeeTzs, pspFeeTzs, operatorFeeTzs, totalFeeTzs }
}

/** The cost of paying a till or a bill on top of the amount that arrives, in whole shillings. */
type SpendFees = {
  readonly railFeeTzs: bigint
  readonly platformFeeTzs: bigint
  readonly totalFeeTzs: bigint
}

/**
 * The rail's fee by the principal, in whole shillings: the first row that is not below it. The contract has no figures;
 * these are the simulated venue's own and rise in steps as those of the networks do.
 */
const RAIL_FEES: readonly (readonly [upToTzs: bigint, feeTzs: bigint])[] = [
  [4_999n, 120n],
  [19_999n, 350n],
  [49_999n, 600n],
  [99_999n, 1_000n],
  [199_999n, 1_500n],
  [499_999n, 2_500n],
]
const HIGHEST_RAIL_FEE_TZS = 4_000n

const PLATFORM_BPS = 40
const LEAST_PLATFORM_FEE_TZS = 50n

/** From this amount on, the rail charges for a bill even if smaller ones are free. Source: contract, limits. */
const FREE_BELOW_TZS = 20_000n

/** The fees of a payment, rounded up. A till's payment has no biller. */
export function spendFees(principalTzs: bigint, biller: Biller | null): SpendFees {
  const isFree = biller !== null && biller.railFeeFreeUnder20k && principalTzs < FREE_BELOW_TZS
  const row = RAIL_FEES.find(([upToTzs]) => principalTzs <= upToTzs)
  const railFeeTzs = isFree ? 0n : (row?.[1] ?? HIGHEST_RAIL_FEE_TZS)
  const platformFeeTzs = atLeast(bpsOf(principalTzs, PLATFORM_BPS), LEAST_PLATFORM_FEE_TZS)
  return { railFeeTzs, platformFeeTzs, totalFeeTzs: railFeeTzs + platformFeeTzs }
}

function atLeast(fee: bigint, least: bigint): bigint {
  return fee > least ? fee : least
}
