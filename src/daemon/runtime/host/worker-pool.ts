import { availableParallelism } from 'node:os'
import type { Ms } from '../../../base/time.ts'
import type { Suspension } from '../../../store/store.ts'
import type { MetricsSource } from '../../telemetry/metrics/scrape.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import type {
  PositionAnswers,
  PositionCall,
  PositionInit,
  PositionMessage,
  PositionMethod,
} from '../worker/messages.ts'
import {
  startWorkerThread,
  type WorkerEnd,
  type WorkerThread,
  type WorkerThreadParts,
} from './worker-thread.ts'
import { runAfter } from '../../../base/threads/timing.ts'

/** A position that runs in a worker. */
export type CarriedPosition = {
  readonly name: string
  /** Whether it has a worker to itself. */
  readonly isolate: boolean
  /** Whether its worker loads the chain code. */
  readonly withChain: boolean
  /** False while the position is being removed: it is not restarted then. */
  readonly isWanted: () => boolean
  readonly init: (suspension: Suspension | null) => PositionInit
  readonly onMessage: (message: PositionMessage) => void
  /** Its worker ended because of another position, or for an unknown cause. The position restarts immediately. */
  readonly onMoved: (why: string) => void
  /** Its worker ended, and the position is the cause or the only suspect. Returns null to give up. */
  readonly onLost: (loss: Loss) => Restart | null
}

/** `isAlone`: no other position was in the worker. */
export type Loss = { readonly end: WorkerEnd; readonly isAlone: boolean }
export type Restart = { readonly pauseMs: Ms; readonly suspension: Suspension | null }

/** A position's handle, which stays the same when the position moves to another worker. */
export type PositionHandle = {
  /** Resolves with null if the position does not answer in time. */
  readonly ask: (call: PositionCall, withinMs: Ms) => Promise<PositionAnswers[PositionMethod] | null>
  /** Restarts the position in its worker after a crash that the worker survived. */
  readonly restart: (restart: Restart) => void
  /** Removes the position from its worker permanently. The worker ends with its last position. */
  readonly leave: () => Promise<void>
}

export type WorkerPool = {
  readonly handle: (position: CarriedPosition) => PositionHandle
  /** Returns the summaries that arrive in time, with one call per worker. Overlapping calls share one result. */
  readonly summaries: (withinMs: Ms) => Promise<readonly PositionSummary[]>
  /** Returns one source per worker. */
  readonly metrics: () => readonly MetricsSource[]
}

type WorkerPoolParts = Pick<WorkerThreadParts, 'version' | 'onFault'> & {
  /** The maximum number of shared workers. Default: one per core. */
  readonly shared?: number | undefined
  /** For tests. */
  readonly startThread?: (parts: WorkerThreadParts) => WorkerThread
}

/**
 * `shared` takes new positions. `own` holds one position. `suspects` holds positions that have hung, so that another hang affects only
 * them. `trial` holds positions whose worker died, until the cause is certain.
 */
type Kind = 'shared' | 'own' | 'suspects' | 'trial'

type Entry = {
  readonly kind: Kind
  readonly withChain: boolean
  readonly thread: WorkerThread
  readonly handles: Map<number, Taken>
  /** Whether it has returned metrics before. */
  hasShown: boolean
}

type Taken = {
  readonly slot: number
  readonly position: CarriedPosition
  /** Null once the position was removed. */
  entry: Entry | null
  /** Set while the position waits for its restart. */
  timer: NodeJS.Timeout | null
}

/** Beyond this number of trials a set that dies again is not divided: the machine is the cause, not one position. */
const MOST_TRIALS = 12
/** Time limit for the first metrics of a worker, whose other positions still start and whose code is not compiled yet. */
const FIRST_METRICS_MS: Ms = 5_000

/**
 * Spreads positions over workers and keeps them running. A worker that hangs names its position and event: that position restarts among the
 * suspects, and the others restart at once. When a worker dies, the position it was in is suspected first. If it dies again, or was in
 * none, its positions are divided in halves, each with a worker, until the culprit is alone.
 */
export function createWorkerPool(parts: WorkerPoolParts): WorkerPool {
  const { version, onFault, shared = availableParallelism(), startThread = startWorkerThread } = parts
  const entries = new Set<Entry>()
  const pool: Pool = { entries, shared, open }
  let lastSlot = 0
  let reading: Promise<readonly PositionSummary[]> | null = null

  function open(kind: Kind, withChain: boolean): Entry {
    const handles: Entry['handles'] = new Map()
    const thread = startThread({
      version,
      withChain,
      onFault,
      onMessage: (slot, message) => handles.get(slot)?.position.onMessage(message),
      onEnd: (end) => ended(pool, entry, end),
    })
    const entry: Entry = { kind, withChain, thread, handles, hasShown: false }
    entries.add(entry)
    return entry
  }

  return {
    handle(position) {
      const taken: Taken = { slot: ++lastSlot, position, entry: null, timer: null }
      const entry = entryFor(pool, position)
      sit(taken, entry)
      entry.thread.start(taken.slot, position.init(null))
      return handleOf(taken, (empty) => {
        entries.delete(empty)
        return empty.thread.end()
      })
    },
    summaries(withinMs) {
      reading ??= summariesOf(entries, withinMs).finally(() => (reading = null))
      return reading
    },
    metrics: () => Array.from(entries, metricsOf),
  }
}

