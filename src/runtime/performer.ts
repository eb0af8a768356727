import type { Effect } from '../engine/effect.ts'
import type { Event } from '../engine/event.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { observeRequest } from '../telemetry/observe-request.ts'
import type { VenueClient } from '../venue/client.ts'
import { performEffect } from '../venue/perform.ts'
import type { Clock } from './clock.ts'

export type PerformerParts = {
  readonly client: VenueClient
  readonly clock: Clock
  readonly metrics: Metrics
  readonly mode: 'live' | 'dry-run'
}

/** Performs effects at the venue and counts every request. In a dry run writes are agreed to, not sent. */
export function createPerformer(parts: PerformerParts): (effect: Effect) => Promise<Event> {
  const { clock, metrics } = parts
  return async (effect) => {
    if (parts.mode === 'dry-run' && effect.type === 'patchSpread') {
      return { type: 'spreadSet', t: clock.now(), request: effect.id, spread: effect.spread }
    }
    const began = performance.now()
    const event = await performEffect(parts.client, effect, clock.now)
    const outcome = event.type === 'requestFailed' ? event.failure.kind : 'ok'
    observeRequest(metrics, effect.type, outcome, (performance.now() - began) / 1_000)
    return event
  }
}
