import type { Ms } from '../../base/time.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { TreasuryState } from '../state.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import type { Attempt, Leg } from '../model/intent.ts'
import { type KeyMemory, type MoneyKind, ROUTE_OF } from '../model/keys.ts'
import { isByPosition, lastAttempt } from './legs.ts'
import type { LegAt } from './moves.ts'

/**
 * Returns whether a request without a clear answer may be sent again with its key. Orders to the position may, because
 * our own journal deduplicates them. At the partner API a key prevents a second payment only on a route that has
 * honoured keys before, or that a person vouches for. Source: venue-measured.md, section 5.
 */
export function maySendAgain({ keys, config }: TreasuryState, { kind }: Pick<Leg, 'kind'>): boolean {
  // A journal from before this check replays under the rules of its time.
  if (isByPosition(kind) || keys === undefined) return true
  return isKeyHonoured(keys, config.keysHonoured ?? [], ROUTE_OF[kind as MoneyKind])
}

/** Returns whether a route has shown that it honours keys or, if untested, a person vouches for it. */
export function isKeyHonoured(keys: KeyMemory, vouchedFor: readonly string[], route: string): boolean {
  const shown = keys.seen[placeOf(keys, route)]
  return shown === undefined ? vouchedFor.includes(route) : shown === 'honoured'
}

/** Returns the deadline for finding an attempt that may not be sent again; then it becomes a claim. */
export function lookedForUntil({ config }: TreasuryState, leg: Leg): Ms {
  const attempt = lastAttempt(leg)
  return (attempt?.firstSentAt ?? attempt?.preparedAt ?? 0) + config.replayWindowMs
}

function placeOf({ venue, mode }: KeyMemory, route: string): string {
  return `${venue} ${mode} ${route}`
}

/** Records whether our key is live or test. Knowledge of one mode is not used in the other. */
export function takeMode({ state }: TreasuryTransition, { isLive }: TreasuryEventOf<'modeSeen'>): void {
  if (state.keys !== undefined) state.keys = { ...state.keys, mode: isLive ? 'live' : 'test' }
}

/**
 * Learns from an answer whether the route honours keys: the venue marks it as a replay, or answers an attempt that was
 * sent more than once with one id, or with two ids, one of which is a second payment.
 */
export function learnFromAnswer({ state, leg, alert }: LegAt, event: TreasuryEventOf<'legAnswered'>): void {
  const attempt = leg.attempts.find(({ n }) => n === event.n)
  if (state.keys === undefined || state.keys.mode === null || attempt === undefined) return
  if (isByPosition(leg.kind)) return
  const shown = event.replayed === true ? 'honoured' : shownByIds(leg, attempt, event.resourceId)
  if (shown === null) return
  const route = ROUTE_OF[leg.kind as MoneyKind]
  const place = placeOf(state.keys, route)
  if (shown === 'ignored')
    alert(
      'treasury-key-ignored',
      `${route} answered one key with two ids, ${leg.resourceId} and ${event.resourceId}: one of them is a second payment`,
      event.intent,
    )
  state.keys = { ...state.keys, seen: { ...state.keys.seen, [place]: shown } }
}

function shownByIds(
  { resourceId: known }: Leg,
  { sendings, outcome }: Attempt,
  id: string | null,
): 'honoured' | 'ignored' | null {
  if (sendings < 2 || outcome !== 'answered' || known === null || id === null) return null
  return id === known ? 'honoured' : 'ignored'
}
