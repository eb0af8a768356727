import { ASSETS, zeroAmounts, type Amounts, type Asset } from '../money/asset.ts'
import { BPS } from '../money/bps.ts'
import { divide } from '../money/rounding.ts'
import { feeFromNet } from './explain-fill.ts'
import type { FeeLearning } from './fee-learning.ts'
import { feeDebit, type FeeRate, type PostedFill } from './fee-model.ts'
import type { Match, MatchInput } from './match-reading.ts'

/** What this rate takes of one fill, to one unit. */
export function feeAtRate({ bps, of }: FeeRate, fill: Pick<PostedFill, 'amountOut' | 'word'>): bigint {
  if (of === 'net') return feeFromNet(fill.amountOut, bps)
  return divide((fill.amountOut + fill.word) * BigInt(bps), BPS, 'up')
}

/**
 * Whether one of the protocol fees that a source names explains the balances, where what the rows name does not:
 * for every fill since the last match, to one unit of rounding a fill. Null = none does, or none is another one.
 */
export function matchFeeRate(input: MatchInput): Match | null {
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
  const { venue, ledger, fills, learning } = input
  const expected = { ...ledger }
  const sums = copyOf(learning)
  // Fills after the reading were posted at the old rate too: they are put right with the others.
  const later = zeroAmounts()
  for (let after = 0; after <= fills.length; after++) {
    const undone = after === 0 ? undefined : fills[fills.length - after]
    if (undone !== undefined) {
      const { inAsset, amountIn, outAsset, amountOut, fee } = undone
      const posted = feeDebit(learning.model, fee)
      expected[inAsset] -= amountIn
      expected[outAsset] += amountOut + posted
      takeOut(sums, undone)
      later[outAsset] += (rate === null ? undone.word : feeAtRate(rate, undone)) - posted
    }
    const corrections = correctionsAt(venue, expected, sums, learning, rate)
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
  venue: Readonly<Partial<Amounts>>,
  expected: Readonly<Amounts>,
  sums: Sums,
  { model }: Readonly<FeeLearning>,
  rate: FeeRate | null,
): Partial<Amounts> | null {
  const corrections: Partial<Amounts> = {}
  let moved = false
  for (const asset of ASSETS) {
    const said = venue[asset]
    if (said === undefined) continue
    const missing = expected[asset] - said
    const wanted = feesAt(sums, rate, asset) - feeDebit(model, sums.fees[asset])
    const off = missing - wanted
    // What the rows name is exact; a rate is rounded once a fill.
    const tolerance = rate === null ? 0n : BigInt(sums.counts[asset])
    if ((off < 0n ? -off : off) > tolerance) return null
    if (missing !== 0n) {
      corrections[asset] = missing
      moved = true
    }
  }
  return moved ? corrections : null
}

function feesAt({ words, nets }: Sums, rate: FeeRate | null, asset: Asset): bigint {
  if (rate === null) return words[asset]
  return feeAtRate(rate, { amountOut: nets[asset], word: words[asset] })
}

/**
 * The protocol fee, in bps of the payout before it, that would explain the difference; null = no single rate
 * does. A rate that no source names is not taken: it is what an operator is told.
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

function copyOf({ fees, words, nets, counts }: Readonly<FeeLearning>): Sums {
  return { fees: { ...fees }, words: { ...words }, nets: { ...nets }, counts: { ...counts } }
}

function takeOut({ fees, words, nets, counts }: Sums, { outAsset, amountOut, fee, word }: PostedFill): void {
  fees[outAsset] -= fee
  words[outAsset] -= word
  nets[outAsset] -= amountOut
  counts[outAsset] -= 1
}
