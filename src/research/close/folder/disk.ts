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

/** What writing a folder does, a step at a time. Each of them throws what the file system reports. */
export type Disk = {
  readonly makeFolder: (path: string) => void
  /** Null = there is no such file. */
  readonly read: (path: string) => Buffer | null
  /** Writes a new file through to the disk. */
  readonly write: (path: string, bytes: Buffer) => void
  /** Puts a file in the place of another one: a reader finds either of them. */
  readonly replace: (from: string, to: string) => void
  /** A file that is not there is no error. */
  readonly remove: (path: string) => void
  /** Brings the names of a folder's files to the disk. */
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
