import type { Ms } from '../../base/time.ts'

/** Some values that hold until they change, kept as they were at a bounded number of moments. */
export type StepSeries = {
  /** Something changes at `t`: to be called before it does. */
  readonly touch: (t: Ms) => void
  /** `columns[c][i]` held from `t[i]` on; the last row is as it is now. */
  readonly rows: () => { readonly t: Float64Array; readonly columns: readonly Float64Array[] }
}

const CAPACITY = 4096

/**
 * Keeps the last state of stretches of equal length, which double whenever there are `capacity` of them: of
 * fewer changes all are kept. `read` writes the values as they are now into `rows` from `at` on.
 */
export function createStepSeries(
  columns: number,
  read: (rows: Float64Array, at: number) => void,
  capacity = CAPACITY,
): StepSeries {
  const times = new Float64Array(capacity)
  const values = new Float64Array(capacity * columns)
  let length = 0
  // Plain doubles of an object are written in place, those of a closure anew at each call.
  const open = { changedAt: Number.NaN, endsAt: -Infinity, width: 1 }

  const write = (): void => {
    times[length] = open.changedAt
    read(values, length * columns)
    length += 1
    if (length < capacity) return
    // To half at least, so that this is rare.
    while (length > capacity / 2) {
      open.width *= 2
      length = thinRows(times, values, length, open.width)
    }
  }

  return {
    touch(t) {
      if (t >= open.endsAt) {
        if (!Number.isNaN(open.changedAt)) write()
        open.endsAt = (Math.floor(t / open.width) + 1) * open.width
      }
      open.changedAt = t
    },
    rows() {
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

/** Keeps the last row of each stretch of this width; how many are left. */
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
