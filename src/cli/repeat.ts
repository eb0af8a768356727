import { SECOND_MS, type Ms } from '../base/time.ts'
import { pauseFor, runAfter, SYSTEM_TIMING } from '../base/threads/timing.ts'
import { EXIT_CODE } from '../base/exit-code.ts'
import { writeNote } from './output/print.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** A container is killed ten seconds after SIGTERM. */
const GRACE_MS = 5 * SECOND_MS

/** Runs work that can be interrupted and resumed: the first signal asks it to finish, the second ends the process at once. */
export async function leaveOnSignal<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const leaving = new AbortController()
  const leave = (): void => {
    if (leaving.signal.aborted) process.exit(EXIT_CODE.failed)
    writeNote('\nstopping; signal again to stop at once')
    leaving.abort()
  }
  for (const signal of SIGNALS) process.on(signal, leave)
  try {
    return await work(leaving.signal)
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave)
  }
}

/**
 * Runs a command once or, with `everyMs`, repeats it until a signal, which is exit code 0. Retries a failed run; only
 * wrong usage in the first one ends the process. An interrupted run has five seconds to complete.
 */
export async function repeatUntilSignal(everyMs: Ms | undefined, run: () => Promise<void>): Promise<void> {
  if (everyMs === undefined) return run()
  await leaveOnSignal(async (signal) => {
    let ending: NodeJS.Timeout | undefined
    signal.addEventListener('abort', () => {
      ending = runAfter(() => process.exit(EXIT_CODE.ok), GRACE_MS)
    })
    await run()
    if (process.exitCode === EXIT_CODE.usage) return
    for (;;) {
      await pauseFor(SYSTEM_TIMING, everyMs, signal)
      if (signal.aborted) break
      await run()
    }
    clearTimeout(ending)
    process.exitCode = EXIT_CODE.ok
  })
}
