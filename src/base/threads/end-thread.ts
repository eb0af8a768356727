import { isMainThread, type Worker } from 'node:worker_threads'
import type { Ms } from '../time.ts'

/** A thread that can be interrupted ends within milliseconds. */
const END_MS: Ms = 1_000

let stuck = 0

/** Returns whether a thread of this process could not be ended: then only the end of the process ends it. */
export function hasStuckThread(): boolean {
  return stuck > 0
}

/**
 * Ends a thread and waits for that, at most so long. Resolves with false where it is inside native code that cannot be
 * interrupted: it runs no JavaScript from then on, and the caller need not wait for it.
 */
export async function endThread(
  worker: Pick<Worker, 'terminate' | 'unref'>,
  withinMs: Ms = END_MS,
): Promise<boolean> {
  const ended = Promise.withResolvers<boolean>()
  const timer = setTimeout(ended.resolve, withinMs, false)
  void worker.terminate().then(() => ended.resolve(true))
  const hasEnded = await ended.promise
  clearTimeout(timer)
  if (hasEnded) return true
  worker.unref()
  stuck += 1
  if (stuck === 1 && isMainThread) process.once('exit', replaceProcess)
  return false
}

/** Node joins its threads as it exits, also one that never ends. Another program in its place ends them all and exits with the code. */
function replaceProcess(code: number): void {
  process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${code}`], {})
}
