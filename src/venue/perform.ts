import type { Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { VenueEffect } from '../core/engine/model/effect.ts'
import type { Event, VenueAnswer } from '../core/engine/model/event.ts'
import type { AlsoSent, VenueFailure } from '../core/engine/model/venue-answer.ts'
import type { VenueCall } from './call.ts'
import { malformedFailure, notSentFailure } from './failure.ts'
import type { FillsWindow } from './fills-window.ts'

/** What performing needs of a client. */
type Performing = {
  /** Returns the request for an effect, and how to read its answer; null = this venue has no such request. */
  readonly callOf: (effect: VenueEffect) => VenueCall<VenueAnswer> | null
  /** Rows that the polls of fills have shown so far. */
  readonly fillsWindow: FillsWindow
  send<Answer>(call: VenueCall<Answer>): Promise<Result<Answer, VenueFailure>>
  /** Returns when requests left with the key that no call asked for, since this was last called. */
  takeAlsoSent(): readonly Ms[]
}

export async function performEffect(client: Performing, effect: VenueEffect, now: () => Ms): Promise<Event> {
  const sentAt = now()
  const call = client.callOf(effect)
  if (call === null) {
    const none = { route: effect.type, isWrite: false, isRepeatable: false }
    const failure = notSentFailure(none, 'NOT_FOUND', 'this venue has no such request, nothing was sent')
    return { type: 'requestFailed', t: sentAt, request: effect.id, failure }
  }
  // A withdrawal is a payout however the client declares its call.
  const result = await client.send(effect.type === 'withdraw' ? { ...call, paysOut: true } : call)
  const event = outcomeEvent(effect, result, { sentAt, t: now(), route: call.route }, client.fillsWindow)
  const alsoSentAt = client.takeAlsoSent()
  const alsoSent: AlsoSent = alsoSentAt.length === 0 ? {} : { alsoSentAt }
  return { ...event, ...alsoSent }
}

/** The request by its route, when it left and when its outcome was known, on our clock. */
type SentRequest = { readonly route: string; readonly sentAt: Ms; readonly t: Ms }

/** Returns the event of an effect's outcome. No I/O: the world simulations use it as the daemon does. */
export function outcomeEvent(
  effect: VenueEffect,
  result: Result<VenueAnswer, VenueFailure>,
  { route, sentAt, t }: SentRequest,
  fillsWindow: FillsWindow,
): Event {
  const common = { t, request: effect.id }
  if (!result.ok) return { ...common, type: 'requestFailed', failure: result.error }
  const answer = result.value
  switch (answer.type) {
    case 'fills': {
      const news = fillsWindow.reduce(answer, t)
      if (news.ok) return { ...common, type: 'fills', sentAt, ...news.value }
      const read = { route, isWrite: false, isRepeatable: true }
      return { ...common, type: 'requestFailed', failure: malformedFailure(read, 200, news.error) }
    }
    case 'balances':
      return { ...common, ...answer, sentAt }
    case 'quoteRead': {
      const { isExplained: _, ...quote } = answer
      return { ...common, ...quote }
    }
    case 'account':
    case 'rate':
    case 'bestQuote':
    case 'quoteSet':
    case 'activation':
    case 'withdrawn':
    case 'solver':
      return { ...common, ...answer }
  }
}
