import { openSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'

const STDOUT = 1

/** A descriptor that a log is appended to, of standard output where there is no file; or why it cannot be opened. */
export function openLogFile(file: string | null): Result<number, string> {
  if (file === null) return ok(STDOUT)
  try {
    return ok(openSync(file, 'a'))
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return err(`log.file: ${file} cannot be opened (${code}); a file in a folder of this user would be right`)
  }
}
