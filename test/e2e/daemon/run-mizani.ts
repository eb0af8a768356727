import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { PROGRAM, SHORT_LIFE } from './program.ts'
import { TEST_ENV } from './running-daemon.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export type Finished = { readonly code: number; readonly out: string; readonly err: string }

/** One command of the CLI as a process of its own, to its end; from sources, or of a built program. */
export function runMizani(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: string = PROGRAM,
): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...SHORT_LIFE, program, ...args],
      {
        cwd: ROOT,
        env: { ...process.env, ...TEST_ENV, ...env },
        timeout: 90_000,
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, out, err })
      },
    )
  })
}
