import { MINUTE_MS, type Ms, SECOND_MS } from '../base/time.ts'
import { allowedFrom, effectiveLimit, slack, isAllowed, unreservedCapacity } from './budget.ts'
import {
  isLowPoll,
  isPublicPoll,
  type PacingSettings,
  type PacingState,
  POLL_KINDS,
  type PollKind,
  type PollState,
} from './state.ts'
import { WINDOW_MS, countSent } from './request-window.ts'

/**
 * The most valuable poll that is due and fits the budget now, or null. Changes nothing: tell `noteSent`
 * when it leaves, then ask again until null.
 */
export function nextPoll(state: PacingState, settings: PacingSettings, now: Ms): PollKind | null {
  for (const kind of POLL_KINDS) {
    if (pollDueAt(state, settings, kind) > now) continue
    if (
      isAllowed(
        state,
        settings,
        now,
        isPublicPoll(kind) ? 'public' : 'key',
        isLowPoll(kind) ? 'lowPoll' : 'poll',
      )
    )
      return kind
  }
  return null
}

/**
 * When to ask `nextPoll` again. Before this time it answers null; at this time it usually does not (only
 * a budget that is regrowing may need one more wait). At or before `now` when a poll may leave right now.
 */
export function nextDueAt(state: PacingState, settings: PacingSettings, now: Ms): Ms {
  const lowFrom = allowedFrom(state, settings, now, 'key', 'lowPoll')
  const keyFrom = allowedFrom(state, settings, now, 'key', 'poll')
  const publicFrom = allowedFrom(state, settings, now, 'public', 'poll')
  let earliest = Infinity
  for (const kind of POLL_KINDS) {
    const allowed = isPublicPoll(kind) ? publicFrom : isLowPoll(kind) ? lowFrom : keyFrom
    const due = Math.max(pollDueAt(state, settings, kind), allowed)
    if (due < earliest) earliest = due
  }
  return earliest
}

/** A demand for mid or books waits this long after the last such poll, or a third of its interval if less. */
const MAX_DEMAND_GAP_MS: Ms = 5 * SECOND_MS

/** When this poll is due, the budget aside: after its back-off, and never while one is in flight. */
function pollDueAt(state: PacingState, settings: PacingSettings, kind: PollKind): Ms {
  const poll = state.polls[kind]
  const wanted = Math.max(wantedAt(poll, settings, kind), poll.backOffUntil)
  // One that was never answered holds its place only until it counts as lost.
  return poll.inFlightSince === null
    ? wanted
    : Math.max(wanted, poll.inFlightSince + settings.requestTimeoutMs)
}

function wantedAt(poll: PollState, settings: PacingSettings, kind: PollKind): Ms {
  if (!poll.demanded) return poll.dueAt
  if (poll.lastSentAt === null || !isLowPoll(kind)) return 0
  const gap = Math.min(MAX_DEMAND_GAP_MS, baseInterval(settings, kind) / 3)
  return Math.min(poll.lastSentAt + gap, poll.dueAt)
}

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
  const ordinary = unreservedCapacity(state, settings, now)
  const room = (ordinary - slack(ordinary)) * (MINUTE_MS / WINDOW_MS)
  // What writes and demands took lately is not there for polling, and as they do not come evenly a few
  // more stay free; a quarter is always for polling.
  const unplanned = countSent(state.unplanned, now)
  const forPolls = Math.max(room / 4, room - unplanned - Math.min(slack(ordinary), unplanned / 2))
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
