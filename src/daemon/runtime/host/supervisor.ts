import { EXIT_CODE } from '../../../base/exit-code.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Suspension } from '../../../store/store.ts'
import {
  isForStandby,
  POSITION_METHODS,
  type PositionAnswers,
  type PositionCall,
  type PositionInit,
  type PositionMessage,
} from '../worker/messages.ts'
import { errorText } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { STRATEGY_TIMEOUT_MS } from './worker-thread.ts'
import type { CarriedPosition, Loss, WorkerPool, Restart, PositionHandle } from './worker-pool.ts'
import { backoffMs } from '../../../base/backoff.ts'

export type SupervisorSettings = Pick<CarriedPosition, 'isolate' | 'withChain'> & {
  readonly name: string
  /** Returns the input of the position, read at every start. */
  readonly init: () => Omit<PositionInit, 'suspension'>
  /** The position runs in a new thread that has received no lease news yet. */
  readonly onRunning?: () => void
  readonly onLog: (level: 'info' | 'warn' | 'error', message: string) => void
  /** The position has a notice for the operators. */
  readonly onNotify?: (notice: Notice) => void
  /** The position crashed and restarts. */
  readonly onRestart?: (why: string) => void
  /** Sends the safe quote from this thread, and returns its outcome as a clause, when the position's own thread can neither continue nor be ended. */
  readonly makeSafe: () => Promise<string>
  /** The position has ended permanently. */
  readonly onFatal: (exitCode: number, message: string) => void
}

/** One position in a worker: monitored, restarted after a crash, and called by message. */
export type Supervisor = {
  readonly name: string
  /** Resolves with true once the position runs or stands by, or with false if it can do neither. */
  readonly running: Promise<boolean>
  readonly health: () => { readonly alive: boolean; readonly why: string | null }
  /** A sentence that names the daemon that holds the position while this one stands by; null = not standing by. */
  readonly standby: () => string | null
  /** Resolves with null if the position does not answer in time; the default time limit is the method's. */
  readonly ask: <Call extends PositionCall>(
    call: Call,
    timeoutMs?: Ms,
  ) => Promise<PositionAnswers[Call['method']] | null>
  /** Shuts the position down as configured and removes it from its worker; resolves with what the venue confirmed. */
  readonly shutdown: (withinMs: number) => Promise<string>
}

/** The worker's extra time beyond settling, for closing the store and the connections. */
const CLOSING_MS = 1_500
/** A position that is back within this time does not make the process unhealthy. */
const DOWN_MS: Ms = 10_000
const STUCK = 'the thread of the position hangs in a call that cannot be interrupted'
const CRASHED = 'crashed repeatedly within ten minutes; the log shows why'
/** After this many worker deaths within ten minutes while the position was alone in it, the position is the cause. */
const MOST_DEATHS = 2
/** The store reads this as the event after the last one; see `runPosition`. */
const NEXT_EVENT = 0x7fffffff
export const UNANSWERED = 'the position did not answer: the live quote is UNKNOWN'

type Crash = Extract<PositionMessage, { readonly type: 'crashed' }>

type Lifecycle = {
  /** See `Supervisor`. */
  standby: string | null
  /** Why it ended permanently; null = still active. */
  ended: string | null
  /** Since when it has been down after a crash, in ms of the monotonic clock; null = it is up. */
  downSince: Ms | null
  stopping: boolean
  readonly running: PromiseWithResolvers<boolean>
}

/** Starts the position in a worker and restarts it until it ends permanently or is shut down. */
export function supervisePosition(settings: SupervisorSettings, workers: WorkerPool): Supervisor {
  const running = Promise.withResolvers<boolean>()
  const lifecycle: Lifecycle = { standby: null, ended: null, downSince: null, stopping: false, running }
  const pauseAfterCrash = createCrashBudget()
  const countDeath = createRecentCount()
  const { isolate, withChain, name } = settings
  const handle: PositionHandle = workers.handle({
    name,
    isolate,
    withChain,
    isWanted: () => !lifecycle.stopping && lifecycle.ended === null,
    init: (suspension) => ({ ...settings.init(), suspension }),
    onMessage,
    onMoved(why) {
      recordDown(lifecycle)
      settings.onLog('warn', `${name}: ${why}; it restarts from its journal`)
    },
    onLost(loss) {
      recordDown(lifecycle)
      if (loss.end.how !== 'stuck') return restartAfter(suspensionAfter(settings, loss, countDeath))
      void sendSafeQuote(settings).then((outcome) => end(EXIT_CODE.failed, outcome))
      return null
    },
  })

  function onMessage(message: PositionMessage): void {
    if (message.type === 'running' || message.type === 'standby') begun(settings, lifecycle, message)
    else if (message.type === 'fatal') end(message.exitCode, message.message)
    else if (message.type === 'notice') settings.onNotify?.(message.notice)
    else crashed(message)
  }

  function crashed({ text, suspension }: Crash): void {
    recordDown(lifecycle)
    settings.onLog('error', `${name}: the position failed: ${text}`)
    if (lifecycle.stopping || lifecycle.ended !== null) return
    const restart = restartAfter(suspension ?? null)
    if (restart !== null) handle.restart(restart)
  }

  function restartAfter(suspension: Suspension | null): Restart | null {
    const pauseMs = pauseAfterCrash()
    if (pauseMs === null) return end(EXIT_CODE.failed, CRASHED)
    reportRestart(settings, pauseMs, suspension)
    return { pauseMs, suspension }
  }

  /** Returns null, which stops restarts. */
  function end(exitCode: number, message: string): null {
    if (lifecycle.ended !== null) return null
    lifecycle.ended = message
    running.resolve(false)
    void handle.leave()
    settings.onFatal(exitCode, message)
    return null
  }

  return { name, running: running.promise, ...controls(lifecycle, handle) }
}

