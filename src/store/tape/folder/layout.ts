import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../../base/time.ts'

/** The files of a tape's folder by kind. */
export type TapeFolder = {
  readonly days: readonly TapeDay[]
  /** Parquet files directly in the folder: copied there by hand, or the folder of one day. */
  readonly loose: readonly WrittenFile[]
  /** Text that is still being written, or that its writer did not turn into Parquet before it ended. */
  readonly open: readonly OpenText[]
  /** Text files that do not belong in a tape's folder. */
  readonly strays: readonly string[]
  /** Folders whose names are not dates. */
  readonly others: readonly string[]
}

type TapeDay = { readonly folder: string; readonly startsAt: Ms }

export type WrittenFile = {
  readonly file: string
  /** The period whose rows it holds; null = not in the name. */
  readonly period: number | null
}

export type OpenText = { readonly file: string; readonly period: number }

const DAY = /^\d{4}-\d\d-\d\d$/
const OPEN = /^open-(\d+)\.jsonl$/
const WRITTEN = /^\d{6}-(\d+)\.[a-z]+\.parquet$/

/** Lists the current files; throws the file system's error. */
export function listTapeFolder(folder: string): TapeFolder {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const isDay = (name: string): boolean => DAY.test(name) && !Number.isNaN(Date.parse(name))
  const days = entries
    .filter((entry) => !entry.isFile() && isDay(entry.name))
    .map(({ name }) => ({ folder: join(folder, name), startsAt: Date.parse(name) }))
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  return {
    days,
    loose: files.filter((name) => name.endsWith('.parquet')).map((name) => writtenFile(folder, name)),
    strays: files
      .filter((name) => name.endsWith('.jsonl') && !OPEN.test(name))
      .map((name) => join(folder, name)),
    others: entries
      .filter((entry) => entry.isDirectory() && !isDay(entry.name))
      .map(({ name }) => join(folder, name)),
    open: files.flatMap((name) => {
      const period = OPEN.exec(name)?.[1]
      return period === undefined ? [] : [{ file: join(folder, name), period: Number(period) }]
    }),
  }
}

/** Returns the text of an open period. */
export function openTextOf(folder: string, period: number): OpenText {
  return { file: join(folder, `open-${period}.jsonl`), period }
}

/** Returns the Parquet files of a day, in order. */
export function listDay({ folder }: TapeDay): readonly WrittenFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.parquet'))
    .toSorted()
    .map((name) => writtenFile(folder, name))
}

function writtenFile(folder: string, name: string): WrittenFile {
  const period = WRITTEN.exec(name)?.[1]
  return { file: join(folder, name), period: period === undefined ? null : Number(period) }
}

/** Syncs a folder's names to disk, so that a rename or removal in it survives a power failure. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
