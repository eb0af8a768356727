import type { TapeBatch } from '../../src/store/tape/model/batch.ts'
import type { DrawnTape } from '../tape/draw-tape.ts'

/** A drawn tape as one array of rows, the way a plain loop wants it. */
export type PlainRows = {
  readonly length: number
  /** 0 a mid, 1 a taker with dollars, 2 a taker with shillings. */
  readonly kind: Int8Array
  /** Index into `mids` or `amounts`. */
  readonly value: Int32Array
  /** What a taker accepts. */
  readonly bps: Int16Array
  readonly mids: readonly bigint[]
  /** What a taker brings, book amounts. */
  readonly amounts: readonly bigint[]
}

/** The same rows in the same order, in memory at once. */
export function plainRows({ takers }: DrawnTape, batches: readonly TapeBatch[]): PlainRows {
  const length = batches.reduce((sum, { rates, fills }) => sum + rates.length + fills.length, 0)
  const rows = {
    length,
    kind: new Int8Array(length),
    value: new Int32Array(length),
    bps: new Int16Array(length),
    mids: [] as bigint[],
    amounts: [] as bigint[],
  }
  let at = 0
  for (const { rates, fills } of batches) {
    const firstMid = rows.mids.length
    rows.mids.push(...rates.mids)
    let next = 0
    for (let i = 0; i < rates.length; i++) {
      rows.value[at++] = firstMid + rates.mid[i]!
      const until = rates.t[i + 1] ?? Infinity
      for (let fill = fills[next]; fill !== undefined && fill.t < until; fill = fills[++next]) {
        rows.kind[at] = fill.from === 'NTZS' ? 2 : 1
        rows.bps[at] = takers.bps[rows.amounts.length]!
        rows.value[at++] = rows.amounts.push(fill.amountIn) - 1
      }
    }
  }
  return rows
}

/** For the loop in C: struct { double value; int32_t kind, bps; }, shillings and dollars as doubles. */
export function rowsInC({ length, kind, value, bps, mids, amounts }: PlainRows): Buffer {
  const bytes = Buffer.alloc(length * 16)
  for (let i = 0; i < length; i++) {
    const what = kind[i]!
    const units = what === 0 ? mids[value[i]!]! : amounts[value[i]!]!
    bytes.writeDoubleLE(Number(units) / 1e18, i * 16)
    bytes.writeInt32LE(what, i * 16 + 8)
    bytes.writeInt32LE(bps[i]!, i * 16 + 12)
  }
  return bytes
}
