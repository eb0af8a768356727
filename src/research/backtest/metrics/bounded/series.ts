import type { Ms } from '../../../../base/time.ts'

export type Points = { readonly t: Float64Array; readonly values: Float64Array }

/** Keeps the extremes of a time series in bounded memory. */
const EXTREMES = 2048

/**
 * Keeps the lowest and highest value of stretches of equal length, which double whenever there are `capacity` of them:
 * short series are kept whole, and no series loses its first value, its last one or an extreme.
 */
export function createExtremes(capacity = EXTREMES) {
  const columns = {
    low: new Float64Array(capacity),
    lowAt: new Float64Array(capacity),
    high: new Float64Array(capacity),
    highAt: new Float64Array(capacity),
  }
  const { low, lowAt, high, highAt } = columns
  let length = 0
  // Fields of an object are updated in place; doubles captured by a closure are allocated at each write.
  const open = { endsAt: -Infinity, at: 0, value: 0, width: 1 }
  const first = { at: 0, value: 0 }

  const endOf = (t: Ms): Ms => (Math.floor(t / open.width) + 1) * open.width

  const halve = (): void => {
    open.width = halvingWidth(lowAt, length, open.width)
    length = joinStretches(columns, length, open.width)
    open.endsAt = endOf(lowAt[length - 1]!)
  }

  return {
    add(t: Ms, value: number): void {
      open.at = t
      open.value = value
      if (length === 0) Object.assign(first, { at: t, value })
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
    /** In time order: the first value, lowest and highest of each stretch at their own times, then the last value. */
    points: (): Points => pointsOf(columns, length, first, open),
  }
}

type Stretches = Readonly<Record<'low' | 'lowAt' | 'high' | 'highAt', Float64Array>>

/** Doubles the width of the stretches until these times are in at most half as many. */
function halvingWidth(times: Float64Array, length: number, before: number): number {
  let width = before
  for (let count = length; count > length / 2;) {
    width *= 2
    count = 0
    let last = Number.NaN
    for (let i = 0; i < length && count <= length / 2; i++) {
      const stretch = Math.floor(times[i]! / width)
      if (stretch !== last) count += 1
      last = stretch
    }
  }
  return width
}

/** Joins neighbours that are one stretch at this width; returns the number left. */
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

type Point = { readonly at: Ms; readonly value: number }

function pointsOf(
  { low, lowAt, high, highAt }: Stretches,
  length: number,
  first: Point,
  last: Point,
): Points {
  const t: number[] = []
  const values: number[] = []
  const put = (at: Ms, value: number): void => {
    if (t.at(-1) === at && values.at(-1) === value) return
    t.push(at)
    values.push(value)
  }
  if (length > 0) put(first.at, first.value)
  for (let i = 0; i < length; i++) {
    const lowFirst = lowAt[i]! <= highAt[i]!
    put(lowFirst ? lowAt[i]! : highAt[i]!, lowFirst ? low[i]! : high[i]!)
    put(lowFirst ? highAt[i]! : lowAt[i]!, lowFirst ? high[i]! : low[i]!)
  }
  if (length > 0) put(last.at, last.value)
  return { t: Float64Array.from(t), values: Float64Array.from(values) }
}

/** Values that hold until they change, sampled at a bounded number of moments. */
const STEPS = 4096

/**
 * Keeps the last state of stretches of equal length, which double whenever there are `capacity` of them; few changes
 * are all kept. `read` writes the current values into `rows` from `at` on.
 */
export function createStepSeries(
  columns: number,
  read: (rows: Float64Array, at: number) => void,
  capacity = STEPS,
) {
  const times = new Float64Array(capacity)
  const values = new Float64Array(capacity * columns)
  let length = 0
  // Fields of an object are updated in place; doubles captured by a closure are allocated at each write.
  const open = { changedAt: Number.NaN, endsAt: -Infinity, width: 1 }

  const write = (): void => {
    times[length] = open.changedAt
    read(values, length * columns)
    length += 1
    if (length < capacity) return
    // Reduces to at least half, so that this is rare.
    open.width = halvingWidth(times, length, open.width)
    length = thinRows(times, values, length, open.width)
  }

  return {
    /** Must be called before a change at `t`. */
    touch(t: Ms): void {
      if (t >= open.endsAt) {
        if (!Number.isNaN(open.changedAt)) write()
        open.endsAt = (Math.floor(t / open.width) + 1) * open.width
      }
      open.changedAt = t
    },
    /** `columns[c][i]` holds from `t[i]` on; the last row is the current one. */
    rows(): { readonly t: Float64Array; readonly columns: readonly Float64Array[] } {
      if (Number.isNaN(open.changedAt)) return { t: new Float64Array(), columns: [] }
      const all = Float64Array.from([...times.subarray(0, length), open.changedAt])
      const now = new Float64Array(columns)
      read(now, 0)
      return {
        t: all,
        columns: Array.from(now, (value, column) =>
          all.map((_, row) => (row < length ? values[row * columns + column]! : value)),
        ),
      }
    },
  }
}

/** Keeps the last row of each stretch of this width; returns the number left. */
function thinRows(times: Float64Array, values: Float64Array, length: number, width: number): number {
  const columns = values.length / times.length
  let to = -1
  let stretch = Number.NaN
  for (let from = 0; from < length; from++) {
    const its = Math.floor(times[from]! / width)
    if (its !== stretch) to += 1
    stretch = its
    times[to] = times[from]!
    values.copyWithin(to * columns, from * columns, (from + 1) * columns)
  }
  return to + 1
}
