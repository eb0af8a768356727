import { Worker } from 'node:worker_threads'
import type { Changes } from '../config/reload/changes.ts'
import type { OperatorCommand } from '../engine/model/event.ts'
import type { Notice } from '../notify/notice.ts'
import type { Suspension } from '../store/store.ts'
import { createCrashBudget } from './crash-budget.ts'
import { watchHeartbeat } from './watch-heartbeat.ts'
import { createWorkerCalls, type AskedCall } from './worker-calls.ts'
import type { CommandAnswer, WorkerInit, WorkerMessage } from './worker/messages.ts'
import { workerUrl } from './worker-url.ts'

export type SupervisorSettings = {
  readonly name: string
  readonly configFile: string
  readonly changes: Changes
  readonly version: string
  /** A strategy that holds the core for this long is taken to hang. */
  readonly strategyTimeoutMs: number
  readonly onNotice: (level: 'info' | 'warn' | 'error', message: string) => void
  /** What the position wants people to be told. */
  readonly onTold?: (notice: Notice) => void
  /** Its worker ended by itself and is started again. */
  readonly onRestart?: (why: string) => void
  /** The position is gone for good. */
  readonly onFatal: (exitCode: number, message: string) => void
}

/** One position's worker, kept alive: watched, restarted after a crash, and asked things by message. */
export type Supervisor = {
  readonly name: string
  /** Resolves once the position runs, or with false when it cannot. */
  readonly running: Promise<boolean>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
  /** Null when the position does not answer in time. */
  readonly ask: (call: AskedCall, timeoutMs?: number) => Promise<unknown>
  readonly command: (command: OperatorCommand, who: string, why: string) => Promise<CommandAnswer | null>
  /** Leaves the position as configured and ends the worker; resolves with what the venue confirmed. */
  readonly shutdown: (withinMs: number) => Promise<string>
}

const WORKER = workerUrl(import.meta.url, './position-worker')
/** A small nursery: the core makes little garbage, and memory is counted per position. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }
const ANSWER_MS = 2_000
/** What the worker needs beyond the time it has to settle: closing the store and the connections. */
const CLOSING_MS = 1_500
const CRASHED = 'crashed again and again within ten minutes; the log says why'
export const UNANSWERED = 'the position did not answer: what stands at the venue is UNKNOWN'

type Life = {
  worker: Worker | null
  /** What operators set on top of the file. */
  set: Changes
  /** Why it is over for good. */
  ended: string | null
  stopping: boolean
}

/** Starts the position's worker and keeps it alive until it ends for good or is shut down. */
export function supervisePosition(settings: SupervisorSettings): Supervisor {
  const life: Life = { worker: null, set: {}, ended: null, stopping: false }
  const calls = createWorkerCalls()
  const pauseAfterCrash = createCrashBudget()
  const running = Promise.withResolvers<boolean>()
  const watch = watchHeartbeat(settings.strategyTimeoutMs, (seq) => void replaceHung(seq))

  function spawn(suspension: Suspension | null): void {
    if (life.stopping) return
    watch.reset()
    const worker = startWorker(settings, life.set, watch.buffer, suspension)
    life.worker = worker
    worker.on('message', hear)
    worker.on('error', (error) =>
      settings.onNotice('error', `${settings.name}: its worker failed: ${describe(error)}`),
    )
    worker.on('exit', () => {
      if (life.worker !== worker) return
      life.worker = null
      calls.abandon()
      restart(null)
    })
  }

  function hear(message: WorkerMessage): void {
    if (message.type === 'answer') calls.answered(message.id, message.value)
    else if (message.type === 'running') running.resolve(true)
    else if (message.type === 'fatal') end(message.exitCode, message.message)
    else hearNews(settings, life, message)
  }

  function restart(suspension: Suspension | null): void {
    if (life.stopping || life.ended !== null) return
    const pause = pauseAfterCrash()
    if (pause === null) return end(1, CRASHED)
    sayRestart(settings, restartText(pause, suspension))
    setTimeout(() => spawn(suspension), pause)
  }

  async function replaceHung(seq: number): Promise<void> {
    const hung = life.worker
    if (hung === null) return
    life.worker = null
    calls.abandon()
    await hung.terminate()
    restart({ seq, reason: `the strategy did not answer within ${settings.strategyTimeoutMs} ms` })
  }

  function end(exitCode: number, message: string): void {
    if (life.ended !== null) return
    life.ended = message
    watch.close()
    running.resolve(false)
    settings.onFatal(exitCode, message)
  }

  spawn(null)
  return { name: settings.name, running: running.promise, ...controls(life, calls, watch.close) }
}

function hearNews(
  settings: SupervisorSettings,
  life: Life,
  message: Extract<WorkerMessage, { readonly type: 'set' | 'notice' }>,
): void {
  if (message.type === 'set') life.set = message.set
  else settings.onTold?.(message.notice)
}

function sayRestart({ name, onNotice, onRestart }: SupervisorSettings, text: string): void {
  onNotice('warn', `${name}: ${text}`)
  onRestart?.(text)
}

function startWorker(
  settings: SupervisorSettings,
  set: Changes,
  heartbeat: SharedArrayBuffer,
  suspension: Suspension | null,
): Worker {
  const { configFile, changes, version } = settings
  const workerData: WorkerInit = { configFile, changes, set, version, heartbeat, suspension }
  return new Worker(WORKER, { workerData, resourceLimits: LIMITS })
}

/** What others can do with a supervised position. */
function controls(
  life: Life,
  calls: ReturnType<typeof createWorkerCalls>,
  stopWatching: () => void,
): Omit<Supervisor, 'name' | 'running'> {
  const ask = async (call: AskedCall, timeoutMs: number = ANSWER_MS) =>
    life.worker === null ? null : calls.ask(life.worker, call, timeoutMs)
  return {
    health() {
      if (life.ended !== null) return { alive: false, why: life.ended }
      return life.worker === null ? { alive: false, why: 'restarting' } : { alive: true, why: null }
    },
    ask,
    command: async (command, who, why) =>
      (await ask({ method: 'command', command, who, why })) as CommandAnswer | null,
    async shutdown(withinMs) {
      life.stopping = true
      stopWatching()
      if (life.ended !== null) return life.ended
      const report = await ask({ method: 'shutdown', withinMs }, withinMs + CLOSING_MS)
      await life.worker?.terminate()
      return typeof report === 'string' ? report : UNANSWERED
    },
  }
}

function restartText(pause: number, suspension: Suspension | null): string {
  const why = suspension === null ? '' : `${suspension.reason}, so it is suspended; `
  return `${why}restarting from the journal in ${pause} ms`
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
