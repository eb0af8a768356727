import { Worker } from 'node:worker_threads'
import type { AcceptedTexts } from '../../config/load/parse-config.ts'
import type { Changes } from '../../config/reload/changes.ts'
import type { OperatorCommand } from '../../engine/model/event.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Suspension } from '../../store/store.ts'
import { watchHeartbeat } from '../position/heartbeat.ts'
import type {
  CommandAnswer,
  PositionAnswers,
  PositionCall,
  WorkerInit,
  WorkerMessage,
} from '../worker/messages.ts'
import { createCalls, type Calls } from '../../threads/calls.ts'
import { workerUrl } from '../../threads/first-message.ts'
import { backoffMs } from '../../base/backoff.ts'
import type { Ms } from '../../base/time.ts'

export type SupervisorSettings = {
  readonly name: string
  readonly configFile: string
  readonly changes: Changes
  /** See `WorkerInit`; asked at every start of a worker. */
  readonly texts: () => AcceptedTexts | null
  readonly version: string
  /** A strategy that holds the core for this long is taken to hang. */
  readonly strategyTimeoutMs: number
  readonly onLog: (level: 'info' | 'warn' | 'error', message: string) => void
  /** The position has something that people may have to be notified of. */
  readonly onNotify?: (notice: Notice) => void
  /** Its worker ended by itself and is started again. */
  readonly onRestart?: (why: string) => void
  /** The position has ended for good. */
  readonly onFatal: (exitCode: number, message: string) => void
}

/** One position's worker: watched, restarted after a crash, and called by message. */
export type Supervisor = {
  readonly name: string
  /** Resolves once the position runs, or with false when it cannot. */
  readonly running: Promise<boolean>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
  /** Null when the position does not answer in time. */
  readonly ask: <Call extends PositionCall>(
    call: Call,
    timeoutMs?: Ms,
  ) => Promise<PositionAnswers[Call['method']] | null>
  readonly command: (command: OperatorCommand, who: string, why: string) => Promise<CommandAnswer | null>
  /** Leaves the position as configured and ends the worker; resolves with what the venue confirmed. */
  readonly shutdown: (withinMs: number) => Promise<string>
}

const WORKER = workerUrl(import.meta.url, '../worker/position-worker')
/** A small nursery: the core makes little garbage, and memory is counted per position. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }
const ANSWER_MS = 2_000
/** What the worker needs beyond the time it has to settle: closing the store and the connections. */
const CLOSING_MS = 1_500
/** With more crashes than these in ten minutes a restart is no recovery any more. */
const MAX_CRASHES = 8
const CRASH_WINDOW_MS = 600_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
const CRASHED = 'crashed again and again within ten minutes; the log says why'
export const UNANSWERED = 'the position did not answer: the live quote is UNKNOWN'

type WorkerCalls = Calls<PositionCall, PositionAnswers[PositionCall['method']] | null>

type Lifecycle = {
  worker: Worker | null
  /** What operators set on top of the file. */
  set: Changes
  /** Why it is over for good. */
  ended: string | null
  stopping: boolean
  readonly running: PromiseWithResolvers<boolean>
}

