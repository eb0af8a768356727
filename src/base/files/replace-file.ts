import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Only the owner may read or write. */
const PRIVATE = 0o600

/**
 * Creates or replaces a file atomically and resolves when its content, name and folder are on disk. Allows one writer
 * at a time. Rejects with the file system's error and then leaves the old file unchanged.
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

/** Synchronous `replaceFile`. Throws the file system's error. */
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

/** In the same folder, because a rename across disks is not atomic. */
function unfinishedOf(path: string): string {
  return `${path}.part`
}
