import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const BUILD = fileURLToPath(new URL('../../../scripts/build.mjs', import.meta.url))

/**
 * The daemon as it is shipped, built for the tests around the call: it starts in a third of the time that the
 * sources need, which is what a test with many starts spends most of its time on. Gives its file.
 */
export function builtDaemon(): () => string {
  let folder: string | null = null
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mizani-built-'))
    await promisify(execFile)(process.execPath, [BUILD, '--out', folder])
  })
  afterAll(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    if (folder === null) throw new Error('the daemon is built before the tests and gone after them')
    return join(folder, 'mizani.js')
  }
}
