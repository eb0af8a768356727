import { err, ok, type Result } from '../../../base/result.ts'
import { formatTokens, toBook, TOKEN_UNIT, toTokens } from '../../../base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../../base/money/payout.ts'
import type { TreasuryAsset } from '../../model/place.ts'
import type { PlanInput } from '../../model/plan-types.ts'
import { inShillings, ofShillings, bpsOfAmount, wholeUnits } from '../units.ts'
import { expectedBps } from './estimate.ts'

/** What the venue keeps of every swap beside the spread. Source: LP contract, protocol fee. */
const PROTOCOL_FEE_BPS = 10
/** Beyond this a swap is no refill but a sale in distress, which a person decides on. */
const MOST_BPS = 200

type SwapTerms = {
  /** Base units of what arrives: at most (the mid), as expected, and the floor that the venue is given. */
  readonly most: bigint
  readonly expected: bigint
  readonly minOutput: bigint
}

/**
 * What a swap as a taker may bring. The floor is one unit better than our own live quote would pay, so that the venue
 * can never route it to ourselves, and no worse than 200 bps below the mid. The quote may change until the swap is sent:
 * the floor is raised to `floorAboveOwn` when its call is built.
 */
export function swapTerms(
  input: PlanInput,
  from: TreasuryAsset,
  to: TreasuryAsset,
  amount: bigint,
): Result<SwapTerms, string> {
  const { mid } = input
  if (mid === null) return err('there is no mid to price it by')
  if (to === 'USDT' || (from !== 'NTZS' && to !== 'NTZS'))
    return err(`the venue does not swap ${from} into ${to}`)
  const value = inShillings(amount, from, mid) ?? 0n
  const most = ofShillings(value, to, mid) ?? 0n
  const floor = floorAboveOwn(input, from, to, amount)
  if (!floor.ok) return floor
  const lowest = most - bpsOfAmount(most, MOST_BPS)
  const minOutput = floor.value > lowest ? floor.value : lowest
  const likely = most - bpsOfAmount(most, expectedBps(input, 'swap'))
  return ok({
    most: wholeUnits(most, to),
    expected: likely > minOutput ? likely : minOutput,
    minOutput,
  })
}

/**
 * The least that a swap has to bring so that it can't be one with ourselves: a unit above what our own quote would pay, 0
 * where that side is off. An error where the quote is not confirmed, or so good that no one can better it.
 */
export function floorAboveOwn(
  seen: Pick<PlanInput, 'mid' | 'quote'>,
  from: TreasuryAsset,
  to: TreasuryAsset,
  amount: bigint,
): Result<bigint, string> {
  const { mid, quote } = seen
  if (mid === null) return err('there is no mid to price it by')
  if (quote.isKnown === false)
    return err("the position's own quote is not confirmed: the swap could be with ourselves")
  const own = quote.isActive ? ownPayout(seen, from, to, amount) : null
  if (own === null) return ok(0n)
  const most = ofShillings(inShillings(amount, from, mid) ?? 0n, to, mid) ?? 0n
  if (own + 1n < most) return ok(own + 1n)
  return err(
    `our own quote pays ${formatTokens(own, to)} ${to}, which no provider can better: the swap would be with ourselves`,
  )
}

/** What our own quote would pay a taker after the fee; null = that side is off. */
function ownPayout(
  { mid, quote }: Pick<PlanInput, 'mid' | 'quote'>,
  from: TreasuryAsset,
  to: TreasuryAsset,
  amount: bigint,
): bigint | null {
  if (mid === null) return null
  if (from !== 'NTZS') {
    if (quote.askBps === null) return null
    const gross = shillingsForDollars(toBook(amount, from), mid, quote.askBps, 'up')
    return splitProtocolFee(gross, PROTOCOL_FEE_BPS).net
  }
  if (quote.bidBps === null || to === 'NTZS') return null
  // Of the two formulas in use, the one that pays more: the floor is better than either.
  const gross = dollarsForShillings(amount, mid, quote.bidBps, 'divide', TOKEN_UNIT[to], 'up')
  return splitProtocolFee(toTokens(gross, to), PROTOCOL_FEE_BPS).net
}
