import type { TapeBatch } from '../../src/tape/model/batch.ts'

/** A tape as one array of rows, the way a plain loop wants it: kinds 0 rate, 1 competition, 2 balances, 3 ask taker, 4 bid taker. */
export type PlainRows = {
  readonly length: number
  readonly t: Float64Array
  readonly kind: Int8Array
  /** Index into `mids` (rate) or `amounts` (takers). */
  readonly value: Int32Array
  /** Recorded spread of a taker, best of the competition. */
  readonly bps: Int16Array
  readonly mids: readonly bigint[]
  readonly amounts: readonly bigint[]
}

const RECORDED_BPS = 80

/** The same rows in the same order, in memory at once. */
export function plainRows(batches: readonly TapeBatch[]): PlainRows {
  const length = batches.reduce((sum, { rows }) => sum + rows, 0)
  const rows = {
    length,
    t: new Float64Array(length),
    kind: new Int8Array(length),
    value: new Int32Array(length),
    bps: new Int16Array(length),
    mids: [] as bigint[],
    amounts: [] as bigint[],
  }
  let at = 0
  const put = (t: number, kind: number, value: number, bps: number) => {
    rows.t[at] = t
    rows.kind[at] = kind
    rows.value[at] = value
    rows.bps[at] = bps
    at += 1
  }
  for (const batch of batches) {
    const firstMid = rows.mids.length
    rows.mids.push(...batch.rates.mids)
    const { rates, competition, balances, fills } = batch
    const heads = [0, 0, 0, 0]
    for (;;) {
      const times = [
        rates.t[heads[0]!] ?? Infinity,
        competition.t[heads[1]!] ?? Infinity,
        balances[heads[2]!]?.t ?? Infinity,
        fills[heads[3]!]?.t ?? Infinity,
      ]
      const first = Math.min(...times)
      if (first === Infinity) break
      const which = times.indexOf(first)
      const index = heads[which]!
      heads[which] = index + 1
      if (which === 0) put(first, 0, firstMid + rates.mid[index]!, 0)
      else if (which === 1) put(first, 1, 0, Math.max(competition.bidBps[index]!, competition.askBps[index]!))
      else if (which === 2) put(first, 2, 0, 0)
      else {
        const fill = fills[index]!
        rows.amounts.push(fill.amountIn)
        put(first, fill.from === 'NTZS' ? 4 : 3, rows.amounts.length - 1, RECORDED_BPS)
      }
    }
  }
  return { ...rows, length: at }
}
