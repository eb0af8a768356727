import type { Ms } from '../../base/time.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { openTape } from '../../store/tape/folder/open-tape.ts'
import type { TapeSource } from '../../store/tape/model/batch.ts'
import { explainWindow, windowOf } from '../../store/tape/summary/tape-window.ts'
import { tapeProgress } from '../output/progress.ts'
import { fail, type OutputFormat } from '../output/print.ts'

type Window = { readonly from?: Ms; readonly to?: Ms }

/**
 * Opens the window of a tape with progress output; `other` names the alternative to `--tape` in messages. Returns null after
 * printing the problem.
 */
export function openCommandTape(
  path: string | null,
  options: OutputFormat & Window,
  other: string,
): TapeSource | null {
  if (path === null) {
    fail(options, EXIT_CODE.usage, `no tape: give --tape PATH, or ${other}`)
    return null
  }
  const opened = openTape(path, { window: windowOf(options), standing: true })
  if (opened.ok) return tapeProgress(opened.value, path)
  fail(options, EXIT_CODE.failed, opened.error)
  return null
}

/** Prints why a run over a tape failed, or that the window lies outside the tape. */
export async function explainEmpty(why: string, path: string | null, window: Window): Promise<string> {
  const whole = path === null ? null : openTape(path)
  return whole?.ok === true ? explainWindow(why, windowOf(window), whole.value) : why
}
