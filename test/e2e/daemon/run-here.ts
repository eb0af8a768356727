import { catchProcess } from './caught-process.ts'
import type { Finished } from './run-mizani.ts'

let last: Promise<unknown> = Promise.resolve()

/** As `runMizani`, but in the process of the test: what it covers is measured, and no process starts. One at a time. */
export function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const next = last.then(async () => {
    const { ended, out, err } = catchProcess(args, env)
    return { code: await ended, out: out(), err: err() }
  })
  last = next.catch(() => undefined)
  return next
}
