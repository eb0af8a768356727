import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The path of a file that is made once and kept. Its content lies under its own SHA-256, and a small file
 * named `name` says which that is; both are renamed into place whole. So a torn, half-written or altered
 * file is noticed and made anew, and several processes may do this at once.
 */
export async function keptChainFile(
  folder: string,
  name: string,
  make: () => Promise<Buffer>,
): Promise<{ readonly path: string; readonly content: Buffer }> {
  const kept = readKept(folder, name)
  if (kept !== null) return kept
  const content = await make()
  const digest = sha256(content)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, digest)
  writeWhole(path, content)
  writeWhole(join(folder, name), digest)
  return { path, content }
}

function readKept(folder: string, name: string): { path: string; content: Buffer } | null {
  try {
    const digest = readFileSync(join(folder, name), 'utf8')
    if (!/^[0-9a-f]{64}$/.test(digest)) return null
    const path = join(folder, digest)
    const content = readFileSync(path)
    return sha256(content) === digest ? { path, content } : null
  } catch {
    // Not there, or not to be read: making it anew is the answer to both, and says what is wrong if it fails too.
    return null
  }
}

function writeWhole(path: string, content: Buffer | string): void {
  const partial = `${path}.${randomUUID()}.part`
  writeFileSync(partial, content)
  renameSync(partial, path)
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
