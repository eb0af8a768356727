import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** For its owner alone. */
const PRIVATE = 0o600

/**
 * Replaces a file, or makes it: whole or not at all, and on disk when this resolves: content, name and folder. One writer at a
 * time. Rejects with the error of the file system; then the file is as it was.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = unfinishedOf(path)
  const file = await open(unfinished, 'w', PRIVATE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The same for anyone who must not go on before it is done. Throws the error of the file system. */
export function replaceFileSync(path: string, text: string): void {
  const unfinished = unfinishedOf(path)
  const file = openSync(unfinished, 'w', PRIVATE)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Next to the file, on the same disk: a rename across disks is not atomic. */
function unfinishedOf(path: string): string {
  return `${path}.part`
}
