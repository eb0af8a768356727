import { gunzipSync } from 'node:zlib'

const BLOCK = 512

/** The contents of these files of a gzipped tar, by path. Throws where one is missing or the archive is cut short. */
export function readTar(gzipped: Buffer, paths: readonly string[]): ReadonlyMap<string, Buffer> {
  const tar = gunzipSync(gzipped)
  const found = new Map<string, Buffer>()
  for (let at = 0; at + BLOCK <= tar.length;) {
    const name = text(tar, at, 100)
    if (name === '') break
    const prefix = text(tar, at + 345, 155)
    const path = prefix === '' ? name : `${prefix}/${name}`
    const size = Number.parseInt(text(tar, at + 124, 12), 8)
    if (!Number.isSafeInteger(size) || at + BLOCK + size > tar.length)
      throw new Error('the tarball is cut short')
    if (paths.includes(path)) found.set(path, tar.subarray(at + BLOCK, at + BLOCK + size))
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  const missing = paths.find((path) => !found.has(path))
  if (missing !== undefined) throw new Error(`the tarball has no ${missing}`)
  return found
}

function text(tar: Buffer, at: number, length: number): string {
  const field = tar.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end === -1 ? length : end).trim()
}
