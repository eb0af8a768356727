import { err, ok, type Result } from '../../../base/result.ts'
import { formatAmount } from '../../../money/asset.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../../money/payout.ts'
import type { TreasuryAsset } from '../../model/place.ts'
import type { PlanInput } from '../plan-types.ts'
import { inShillings, ofShillings, shareOf, wholeUnits } from '../units.ts'
import { expectedBps } from './estimate.ts'

/** What the venue keeps of every swap beside the spread. Source: LP contract, protocol fee. */
const PROTOCOL_FEE_BPS = 10
/** Beyond this a swap is no refill but a sale in distress, which a person decides on. */
const MOST_BPS = 200

export type SwapTerms = {
  /** Base units of what arrives: at most (the mid), as expected, and the floor that the venue is given. */
  readonly most: bigint
  readonly expected: bigint
  readonly minOutput: bigint
}

/**
 * What a swap as a taker may bring. The floor is one unit better than our own live quote would pay, so that the venue
 * can never route it to ourselves, and no worse than 200 bps below the mid.
 */
export function swapTerms(
  input: PlanInput,
  from: TreasuryAsset,
  to: TreasuryAsset,
  amount: bigint,
): Result<SwapTerms, string> {
  const { mid, quote } = input
  if (mid === null) return err('there is no mid to price it by')
  if (to === 'USDT' || (from !== 'NTZS' && to !== 'NTZS'))
    return err(`the venue does not swap ${from} into ${to}`)
  const value = inShillings(amount, from, mid) ?? 0n
  const most = ofShillings(value, to, mid) ?? 0n
  const own = quote.isActive ? ownPayout(input, from, to, amount) : null
  const lowest = most - shareOf(most, MOST_BPS)
  const minOutput = own !== null && own + 1n > lowest ? own + 1n : lowest
  if (minOutput >= most) {
    return err(
      `our own quote pays ${formatAmount(own ?? 0n, to)} ${to}, which nobody can better: it would be a swap with ourselves`,
    )
  }
  const likely = most - shareOf(most, expectedBps(input, 'swap'))
  return ok({
    most: wholeUnits(most, to),
    expected: likely > minOutput ? likely : minOutput,
    minOutput,
  })
}

/** What our own quote would pay a taker after the fee; null = that side is off. */
function ownPayout(
  { mid, quote }: PlanInput,
  from: TreasuryAsset,
  to: TreasuryAsset,
  amount: bigint,
): bigint | null {
  if (mid === null) return null
  if (from !== 'NTZS') {
    if (quote.askBps === null) return null
    const gross = shillingsForDollars(amount, from, mid, quote.askBps, 'up')
    return splitProtocolFee(gross, PROTOCOL_FEE_BPS).net
  }
  if (quote.bidBps === null || to === 'NTZS') return null
  // Of the two formulas in use, the one that pays more: the floor is better than either.
  const gross = dollarsForShillings(amount, to, mid, quote.bidBps, 'divide', 'up')
  return splitProtocolFee(gross, PROTOCOL_FEE_BPS).net
}
