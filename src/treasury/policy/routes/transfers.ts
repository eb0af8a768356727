import { err, ok, type Result } from '../../../base/result.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { TreasuryAsset } from '../../model/place.ts'
import type { PlanInput, PlannedLeg } from '../../model/plan-types.ts'
import { SHILLING } from '../units.ts'
import { takenAmounts } from './feasibility.ts'
import { activationLeg, transferLeg } from './legs.ts'
import { splitLots } from './lots.ts'

/** 40,000,000 TZS in transfers of up to 1,000,000. */
const MOST_TRANSFERS = 40

/** Splits an amount into transfers within the venue's cap. `also`: other amounts of the same draft. */
export function transferLots(
  input: PlanInput,
  asset: TreasuryAsset,
  amount: bigint,
  also: readonly bigint[] = [],
): Result<readonly bigint[], string> {
  const most = asset === 'NTZS' ? (input.transferCaps?.perTransaction ?? null) : null
  if (most === null || amount <= most) return ok([amount])
  const whole = amount - (amount % SHILLING)
  const taken = [...takenAmounts(input, asset), ...also]
  const lots = splitLots(whole, { least: SHILLING, most, grain: SHILLING }, taken, MOST_TRANSFERS)
  if (lots !== null) return ok(lots)
  return err(
    `${formatTokens(whole, asset)} ${asset} fit only in part into ${MOST_TRANSFERS} transfers of up to ${formatTokens(most, asset)}`,
  )
}

/** Returns the legs from the treasury's wallet into the pool, with at least `least`; each transfer is swept alone. */
export function intoPool(
  input: PlanInput,
  asset: TreasuryAsset,
  amount: bigint,
  least: bigint = amount,
  also: readonly bigint[] = [],
): Result<readonly PlannedLeg[], string> {
  const lots = transferLots(input, asset, amount, also)
  if (!lots.ok) return lots
  const isWhole = lots.value.length === 1
  return ok(
    lots.value.flatMap((lot) => {
      const transfer = transferLeg('lpWallet', asset, lot, isWhole ? least : (least * lot) / amount)
      return [transfer, activationLeg(asset, lot, transfer.leastReceived)]
    }),
  )
}

/** Returns the least that the legs bring into the pool. */
export function leastInPool(legs: readonly PlannedLeg[]): bigint {
  return legs.reduce(
    (sum, { kind, leastReceived }) => sum + (kind === 'lpActivation' ? leastReceived : 0n),
    0n,
  )
}
