import type { SchemaElement } from 'hyparquet'
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

/** Returns the fields that are columns of a kind's files. */
export function fieldsOf(kind: RowKind): readonly RowField[] {
  return [{ name: 't', holds: 'time', optional: false }, ...ROW_SHAPE[kind]]
}

/** Returns the schema of a kind's files: `t`, then the fields of the text form under their names. */
export function parquetSchema(kind: RowKind): SchemaElement[] {
  const fields = ROW_SHAPE[kind]
  return [
    { name: 'tape', num_children: fields.length + 1 },
    { name: 't', repetition_type: 'REQUIRED', ...UTC_MILLIS },
    ...fields.flatMap(elementsOf),
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
