import { decodeJson } from '../base/codec.ts'
import { loadConfig } from '../config/load-config.ts'
import { createEngine } from '../engine/create-engine.ts'
import type { EngineState } from '../engine/engine-state.ts'
import { createCalendar } from './calendar.ts'
import type { PreviewOrder, PreviewOutcome } from './preview-changes.ts'
import { previewedQuote } from './previewed-quote.ts'

/** As a reload's. */
const PROBE_MS = 5_000

/** Loads the changed configuration as a reload would and lets a core with the copied state decide once. */
export async function previewOutcome(order: PreviewOrder): Promise<PreviewOutcome> {
  const { strategiesFolder, changes } = order
  const loaded = await loadConfig(
    order.file,
    {},
    { strategiesFolder, changes, offline: true, probe: { timeLimitMs: PROBE_MS } },
  )
  if (!loaded.ok) {
    const problem = loaded.error.map(({ path, message }) => `${path}: ${message}`).join('\n')
    return { problem, after: null }
  }
  const { core, strategy } = loaded.value
  const state = decodeJson(order.state) as EngineState
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
