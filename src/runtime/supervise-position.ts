import { Worker } from 'node:worker_threads'
import type { OperatorCommand } from '../engine/event.ts'
import type { Suspension } from '../store/store.ts'
import type { CommandAnswer, WorkerBirth, WorkerCall, WorkerMessage } from './worker-protocol.ts'
import { workerUrl } from './worker-url.ts'

export type SupervisorSettings = {
  readonly name: string
  readonly configFile: string
  readonly version: string
  /** A strategy that holds the core for this long is taken to hang. */
  readonly strategyTimeoutMs: number
  readonly onNotice: (level: 'info' | 'warn' | 'error', message: string) => void
  /** The position is gone for good. */
  readonly onFatal: (exitCode: number, message: string) => void
}

/** One position's worker, kept alive: watched, restarted after a crash, and asked things by message. */
export type Supervisor = {
  readonly name: string
  /** Resolves once the position runs, or false when it cannot. */
  readonly running: Promise<boolean>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
  /** Null when the position does not answer in time. */
  readonly ask: (call: AskedCall, timeoutMs?: number) => Promise<unknown>
  readonly command: (command: OperatorCommand, who: string, why: string) => Promise<CommandAnswer | null>
  /** Leaves the position as configured and ends the worker; resolves with what the venue confirmed. */
  readonly shutdown: (withinMs: number) => Promise<string>
}

type AskedCall =
  | { readonly method: 'view' | 'metrics' | 'ready' | 'reload' }
  | {
      readonly method: 'command'
      readonly command: OperatorCommand
      readonly who: string
      readonly why: string
    }
  | { readonly method: 'shutdown'; readonly withinMs: number }

const WATCH_MS = 100
const ANSWER_MS = 2_000
/** After this many crashes in ten minutes restarting is no recovery any more. */
const MAX_CRASHES = 8
const CRASH_WINDOW_MS = 600_000

export function supervisePosition(settings: SupervisorSettings): Supervisor {
  const heartbeat = new SharedArrayBuffer(4)
  const beat = new Int32Array(heartbeat)
  const waiting = new Map<number, (value: unknown) => void>()
  const crashes: number[] = []
  let worker: Worker | null = null
  let nextId = 1
  let ended: string | null = null
  let stopping = false
  let resolveRunning: (running: boolean) => void = () => undefined
  const running = new Promise<boolean>((resolve) => (resolveRunning = resolve))
  let stuck = { seq: 0, since: 0 }

  function spawn(suspension: Suspension | null): void {
    Atomics.store(beat, 0, 0)
    const birth: WorkerBirth = {
      configFile: settings.configFile,
      version: settings.version,
      heartbeat,
      suspension,
    }
    const born = new Worker(workerUrl(import.meta.url, './position-worker'), { workerData: birth })
    worker = born
    born.on('message', (message: WorkerMessage) => hear(message))
    born.on('error', (error) =>
      settings.onNotice('error', `${settings.name}: the position's worker failed: ${describe(error)}`),
    )
    born.on('exit', () => {
      if (worker !== born) return
      worker = null
      abandonCalls()
      if (!stopping && ended === null) restart()
    })
  }

  function hear(message: WorkerMessage): void {
    if (message.type === 'answer') {
      waiting.get(message.id)?.(message.value)
      waiting.delete(message.id)
    } else if (message.type === 'running') {
      resolveRunning(true)
    } else {
      end(message.exitCode, message.message)
    }
  }

  function restart(): void {
    const now = Date.now()
    crashes.push(now)
    while (crashes[0] !== undefined && now - crashes[0] > CRASH_WINDOW_MS) crashes.shift()
    if (crashes.length > MAX_CRASHES) {
      end(1, `gave up after ${crashes.length} crashes in ten minutes; the log says why`)
      return
    }
    const pause = Math.min(30_000, 250 * 2 ** (crashes.length - 1))
    settings.onNotice('warn', `${settings.name}: restarting from the journal in ${pause} ms`)
    setTimeout(() => {
      if (!stopping && ended === null) spawn(null)
    }, pause)
  }

  function end(exitCode: number, message: string): void {
    if (ended !== null) return
    ended = message
    clearInterval(watch)
    resolveRunning(false)
    settings.onFatal(exitCode, message)
  }

  const watch = setInterval(() => {
    const seq = Atomics.load(beat, 0)
    const now = Date.now()
    if (seq !== stuck.seq) stuck = { seq, since: now }
    if (seq === 0 || now - stuck.since < settings.strategyTimeoutMs || worker === null) return
    stuck = { seq: 0, since: now }
    const hung = worker
    worker = null
    const reason = `the strategy did not answer within ${settings.strategyTimeoutMs} ms`
    settings.onNotice('error', `${settings.name}: ${reason}; it is suspended and the position restarts`)
    abandonCalls()
    void hung.terminate().then(() => {
      if (!stopping && ended === null) spawn({ seq, reason })
    })
  }, WATCH_MS)

  function abandonCalls(): void {
    for (const resolve of waiting.values()) resolve(null)
    waiting.clear()
  }

  function ask(call: AskedCall, timeoutMs: number = ANSWER_MS): Promise<unknown> {
    const to = worker
    if (to === null) return Promise.resolve(null)
    const id = nextId
    nextId += 1
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(id)
        resolve(null)
      }, timeoutMs)
      waiting.set(id, (value) => {
        clearTimeout(timer)
        resolve(value)
      })
      const message: WorkerCall = { id, ...call }
      to.postMessage(message)
    })
  }

  spawn(null)
  return {
    name: settings.name,
    running,
    health() {
      if (ended !== null) return { alive: false, why: ended }
      return worker === null ? { alive: false, why: 'restarting' } : { alive: true, why: null }
    },
    ask,
    command: async (command, who, why) =>
      (await ask({ method: 'command', command, who, why })) as CommandAnswer | null,
    async shutdown(withinMs) {
      stopping = true
      clearInterval(watch)
      if (ended !== null) return ended
      const report = await ask({ method: 'shutdown', withinMs }, withinMs + 1_500)
      await worker?.terminate()
      return typeof report === 'string'
        ? report
        : 'the position did not answer: what stands at the venue is UNKNOWN'
    },
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
