import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))

/**
 * Builds the daemon as it is shipped, once for the end-to-end files of all projects: it starts in a third of the time that the
 * sources need, and the tests start hundreds of processes. `test/e2e/daemon/program.ts` names its file.
 */
export default async function buildDaemon(): Promise<() => void> {
  // Another project of this run has it built, and removes it.
  if (process.env['MIZANI_TEST_PROGRAM'] !== undefined) return () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'mizani-built-'))
  const remove = () => {
    delete process.env['MIZANI_TEST_PROGRAM']
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await promisify(execFile)(process.execPath, [BUILD, '--out', folder])
    process.env['MIZANI_TEST_PROGRAM'] = join(folder, 'mizani.js')
    await warmCodeCache()
  } catch (error) {
    remove()
    throw error
  }
  return remove
}

/**
 * Node writes what it has compiled when a process ends by itself: one daemon does so here, or all that are killed before
 * another one has ended in good order would compile the whole program, each anew.
 */
async function warmCodeCache(): Promise<void> {
  const { openMarket } = await import('../e2e/daemon/open-market.ts')
  const market = await openMarket()
  const daemon = market.start()
  try {
    await daemon.url()
  } catch (error) {
    await daemon.kill('SIGKILL')
    await market.close()
    throw error
  }
  const { code } = await daemon.kill('SIGTERM')
  await market.close()
  if (code !== 0) throw new Error(`the daemon that was built ended with ${code}: ${daemon.errors()}`)
}
