import type { Ms } from '../../../base/time.ts'
import { compareRows } from '../model/encode-row.ts'
import { type ProblemLog, type ReadContext, lostRows } from '../model/problems.ts'
import { batchOfRows, type Segment, type TapeWindow } from '../model/batch.ts'
import type { TapeRow } from '../model/row.ts'
import { plainCells } from '../../../base/csv-text.ts'
import { createReadStream } from 'node:fs'
import { decodeRow, rowOfFields } from '../model/decode-row.ts'

/** Rows that are held at a time. */
const CHUNK_ROWS = 32_768

type Entry = { readonly row: TapeRow; readonly line: number }

/**
 * Yields the rows of a file in the text form, or of a CSV file of mids, in tape order, some ten thousand at a time; rows of one time are never
 * split. Skips and reports invalid lines and rows older than an earlier row.
 */
export async function* readText(
  file: string,
  window: TapeWindow,
  { log, fills, wants }: ReadContext,
): AsyncGenerator<readonly TapeRow[], undefined> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = window
  const decode = file.endsWith('.csv') ? createMidDecoder(file, log) : createLineDecoder(file, log)
  let entries: Entry[] = []
  let last: Ms = Number.NEGATIVE_INFINITY

  const inOrder = (): readonly TapeRow[] =>
    entries
      .sort((a, b) => compareRows(a.row, b.row))
      .filter(({ row, line }) => row.type !== 'fill' || fills.admits(row, file, `line ${line}`))
      .map(({ row }) => row)

  for await (const lines of readLines(file)) {
    for (const { number, text } of lines) {
      const row = decode(number, text)
      if (row === null) continue
      if (row.t < last) {
        const message = `${iso(row.t)} comes after ${iso(last)}: skipped`
        const skipped = lostRows(1, row.type === 'fill' ? 1 : 0)
        log.add('backwards', { file, at: `line ${number}`, message, ...skipped })
        continue
      }
      if (entries.length >= CHUNK_ROWS && row.t > last) {
        yield inOrder()
        entries = []
      }
      last = row.t
      if (row.t >= to) break
      if (row.t >= from && wants(row.type)) entries.push({ row, line: number })
    }
    if (last >= to) break
  }
  if (entries.length > 0) yield inOrder()
}

function iso(t: Ms): string {
  return new Date(t).toISOString()
}

/**
 * Reads the current text of a period that is not Parquet yet, and sorts it into tape order: its rows are in order of
 * arrival, with late fills. Skips and reports an unfinished last line. Rejects with the file system's error.
 */
export async function readOpenText(file: string, log: ProblemLog): Promise<OpenTextRead> {
  const decode = createLineDecoder(file, log)
  const rows: TapeRow[] = []
  let broken = 0
  for await (const lines of readLines(file)) {
    for (const { number, text, ended } of lines) {
      if (!ended) {
        const message = 'the last line is incomplete: skipped'
        log.add('torn', { file, at: `line ${number}`, message, skipped: 1 })
        continue
      }
      const row = decode(number, text)
      if (row === null) broken++
      else rows.push(row)
    }
  }
  return { rows: rows.sort(compareRows), broken }
}

type OpenTextRead = {
  readonly rows: readonly TapeRow[]
  /** Number of complete lines that are not rows. */
  readonly broken: number
}

/** Returns a segment of rows that are already in memory. */
export function segmentOfRows(file: string, rows: readonly TapeRow[]): Segment {
  const startsAt = rows[0]?.t ?? Number.POSITIVE_INFINITY
  return { startsAt, file, at: 'text', load: () => batchOfRows(rows) }
}

const NEWLINE = 0x0a
/** No row comes near this length; a longer line is foreign and must not cost memory. */
const MAX_LINE_BYTES = 1 << 20

type Line = {
  /** Counted from 1. */
  readonly number: number
  /** Null if the line is too long or not UTF-8. */
  readonly text: string | null
  /** False for an unfinished last line. */
  readonly ended: boolean
}

/** Yields the lines of a text file in chunks, without blank ones. Rejects if the file cannot be read. */
export async function* readLines(file: string): AsyncGenerator<readonly Line[], undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let overlong = false

  function lineOf(bytes: Buffer, ended: boolean): Line {
    number++
    if (overlong || bytes.length > MAX_LINE_BYTES) return { number, text: null, ended }
    try {
      return { number, text: decoder.decode(bytes).trim(), ended }
    } catch {
      return { number, text: null, ended }
    }
  }

  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      lines.push(lineOf(bytes.subarray(from, end), true))
      overlong = false
      from = end + 1
    }
    rest = bytes.subarray(from)
    if (rest.length > MAX_LINE_BYTES) {
      overlong = true
      rest = Buffer.alloc(0)
    }
    yield lines.filter(({ text }) => text !== '')
  }
  if (rest.length > 0 || overlong) {
    const last = lineOf(rest, false)
    if (last.text !== '') yield [last]
  }
}

/** Parses a line; null for an invalid one, which it has reported. */
type LineDecoder = (line: number, text: string | null) => TapeRow | null

/** A line that is a fill, whatever is wrong with it. */
const FILL = /"type"\s*:\s*"fill"/

/** Returns a decoder for the lines of one file. Reports each ignored field once. */
function createLineDecoder(file: string, log: ProblemLog): LineDecoder {
  const told = new Set<string>()
  return (line, text) => {
    const at = `line ${line}`
    const decoded =
      text === null
        ? ({ ok: false, error: 'not a line of UTF-8 text' } as const)
        : decodeRow(text, (field) => {
            if (told.has(field)) return
            told.add(field)
            log.add('unknown field', { file, at, message: `field ${field} is ignored`, skipped: 0 })
          })
    if (decoded.ok) return decoded.value
    const fills = text !== null && FILL.test(text) ? 1 : 0
    log.add('no row', { file, at, message: `${decoded.error}: skipped`, ...lostRows(1, fills) })
    return null
  }
}

/** Returns a decoder for the lines of a CSV file with the columns `time` and `mid`: each line is a rate. Other columns are ignored. */
function createMidDecoder(file: string, log: ProblemLog): LineDecoder {
  let names: readonly string[] | null = null
  let before: { readonly t: Ms; readonly line: number } | null = null
  const skip = (line: number, message: string, skipped = 1): null => {
    log.add('no row', { file, at: `line ${line}`, message, skipped })
    return null
  }
  return (line, text) => {
    if (text === null) return skip(line, 'not a line of UTF-8 text: skipped')
    const cells = plainCells(text)
    if (names === null) {
      names = cells
      return hasMids(names)
        ? null
        : skip(line, `the columns are ${names.join(', ')}; time and mid, with commas, are needed`, 0)
    }
    if (!hasMids(names)) return null
    if (cells.length !== names.length)
      return skip(line, `${cells.length} cells where the first line names ${names.length} columns: skipped`)
    const t = cells[names.indexOf('time')]?.replace(' ', 'T')
    const row = rowOfFields({ type: 'rate', t, midRateTZS: cells[names.indexOf('mid')] })
    if (!row.ok)
      return skip(line, `${row.error.replace(/^t /, 'time ').replace('midRateTZS', 'mid')}: skipped`)
    if (before?.t === row.value.t)
      return skip(
        line,
        `${iso(before.t)} is the time of line ${before.line} too: skipped, the first mid counts`,
      )
    before = { t: row.value.t, line }
    return row.value
  }
}

function hasMids(names: readonly string[]): boolean {
  return names.includes('time') && names.includes('mid')
}
