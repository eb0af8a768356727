import { crc32 as checksumOf } from 'node:zlib'
import type { FileMetaData, RowGroup } from 'hyparquet'
import { errorText, InvariantError } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import {
  batchOfRows,
  emptyBatch,
  type CompetitionColumns,
  type RateColumns,
  type TapeBatch,
  competitionRowOfColumns,
  rateRowOfColumns,
  rowsOfBatch,
} from '../model/batch.ts'
import { rowOfFields } from '../model/decode-row.ts'
import { compareRows, encodeRow, orderRows } from '../model/encode-row.ts'
import { type ProblemLog, lostRows } from '../model/problems.ts'
import { readBytes } from './footer.ts'
import type { RawColumn } from './columns/raw-column.ts'
import { decodeBalances, decodeCompetition, decodeRates } from './columns/frequent-kinds.ts'
import { chunkRange, type Columns, readColumns } from './columns/read-columns.ts'
import type { RowKind, TapeRow } from '../model/row.ts'
import { fieldsOf } from './schema.ts'

export type RowGroupSource = {
  readonly file: string
  /** 'row group 3', counted from 1. */
  readonly at: string
  readonly kind: RowKind
  readonly metadata: FileMetaData
  readonly group: RowGroup
  /** The offset of its bytes. */
  readonly from: number
  readonly to: number
  /** The checksum of those bytes; null = not in the file. */
  readonly crc32: number | null
}

/** Returns the rows of a row group in tape order. Reports what cannot be read. */
export async function readRowGroup(source: RowGroupSource, log: ProblemLog): Promise<TapeBatch> {
  const { file, at, kind, group } = source
  try {
    const bytes = readBytes(file, source.from, source.to)
    if (source.crc32 !== null && checksumOf(bytes) !== source.crc32) throw new Error('its checksum is wrong')
    const batch = decodeColumns(source, bytes)
    if (batch !== null && isInOrder(batch)) return batch
    const names = fieldsOf(kind).map(({ name }) => name)
    const rows =
      batch === null
        ? decodeRows(source, await readColumns({ ...source, bytes }, names), log)
        : [...rowsOfBatch(batch)]
    return batchOfRows(orderRows(rows, tellBackwards(source, log)))
  } catch (error) {
    if (error instanceof InvariantError) throw error
    // A decoder may throw anything on broken bytes; the row group is unusable.
    const message = `damaged (${errorText(error)}): skipped`
    const rows = Number(group.num_rows)
    log.add('damaged row group', { file, at, message, ...lostRows(rows, kind === 'fill' ? rows : 0) })
    return emptyBatch()
  }
}

function tellBackwards({ file, at }: RowGroupSource, log: ProblemLog): (row: TapeRow, last: Ms) => void {
  return (row, last) => {
    const [time, before] = [new Date(row.t).toISOString(), new Date(last).toISOString()]
    const skipped = lostRows(1, row.type === 'fill' ? 1 : 0)
    log.add('backwards', { file, at, message: `${time} comes after ${before}: skipped`, ...skipped })
  }
}

/** The fast path for frequent kinds, for columns in the form that we write. */
function decodeColumns(source: RowGroupSource, bytes: Buffer<ArrayBuffer>): TapeBatch | null {
  const column = (name: string) => rawColumn(source, bytes, name)
  if (source.kind === 'rate') {
    const rates = decodeRates(column)
    return rates === null ? null : { ...emptyBatch(), rows: rates.length, rates }
  }
  if (source.kind === 'competition') {
    const competition = decodeCompetition(column)
    return competition === null ? null : { ...emptyBatch(), rows: competition.length, competition }
  }
  if (source.kind === 'balances') {
    const balances = decodeBalances(column)
    return balances === null ? null : { ...emptyBatch(), rows: balances.length, balances }
  }
  return null
}

function rawColumn(
  { group, metadata, from }: RowGroupSource,
  bytes: Buffer<ArrayBuffer>,
  name: string,
): RawColumn | null {
  const meta = group.columns.find((each) => each.meta_data?.path_in_schema.join('.') === name)?.meta_data
  const element = metadata.schema.find((each) => each.name === name)
  if (meta === undefined || element === undefined) return null
  const isMillis = element.type !== 'INT64' || element.converted_type === 'TIMESTAMP_MILLIS'
  if (!isMillis || element.repetition_type === 'REPEATED') return null
  const range = chunkRange(meta)
  return {
    meta,
    optional: element.repetition_type === 'OPTIONAL',
    bytes: bytes.subarray(range.from - from, range.to - from),
    rows: Number(group.num_rows),
  }
}

/** Reads each row separately, from any writer, and reports invalid rows. */
function decodeRows({ file, at, kind, group }: RowGroupSource, columns: Columns, log: ProblemLog): TapeRow[] {
  const rows: TapeRow[] = []
  for (let i = 0; i < group.num_rows; i++) {
    const fields: Record<string, unknown> = { type: kind }
    for (const [name, values] of columns) fields[name] = values[i]
    const row = rowOfFields(fields)
    if (row.ok) rows.push(row.value)
    else {
      const place = { file, at: `${at}, row ${i + 1}` }
      log.add('no row', {
        ...place,
        message: `${row.error}: skipped`,
        ...lostRows(1, kind === 'fill' ? 1 : 0),
      })
    }
  }
  return rows
}

/** Returns whether these columns are in tape order, without creating a row for each. */
function isInOrder({ rates, competition, balances }: TapeBatch): boolean {
  const areBalancesInOrder = balances.every((row, i) => i === 0 || compareRows(balances[i - 1]!, row) <= 0)
  return areRatesInOrder(rates) && isCompetitionInOrder(competition) && areBalancesInOrder
}

function areRatesInOrder(rates: RateColumns): boolean {
  const { t } = rates
  for (let i = 1; i < t.length; i++) {
    const step = (t[i] as number) - (t[i - 1] as number)
    if (step > 0) continue
    if (step < 0 || compareRows(rateRowOfColumns(rates, i - 1), rateRowOfColumns(rates, i)) > 0) return false
  }
  return true
}

/** Several sizes are often probed at one time; their order is computed once per probe. */
function isCompetitionInOrder(competition: CompetitionColumns): boolean {
  const { t, probe, probes } = competition
  const texts = probes.map((each) =>
    encodeRow({ type: 'competition', t: 0, ...each, bidBps: null, askBps: null }).slice(0, -1),
  )
  const sorted = texts.toSorted()
  const ranks = texts.map((text) => sorted.indexOf(text))
  for (let i = 1; i < t.length; i++) {
    const step = (t[i] as number) - (t[i - 1] as number)
    if (step > 0) continue
    if (step < 0) return false
    const rise = (ranks[probe[i] as number] as number) - (ranks[probe[i - 1] as number] as number)
    if (rise > 0) continue
    const [before, after] = [
      competitionRowOfColumns(competition, i - 1),
      competitionRowOfColumns(competition, i),
    ]
    if (rise < 0 || compareRows(before, after) > 0) return false
  }
  return true
}
