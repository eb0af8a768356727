import type { Ms } from '../base/time.ts'
import type { Effect } from '../engine/model/effect.ts'
import type { Event } from '../engine/model/event.ts'
import type { VenueClient } from './client.ts'
import { effectCall } from './effect-call.ts'
import { outcomeEvent } from './outcome-event.ts'

/** Carries out one effect at the venue; its outcome is an event, whatever happens. Never rejects. */
export async function performEffect(client: VenueClient, effect: Effect, now: () => Ms): Promise<Event> {
  const sentAt = now()
  const result = await client.send(effectCall(client.calls, effect, client.settings))
  return outcomeEvent(effect, result, { sentAt, t: now() }, client.fillsWindow)
}
