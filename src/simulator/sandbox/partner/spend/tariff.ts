import { divide } from '../../../../base/money/rounding.ts'
import type { Biller } from '../lookup/billers.ts'

/** What a payment costs beyond what its destination receives. Whole shillings. */
type SpendFees = {
  readonly railFeeTzs: bigint
  readonly platformFeeTzs: bigint
  readonly totalFeeTzs: bigint
}

/**
 * The rail's fee by the principal, in whole shillings: the first row that is not below it. The contract has
 * no figures, so these are the simulated venue's own; they rise in steps as those of the networks do.
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

const PLATFORM_BPS = 40n
const LEAST_PLATFORM_FEE_TZS = 50n

/** A bill of this size or more pays the rail also where smaller ones are free. Source: contract, limits. */
const FREE_BELOW_TZS = 20_000n

/** The fees of a payment. A till's payment has no biller. Fees round up: the rail is never paid too little. */
export function spendFees(principalTzs: bigint, biller: Biller | null): SpendFees {
  const isFree = biller !== null && biller.railFeeFreeUnder20k && principalTzs < FREE_BELOW_TZS
  const railFeeTzs = isFree ? 0n : railFee(principalTzs)
  const share = divide(principalTzs * PLATFORM_BPS, 10_000n, 'up')
  const platformFeeTzs = share < LEAST_PLATFORM_FEE_TZS ? LEAST_PLATFORM_FEE_TZS : share
  return { railFeeTzs, platformFeeTzs, totalFeeTzs: railFeeTzs + platformFeeTzs }
}

function railFee(principalTzs: bigint): bigint {
  const row = RAIL_FEES.find(([upToTzs]) => principalTzs <= upToTzs)
  return row?.[1] ?? HIGHEST_RAIL_FEE_TZS
}