/** Starts the position's worker and keeps it alive until it ends for good or is shut down. */
export function supervisePosition(settings: SupervisorSettings): Supervisor {
  const running = Promise.withResolvers<boolean>()
  const lifecycle: Lifecycle = { worker: null, set: {}, ended: null, stopping: false, running }
  const calls: WorkerCalls = createCalls()
  const pauseAfterCrash = createCrashBudget()
  const watch = watchHeartbeat(settings.strategyTimeoutMs, (seq) => void replaceHung(seq))

  function spawn(suspension: Suspension | null): void {
    if (lifecycle.stopping) return
    watch.reset()
    const worker = startWorker(settings, lifecycle.set, watch.buffer, suspension)
    lifecycle.worker = worker
    worker.on('message', onMessage)
    worker.on('error', (error) => reportCrash(settings, error))
    worker.on('exit', () => release(worker) && restart(null))
  }

  function onMessage(message: WorkerMessage): void {
    if (message.type === 'answer') calls.answered(message)
    else if (message.type === 'running') running.resolve(true)
    else if (message.type === 'fatal') end(message.exitCode, message.message)
    else if (message.type === 'set') lifecycle.set = message.set
    else settings.onNotify?.(message.notice)
  }

  /** Whether it was the position's worker until now. */
  function release(worker: Worker): boolean {
    if (lifecycle.worker !== worker) return false
    lifecycle.worker = null
    calls.abandon(null)
    return true
  }

  function restart(suspension: Suspension | null): void {
    if (lifecycle.stopping || lifecycle.ended !== null) return
    const pause = pauseAfterCrash()
    if (pause === null) return end(1, CRASHED)
    reportRestart(settings, restartText(pause, suspension))
    setTimeout(() => spawn(suspension), pause)
  }

  async function replaceHung(seq: number): Promise<void> {
    const hung = lifecycle.worker
    if (hung === null || !release(hung)) return
    await hung.terminate()
    restart({ seq, reason: `the strategy did not answer within ${settings.strategyTimeoutMs} ms` })
  }

  function end(exitCode: number, message: string): void {
    if (lifecycle.ended !== null) return
    lifecycle.ended = message
    watch.close()
    running.resolve(false)
    settings.onFatal(exitCode, message)
  }

  spawn(null)
  return { name: settings.name, running: running.promise, ...controls(lifecycle, calls, watch.close) }
}

function reportRestart({ name, onLog, onRestart }: SupervisorSettings, text: string): void {
  onLog('warn', `${name}: ${text}`)
  onRestart?.(text)
}

function startWorker(
  settings: SupervisorSettings,
  set: Changes,
  heartbeat: SharedArrayBuffer,
  suspension: Suspension | null,
): Worker {
  const { configFile, changes, version } = settings
  const texts = settings.texts()
  const workerData: WorkerInit = {
    configFile,
    changes,
    set,
    ...(texts === null ? {} : { texts }),
    version,
    heartbeat,
    suspension,
  }
  return new Worker(WORKER, { workerData, resourceLimits: LIMITS })
}

/** What others can do with a supervised position. */
function controls(
  lifecycle: Lifecycle,
  calls: WorkerCalls,
  stopWatching: () => void,
): Omit<Supervisor, 'name' | 'running'> {
  const ask: Supervisor['ask'] = async (call, timeoutMs = ANSWER_MS) => {
    if (lifecycle.worker === null) return null
    const answer = await calls.ask(lifecycle.worker, call, { withinMs: timeoutMs, onLate: () => null })
    // The worker answers each method in its own shape.
    return answer as PositionAnswers[(typeof call)['method']] | null
  }
  return {
    health() {
      if (lifecycle.ended !== null) return { alive: false, why: lifecycle.ended }
      return lifecycle.worker === null ? { alive: false, why: 'restarting' } : { alive: true, why: null }
    },
    ask,
    command: (command, who, why) => ask({ method: 'command', command, who, why }),
    async shutdown(withinMs) {
      lifecycle.stopping = true
      stopWatching()
      // Whoever waits for the start of a position that is left meanwhile waits for nothing.
      lifecycle.running.resolve(false)
      if (lifecycle.ended !== null) return lifecycle.ended
      const report = await ask({ method: 'shutdown', withinMs }, withinMs + CLOSING_MS)
      await lifecycle.worker?.terminate()
      return report ?? UNANSWERED
    },
  }
}

function restartText(pause: number, suspension: Suspension | null): string {
  const why = suspension === null ? '' : `${suspension.reason}, so it is suspended; `
  return `${why}restarting from the journal in ${pause} ms`
}

function reportCrash({ name, onLog }: SupervisorSettings, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  onLog('error', `${name}: its worker failed: ${text}`)
}

/** Returns the pause before the restart after a crash, or null when it is time to give up. */
export function createCrashBudget(now: () => number = Date.now): () => number | null {
  const crashes: number[] = []
  return () => {
    crashes.push(now())
    while (crashes[0] !== undefined && now() - crashes[0] > CRASH_WINDOW_MS) crashes.shift()
    if (crashes.length > MAX_CRASHES) return null
    return backoffMs(crashes.length, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  }
}
