import { MINUTE_MS, type Ms } from '../base/time.ts'
import type { Fill } from '../ledger/fill.ts'
import { isStable, TO_18_DECIMALS, type StableAsset } from '../money/asset.ts'
import type { RecentFill } from '../strategy/context.ts'
import type { FlowState } from './model/state.ts'

const RECENT = 100

export const BUCKET_MS = 5 * MINUTE_MS

export function createFlow(): FlowState {
  return {
    recent: [],
    last: [],
    count: { bid: 0, ask: 0 },
    volumeUsd: { bid: 0n, ask: 0n },
    buckets: [],
    day: { bid: 0n, ask: 0n },
  }
}

/** Counts a posted fill and returns its dollars at 18 decimals. */
export function countFill(flow: FlowState, now: Ms, fill: Fill): bigint {
  const { side, inAsset, amountIn, outAsset, amountOut } = fill
  const stable = isStable(inAsset) ? inAsset : (outAsset as StableAsset)
  const usd18 = (isStable(inAsset) ? amountIn : amountOut) * TO_18_DECIMALS[stable]
  // Frozen, because strategies are shown this very object.
  flow.recent.unshift(Object.freeze({ at: now, side, stable, usd: Number(usd18) / 1e18 }))
  while (flow.recent.length > RECENT && isForgotten(flow.recent.at(-1), now)) flow.recent.pop()
  flow.count[side] += 1
  flow.volumeUsd[side] += usd18
  const at = Math.floor(now / BUCKET_MS) * BUCKET_MS
  let last = flow.buckets.at(-1)
  if (last === undefined || last.at < at) {
    last = { at, bid: 0n, ask: 0n }
    flow.buckets.push(last)
  }
  last[side] += usd18
  flow.day[side] += usd18
  return usd18
}

/** The whole last minute is kept however many they are, for the rule counts them. */
function isForgotten(oldest: RecentFill | undefined, now: Ms): boolean {
  return oldest === undefined || now - oldest.at >= MINUTE_MS
}

/** What a strategy is shown: the latest fills, as a list of its own. */
export function latestFills(flow: FlowState): RecentFill[] {
  return flow.recent.slice(0, RECENT)
}
