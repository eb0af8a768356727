import { invariant } from '../base/invariant.ts'
import type { Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { Effect } from '../engine/model/effect.ts'
import type { Event } from '../engine/model/event.ts'
import type { VenueFailure } from '../engine/model/venue-answer.ts'
import type { Answer } from './answer.ts'
import { malformedFailure } from './failure.ts'
import type { FillsWindow } from './fills-window.ts'

/** What a read is to a failure. */
const READ_FILLS = { route: 'GET /fills', isWrite: false, isRepeatable: true } as const

/** When the request left and when its outcome was known, on our clock. */
export type OutcomeTimes = { readonly sentAt: Ms; readonly t: Ms }

/** What the core is told of an effect's outcome. No I/O: the world simulations use it as the daemon does. */
export function outcomeEvent(
  effect: Effect,
  result: Result<Answer, VenueFailure>,
  { sentAt, t }: OutcomeTimes,
  fillsWindow: FillsWindow,
): Event {
  const common = { t, request: effect.id }
  if (!result.ok) return { ...common, type: 'requestFailed', failure: result.error }
  const answer = result.value
  switch (answer.type) {
    case 'fills': {
      const news = fillsWindow.reduce(answer, t)
      if (news.ok) return { ...common, type: 'fills', sentAt, ...news.value }
      return { ...common, type: 'requestFailed', failure: malformedFailure(READ_FILLS, 200, news.error) }
    }
    case 'balances':
      return { ...common, ...answer, sentAt }
    case 'quoteRead': {
      const { isExplained: _, ...quote } = answer
      return { ...common, ...quote }
    }
    case 'account':
    case 'rate':
    case 'publicRate':
    case 'spreadSet':
    case 'activation':
    case 'withdrawn':
    case 'rfqInfo':
      return { ...common, ...answer }
    case 'custody':
    case 'rfqOrder':
      invariant(false, `no effect asks for ${answer.type}`)
  }
}
