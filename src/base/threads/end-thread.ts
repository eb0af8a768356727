import { isMainThread, type Worker } from 'node:worker_threads'
import type { Ms } from '../time.ts'

/** An interruptible thread ends within milliseconds. */
const END_MS: Ms = 1_000

let stuck = 0

/** Returns whether a thread of this process could not be ended; only the end of the process ends it. */
export function hasStuckThread(): boolean {
  return stuck > 0
}

/**
 * Ends a thread and waits for its end, up to a limit. Resolves with false if native code that cannot be interrupted
 * still runs; the thread then executes no more JavaScript, so the caller need not wait.
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

/** Node joins its threads at exit, even one that never ends. Replacing the process ends them all with the exit code. */
function replaceProcess(code: number): void {
  process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${code}`], {})
}
