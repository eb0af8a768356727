import type { Ms } from '../../base/time.ts'

export type Points = { readonly t: Float64Array; readonly values: Float64Array }

/** A series in time of which the ups and downs are kept, however many values it is given. */
export type Extremes = {
  readonly add: (t: Ms, value: number) => void
  /** In time order: lowest and highest of each stretch at their own times, and the last value. */
  readonly points: () => Points
}

const CAPACITY = 2048

/**
 * Keeps the lowest and the highest value of stretches of equal length, which double whenever there are
 * `capacity` of them: a series of fewer values is kept whole, of a longer one no extreme is lost.
 */
export function createExtremes(capacity = CAPACITY): Extremes {
  const columns = {
    low: new Float64Array(capacity),
    lowAt: new Float64Array(capacity),
    high: new Float64Array(capacity),
    highAt: new Float64Array(capacity),
  }
  const { low, lowAt, high, highAt } = columns
  let length = 0
  // Plain doubles of an object are written in place, those of a closure anew at each call.
  const open = { endsAt: -Infinity, at: 0, value: 0, width: 1 }

  const endOf = (t: Ms): Ms => (Math.floor(t / open.width) + 1) * open.width

  const halve = (): void => {
    while (length > capacity / 2) {
      open.width *= 2
      length = joinStretches(columns, length, open.width)
    }
    open.endsAt = endOf(lowAt[length - 1]!)
  }

  return {
    add(t, value) {
      open.at = t
      open.value = value
      if (t >= open.endsAt && length === capacity) halve()
      if (t >= open.endsAt) {
        open.endsAt = endOf(t)
        low[length] = value
        high[length] = value
        lowAt[length] = t
        highAt[length] = t
        length += 1
        return
      }
      const last = length - 1
      if (value < low[last]!) {
        low[last] = value
        lowAt[last] = t
      }
      if (value > high[last]!) {
        high[last] = value
        highAt[last] = t
      }
    },
    points: () => pointsOf(columns, length, open.at, open.value),
  }
}

type Stretches = Readonly<Record<'low' | 'lowAt' | 'high' | 'highAt', Float64Array>>

/** Joins neighbours that are one stretch at this width; how many are left. */
function joinStretches({ low, lowAt, high, highAt }: Stretches, length: number, width: number): number {
  let to = 0
  for (let from = 1; from < length; from++) {
    if (Math.floor(lowAt[from]! / width) === Math.floor(lowAt[to]! / width)) {
      if (low[from]! < low[to]!) {
        low[to] = low[from]!
        lowAt[to] = lowAt[from]!
      }
      if (high[from]! > high[to]!) {
        high[to] = high[from]!
        highAt[to] = highAt[from]!
      }
      continue
    }
    to += 1
    low[to] = low[from]!
    lowAt[to] = lowAt[from]!
    high[to] = high[from]!
    highAt[to] = highAt[from]!
  }
  return to + 1
}

function pointsOf({ low, lowAt, high, highAt }: Stretches, length: number, lastAt: Ms, last: number): Points {
  const t: number[] = []
  const values: number[] = []
  const put = (at: Ms, value: number): void => {
    if (t.at(-1) === at && values.at(-1) === value) return
    t.push(at)
    values.push(value)
  }
  for (let i = 0; i < length; i++) {
    const lowFirst = lowAt[i]! <= highAt[i]!
    put(lowFirst ? lowAt[i]! : highAt[i]!, lowFirst ? low[i]! : high[i]!)
    put(lowFirst ? highAt[i]! : lowAt[i]!, lowFirst ? high[i]! : low[i]!)
  }
  if (length > 0) put(lastAt, last)
  return { t: Float64Array.from(t), values: Float64Array.from(values) }
}
