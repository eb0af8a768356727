import type { StableAsset } from '../../../base/money/asset.ts'
import { parseRate, type Rate } from '../../../base/money/rate.ts'
import { invariant } from '../../../base/result.ts'
import type { VenueState } from '../state.ts'

/** What GET /rate shows where the configuration has no row for it. */
const RATE_WITHOUT_ROW = 3_750

/** The mid of the configuration row, which GET /rate and GET /quote use: a whole number of shillings. */
export function configuredMid({ midNumber, options }: VenueState): number {
  const { rateBps } = options.measured
  return rateBps === null ? RATE_WITHOUT_ROW : Math.round(midNumber * (1 + rateBps / 10_000))
}

/** The mid at which fills of a pair execute. In `contract` it is the one mid of the venue. */
export function pairMid(
  { mid, midNumber, options }: VenueState,
  stable: StableAsset,
): { readonly rate: Rate; readonly number: number } {
  const shift = options.measured.pairBps[stable === 'USDC' ? 'USDC' : 'USDT']
  if (options.venue === 'contract' || shift === 0) return { rate: mid, number: midNumber }
  const number = Math.round(midNumber * (10_000 + shift)) / 10_000
  const rate = parseRate(number)
  invariant(rate.ok, 'the mid of a pair must be a rate')
  return { rate: rate.value, number }
}
