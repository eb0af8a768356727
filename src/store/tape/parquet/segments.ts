import { basename } from 'node:path'
import type { FileMetaData, RowGroup } from 'hyparquet'
import { chunkRange, columnProblem, MAX_GROUP_ROWS } from './columns/read-columns.ts'
import { DOUBLES, fieldsOf, PARQUET_KEY, TAPE_SCHEMA_VERSION } from './schema.ts'
import { type ProblemLog, type ReadContext, lostRows } from '../model/problems.ts'
import { readFooter, type Footer } from './footer.ts'
import { readRowGroup, type RowGroupSource } from './row-group.ts'
import { ROW_KINDS, type RowKind } from '../model/row.ts'
import type { Segment } from '../model/batch.ts'

/** A row group beyond these limits is a corrupt number. */
const MAX_GROUP_BYTES = 2 ** 30

/**
 * Returns the row groups of a Parquet file; empty, with a reported problem, if it is not a tape's file. Also reports
 * columns that are dropped. Throws the file system's error.
 */
export function parquetSegments(file: string, { log, wants }: ReadContext): readonly Segment[] {
  const footer = readFooter(file)
  const named = (footer.ok ? valueOf(footer.value.metadata, PARQUET_KEY.kind) : null) ?? kindInName(file)
  const refuse = (kind: string, at: string, message: string, skipped: number | null): readonly Segment[] => {
    const fills = named === 'fill' ? skipped : 0
    log.add(kind, { file, at, message: `${message}: the file is skipped`, ...lostRows(skipped, fills) })
    return []
  }
  if (!footer.ok) return refuse('footer', 'footer', footer.error, null)
  const { metadata } = footer.value
  const rows = Number(metadata.num_rows)
  const version = Number(valueOf(metadata, PARQUET_KEY.version) ?? TAPE_SCHEMA_VERSION)
  if (version > TAPE_SCHEMA_VERSION) {
    return refuse('version', 'footer', `schema version ${version} is newer than this program`, rows)
  }
  const kind = ROW_KINDS.find((each) => each === named)
  if (kind === undefined) {
    const kinds = ROW_KINDS.join(', ')
    const message =
      named === null
        ? `its kind of rows is not stated: name it <...>.<kind>.parquet with one of ${kinds}`
        : `its kind of rows, ${named}, is not one of ${kinds}`
    return refuse('kind', 'footer', message, rows)
  }
  if (!wants(kind)) return []
  const missing = checkColumns(file, kind, metadata, log)
  if (missing.length > 0) return refuse('columns', 'footer', `no column ${missing.join(', ')}`, rows)
  for (const field of fieldsOf(kind)) {
    const problem = columnProblem(metadata, field)
    if (problem !== null) return refuse('columns', 'footer', problem, rows)
  }
  return segmentsOf(file, kind, footer.value, log)
}

/** Returns the names of missing required columns; reports columns that are dropped. */
function checkColumns(
  file: string,
  kind: RowKind,
  metadata: FileMetaData,
  log: ProblemLog,
): readonly string[] {
  const fields = fieldsOf(kind)
  const paths = metadata.row_groups[0]?.columns.map((column) => column.meta_data?.path_in_schema[0]) ?? []
  const columns = new Set(paths.length > 0 ? paths : fields.map(({ name }) => name))
  for (const column of columns) {
    if (
      column === undefined ||
      Object.hasOwn(DOUBLES[kind], column) ||
      fields.some(({ name }) => name === column)
    )
      continue
    log.add('unknown field', { file, at: 'footer', message: `column ${column} is ignored`, skipped: 0 })
  }
  return fields.filter(({ name, optional }) => !optional && !columns.has(name)).map(({ name }) => name)
}

function segmentsOf(
  file: string,
  kind: RowKind,
  { metadata, bytes }: Footer,
  log: ProblemLog,
): readonly Segment[] {
  const checksums = checksumsOf(metadata)
  return metadata.row_groups.flatMap((group, i): readonly Segment[] => {
    const at = `row group ${i + 1}`
    if (group.num_rows > MAX_GROUP_ROWS) {
      const message = `it has ${group.num_rows} rows, but at most ${MAX_GROUP_ROWS} are read; write smaller row groups: skipped`
      const rows = Number(group.num_rows)
      log.add('damaged row group', { file, at, message, ...lostRows(rows, kind === 'fill' ? rows : 0) })
      return []
    }
    const range = rangeOf(group, bytes)
    if (range === null) {
      const message = 'damaged (it lies outside the file): skipped'
      log.add('damaged row group', { file, at, message, skipped: null })
      return []
    }
    const source: RowGroupSource = {
      file,
      at,
      kind,
      metadata,
      group,
      ...range,
      crc32: checksums[i] ?? null,
    }
    return [{ startsAt: startOf(group), file, at, load: () => readRowGroup(source, log) }]
  })
}

/** Returns the byte range of a row group; null if it lies outside the file. */
function rangeOf(group: RowGroup, bytes: number): { readonly from: number; readonly to: number } | null {
  const ranges = group.columns.map(({ meta_data: meta }) => chunkRange(meta))
  const from = Math.min(...ranges.map((range) => range.from))
  const to = Math.max(...ranges.map((range) => range.to))
  return from >= 0 && from < to && to <= bytes && to - from <= MAX_GROUP_BYTES ? { from, to } : null
}

/** Returns the oldest time in the footer's statistics; without statistics it may be any time. */
function startOf(group: RowGroup): number {
  const column = group.columns.find(({ meta_data: meta }) => meta?.path_in_schema[0] === 't')
  const lowest = column?.meta_data?.statistics?.min_value
  return lowest instanceof Date ? lowest.getTime() : Number.NEGATIVE_INFINITY
}

function valueOf(metadata: FileMetaData, key: string): string | null {
  return metadata.key_value_metadata?.find((pair) => pair.key === key)?.value ?? null
}

function kindInName(file: string): string | null {
  return /\.([a-z]+)\.parquet$/.exec(basename(file))?.[1] ?? null
}

function checksumsOf(metadata: FileMetaData): readonly (number | null)[] {
  try {
    const parsed: unknown = JSON.parse(valueOf(metadata, PARQUET_KEY.crc32) ?? '[]')
    return Array.isArray(parsed) ? parsed.map((each) => (typeof each === 'number' ? each : null)) : []
  } catch {
    return []
  }
}
