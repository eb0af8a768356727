import { type Amounts, type Asset, ASSETS, type BookAmount, zeroAmounts } from '../../../base/money/asset.ts'
import {
  copySums,
  feeAtRate,
  feeDebit,
  type FeeLearning,
  type FeeModel,
  type FeeRate,
  otherFeeModel,
  type PostedFill,
  unnoteFee,
} from '../fills/fees.ts'
import { BPS } from '../../../base/money/bps.ts'

/** Balances to compare with the ledger, and the fills that they may or may not include. */
export type MatchInput = {
  /** The venue's balances; only the stated assets are compared. */
  readonly venue: Readonly<Partial<Amounts>>
  /** The ledger now, including all of `fills`. */
  readonly ledger: Readonly<Amounts>
  /** Posted since the last poll that was answered before the balances were requested, oldest first. */
  readonly fills: readonly PostedFill[]
  readonly learning: Readonly<FeeLearning>
  /** The smallest step of the venue's figures, per asset. */
  readonly grain: Readonly<Amounts>
  /** The protocol fees that a source states, in bps, the likeliest first. */
  readonly rates: readonly number[]
}

/** The balances are the ledger after all but the last `after` fills, under `model`. */
export type Match = {
  readonly model: FeeModel
  /** The fee that is debited instead of the fee in the rows; null = the fee in the rows. */
  readonly rate: FeeRate | null
  readonly after: number
  /** Fees still to be posted (positive) or given back, per asset, to be exact to the last digit. */
  readonly corrections: Readonly<Partial<Amounts>>
}

/**
 * Returns a prefix of the fills at which the ledger equals the balances, simplest explanation first: as posted; with the other
 * fee model for every fill since the last match; each of these again with one grain of rounding per computed fee; and with a
 * protocol fee that another source states. Null = no prefix explains the balances.
 */
export function matchSnapshot(input: MatchInput): Match | null {
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
  const { venue, ledger, fills, learning, grain } = input
  if (allowRounding && model !== 'from-position') return null
  const switched = feeSwitch(learning, model)
  const expected = { ...ledger }
  for (const asset of ASSETS) expected[asset] -= switched[asset]
  const computed = { ...learning.computed }
  for (let after = 0; after <= fills.length; after++) {
    undo(expected, computed, fills[fills.length - after], model)
    if (!agrees(venue, expected, allowRounding ? computed : null, grain)) continue
    const corrections: Partial<Amounts> = {}
    for (const asset of ASSETS) {
      const stated = venue[asset]
      const correction = switched[asset] + (stated === undefined ? 0n : expected[asset] - stated)
      if (correction !== 0n) corrections[asset] = correction
    }
    return { model, rate: learning.rate, after, corrections }
  }
  return null
}

/** Returns the fees that are missing (or in excess) if `model` was in force since the last match. */
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

/** Removes a fill from the expected balances; undefined = all fills stay. */
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
  grain: Readonly<Amounts>,
): boolean {
  for (const asset of ASSETS) {
    const stated = venue[asset]
    if (stated === undefined || stated === expected[asset]) continue
    if (tolerance === null) return false
    const off = stated - expected[asset]
    const most = BigInt(tolerance[asset]) * grain[asset]
    if (off > most || off < -most) return false
  }
  return true
}

/** Maximum number of prefixes kept as candidates. */
const MOST_DIFFERENCES = 200

/** Venue minus ledger at every prefix, the whole first; an asset that agrees is absent. */
export function differences(input: MatchInput): Partial<Amounts>[] {
  const { venue, ledger, fills, learning } = input
  const expected = { ...ledger }
  const computed = { ...learning.computed }
  const found: Partial<Amounts>[] = []
  for (let after = 0; after <= fills.length && after < MOST_DIFFERENCES; after++) {
    undo(expected, computed, fills[fills.length - after], learning.model)
    const difference: Partial<Amounts> = {}
    for (const asset of ASSETS) {
      const stated = venue[asset]
      if (stated !== undefined && stated !== expected[asset]) difference[asset] = stated - expected[asset]
    }
    found.push(difference)
  }
  return found
}

