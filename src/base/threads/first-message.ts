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
 * Resolves with the first message of a new thread: its ready report, or the only answer of a throw-away thread.
 * `withinMs` null = no time limit. Skips messages that `isBefore` accepts. The caller ends the thread.
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
 * Returns the URL of a worker's file. In a checkout it is the `.ts` file at `name` (relative, without its extension)
 * from the module whose `import.meta.url` is `from`; in the image all workers are `.js` files next to the bundle.
 */
export function workerUrl(from: string, name: string): URL {
  if (from.endsWith('.ts')) return new URL(`${name}.ts`, from)
  return new URL(`./${name.slice(name.lastIndexOf('/') + 1)}.js`, from)
}

/**
 * Returns the environment of a throw-away thread that runs foreign code: only Node's compile cache folder, without
 * which the thread recompiles every module.
 */
export function bareEnv(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}
