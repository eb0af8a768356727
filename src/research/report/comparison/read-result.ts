import { basename } from 'node:path'
import { readFileSync, statSync } from 'node:fs'
import { err, ok, type Result } from '../../../base/result.ts'
import { type ComparedRun, resultSchema } from './compared-run.ts'

/** A result has one row per day and is never this large. */
const LARGEST_BYTES = 64 * 1024 * 1024

/** Reads the output of `mizani backtest --json` of any version. The error names the file and the expected content. */
export function readBacktestResult(path: string): Result<ComparedRun, string> {
  const text = readText(path)
  if (!text.ok) return text
  let data: unknown
  try {
    data = JSON.parse(text.value)
  } catch {
    return err(`${path} is not JSON; ${WANTED}`)
  }
  const parsed = resultSchema.safeParse(data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
    return err(
      `${path} is not the result of a backtest${place}: ${issue?.message ?? 'it cannot be read'}; ${WANTED}`,
    )
  }
  const { daily = null, configuration = null, ...result } = parsed.data
  return ok({ name: basename(path), result, daily, configuration })
}

const WANTED = 'expected the output of `mizani backtest --json`'

function readText(path: string): Result<string, string> {
  try {
    const found = statSync(path)
    if (!found.isFile()) return err(`${path} is not a file; ${WANTED}`)
    if (found.size > LARGEST_BYTES) return err(`${path} is larger than any result; ${WANTED}`)
    return ok(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return err(code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read: ${message}`)
  }
}
