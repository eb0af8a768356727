import { closeSync, openSync, readSync } from 'node:fs'

/** The bytes of a file from `from` to before `to`, fewer where it ends before; throws what the file system throws. */
export function readBytes(path: string, from: number, to: number): Buffer<ArrayBuffer> {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafeSlow(to - from)
    let read = 0
    while (read < bytes.length) {
      const more = readSync(fd, bytes, read, bytes.length - read, from + read)
      if (more === 0) break
      read += more
    }
    return bytes.subarray(0, read)
  } finally {
    closeSync(fd)
  }
}
