import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readBytes } from './read-bytes.ts'
import { readFooter } from './read-footer.ts'
import { isFileError } from './is-file-error.ts'

/** What a tape takes without reading it. */
export type TapeMeasure = {
  readonly files: number
  readonly bytes: number
  /** As footers say; of text only about, by the length of its first lines. */
  readonly rows: number
}

const SAMPLE_BYTES = 1 << 16
const NOTHING: TapeMeasure = { files: 0, bytes: 0, rows: 0 }

/** Measures a file or a folder with all that is below it. What cannot be read counts as nothing. */
export function measureTape(path: string): TapeMeasure {
  try {
    const stats = statSync(path)
    if (!stats.isDirectory()) return measureFile(path, stats.size)
    return readdirSync(path)
      .map((name) => measureTape(join(path, name)))
      .reduce(add, NOTHING)
  } catch (error) {
    if (isFileError(error)) return NOTHING
    throw error
  }
}

function measureFile(file: string, bytes: number): TapeMeasure {
  if (file.endsWith('.jsonl')) return { files: 1, bytes, rows: linesOf(file, bytes) }
  if (!file.endsWith('.parquet')) return NOTHING
  const footer = readFooter(file)
  return { files: 1, bytes, rows: footer.ok ? Number(footer.value.metadata.num_rows) : 0 }
}

function linesOf(file: string, bytes: number): number {
  const sample = readBytes(file, 0, Math.min(bytes, SAMPLE_BYTES)).toString('latin1')
  const lines = sample.split('\n').length - 1
  return sample.length === 0 ? 0 : Math.round((Math.max(1, lines) / sample.length) * bytes)
}

function add(a: TapeMeasure, b: TapeMeasure): TapeMeasure {
  return { files: a.files + b.files, bytes: a.bytes + b.bytes, rows: a.rows + b.rows }
}
