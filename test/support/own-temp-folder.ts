import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a run its own folder for temporary files and removes it at the end, also what a killed process left there. */
export default function ownTempFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-run-'))
  // PostgreSQL runs as a user of its own and must reach its folder.
  chmodSync(folder, 0o755)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  return () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