async function summariesOf(entries: Iterable<Entry>, withinMs: Ms): Promise<readonly PositionSummary[]> {
  const answers = Array.from(entries, ({ thread }) => thread.askAll('summaries', withinMs))
  return (await Promise.all(answers)).flatMap((answer) => answer ?? [])
}

function metricsOf(entry: Entry): MetricsSource {
  const { handles, thread } = entry
  return {
    positions: handles.size,
    async read(withinMs) {
      const limitMs = entry.hasShown ? withinMs : Math.max(withinMs, FIRST_METRICS_MS)
      const families = await thread.askAll('metrics', limitMs)
      // A worker whose positions are all still starting answers at once, with no metrics.
      if (families !== null && families.length > 0) entry.hasShown = true
      return families
    },
  }
}

type Pool = {
  readonly entries: Set<Entry>
  readonly shared: number
  /** Starts a worker. */
  readonly open: (kind: Kind, withChain: boolean) => Entry
}

function entryFor({ entries, shared, open }: Pool, { isolate, withChain }: CarriedPosition): Entry {
  if (isolate) return open('own', withChain)
  const some = [...entries].filter((entry) => entry.kind === 'shared' && entry.withChain === withChain)
  if (some.length < shared) return open('shared', withChain)
  return some.reduce((least, entry) => (entry.handles.size < least.handles.size ? entry : least))
}

function suspectsWith({ entries, open }: Pool, withChain: boolean): Entry {
  const known = [...entries].find((entry) => entry.kind === 'suspects' && entry.withChain === withChain)
  return known ?? open('suspects', withChain)
}

function ended(pool: Pool, entry: Entry, end: WorkerEnd): void {
  const { kind, withChain } = entry
  pool.entries.delete(entry)
  const all = [...entry.handles.values()]
  if (all.length === 0) return
  const named = end.inside === null ? undefined : entry.handles.get(end.inside.slot)
  const [only] = all
  if (end.how === 'stuck') {
    for (const taken of all) lost(taken, { end, isAlone: all.length === 1 }, () => entry)
    return
  }
  if (all.length === 1 && only !== undefined)
    return lost(only, { end, isAlone: true }, () => pool.open(kind, withChain))
  if (end.how === 'died') return divide(pool, entry, { all, named, end })
  const others = all.filter((taken) => taken !== named)
  const why = `a strategy hung in the worker that it shared with ${all.length - 1} others`
  move(others, pool.open(kind, withChain), why)
  // Last, so that the other positions are back first.
  if (named !== undefined) lost(named, { end, isAlone: false }, () => suspectsWith(pool, withChain))
}

type Dead = {
  readonly all: readonly Taken[]
  readonly named: Taken | undefined
  readonly end: WorkerEnd
}

function divide({ entries, open }: Pool, { kind, withChain }: Entry, { all, named, end }: Dead): void {
  const why = `the worker that it shared with ${all.length - 1} others ended`
  if ([...entries].filter((entry) => entry.kind === 'trial').length >= MOST_TRIALS) {
    const again = open(kind, withChain)
    for (const taken of all) lost(taken, { end, isAlone: false }, () => again)
  } else if (named !== undefined && kind !== 'trial') {
    // Memory may run out in any position's event: if the others' worker dies as well, the named position is no longer suspected.
    const others = all.filter((taken) => taken !== named)
    move(others, open('trial', withChain), why)
    lost(named, { end, isAlone: false }, () => open('trial', withChain))
  } else {
    const half = Math.ceil(all.length / 2)
    move(all.slice(0, half), open('trial', withChain), why)
    move(all.slice(half), open('trial', withChain), why)
  }
}

function move(some: readonly Taken[], to: Entry, why: string): void {
  for (const taken of some) {
    sit(taken, to)
    // A position that waits for its restart continues waiting in the new worker.
    if (taken.timer !== null || !taken.position.isWanted()) continue
    taken.position.onMoved(why)
    to.thread.start(taken.slot, taken.position.init(null))
  }
}

function lost(taken: Taken, loss: Loss, entryOf: () => Entry): void {
  clearTimeout(taken.timer ?? undefined)
  taken.timer = null
  const restart = taken.position.isWanted() ? taken.position.onLost(loss) : null
  if (taken.entry === null || restart === null) return
  sit(taken, entryOf())
  restartIn(taken, restart)
}

function sit(taken: Taken, entry: Entry): void {
  taken.entry = entry
  entry.handles.set(taken.slot, taken)
}

function restartIn(taken: Taken, { pauseMs, suspension }: Restart): void {
  taken.timer = runAfter(() => {
    taken.timer = null
    taken.entry?.thread.start(taken.slot, taken.position.init(suspension))
  }, pauseMs)
}

function handleOf(taken: Taken, endEmpty: (entry: Entry) => Promise<unknown>): PositionHandle {
  return {
    ask: async (call, withinMs) => {
      if (taken.entry === null || taken.timer !== null) return null
      return taken.entry.thread.ask(taken.slot, call, withinMs)
    },
    restart: (restart) => restartIn(taken, restart),
    async leave() {
      clearTimeout(taken.timer ?? undefined)
      const { entry } = taken
      taken.entry = null
      if (entry === null || !entry.handles.delete(taken.slot)) return
      if (entry.handles.size === 0) await endEmpty(entry)
      else entry.thread.drop(taken.slot)
    },
  }
}
