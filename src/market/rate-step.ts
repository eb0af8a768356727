import { BPS } from '../money/bps.ts'
import type { Rate } from '../money/rate.ts'

/** How far `to` is from `from`, in bps of `from`, with sign; a hundredth of a bp is the finest it tells. */
export function rateStepBps(from: Rate, to: Rate): number {
  return Number(((to - from) * BPS * 100n) / from) / 100
}
