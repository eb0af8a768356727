import type { EventEmitter } from 'node:events'
import { err, ok, type Result } from '../result.ts'
import type { Ms } from '../time.ts'
import { runAfter } from './timing.ts'

/** Why a thread sent nothing: it threw, it ended, or it took too long. */
export type NoMessage =
  | { readonly how: 'threw'; readonly error: unknown }
  | { readonly how: 'ended' }
  | { readonly how: 'late' }

/**
 * Resolves with the first message of a thread that was just started: the report that it is ready, or the only answer of a
 * throw-away thread. `withinMs` null = no time limit. Messages accepted by `isBefore` may come before it, any number of times.
 * The caller ends the thread.
 */
export function firstMessage<Message>(
  worker: Pick<EventEmitter, 'on' | 'once'>,
  withinMs: Ms | null = null,
  isBefore: (message: Message) => boolean = () => false,
): Promise<Result<Message, NoMessage>> {
  return new Promise((resolve) => {
    let isSettled = false
    const settle = (result: Result<Message, NoMessage>) => {
      isSettled = true
      clearTimeout(timer)
      resolve(result)
    }
    const timer = withinMs === null ? undefined : runAfter(() => settle(err({ how: 'late' })), withinMs)
    worker.on('message', (message: Message) => {
      if (!isSettled && !isBefore(message)) settle(ok(message))
    })
    // This listener stays after the first message: an error event without a listener ends the process.
    worker.once('error', (error: unknown) => settle(err({ how: 'threw', error })))
    worker.once('exit', () => settle(err({ how: 'ended' })))
  })
}

/**
 * Where a worker's file is. In a checkout it is a `.ts` file at the path `name` (relative, without its ending) from the
 * module that starts it, whose `import.meta.url` is `from`; in the image all workers lie beside the bundle as `.js`.
 */
export function workerUrl(from: string, name: string): URL {
  if (from.endsWith('.ts')) return new URL(`${name}.ts`, from)
  return new URL(`./${name.slice(name.lastIndexOf('/') + 1)}.js`, from)
}

/**
 * Returns the environment of a throw-away thread that runs foreign code: only the folder of Node's compile cache. Without it
 * the thread strips and compiles every module again.
 */
export function bareEnv(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}
