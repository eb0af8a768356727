import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'

/** File operations of a close, one step each. Each throws the error of the file system. */
export type Disk = {
  readonly makeFolder: (path: string) => void
  /** Null = the file does not exist. */
  readonly read: (path: string) => Buffer | null
  /** Writes a new file and syncs it to disk. */
  readonly write: (path: string, bytes: Buffer) => void
  /** Replaces a file atomically: a reader sees the old or the new one. */
  readonly replace: (from: string, to: string) => void
  /** Removes a file; a missing file is not an error. */
  readonly remove: (path: string) => void
  /** Syncs a folder's names to disk. */
  readonly flush: (folder: string) => void
}

export const DISK: Disk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  read(path) {
    try {
      return readFileSync(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  },
  write(path, bytes) {
    const file = openSync(path, 'wx')
    try {
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  replace: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  flush(folder) {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  },
}
