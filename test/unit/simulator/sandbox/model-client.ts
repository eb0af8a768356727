import type { Ms } from '../../../../src/base/time.ts'
import type { SandboxOptionsInput } from '../../../../src/simulator/sandbox/options.ts'
import { createVenueModel, type VenueModel } from '../../../../src/simulator/sandbox/model.ts'
import type { VenueResponse } from '../../../../src/simulator/sandbox/api/request.ts'
import type { World } from '../../../../src/simulator/sandbox/world/world.ts'
import { scriptedWorld, START } from './scripted-world.ts'

export type ModelClient = {
  readonly model: VenueModel
  /** `at` is ms after the start. */
  readonly ask: (method: string, path: string, body?: unknown, at?: Ms) => VenueResponse
  readonly get: (path: string, at?: Ms) => unknown
  /** Sets 100/100 and activates; afterwards 10 s have passed. */
  readonly goLive: (bidBps?: number, askBps?: number) => void
}

/** The bare model with a key in hand; `path` is below /api/v1/mm unless it starts with /api. */
export function modelClient(options: SandboxOptionsInput = {}, world: World = scriptedWorld()): ModelClient {
  const model = createVenueModel({ startMs: START, requestsPerMinute: 1_000_000, ...options }, world)
  const ask: ModelClient['ask'] = (method, target, body, at = model.state.now - START) => {
    const [path = '', search = ''] = target.split('?')
    return model.handle({
      method,
      path: path.startsWith('/api') ? path : `/api/v1/mm${path}`,
      query: Object.fromEntries(new URLSearchParams(search)),
      body,
      authorization: `Bearer ${model.options.apiKey}`,
      now: START + at,
    })
  }
  return {
    model,
    ask,
    get: (path, at) => ask('GET', path, undefined, at).body,
    goLive(bidBps = 100, askBps = 100) {
      ask('PATCH', '/spread', { bidBps, askBps })
      ask('POST', '/activate', { isActive: true })
      model.advanceTo(START + 10_000)
    },
  }
}
