import { type Asset, parseAmount } from '../../../money/asset.ts'
import type { ReferenceRow, TapeFill } from '../../model/row.ts'
import {
  areTimes,
  isWithoutNulls,
  type RawColumn,
  readLongs,
  readTexts,
  readTimes,
  type Values,
} from './raw-column.ts'
import { assetOf, ratesOf } from './rates-and-competition.ts'

/**
 * A row group of references as rows: a feed has one a minute, and several a minute are hundreds of thousands a year.
 * Null where it is not written as `createParquetFile` writes it or holds what is no reference: then it has to be read
 * row by row, which can tell what is wrong.
 */
export function decodeReferences(column: (name: string) => RawColumn | null): ReferenceRow[] | null {
  const t = readTimes(column('t'))
  const source = readTexts(column('source'))
  const mid = readTexts(column('midTZS'))
  if (t === null || source === null || mid === null) return null
  const mids = ratesOf(mid.values)
  if (mids === null || !isWithoutNulls(source) || !isWithoutNulls(mid)) return null
  const rows: ReferenceRow[] = []
  for (let i = 0; i < t.length; i++) {
    const rate = mids[mid.at[i] as number] as bigint
    rows.push({
      type: 'reference',
      t: t[i] as number,
      source: source.values[source.at[i] as number] as string,
      mid: rate,
    })
  }
  return rows
}

type FillColumns = {
  readonly t: Float64Array
  readonly id: Values<string>
  readonly from: Values<string>
  readonly to: Values<string>
  readonly amountIn: Values<string>
  readonly amountOut: Values<string>
  readonly protocolFee: Values<string>
  readonly feesEarned: Values<string>
  readonly txHash: Values<string>
  readonly seenAt: Values<number>
}

/** A row group of fills as rows; null as in `decodeReferences`. */
export function decodeFills(column: (name: string) => RawColumn | null): TapeFill[] | null {
  const columns = fillColumns(column)
  if (columns === null || !areTimes(columns.seenAt.values)) return null
  const rows: TapeFill[] = []
  for (let i = 0; i < columns.t.length; i++) {
    const row = fillAt(columns, i)
    if (row === null) return null
    rows.push(row)
  }
  return rows
}

function fillColumns(column: (name: string) => RawColumn | null): FillColumns | null {
  const t = readTimes(column('t'))
  const id = readTexts(column('id'))
  const from = readTexts(column('fromToken'))
  const to = readTexts(column('toToken'))
  const amountIn = readTexts(column('amountIn'))
  const amountOut = readTexts(column('amountOut'))
  const protocolFee = readTexts(column('protocolFee'))
  const feesEarned = readTexts(column('feesEarned'))
  const txHash = readTexts(column('txHash'))
  const seenAt = readLongs(column('seenAt'))
  if (t === null || id === null || from === null || to === null || amountIn === null) return null
  if (amountOut === null || protocolFee === null || feesEarned === null || txHash === null) return null
  return seenAt === null
    ? null
    : { t, id, from, to, amountIn, amountOut, protocolFee, feesEarned, txHash, seenAt }
}

function fillAt(columns: FillColumns, i: number): TapeFill | null {
  const id = valueAt(columns.id, i)
  const [from, to] = [assetAt(columns.from, i), assetAt(columns.to, i)]
  if (id === null || from === null || to === null) return null
  const amountIn = amountAt(columns.amountIn, i)
  const amountOut = amountAt(columns.amountOut, i)
  const protocolFee = amountAt(columns.protocolFee, i)
  if (typeof amountIn !== 'bigint' || typeof amountOut !== 'bigint' || protocolFee === undefined) return null
  return {
    type: 'fill',
    t: columns.t[i] as number,
    id,
    from,
    to,
    amountIn,
    amountOut,
    protocolFee,
    feesEarned: valueAt(columns.feesEarned, i),
    txHash: valueAt(columns.txHash, i),
    seenAt: valueAt(columns.seenAt, i),
  }
}

function valueAt<T>({ at, values }: Values<T>, i: number): T | null {
  return values[at[i] as number] ?? null
}

function assetAt(column: Values<string>, i: number): Asset | null {
  return assetOf(valueAt(column, i) ?? '')
}

/** Null where there is none, undefined where it is no amount. */
function amountAt(column: Values<string>, i: number): bigint | null | undefined {
  const text = valueAt(column, i)
  if (text === null) return null
  const amount = parseAmount(text)
  return amount.ok && amount.value >= 0n ? amount.value : undefined
}
