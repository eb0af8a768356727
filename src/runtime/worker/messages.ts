import type { Changes } from '../../config/reload/changes.ts'
import type { LookSince } from '../../console/position-port.ts'
import type { OperatorCommand } from '../../engine/model/event.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Suspension } from '../../store/store.ts'

/** What a position's worker is born with. No secret: the worker reads them itself. */
export type WorkerInit = {
  readonly configFile: string
  /** What is otherwise than in the file. */
  readonly changes?: Changes
  /** What operators set on top of that. */
  readonly set?: Changes
  readonly version: string
  /** Slot 0: the number (low 31 bits) of the event the core is in, 0 while it is outside. */
  readonly heartbeat: SharedArrayBuffer
  /** Set when the worker before this one had to be killed inside its strategy. */
  readonly suspension: Suspension | null
}

/** What the main thread asks of a position. Each call is answered once, by `id`. */
export type WorkerCall =
  | { readonly id: number; readonly method: 'view' | 'metrics' | 'ready' | 'parameters' }
  | { readonly id: number; readonly method: 'look'; readonly since: LookSince }
  | { readonly id: number; readonly method: 'reload'; readonly order?: ReloadRequest }
  | { readonly id: number; readonly method: 'preview'; readonly changes: Changes }
  | {
      readonly id: number
      readonly method: 'command'
      readonly command: OperatorCommand
      readonly who: string
      readonly why: string
    }
  | { readonly id: number; readonly method: 'shutdown'; readonly withinMs: number }

/** What to read again, who wants it and why. */
export type ReloadRequest = {
  readonly who: string
  readonly why: string
  /** Set on top of the file and of what was set before. */
  readonly changes: Changes
  /** Forgets what operators set before. */
  readonly fromFile: boolean
}

export type CommandAnswer = { readonly accepted: boolean; readonly answer: string }

export type WorkerMessage =
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  /** The position runs: its store is recovered and its first event is processed. */
  | { readonly type: 'running' }
  /** What operators have set by now: a worker after this one is born with it. */
  | { readonly type: 'set'; readonly set: Changes }
  /** Something that people may have to be told. */
  | { readonly type: 'notice'; readonly notice: Notice }
  /** The position cannot go on, and starting it again would not help. */
  | { readonly type: 'fatal'; readonly exitCode: number; readonly message: string }
