import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { err, errorText, ok, type Result } from '../../../base/result.ts'
import { type Changes, checkChanges, mergeChanges } from '../../config/load/changes.ts'
import { formatProblem } from '../../config/source/problem.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { loadConfig } from '../../config/load/load-config.ts'
import { loosenedBy } from '../../config/reload/loosened.ts'
import type { PreviewAnswer, PreviewedQuote } from '../../console/answers.ts'
import type { Reloader } from './reloader.ts'
import { unkeptMemory } from '../../../core/strategy/memory.ts'
import type { RunningPosition } from '../position/run-position.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'
import { endThread } from '../../../base/threads/end-thread.ts'
import { bareEnv, firstMessage, type NoMessage, workerUrl } from '../../../base/threads/first-message.ts'
import type { Ms } from '../../../base/time.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { writeState } from '../../../core/engine/upcast/written.ts'

/** The input of the preview thread: plain data. */
export type PreviewRequest = {
  readonly file: string
  readonly changes: Changes
  readonly strategiesFolder: string
  /** The core's state as `encodeJson` writes it, and the number of its last event. */
  readonly state: string
  readonly seq: number
  readonly now: number
}

export type PreviewOutcome = Pick<PreviewAnswer, 'problem' | 'after'>

const WORKER = workerUrl(import.meta.url, './preview-worker')
/** Loading, a trial run and one decision take about 0.3 s; threads start slowly on a busy machine. */
const TIME_LIMIT_MS = 15_000
const MAX_HEAP_MB = 256

/** A preview waits for the one before it, and both waits together are shorter than the time limit of the call. */
const PATIENCE_MS = 2_500

/** Previews of all positions of this thread run one at a time, because each starts a thread. */
const takeTurn = createTurns(PATIENCE_MS)

/**
 * Returns a function that waits until all earlier turns have ended, and resolves with a function that ends this turn; with null if that
 * takes longer than `patienceMs`.
 */
export function createTurns(patienceMs: Ms): () => Promise<(() => void) | null> {
  let last = Promise.resolve()
  return async () => {
    const before = last
    const own = Promise.withResolvers<void>()
    last = before.then(() => own.promise)
    const isMine = await Promise.race([before.then(() => true), pause(patienceMs, false, { ref: false })])
    if (isMine) return own.resolve
    own.resolve()
    return null
  }
}

/**
 * Returns the core configuration that a reload with these changes would run; the error names the first problem. It is read as for a reload,
 * including secrets: without them, feeds and the default of withdraw.approvalAboveUsd would appear to be removed.
 */
export async function coreUnder(
  { current }: Pick<Reloader, 'current'>,
  changes: Changes,
): Promise<Result<CoreConfig, string>> {
  const { file, changes: present } = current()
  const options = { strategiesFolder: strategiesFolder(), changes: mergeChanges(present, changes) }
  const loaded = await loadConfig(file, process.env, options)
  if (loaded.ok) return ok(loaded.value.core)
  const [first] = loaded.error
  return err(first === undefined ? 'it cannot be read' : formatProblem(first))
}

/**
 * Returns the quote under other parameters. A separate thread gets a copy of the core's state and the changed configuration, and is asked
 * for one decision; the position itself only makes the copy. A strategy that hangs or throws ends only that thread. Resolves with `busy`
 * while another preview runs.
 */
export async function previewChanges(
  reloader: Pick<Reloader, 'current' | 'set'>,
  position: Pick<RunningPosition, 'state' | 'seq'>,
  changes: Changes,
): Promise<PreviewAnswer | 'busy'> {
  const state = position.state()
  const before = previewedQuote(state)
  const refused = (problem: string): PreviewAnswer => ({ ok: false, problem, before, after: null })
  const allowed = checkChanges(changes)
  if (!allowed.ok) return refused(allowed.error)
  const { file, changes: present } = reloader.current()
  const merged = mergeChanges(present, allowed.value)
  const folder = strategiesFolder()
  const after = await loadConfig(file, {}, { strategiesFolder: folder, offline: true, changes: merged })
  // The preview thread reports unreadable configurations.
  const loosening = after.ok
    ? await loosenedBy({
        file,
        strategiesFolder: folder,
        before: present,
        changes: allowed.value,
        running: state.config,
        after: after.value.core,
      })
    : null
  if (loosening !== null) return refused(loosening)
  if (state.strategy.memory !== null && unkeptMemory(state.strategy.memory) !== null)
    return refused('the state of the strategy cannot be copied')
  const endTurn = await takeTurn()
  if (endTurn === null) return 'busy'
  const worker = new Worker(WORKER, {
    workerData: {
      file,
      changes: merged,
      strategiesFolder: folder,
      state: writeState(state),
      seq: position.seq(),
      now: Date.now(),
    } satisfies PreviewRequest,
    stdout: true,
    stderr: true,
    env: bareEnv(),
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  try {
    const first = await firstMessage<PreviewOutcome>(worker, TIME_LIMIT_MS)
    const { problem, after } = first.ok ? first.value : { problem: problemOf(first.error), after: null }
    return { ok: problem === null, problem, before, after }
  } finally {
    await endThread(worker)
    endTurn()
  }
}

function problemOf(silence: NoMessage): string {
  if (silence.how === 'late')
    return `no answer within ${TIME_LIMIT_MS} ms: the strategy hangs, or the machine is overloaded; try again later`
  if (silence.how === 'ended') return 'the preview ended without an answer'
  const text = errorText(silence.error)
  return `the strategy broke the preview: ${text.split('\n')[0] ?? text}`
}

/** Returns the approved quote of a core's state, as a preview shows it. */
export function previewedQuote({ approvedTarget, latch, decision }: EngineState): PreviewedQuote {
  return {
    bidBps: approvedTarget?.bidBps ?? null,
    askBps: approvedTarget?.askBps ?? null,
    tradingState: latch.halted === null ? (decision?.tradingState ?? 'REDUCING') : 'HALTED',
    because: approvedTarget?.because ?? ['there was no decision yet'],
  }
}
