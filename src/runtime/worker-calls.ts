import type { Worker } from 'node:worker_threads'
import type { Changes } from '../config/reload/changes.ts'
import type { LookSince } from '../console/position-port.ts'
import type { OperatorCommand } from '../engine/model/event.ts'
import type { ReloadRequest, WorkerCall } from './worker/messages.ts'

/** A call without its number. */
export type AskedCall =
  | { readonly method: 'view' | 'metrics' | 'ready' | 'parameters' }
  | { readonly method: 'look'; readonly since: LookSince }
  | { readonly method: 'reload'; readonly order?: ReloadRequest }
  | { readonly method: 'preview'; readonly changes: Changes }
  | {
      readonly method: 'command'
      readonly command: OperatorCommand
      readonly who: string
      readonly why: string
    }
  | { readonly method: 'shutdown'; readonly withinMs: number }

export type WorkerCalls = {
  /** Resolves with the answer, or with null when none comes in time. */
  readonly ask: (worker: Worker, call: AskedCall, timeoutMs: number) => Promise<unknown>
  readonly answered: (id: number, value: unknown) => void
  /** The worker is gone: nobody will answer what is open. */
  readonly abandon: () => void
}

/** Pairs calls to a worker with their answers. */
export function createWorkerCalls(): WorkerCalls {
  const waiting = new Map<number, (value: unknown) => void>()
  let nextId = 1
  return {
    ask(worker, call, timeoutMs) {
      const id = nextId
      nextId += 1
      return new Promise((resolve) => {
        const settle = (value: unknown) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(value)
        }
        const timer = setTimeout(() => settle(null), timeoutMs)
        waiting.set(id, settle)
        const message: WorkerCall = { id, ...call }
        worker.postMessage(message)
      })
    },
    answered: (id, value) => waiting.get(id)?.(value),
    abandon() {
      for (const settle of waiting.values()) settle(null)
    },
  }
}
