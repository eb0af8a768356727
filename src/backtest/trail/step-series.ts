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
 * fewer changes all are kept. `read` fills a row with the values as they are now.
 */
export function createStepSeries(
  columns: number,
  read: (row: Float64Array) => void,
  capacity = CAPACITY,
): StepSeries {
  const times = new Float64Array(capacity)
  const values = new Float64Array(capacity * columns)
  let length = 0
  const open = { changedAt: Number.NaN, endsAt: -Infinity, width: 1 }

  const row = (index: number): Float64Array => values.subarray(index * columns, (index + 1) * columns)

  const thin = (): void => {
    while (length > capacity / 2) {
      open.width *= 2
      let to = -1
      let stretch = Number.NaN
      for (let from = 0; from < length; from++) {
        const its = Math.floor(times[from]! / open.width)
        if (its !== stretch) to += 1
        stretch = its
        times[to] = times[from]!
        row(to).set(row(from))
      }
      length = to + 1
    }
  }

  const write = (): void => {
    times[length] = open.changedAt
    read(row(length))
    length += 1
    if (length === capacity) thin()
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
      const pending = Number.isNaN(open.changedAt) ? 0 : 1
      const now = new Float64Array(columns)
      read(now)
      return {
        t: Float64Array.from({ length: length + pending }, (_, i) =>
          i < length ? times[i]! : open.changedAt,
        ),
        columns: Array.from({ length: columns }, (_, column) =>
          Float64Array.from({ length: length + pending }, (__, i) =>
            i < length ? values[i * columns + column]! : now[column]!,
          ),
        ),
      }
    },
  }
}
