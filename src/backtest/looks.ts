import type { Ms } from '../base/time.ts'
import type { Event } from '../engine/model/event.ts'
import { pollInterval } from '../pacing/poll-interval.ts'
import type { PacingSettings } from '../pacing/pacing-settings.ts'
import type { PacingState } from '../pacing/pacing-state.ts'

/** What the core looks at again and again: its polls, made by the shell of a backtest. */
export type LookKind = 'rate' | 'fills' | 'publicBid' | 'publicAsk'

/**
 * One kind of look: asked at a time of its grid, answered a latency later with what the venue showed when
 * it was asked. Looks that would bring no news are not made; the grid goes on without them.
 */
export type Look = {
  readonly kind: LookKind
  /** When the last one of the grid was asked. */
  last: Ms
  /** When the next one with news is asked, and when it is answered; Infinity = none under way. */
  askAt: Ms
  answerAt: Ms
  /** What the venue showed when it was asked; null = nothing is on its way. */
  answer: Event | null
}

export function createLook(kind: LookKind, firstAt: Ms): Look {
  return { kind, last: firstAt, askAt: Infinity, answerAt: Infinity, answer: null }
}

/**
 * News at `t`: the first time of the grid from then on sees it. The period is the pacer's own
 * (pollInterval): the base interval while the budget carries it, longer while writes take their share.
 */
export function noteNews(look: Look, t: Ms, pacing: PacingState, settings: PacingSettings): void {
  if (look.askAt !== Infinity) return
  if (look.kind.startsWith('public') && settings.publicRequestsPerMinute <= 0) return
  const interval = pollInterval(pacing, settings, t, look.kind)
  const steps = Math.max(0, Math.ceil((t - look.last) / interval))
  // Never while an answer is under way.
  const from = look.answerAt === Infinity ? t : Math.max(t, look.answerAt)
  look.askAt = Math.max(from, Math.ceil(look.last + steps * interval))
}

/** It is asked: the answer `as of now` is on its way, and the grid goes on from here. */
export function askNow(look: Look, latencyMs: Ms, asOfNow: (answerAt: Ms, sentAt: Ms) => Event): void {
  look.last = look.askAt
  look.answerAt = look.askAt + latencyMs
  look.answer = asOfNow(look.answerAt, look.last)
  look.askAt = Infinity
}
