import { MINUTE_MS, type Ms } from '../base/time.ts'
import { headroom, ordinaryRoom } from './ordinary-room.ts'
import { effectiveLimit } from './effective-limit.ts'
import type { PacingState } from './pacing-state.ts'
import type { PacingSettings } from './pacing-settings.ts'
import type { PollKind } from './poll-kind.ts'
import { WINDOW_MS, countSent } from './sent-window.ts'

/** A poll is wanted at least every so many fills: a quarter of the 100 rows that the venue remembers. */
export const FILLS_PER_POLL = 25
/** So far the other polls give way before fills do. */
const OTHERS_FIRST = 3

/**
 * How long after one poll of this kind the next is due. The base interval while the budget carries it;
 * fills sooner when they come fast. Beyond the budget the others stretch first, up to three times; only
 * then do fills stretch too, all in proportion, so that the sum just fits.
 */
export function pollInterval(state: PacingState, settings: PacingSettings, now: Ms, kind: PollKind): Ms {
  if (kind === 'publicBid' || kind === 'publicAsk') {
    const limit = effectiveLimit(state, settings, now, 'public')
    return (2 * WINDOW_MS) / Math.max(1, limit)
  }
  const ordinary = ordinaryRoom(state, settings, now)
  const room = (ordinary - headroom(ordinary)) * (MINUTE_MS / WINDOW_MS)
  // What writes and demands took lately is not there for polling, and as they do not come evenly a few
  // more stay free; a quarter is always for polling.
  const unplanned = countSent(state.unplanned, now)
  const forPolls = Math.max(room / 4, room - unplanned - Math.min(headroom(ordinary), unplanned / 2))
  const others = othersPerMinute(settings)
  const fills = fillsPerMinute(state, settings, forPolls - others / OTHERS_FIRST)
  const all = Math.max(1, (fills + others / OTHERS_FIRST) / forPolls)
  if (kind === 'fills') return (MINUTE_MS / fills) * all
  const left = Math.max(forPolls - fills, others / OTHERS_FIRST)
  return baseInterval(settings, kind) * Math.max(1, others / left) * all
}

/** Polls of fills wanted a minute: what the base interval says, more when fills come fast, up to `most`. */
function fillsPerMinute(state: PacingState, settings: PacingSettings, most: number): number {
  const base = MINUTE_MS / settings.fillsIntervalMs
  const needed = (state.fills.perMs * MINUTE_MS) / FILLS_PER_POLL
  return Math.max(base, Math.min(needed, most))
}

function othersPerMinute(settings: PacingSettings): number {
  return (
    MINUTE_MS / settings.rateIntervalMs +
    MINUTE_MS / settings.balancesIntervalMs +
    MINUTE_MS / settings.accountIntervalMs +
    (2 * MINUTE_MS) / settings.quoteCheckIntervalMs
  )
}

/** The configured interval of a poll of the key other than fills. */
export function baseInterval(settings: PacingSettings, kind: PollKind): Ms {
  if (kind === 'rate') return settings.rateIntervalMs
  if (kind === 'balances') return settings.balancesIntervalMs
  if (kind === 'account') return settings.accountIntervalMs
  return settings.quoteCheckIntervalMs
}
