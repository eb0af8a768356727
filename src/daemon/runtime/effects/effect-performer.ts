import { isOrderEffect, type Effect } from '../../../core/engine/model/effect.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import type { VenueFailure } from '../../../core/engine/model/venue-answer.ts'
import { MINUTE_MS } from '../../../base/time.ts'
import { invariant } from '../../../base/result.ts'
import type { VenuePort } from '../../../venue/port.ts'
import type { Clock, SystemClock } from '../position/clock.ts'
import type { Custody } from './custody.ts'

type PerformerParts = {
  readonly client: VenuePort
  readonly clock: Clock & Partial<Pick<SystemClock, 'wall'>>
  readonly mode: 'live' | 'dry-run'
  /** Null = pooled capital. */
  readonly custody: Custody | null
}

/** Performs effects at the venue, with the key and on the chain. In a dry run, writes are reported as done but not sent. */
export function createPerformer(parts: PerformerParts): (effect: Effect) => Promise<Event> {
  const { clock, client, custody, mode } = parts
  return async (effect) => {
    if (isOrderEffect(effect)) {
      invariant(custody !== null, 'only a core with an rfq section creates orders')
      return custody.perform(effect)
    }
    if (mode === 'dry-run' && effect.type === 'setQuote') {
      return { type: 'quoteSet', t: clock.now(), request: effect.id, spread: effect.spread }
    }
    if (mode === 'dry-run' && (effect.type === 'activate' || effect.type === 'withdraw')) {
      return { type: 'requestFailed', t: clock.now(), request: effect.id, failure: notSent(effect.type) }
    }
    const outcome = withWall(await client.perform(effect, clock.now), clock)
    return custody === null ? outcome : custody.withPinnedSolver(outcome)
  }
}

/** The core requests neither in a dry run; the performer refuses them as a second check. */
function notSent(what: string): VenueFailure {
  const message = `${what}: not sent, because this is a dry run`
  const outcome = { retriable: false, outcome: 'failed', retryAfterMs: null } as const
  return { kind: 'refused', code: 'DRY_RUN', status: null, route: what, message, ...outcome }
}

/** While our time does not follow the machine's clock, the venue's clock is compared with both. */
function withWall(outcome: Event, { wall }: PerformerParts['clock']): Event {
  if (outcome.type !== 'rate' || wall === undefined) return outcome
  const ourWall = wall()
  return Math.abs(ourWall - outcome.t) > MINUTE_MS ? { ...outcome, ourWall } : outcome
}
