import type { SchemaElement } from 'hyparquet'

/** One column of a Parquet file: how the file names it, and where a row's value comes from. */
export type ParquetColumn<Row> = {
  readonly name: string
  readonly schema: readonly SchemaElement[]
  readonly valueOf: (row: Row) => unknown
}

/** `time` takes a Date, `count` a whole number under 2^31. */
export type ParquetKind = keyof typeof KINDS

const KINDS = {
  double: { type: 'DOUBLE' },
  count: { type: 'INT32' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const satisfies Record<string, Partial<SchemaElement>>

/** A column with one value a row; `null` where there is none. */
export function plainColumn<Row>(
  name: string,
  kind: ParquetKind,
  valueOf: (row: Row) => unknown,
): ParquetColumn<Row> {
  return { name, schema: [{ name, repetition_type: 'OPTIONAL', ...KINDS[kind] }], valueOf }
}

/** A column with a list of values a row. */
export function listColumn<Row>(
  name: string,
  kind: ParquetKind,
  valueOf: (row: Row) => readonly unknown[],
): ParquetColumn<Row> {
  const schema: readonly SchemaElement[] = [
    { name, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...KINDS[kind] },
  ]
  return { name, schema, valueOf }
}
