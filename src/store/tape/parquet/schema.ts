import type { SchemaElement } from 'hyparquet'
import type { flattenRow } from '../model/encode-row.ts'
import { ROW_SHAPE, type RowField, type RowKind } from '../model/row.ts'

/** Keys of a file's key-value metadata. */
export const PARQUET_KEY = {
  /** The version of the schemas below. */
  version: 'mizani.tape.version',
  /** The kind of row in the file. */
  kind: 'mizani.tape.kind',
  /** A JSON list: the CRC-32 of each row group's bytes. */
  crc32: 'mizani.tape.crc32',
  /** The CRC-32 of the footer: see `sealFooter`. */
  seal: 'mizani.tape.seal',
} as const

export const TAPE_SCHEMA_VERSION = 1

/** The writer named in our footers. */
export const CREATED_BY = 'mizani'

const UTC_MILLIS = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const satisfies Partial<SchemaElement>

const UTF8 = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} as const satisfies Partial<SchemaElement>

type Fields = ReturnType<typeof flattenRow>

const numberOf =
  (name: string) =>
  (fields: Fields): number | null =>
    (fields[name] ?? null) === null ? null : Number(fields[name])

/**
 * Optional columns that repeat exact texts as doubles for programs that plot, in whole tokens. mizani never reads them:
 * a double rounds money.
 */
export const DOUBLES: Readonly<Record<RowKind, Readonly<Record<string, (fields: Fields) => number | null>>>> =
  {
    rate: { mid: numberOf('midRateTZS') },
    reference: { mid: numberOf('midTZS') },
    competition: { amountFloat: numberOf('amount') },
    balances: {
      ntzsFloat: numberOf('ntzs'),
      usdcFloat: numberOf('usdc'),
      usdtFloat: numberOf('usdt'),
      usdtBnbFloat: numberOf('usdtBnb'),
    },
    quote: {},
    fill: {
      price: priceOf,
      amountInFloat: numberOf('amountIn'),
      amountOutFloat: numberOf('amountOut'),
      protocolFeeFloat: numberOf('protocolFee'),
    },
    decision: {},
  }

/** Returns a fill's shillings per dollar; null for dollars against dollars, or without dollars. */
function priceOf({ fromToken, toToken, amountIn, amountOut }: Fields): number | null {
  if ((fromToken === 'NTZS') === (toToken === 'NTZS')) return null
  const [shillings, dollars] = fromToken === 'NTZS' ? [amountIn, amountOut] : [amountOut, amountIn]
  const price = Number(shillings) / Number(dollars)
  return Number.isFinite(price) ? price : null
}

/** Returns the fields that are columns of a kind's files. */
export function fieldsOf(kind: RowKind): readonly RowField[] {
  return [{ name: 't', holds: 'time', optional: false }, ...ROW_SHAPE[kind]]
}

/** Returns the schema of a kind's files: `t`, the fields of the text form under their names, then `DOUBLES`. */
export function parquetSchema(kind: RowKind): SchemaElement[] {
  const fields = fieldsOf(kind)
  const doubles = Object.keys(DOUBLES[kind])
  return [
    { name: 'tape', num_children: fields.length + doubles.length },
    ...fields.flatMap(elementsOf),
    ...doubles.map((name): SchemaElement => ({ name, repetition_type: 'OPTIONAL', type: 'DOUBLE' })),
  ]
}

function elementsOf({ name, holds, optional }: RowField): readonly SchemaElement[] {
  const head = { name, repetition_type: optional ? 'OPTIONAL' : 'REQUIRED' } as const
  switch (holds) {
    case 'time':
      return [{ ...head, ...UTC_MILLIS }]
    case 'decimal':
    case 'text':
      return [{ ...head, ...UTF8 }]
    case 'bps':
      return [{ ...head, type: 'INT32' }]
    case 'flag':
      return [{ ...head, type: 'BOOLEAN' }]
    case 'texts':
      return [
        { ...head, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...UTF8 },
      ]
  }
}