/** Returns why the stuck position ends. Never rejects: it ends whether or not the safe quote was sent. */
async function sendSafeQuote({ name, makeSafe, onLog }: SupervisorSettings): Promise<string> {
  const outcome = await makeSafe().catch((error: unknown) => {
    onLog('error', `${name}: no safe quote: ${errorText(error)}`)
    return 'the safe quote could not be sent'
  })
  return `${STUCK}; ${outcome}. Do: restart the daemon`
}

function recordDown(lifecycle: Lifecycle): void {
  lifecycle.standby = null
  lifecycle.downSince ??= performance.now()
}

function reportRestart(
  { name, onLog, onRestart }: SupervisorSettings,
  pauseMs: Ms,
  suspension: Suspension | null,
): void {
  const why = suspension === null ? '' : `${suspension.reason}, so it is suspended; `
  const text = `${why}restarting from the journal in ${pauseMs} ms`
  onLog('warn', `${name}: ${text}`)
  onRestart?.(text)
}

/** The position runs or stands by: resolves everything that waits for its start. */
function begun(
  { name, onLog, onRunning }: SupervisorSettings,
  lifecycle: Lifecycle,
  message: Extract<PositionMessage, { readonly type: 'running' | 'standby' }>,
): void {
  lifecycle.running.resolve(true)
  lifecycle.downSince = null
  if (message.type === 'standby') {
    lifecycle.standby = `this daemon stands by for the position: ${message.held}`
    return
  }
  if (lifecycle.standby !== null) onLog('warn', `${name}: this daemon has taken the position over`)
  lifecycle.standby = null
  onRunning?.()
}

/**
 * Returns whether the strategy is suspended after the restart: after a hang, and after the second death of a worker with no other suspect.
 * The machine may have caused a single death.
 */
function suspensionAfter(
  { name, onLog }: SupervisorSettings,
  { end, isAlone }: Loss,
  countDeath: () => number,
): Suspension | null {
  const { inside } = end
  if (end.how !== 'died') {
    return { seq: end.inside.seq, reason: `the strategy did not answer within ${STRATEGY_TIMEOUT_MS} ms` }
  }
  onLog('error', `${name}: its worker ended: ${end.why}`)
  if (countDeath() < MOST_DEATHS || !isAlone) return null
  const why = end.why.split('\n')[0] ?? end.why
  return {
    seq: inside?.seq ?? NEXT_EVENT,
    reason: `its worker ended again while no other position was in it (${why})`,
  }
}

/** Returns the operations on a supervised position. */
function controls(lifecycle: Lifecycle, handle: PositionHandle): Omit<Supervisor, 'name' | 'running'> {
  const ask: Supervisor['ask'] = async (call, timeoutMs = POSITION_METHODS[call.method].timeoutMs) => {
    const isSilent = lifecycle.ended !== null || (lifecycle.standby !== null && !isForStandby(call))
    const answer = isSilent ? null : await handle.ask(call, timeoutMs)
    // The worker returns each method's own answer type.
    return answer as PositionAnswers[(typeof call)['method']] | null
  }
  return {
    health() {
      if (lifecycle.ended !== null) return { alive: false, why: lifecycle.ended }
      const { downSince, standby } = lifecycle
      if (downSince === null) return { alive: true, why: standby }
      return { alive: performance.now() - downSince < DOWN_MS, why: 'restarting' }
    },
    standby: () => (lifecycle.ended === null ? lifecycle.standby : null),
    ask,
    async shutdown(withinMs) {
      lifecycle.stopping = true
      // Release callers that wait for the start of a position that is being removed.
      lifecycle.running.resolve(false)
      if (lifecycle.ended !== null) return lifecycle.ended
      const { standby } = lifecycle
      const report = await handle.ask({ method: 'shutdown', withinMs }, withinMs + CLOSING_MS)
      await handle.leave()
      if (typeof report === 'string') return report
      return standby === null ? UNANSWERED : `${standby}; nothing was changed`
    },
  }
}

/** After more crashes than these in ten minutes the position is not restarted. */
const MAX_CRASHES = 8
const CRASH_WINDOW_MS: Ms = 600_000
const FIRST_PAUSE_MS: Ms = 250
const LONGEST_PAUSE_MS: Ms = 30_000

/** Returns a counter: each call counts one event and returns how many came within the last ten minutes. */
function createRecentCount(): () => number {
  const times: Ms[] = []
  return () => {
    const now = performance.now()
    times.push(now)
    while (times[0] !== undefined && now - times[0] > CRASH_WINDOW_MS) times.shift()
    return times.length
  }
}

/** Returns a function that returns the pause before the restart after a crash, in ms; null = give up. */
export function createCrashBudget(): () => Ms | null {
  const count = createRecentCount()
  return () => {
    const crashes = count()
    return crashes > MAX_CRASHES ? null : backoffMs(crashes, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  }
}
