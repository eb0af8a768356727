import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { compareRows } from '../model/encode-row.ts'
import { createPeriodWriter, type PeriodWriter } from './periods.ts'
import { isFileError } from '../model/problems.ts'
import { syncFolder } from '../folder/layout.ts'
import type { TapeRow } from '../model/row.ts'
import type { WrittenTape } from '../text/write-text.ts'

/**
 * Writes a new tape into `folder`, which must not exist yet and appears only once it is complete. Rows must come by
 * ascending time; rows of equal time are sorted into tape order. The error names the obstacle: the folder, an older row
 * after a younger one, or the disk.
 */
export async function writeTape(
  folder: string,
  rows: AsyncIterable<TapeRow> | Iterable<TapeRow>,
): Promise<Result<WrittenTape, string>> {
  const target = resolve(folder)
  if (existsSync(target)) return err(`${folder} already exists and is not overwritten`)
  let part: string | null = null
  try {
    part = `${target}.part-${randomUUID()}`
    mkdirSync(part)
    const written = await writeInto(part, rows)
    if (!written.ok) return written
    renameSync(part, target)
    syncFolder(resolve(target, '..'))
    part = null
    return written
  } catch (error) {
    if (!isFileError(error)) throw error
    return err(`${folder} cannot be written: ${error.message}`)
  } finally {
    if (part !== null) rmSync(part, { recursive: true, force: true })
  }
}

async function writeInto(
  folder: string,
  rows: AsyncIterable<TapeRow> | Iterable<TapeRow>,
): Promise<Result<WrittenTape, string>> {
  const writer = createPeriodWriter(folder, 1)
  let count = 0
  let from: Ms | null = null
  let to: Ms | null = null
  let same: TapeRow[] = []
  try {
    for await (const row of rows) {
      if (to !== null && row.t < to) {
        return err(
          `a ${row.type} row of ${iso(row.t)} comes after one of ${iso(to)}: rows must come by ascending time`,
        )
      }
      if (row.t !== to) {
        addInOrder(writer, same)
        same = []
      }
      same.push(row)
      count++
      from ??= row.t
      to = row.t
    }
    addInOrder(writer, same)
    const { files, bytes } = writer.finish()
    return ok({ rows: count, files, bytes, from, to })
  } finally {
    writer.abandon()
  }
}

function addInOrder(writer: PeriodWriter, rows: TapeRow[]): void {
  if (rows.length > 1) rows.sort(compareRows)
  for (const row of rows) writer.add(row)
}

function iso(t: Ms): string {
  return new Date(t).toISOString()
}
