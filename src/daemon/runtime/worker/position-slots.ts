import { stackText } from '../../../base/result.ts'
import { StrategyLost } from '../../../core/strategy/ask-strategy.ts'
import type { PositionSummary } from '../../view/position-summary.ts'
import { joinFamilies, type MetricFamily } from '../../telemetry/metrics/exposition.ts'
import {
  isForStandby,
  type PositionCall,
  type PositionInit,
  type PositionMessage,
  type WorkerAnswer,
  type WorkerCall,
} from './messages.ts'
import type { PositionOutputs, StandbyReload } from './answer-calls.ts'
import { launchPosition, type LaunchedPosition } from './launch-position.ts'
import type { ServicesOfSlot } from './thread-services.ts'

/** The positions of one worker, by slot. */
type PositionSlots = {
  readonly start: (slot: number, init: PositionInit) => void
  /** Tears the position down immediately. */
  readonly drop: (slot: number) => void
  readonly answer: (call: WorkerCall) => Promise<WorkerAnswer>
}

type PositionSlotsParts = {
  readonly servicesOf: ServicesOfSlot
  /** Metrics of the worker itself. */
  readonly threadMetrics: () => Promise<readonly MetricFamily[]>
  readonly send: (slot: number, message: PositionMessage) => void
  /** For tests. */
  readonly startPosition?: typeof launchPosition
}

/** Maximum number of positions that start concurrently: one waits for the venue while another computes. */
const STARTS_AT_A_TIME = 8
/** Maximum number of positions that render metrics in one turn of the event loop, which takes a few milliseconds. */
const SHOWN_AT_A_TIME = 16

type Entry = {
  readonly started: Promise<LaunchedPosition | null>
  /** Null until it runs. */
  position: LaunchedPosition | null
  /** Set once the position was taken down. */
  down: boolean
  /** Set while the position stands by: it then accepts no other call. */
  standsBy: StandbyReload | null
  readonly ending: AbortController
}

/** Starts positions in order, a few at a time, so that the first ones trade before the last ones start. */
export function createPositionSlots(parts: PositionSlotsParts): PositionSlots {
  const { servicesOf, threadMetrics, send, startPosition = launchPosition } = parts
  const entries = new Map<number, Entry>()
  const turns = createTurns(STARTS_AT_A_TIME)

  function report(slot: number, message: PositionMessage): void {
    if (entries.has(slot)) send(slot, message)
  }

  async function starting(
    slot: number,
    init: PositionInit,
    leaveTurn: () => void,
  ): Promise<LaunchedPosition | null> {
    const entry = entries.get(slot)
    if (entry?.down !== false) return null
    const outputs = outputsOf(
      entry,
      leaveTurn,
      (message) => report(slot, message),
      (error) => void crashed(slot, error),
    )
    const position = await startPosition(init, servicesOf(slot), outputs)
    entry.standsBy = null
    entry.position = position
    if (position !== null) report(slot, { type: 'running' })
    return position
  }

  function failed(slot: number, error: unknown): null {
    if (entries.delete(slot)) send(slot, crashOf(error))
    return null
  }

  async function takeDown(slot: number): Promise<boolean> {
    const entry = entries.get(slot)
    if (entry === undefined || entry.down) return false
    entry.down = true
    entry.ending.abort()
    const position = await entry.started
    await position?.tearDown()
    return entries.delete(slot)
  }

  async function crashed(slot: number, error: unknown): Promise<void> {
    if (await takeDown(slot)) send(slot, crashOf(error))
  }

  return {
    start(slot, init) {
      const begin = (leaveTurn: () => void) => starting(slot, init, leaveTurn)
      const started = turns(begin).catch((error: unknown) => failed(slot, error))
      const ending = new AbortController()
      entries.set(slot, { started, position: null, down: false, standsBy: null, ending })
    },
    drop: (slot) => void takeDown(slot),
    answer: answersOf({ entries, threadMetrics, crashed }),
  }
}

