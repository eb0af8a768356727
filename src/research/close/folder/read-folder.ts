import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { BOOKS, dayOfFile, INDEX, isLeftOver, LOCK } from './names.ts'

export type CloseFolder = {
  /** The files of each day by name, in day order. */
  readonly days: ReadonlyMap<string, ReadonlyMap<string, Buffer>>
  /** Files of the whole folder. */
  readonly books: ReadonlyMap<string, Buffer>
  /** The index of a fleet and its signature, in a fleet's folder. */
  readonly index: ReadonlyMap<string, Buffer>
  /** Files that no `close` writes. */
  readonly others: readonly string[]
  /** Temporary files of a `close` that was killed; the next `close` removes them. */
  readonly leftOvers: readonly string[]
  readonly folders: readonly string[]
}

/** Reads a folder of closes; a missing folder is empty. */
export function readCloseFolder(folder: string): Result<CloseFolder, string> {
  const days = new Map<string, Map<string, Buffer>>()
  const books = new Map<string, Buffer>()
  const index = new Map<string, Buffer>()
  const others: string[] = []
  const folders: string[] = []
  const leftOvers: string[] = []
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted(byName)) {
      const { name } = entry
      const day = dayOfFile(name)
      if (entry.isDirectory()) folders.push(name)
      else if (!entry.isFile()) others.push(name)
      else if (isLeftOver(name)) leftOvers.push(name)
      // Does not read its bytes, which would release the lock of a close in this process.
      else if (name === LOCK && statSync(join(folder, name)).size === 0) continue
      else if (Object.values<string>(BOOKS).includes(name)) books.set(name, readFileSync(join(folder, name)))
      else if (Object.values<string>(INDEX).includes(name)) index.set(name, readFileSync(join(folder, name)))
      else if (day === null) others.push(name)
      else {
        const files = days.get(day) ?? new Map<string, Buffer>()
        days.set(day, files.set(name, readFileSync(join(folder, name))))
      }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') return err(`${folder} cannot be read (${code ?? message})`)
  }
  return ok({ days, books, index, others, leftOvers, folders })
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}
