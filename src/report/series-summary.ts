/** What a line comes down to; holes do not count. All NaN where the line has no point. */
export type SeriesSummary = {
  readonly first: number
  readonly last: number
  readonly lowest: number
  readonly highest: number
  /** Over time, each value held until the next point; holes weigh nothing. */
  readonly mean: number
  readonly points: number
}

export function seriesSummary(t: Float64Array, values: Float64Array): SeriesSummary {
  let first = NaN
  let last = NaN
  let lowest = NaN
  let highest = NaN
  let points = 0
  let heldFor = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN
    if (!Number.isFinite(value)) continue
    if (points++ === 0) first = lowest = highest = value
    last = value
    if (value < lowest) lowest = value
    if (value > highest) highest = value
    const held = (t[i + 1] ?? t[i] ?? 0) - (t[i] ?? 0)
    heldFor += held
    sum += value * held
  }
  return { first, last, lowest, highest, mean: heldFor > 0 ? sum / heldFor : last, points }
}
