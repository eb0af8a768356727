import { ASSETS, type Amounts, type Asset } from '../money/asset.ts'
import { matchFeeRate } from './fee-rate.ts'
import { feeDebit, otherFeeModel, type FeeModel, type FeeRate, type PostedFill } from './fee-model.ts'
import type { FeeLearning } from './fee-learning.ts'

/** Balances against the ledger, around the fills that may or may not be in them. */
export type MatchInput = {
  /** What the venue says; only the assets it mentions are compared. */
  readonly venue: Readonly<Partial<Amounts>>
  /** The ledger now, all of `fills` included. */
  readonly ledger: Readonly<Amounts>
  /** Posted since the last poll answered before the balances were asked for, oldest first. */
  readonly fills: readonly PostedFill[]
  readonly learning: Readonly<FeeLearning>
  /** The protocol fees that a source names, in bps, the likeliest first. */
  readonly rates: readonly number[]
}

/** The balances are the ledger after all but the last `after` fills, under `model`. */
export type Match = {
  readonly model: FeeModel
  /** The fee that is debited instead of the one that the rows name; null = that one. */
  readonly rate: FeeRate | null
  readonly after: number
  /** Fees still to be posted (positive) or given back, per asset, to be exact to the last unit. */
  readonly corrections: Readonly<Partial<Amounts>>
}

/**
 * Looks for a prefix of the fills at which the ledger equals the balances, simplest explanation first:
 * as posted; with the other fee model for every fill since the last match; each of these again with
 * one unit of rounding per computed fee; and with a protocol fee that another source names. Null = no prefix explains them.
 */
export function matchReading(input: MatchInput): Match | null {
  const { model } = input.learning
  const other = otherFeeModel(model)
  const feesMatter = ASSETS.some((asset) => input.learning.fees[asset] !== 0n)
  return (
    matchUnder(input, model, false) ??
    (feesMatter ? matchUnder(input, other, false) : null) ??
    matchUnder(input, model, true) ??
    (feesMatter ? matchUnder(input, other, true) : null) ??
    matchFeeRate(input)
  )
}

function matchUnder(input: MatchInput, model: FeeModel, allowRounding: boolean): Match | null {
  const { venue, ledger, fills, learning } = input
  const tolerant = allowRounding && model === 'from-position'
  if (allowRounding && !tolerant) return null
  const switched = feeSwitch(learning, model)
  const expected = { ...ledger }
  for (const asset of ASSETS) expected[asset] -= switched[asset]
  const computed = { ...learning.computed }
  for (let after = 0; after <= fills.length; after++) {
    if (after > 0) undo(expected, computed, fills[fills.length - after], model)
    if (!agrees(venue, expected, tolerant ? computed : null)) continue
    const corrections: Partial<Amounts> = {}
    for (const asset of ASSETS) {
      const said = venue[asset]
      const correction = switched[asset] + (said === undefined ? 0n : expected[asset] - said)
      if (correction !== 0n) corrections[asset] = correction
    }
    return { model, rate: learning.rate, after, corrections }
  }
  return null
}

/** What is missing in (or too much of) the posted fees if `model` held since the last match. */
function feeSwitch(learning: Readonly<FeeLearning>, model: FeeModel): Amounts {
  const sign = model === learning.model ? 0n : model === 'from-position' ? 1n : -1n
  const { fees } = learning
  return {
    NTZS: sign * fees.NTZS,
    USDC: sign * fees.USDC,
    USDT: sign * fees.USDT,
    'USDT.bnb': sign * fees['USDT.bnb'],
  }
}

function undo(
  expected: Amounts,
  computed: Record<Asset, number>,
  fill: PostedFill | undefined,
  model: FeeModel,
): void {
  if (fill === undefined) return
  expected[fill.inAsset] -= fill.amountIn
  expected[fill.outAsset] += fill.amountOut + feeDebit(model, fill.fee)
  if (fill.computed) computed[fill.outAsset] -= 1
}

function agrees(
  venue: Readonly<Partial<Amounts>>,
  expected: Readonly<Amounts>,
  tolerance: Readonly<Record<Asset, number>> | null,
): boolean {
  for (const asset of ASSETS) {
    const said = venue[asset]
    if (said === undefined || said === expected[asset]) continue
    if (tolerance === null) return false
    const off = said - expected[asset]
    if ((off < 0n ? -off : off) > BigInt(tolerance[asset])) return false
  }
  return true
}

/** At most so many prefixes are kept as suspects. */
const MOST_DIFFERENCES = 200

/** Venue minus ledger at every prefix, the whole first; an asset that agrees is absent. */
export function differences(input: MatchInput): Partial<Amounts>[] {
  const { venue, ledger, fills, learning } = input
  const expected = { ...ledger }
  const computed = { ...learning.computed }
  const found: Partial<Amounts>[] = []
  for (let after = 0; after <= fills.length && after < MOST_DIFFERENCES; after++) {
    if (after > 0) undo(expected, computed, fills[fills.length - after], learning.model)
    const difference: Partial<Amounts> = {}
    for (const asset of ASSETS) {
      const said = venue[asset]
      if (said !== undefined && said !== expected[asset]) difference[asset] = said - expected[asset]
    }
    found.push(difference)
  }
  return found
}

export function sameDifference(a: Readonly<Partial<Amounts>>, b: Readonly<Partial<Amounts>>): boolean {
  return ASSETS.every((asset) => (a[asset] ?? 0n) === (b[asset] ?? 0n))
}
