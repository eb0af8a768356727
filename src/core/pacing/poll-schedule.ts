import { MINUTE_MS, type Ms, SECOND_MS } from '../../base/time.ts'
import { effectiveLimit, maySend, maySendFrom, slack, unreservedCapacity } from './budget.ts'
import { countSent, timeWhenAtMost, WINDOW_MS } from './request-window.ts'
import {
  isBooksPoll,
  isLowPoll,
  isPublicPoll,
  type PacingSettings,
  type PacingState,
  type PollKind,
  type PollState,
  pollOrder,
} from './state.ts'

/** A poll is due at least after this many fills: a quarter of the 100 rows that the venue remembers. */
const FILLS_PER_POLL = 25
/** Polls that yield stretch by at most this factor before the others do. */
const MOST_STRETCH = 3
/** An expedited low poll leaves this long after the last one, or after a third of its interval if that is less. */
const MAX_EXPEDITED_GAP_MS: Ms = 5 * SECOND_MS

/** Returns the most valuable poll that is due and fits the budget now, or null. Does not change the state. */
export function nextPoll(state: PacingState, settings: PacingSettings, now: Ms): PollKind | null {
  for (const kind of pollOrder(settings)) {
    if (pollDueAt(state, settings, kind) > now) continue
    const budget = isPublicPoll(kind) ? 'public' : 'key'
    if (maySend(state, settings, now, isLowPoll(kind, settings) ? 'lowPoll' : 'poll', budget)) return kind
  }
  return null
}

/**
 * Returns when to ask `nextPoll` again. It returns null before this time, and usually a poll at that time (only a regrowing
 * budget may need one more wait). At or before `now` if a poll may leave now.
 */
export function nextDueAt(state: PacingState, settings: PacingSettings, now: Ms): Ms {
  const lowFrom = maySendFrom(state, settings, now, 'lowPoll')
  const keyFrom = maySendFrom(state, settings, now, 'poll')
  const publicFrom = maySendFrom(state, settings, now, 'poll', 'public')
  let earliest = Infinity
  for (const kind of pollOrder(settings)) {
    const allowed = isPublicPoll(kind) ? publicFrom : isLowPoll(kind, settings) ? lowFrom : keyFrom
    const due = Math.max(pollDueAt(state, settings, kind), allowed)
    if (due < earliest) earliest = due
  }
  return earliest
}

/** Returns when this poll is due if the budget allows it: after its back-off, and never while one is in flight. */
function pollDueAt(state: PacingState, settings: PacingSettings, kind: PollKind): Ms {
  const poll = state.polls[kind]
  const wanted = Math.max(wantedAt(poll, settings, kind), poll.backOffUntil)
  // A poll without an answer blocks the next one only until it counts as lost.
  return poll.inFlightSince === null
    ? wanted
    : Math.max(wanted, poll.inFlightSince + settings.requestTimeoutMs)
}

function wantedAt(poll: PollState, settings: PacingSettings, kind: PollKind): Ms {
  if (!poll.expedited) return poll.dueAt
  if (poll.lastSentAt === null || !isBooksPoll(kind)) return 0
  const gap = Math.min(MAX_EXPEDITED_GAP_MS, baseInterval(settings, kind) / 3)
  return Math.min(poll.lastSentAt + gap, poll.dueAt)
}

/**
 * Returns the time from one poll of this kind to the next: the base interval while the budget suffices, shorter for fills while
 * many arrive. Beyond the budget the fills interval stretches first, up to three times and never so far that rows could leave
 * the venue's window; then all intervals stretch in proportion, so that the sum just fits.
 */
export function pollInterval(state: PacingState, settings: PacingSettings, now: Ms, kind: PollKind): Ms {
  if (isPublicPoll(kind)) return publicInterval(state, settings, now)
  return intervalUnder(keyLoad(state, settings, now), settings, kind)
}

/** Returns until when, exclusive, the intervals stay as they are at `now` if no request is sent; `now` = not at all. */
export function intervalsHoldUntil(state: PacingState, settings: PacingSettings, now: Ms): Ms {
  const { key, public: open, onDemand } = state
  if (key.limit < settings.requestsPerMinute || open.limit < settings.publicRequestsPerMinute) return now
  const sent = countSent(onDemand, now)
  return sent === 0 ? Infinity : timeWhenAtMost(onDemand, now, sent - 1)
}

/** Returns the intervals of all kinds; the shared part is computed once. */
export function pollIntervals(state: PacingState, settings: PacingSettings, now: Ms): (kind: PollKind) => Ms {
  const load = keyLoad(state, settings, now)
  const publicMs = publicInterval(state, settings, now)
  return (kind) => (isPublicPoll(kind) ? publicMs : intervalUnder(load, settings, kind))
}

function publicInterval(state: PacingState, settings: PacingSettings, now: Ms): Ms {
  return (2 * WINDOW_MS) / Math.max(1, effectiveLimit(state, settings, now, 'public'))
}

/** Shared by the polls of the key: the interval of fills, and the factors by which other intervals stretch, alone and with fills. */
type KeyLoad = { readonly fillsMs: Ms; readonly others: number; readonly all: number }

function intervalUnder(load: KeyLoad, settings: PacingSettings, kind: PollKind): Ms {
  return kind === 'fills' ? load.fillsMs : baseInterval(settings, kind) * load.others * load.all
}

function keyLoad(state: PacingState, settings: PacingSettings, now: Ms): KeyLoad {
  const unreserved = unreservedCapacity(state, settings, now)
  const capacity = (unreserved - slack(unreserved)) * (MINUTE_MS / WINDOW_MS)
  // Recent writes and expedited polls reduce the budget left for polling. They are irregular, so a few more requests stay free;
  // at least a quarter is always for polling.
  const onDemand = countSent(state.onDemand, now)
  const forPolls = Math.max(capacity / 4, capacity - onDemand - Math.min(slack(unreserved), onDemand / 2))
  const others = othersPerMinute(settings)
  const leastOthers = others / MOST_STRETCH
  const most = forPolls - leastOthers
  const base = MINUTE_MS / settings.fillsIntervalMs
  const fills =
    settings.fillsYield === true
      ? Math.max(
          fillsPerMinute(state, base / MOST_STRETCH, most),
          Math.min(fillsPerMinute(state, base, most), forPolls - others),
        )
      : fillsPerMinute(state, base, most)
  const all = Math.max(1, (fills + leastOthers) / forPolls)
  const left = Math.max(forPolls - fills, leastOthers)
  return { fillsMs: (MINUTE_MS / fills) * all, others: Math.max(1, others / left), all }
}

/** Polls of fills a minute: `base`, more while many fills arrive, up to `most`. */
function fillsPerMinute(state: PacingState, base: number, most: number): number {
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
