import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Puts on disk which names a folder has, so that a rename or a removal in it survives a power failure. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
