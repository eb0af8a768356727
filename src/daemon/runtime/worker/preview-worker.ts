import { dirname, resolve } from 'node:path'
import { endProcesses, LOADING_TIMEOUT_MS } from '../../confinement/evaluate-apart.ts'
import { loadConfig } from '../../config/load/load-config.ts'
import { tryStrategy } from '../../config/strategy/try-strategy.ts'
import { createEngine } from '../../../core/engine/engine.ts'
import { createCalendar } from '../position/calendar.ts'
import { previewedQuote, type PreviewRequest, type PreviewOutcome } from './preview-changes.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../../base/result.ts'
import { readState } from '../../../core/engine/upcast/written.ts'

/** Loads the changed configuration as a reload would, and lets a core with the copied state decide once. */
async function previewOutcome(order: PreviewRequest): Promise<PreviewOutcome> {
  const { strategiesFolder, changes } = order
  const loaded = await loadConfig(order.file, {}, { strategiesFolder, changes, offline: true })
  if (!loaded.ok) return refused(loaded.error.map(({ path, message }) => `${path}: ${message}`))
  const { core, strategy } = loaded.value
  // A reload tries the strategy in a separate thread; this already is one. It asks the process in which `loadConfig` evaluated a user's file.
  const tried = await tryStrategy(core.strategy, {
    folder: strategiesFolder,
    baseFolder: dirname(resolve(order.file)),
    owner: core.name,
    apartWithinMs: LOADING_TIMEOUT_MS,
  })
  if (!tried.ok)
    return refused(tried.error.map(({ path, message }) => `strategy.${path.join('.')}: ${message}`))
  const state = readState(order.state)
  const engine = createEngine({
    strategyFor: () => strategy,
    calendar: createCalendar(),
    from: { state, seq: order.seq },
  })
  engine.process(order.seq + 1, { type: 'reloaded', t: order.now, config: core })
  const after = engine.state() ?? state
  const { suspended } = after.strategy
  return { problem: suspended, after: suspended === null ? previewedQuote(after) : null }
}

function refused(problems: readonly string[]): PreviewOutcome {
  return { problem: problems.join('\n'), after: null }
}

// The preview thread of preview-changes.ts: one request, one answer.
invariant(parentPort !== null, 'a preview runs in a separate thread')
const outcome = await previewOutcome(workerData as PreviewRequest)
await endProcesses()
parentPort.postMessage(outcome)
