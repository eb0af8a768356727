import { err, ok, type Result } from '../../../base/result.ts'
import { formatTokens } from '../../../money/asset.ts'
import type { TreasuryAsset } from '../../model/place.ts'
import type { PlanInput, PlannedLeg } from '../plan-types.ts'
import { SHILLING } from '../units.ts'
import { takenAmounts } from './feasibility.ts'
import { activationLeg, transferLeg } from './legs.ts'
import { splitLots } from './lots.ts'

/** 40,000,000 TZS in transfers of up to 1,000,000. */
const MOST_TRANSFERS = 40

/**
 * An amount from the treasury's wallet into the pool, of which `least` has to be there: in as many transfers as the venue's cap of
 * one makes of it, each swept by itself. `also`: other amounts of the same draft.
 */
export function intoPool(
  input: PlanInput,
  asset: TreasuryAsset,
  amount: bigint,
  least: bigint = amount,
  also: readonly bigint[] = [],
): Result<readonly PlannedLeg[], string> {
  const most = asset === 'NTZS' ? (input.transferCaps?.perTransaction ?? null) : null
  const whole = amount - (amount % SHILLING)
  const lots =
    most === null || amount <= most
      ? [amount]
      : splitLots(
          whole,
          { least: SHILLING, most, grain: SHILLING },
          [...takenAmounts(input, asset), ...also],
          MOST_TRANSFERS,
        )
  if (lots === null)
    return err(
      `${formatTokens(whole, asset)} ${asset} make no more than ${MOST_TRANSFERS} transfers of up to ${formatTokens(most ?? 0n, asset)} only in part`,
    )
  return ok(
    lots.flatMap((lot) => {
      const transfer = transferLeg('lpWallet', asset, lot, lots.length === 1 ? least : (least * lot) / amount)
      return [transfer, activationLeg(asset, lot, transfer.leastReceived)]
    }),
  )
}

/** What arrives of legs into the pool at the least. */
export function leastInPool(legs: readonly PlannedLeg[]): bigint {
  return legs.reduce(
    (sum, { kind, leastReceived }) => sum + (kind === 'lpActivation' ? leastReceived : 0n),
    0n,
  )
}
