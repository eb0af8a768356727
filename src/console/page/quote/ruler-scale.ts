/** From bps around the mid to places along a ruler; negative bps lie left of the mid. */
export type RulerScale = {
  readonly mid: number
  readonly left: number
  readonly right: number
  readonly placeOf: (bps: number) => number
}

export const RULER_TICKS = [10, 25, 50, 100, 200, 350, 500] as const

/**
 * Distances grow with the square root of the bps, as on a slide rule: 60 and 70 stay apart, and the safe
 * quote at 500 is still on it. What lies further out stands at the end.
 */
export function rulerScale(width: number, maxBps: number): RulerScale {
  const margin = Math.min(28, width * 0.05)
  const mid = width / 2
  const half = mid - margin
  const placeOf = (bps: number) =>
    mid + Math.sign(bps) * half * Math.sqrt(Math.min(Math.abs(bps), maxBps) / maxBps)
  return { mid, left: mid - half, right: mid + half, placeOf }
}