function answersOf(carried: Carried): PositionSlots['answer'] {
  let readingMetrics: ReturnType<typeof metricsOfAll> | null = null
  return ({ slot, call }) => {
    if (slot !== null) return answerOne(carried, slot, call)
    if (call.method === 'summaries') return Promise.resolve(summariesOfAll(carried))
    // Share the reading in progress: a scraper that retries after a timeout must not add work, or no reading would ever finish.
    readingMetrics ??= metricsOfAll(carried).finally(() => (readingMetrics = null))
    return readingMetrics
  }
}

type Carried = Pick<PositionSlotsParts, 'threadMetrics'> & {
  readonly entries: Map<number, Entry>
  readonly crashed: (slot: number, error: unknown) => Promise<void>
}

async function answerOne({ entries, crashed }: Carried, slot: number, call: PositionCall) {
  const entry = entries.get(slot)
  if (entry !== undefined && entry.standsBy !== null) {
    if (isForStandby(call)) return entry.standsBy('asked to', call.accepted)
    if (call.method !== 'shutdown') return null
    entry.ending.abort()
  }
  const position = await entry?.started
  if (entry === undefined || position === undefined || position === null || entry.down) return null
  if (call.method === 'shutdown') return leave(entry, position, call).finally(() => entries.delete(slot))
  return position.answer(call).catch((error: unknown) => {
    void crashed(slot, error)
    return null
  })
}

function summariesOfAll({ entries, crashed }: Carried): readonly PositionSummary[] {
  const summaries: PositionSummary[] = []
  for (const [slot, { position, down }] of entries) {
    if (position === null || down) continue
    try {
      summaries.push(position.summary())
    } catch (error) {
      void crashed(slot, error)
    }
  }
  return summaries
}

/**
 * Reads a few positions at a time: each first checks its disk, and one after another each would wait for a turn of the event loop. Events
 * are processed in between. A position that throws is torn down.
 */
async function metricsOfAll({ entries, threadMetrics, crashed }: Carried): Promise<readonly MetricFamily[]> {
  const turns = createTurns(SHOWN_AT_A_TIME)
  const metrics = Array.from(entries, ([slot, entry]) =>
    turns(async () => {
      if (entry.position === null || entry.down) return []
      return (await entry.position.answer({ method: 'metrics' })) as readonly MetricFamily[]
    }).catch((error: unknown) => {
      void crashed(slot, error)
      return []
    }),
  )
  return joinFamilies([...(await Promise.all(metrics)), await threadMetrics()])
}

/** A position that fails to shut down cleanly is torn down, so that nothing of it remains in the worker. */
async function leave(entry: Entry, position: LaunchedPosition, call: PositionCall) {
  entry.down = true
  return position.answer(call).catch(() => position.tearDown().then(() => null))
}

function outputsOf(
  entry: Pick<Entry, 'standsBy' | 'ending'>,
  leaveTurn: () => void,
  report: (message: PositionMessage) => void,
  crashed: PositionOutputs['crashed'],
): PositionOutputs {
  return {
    fatal: (exitCode, message) => report({ type: 'fatal', exitCode, message }),
    notify: (notice) => report({ type: 'notice', notice }),
    crashed,
    ended: entry.ending.signal,
    takesOver: () => void (entry.standsBy = null),
    standsBy(held, reload) {
      entry.standsBy = reload
      // Standing by may take indefinitely, and other positions wait for their start.
      leaveTurn()
      report({ type: 'standby', held })
    },
  }
}

/** Runs at most `most` tasks at a time, in order. A task that only has to wait gives up its turn. */
function createTurns(
  most: number,
): <Value>(work: (leaveTurn: () => void) => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work) => {
    // Wait one turn, so that the caller has stored the promise first.
    await Promise.resolve()
    if (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    let hasLeft = false
    const leaveTurn = (): void => {
      if (hasLeft) return
      hasLeft = true
      const next = waiting.shift()
      if (next === undefined) busy -= 1
      else next()
    }
    try {
      return await work(leaveTurn)
    } finally {
      leaveTurn()
    }
  }
}

function crashOf(error: unknown): Extract<PositionMessage, { readonly type: 'crashed' }> {
  if (error instanceof StrategyLost && error.seq !== null)
    return {
      type: 'crashed',
      text: error.message,
      suspension: { seq: error.seq, reason: error.message },
    }
  return { type: 'crashed', text: stackText(error) }
}