/**
 * Returns a match if one of the protocol fees that a source states explains the balances where the fee in the rows does not: for
 * every fill since the last match, to one grain of rounding per fill. Null if no such fee does.
 */
function matchFeeRate(input: MatchInput): Match | null {
  const { learning, rates } = input
  const candidates: (FeeRate | null)[] = learning.rate === null ? [] : [null]
  for (const bps of rates) candidates.push({ bps, of: 'gross' }, { bps, of: 'net' })
  for (const rate of candidates) {
    const match = matchAt(input, rate)
    if (match !== null) return match
  }
  return null
}

function matchAt(input: MatchInput, rate: FeeRate | null): Match | null {
  const { ledger, fills, learning, grain } = input
  const expected = { ...ledger }
  const sums = copySums(learning)
  // Fills after the reading were also posted at the old rate and are corrected too.
  const later = zeroAmounts()
  for (let after = 0; after <= fills.length; after++) {
    const undone = fills[fills.length - after]
    if (undone !== undefined) {
      const { inAsset, amountIn, outAsset, amountOut, fee, word: statedFee } = undone
      const posted = feeDebit(learning.model, fee)
      expected[inAsset] -= amountIn
      expected[outAsset] += amountOut + posted
      unnoteFee(sums, undone)
      later[outAsset] += (rate === null ? statedFee : feeAtRate(rate, undone, grain[outAsset])) - posted
    }
    const corrections = correctionsAt(input, expected, sums, rate)
    if (corrections === null) continue
    for (const asset of ASSETS) {
      const correction = (corrections[asset] ?? 0n) + later[asset]
      if (correction === 0n) delete corrections[asset]
      else corrections[asset] = correction
    }
    return { model: 'from-position', rate, after, corrections }
  }
  return null
}

type Sums = Pick<FeeLearning, 'fees' | 'words' | 'nets' | 'counts'>

function correctionsAt(
  { venue, learning: { model }, grain }: MatchInput,
  expected: Readonly<Amounts>,
  sums: Sums,
  rate: FeeRate | null,
): Partial<Amounts> | null {
  const corrections: Partial<Amounts> = {}
  let moved = false
  for (const asset of ASSETS) {
    const stated = venue[asset]
    if (stated === undefined) continue
    const missing = expected[asset] - stated
    const wanted = feesAt(sums, rate, asset, grain[asset]) - feeDebit(model, sums.fees[asset])
    const off = missing - wanted
    // Fees in the rows are exact; a rate is rounded once per fill.
    const tolerance = rate === null ? 0n : BigInt(sums.counts[asset]) * grain[asset]
    if (off > tolerance || off < -tolerance) return null
    if (missing !== 0n) {
      corrections[asset] = missing
      moved = true
    }
  }
  return moved ? corrections : null
}

function feesAt(
  { words: statedFees, nets: payouts }: Sums,
  rate: FeeRate | null,
  asset: Asset,
  grain: BookAmount,
): BookAmount {
  if (rate === null) return statedFees[asset]
  return feeAtRate(rate, { amountOut: payouts[asset], word: statedFees[asset] }, grain)
}

/**
 * Returns the protocol fee, in bps of the payout before the fee, that would explain the difference; null if no single rate
 * does. A rate that no source states is not adopted: it is only reported to the operator.
 */
export function fittedFeeBps(input: MatchInput, difference: Readonly<Partial<Amounts>>): number | null {
  const { learning } = input
  let fitted: number | null = null
  for (const asset of ASSETS) {
    const missing = -(difference[asset] ?? 0n)
    const gross = learning.nets[asset] + learning.words[asset]
    if (gross === 0n && missing === 0n) continue
    if (gross === 0n) return null
    const fees = feeDebit(learning.model, learning.fees[asset]) + missing
    const bps = Number((fees * BPS * 100n) / gross) / 100
    if (bps < 0 || bps > MOST_FITTED_BPS) return null
    if (fitted !== null && Math.abs(fitted - bps) > FIT_TOLERANCE_BPS) return null
    fitted ??= bps
  }
  return fitted
}

const MOST_FITTED_BPS = 1_000
const FIT_TOLERANCE_BPS = 0.05
