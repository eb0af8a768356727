import type { Estimate } from '../../../core/models/calibration.ts'
import { studentQuantile } from '../../../core/models/distributions.ts'

/** State just before an update of the mid, in log bps: the old mid, the new mid, and the feed. */
export type BeforeUpdate = { readonly mid: number; readonly next: number; readonly feed: number | null }

const AHEAD = [1, 2, 5] as const
const FEWEST = 10

/**
 * Returns how far the mid follows a feed: the mid's move over the next 1, 2 and 5 updates regressed with an intercept
 * on the feed's distance from the mid just before the first update. Windows overlap, so the standard error counts only
 * every fifth window of five updates. Omits horizons with fewer than ten disjoint windows.
 */
export function feedLead(
  updates: readonly BeforeUpdate[],
): readonly { readonly updates: number; readonly share: Estimate }[] {
  return AHEAD.flatMap((ahead) => {
    const pairs = updates.flatMap(({ mid, feed }, index) => {
      const last = updates[index + ahead - 1]
      return feed === null || last === undefined ? [] : [{ x: feed - mid, y: last.next - mid }]
    })
    const share = slope(pairs, ahead)
    return share === null ? [] : [{ updates: ahead, share }]
  })
}

function slope(
  pairs: readonly { readonly x: number; readonly y: number }[],
  overlap: number,
): Estimate | null {
  const count = pairs.length
  const own = Math.floor(count / overlap)
  if (own < FEWEST) return null
  const meanX = pairs.reduce((sum, { x }) => sum + x, 0) / count
  const meanY = pairs.reduce((sum, { y }) => sum + y, 0) / count
  let [xx, xy] = [0, 0]
  for (const { x, y } of pairs) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
  }
  if (!(xx > 0)) return null
  const value = xy / xx
  const rest = pairs.reduce((sum, { x, y }) => sum + (y - meanY - value * (x - meanX)) ** 2, 0)
  const reach = studentQuantile(0.95, own - 2) * Math.sqrt(((rest / (count - 2)) * overlap) / xx)
  return { value, low: value - reach, high: value + reach }
}
