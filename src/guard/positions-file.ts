import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Written beside and moved over, each on disk before the next: what is there is always one whole file. Throws what the system does. */
export function replaceFile(file: string, text: string): void {
  const next = `${file}.next`
  const descriptor = openSync(next, 'w', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(next, file)
  const folder = openSync(join(file, '..'), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** What a file of a guard holds of each position, by name; null = it is none of this version. */
export function parsePositions(text: string, version: number): ReadonlyMap<string, unknown> | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const { version: written, positions } = (parsed ?? {}) as Readonly<Record<string, unknown>>
  if (written !== version || typeof positions !== 'object' || positions === null) return null
  return new Map(Object.entries(positions))
}
