import { err, ok, type Result } from '../../../base/result.ts'
import { formatTokens, toBook, TOKEN_UNIT, toTokens } from '../../../base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars, splitProtocolFee } from '../../../base/money/payout.ts'
import type { TreasuryAsset } from '../../model/place.ts'
import type { PlanInput } from '../../model/plan-types.ts'
import { inShillings, ofShillings, bpsOfAmount, wholeUnits } from '../units.ts'
import { expectedBps } from './estimate.ts'

/** The venue's fee on every swap, besides the spread. Source: LP contract, protocol fee. */
const PROTOCOL_FEE_BPS = 10
/** A swap that costs more is a distressed sale, which a person must decide. */
const MOST_BPS = 200

type SwapTerms = {
  /** The output in base units: at most (the mid), expected, and the floor sent to the venue. */
  readonly most: bigint
  readonly expected: bigint
  readonly minOutput: bigint
}

/**
 * Returns the terms of a swap as a taker. The floor is one unit better than our own live quote would pay, so that the
 * venue can never route the swap to ourselves, and at most 200 bps below the mid. The quote may change until the swap
 * is sent, so its call raises the floor to `floorAboveOwn`.
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
 * Returns the least output that rules out a swap with ourselves: a unit above what our own quote would pay, 0 if that
 * side is off. Errors if the quote is not confirmed, or cannot be bettered.
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

/** Returns what our own quote would pay a taker after the fee; null = that side is off. */
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
  // Uses the formula that pays more, so that the floor beats both.
  const gross = dollarsForShillings(amount, mid, quote.bidBps, 'divide', TOKEN_UNIT[to], 'up')
  return splitProtocolFee(toTokens(gross, to), PROTOCOL_FEE_BPS).net
}
