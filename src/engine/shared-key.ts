import { HOUR_MS, type Ms } from '../base/time.ts'
import { configuredLimit, type LaneName } from '../pacing/effective-limit.ts'
import { allowedFrom } from '../pacing/is-allowed.ts'
import { countSent, rememberSent } from '../pacing/sent-window.ts'
import type { EngineState } from './engine-state.ts'
import type { RequestsElsewhereEvent } from './event.ts'
import type { Turn } from './turn.ts'

/**
 * Requests of the key that did not come from the core: what a command sends through the daemon or sent before
 * it started. They count as its own, for the venue counts them so.
 */
export function handleRequestsElsewhere({ state, now }: Turn, { lane, times }: RequestsElsewhereEvent): void {
  for (const at of times) {
    const t = Math.min(at, now)
    rememberSent(state.pacing[lane].sent, t)
    if (lane === 'key') rememberSent(state.pacing.unplanned, t)
  }
}

/** When a request of a command may leave at the earliest: it leaves safety its reserve and fills their room. */
export function elsewhereFrom({ pacing, config }: EngineState, now: Ms, lane: LaneName): Ms {
  return allowedFrom(pacing, config.pacing, now, lane, 'lowPoll')
}

/** Requests of the key within the last minute, oldest first. */
export function recentKeyRequests({ pacing }: EngineState, now: Ms): readonly Ms[] {
  const { times } = pacing.key.sent
  return times.slice(times.length - countSent(pacing.key.sent, now))
}

/**
 * A refusal for too many requests while we have sent far fewer than the key allows: the others came from
 * somebody else. Told once an hour. Called before the refusal itself changes the pacing.
 */
export function noteSharedKey({ state, now, observations }: Turn): void {
  const { pacing, config } = state
  if (now < pacing.key.silentUntil) return
  const [sent, limit] = [countSent(pacing.key.sent, now), configuredLimit(config.pacing, 'key')]
  if (sent >= limit / 2) return
  if (state.sharedKeyToldAt !== undefined && now - state.sharedKeyToldAt < HOUR_MS) return
  state.sharedKeyToldAt = now
  observations.push({
    type: 'alert',
    t: now,
    severity: 'warning',
    code: 'shared-key',
    message: `the venue refuses requests as too many, and this daemon has sent ${sent} of ${limit} within the last minute: another program uses the same key, for example a second daemon with a store of its own`,
  })
}
