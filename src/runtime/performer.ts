import type { Effect } from '../engine/effect.ts'
import type { Event } from '../engine/event.ts'
import type { VenueClient } from '../venue/client.ts'
import { performEffect } from '../venue/perform.ts'
import type { Clock } from './clock.ts'

export type PerformerParts = {
  readonly client: VenueClient
  readonly clock: Clock
  readonly mode: 'live' | 'dry-run'
}

/** Performs effects at the venue. In a dry run writes are agreed to, not sent. */
export function createPerformer(parts: PerformerParts): (effect: Effect) => Promise<Event> {
  const { clock } = parts
  return async (effect) => {
    if (parts.mode === 'dry-run' && effect.type === 'patchSpread') {
      return { type: 'spreadSet', t: clock.now(), request: effect.id, spread: effect.spread }
    }
    return performEffect(parts.client, effect, clock.now)
  }
}
