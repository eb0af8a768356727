import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'

const ENDINGS = /\.(parquet|jsonl)$/

/**
 * What a tape's content is, wherever it lies: sha-256 over the names and bytes of its files, in the order of
 * their names. A single file counts without its name.
 */
export async function tapeIdentity(path: string): Promise<Result<string, string>> {
  try {
    const isFolder = statSync(path).isDirectory()
    const files = isFolder ? filesUnder(path) : [path]
    if (files.length === 0) return err(`--tape ${path}: the folder has no .parquet or .jsonl file`)
    const hash = createHash('sha256')
    for (const file of files) {
      hash.update(`${isFolder ? relative(path, file).replaceAll('\\', '/') : ''}\0${statSync(file).size}\0`)
      for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }))
        hash.update(chunk as Buffer)
    }
    return ok(hash.digest('hex'))
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    return err(`--tape ${path}: ${code === 'ENOENT' ? 'there is no such file or folder' : message}`)
  }
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ENDINGS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
