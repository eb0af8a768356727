import type { RequestFault } from './faults.ts'
import { refusal, refuse } from './venue-error.ts'
import { answer, type Answer } from './venue-request.ts'
import type { VenueState } from './venue-state.ts'

/** What the answer becomes. `carryOut` runs the request; a `-before` fault never calls it. */
export function answerWithFault(
  venue: VenueState,
  fault: RequestFault,
  carryOut: () => Answer,
): SpoiltAnswer {
  switch (fault) {
    case 'timeout-before':
      return { ...answer(200, null), drop: 'before', dropHow: 'hang' }
    case 'reset-before':
      return { ...answer(200, null), drop: 'before', dropHow: 'reset' }
    case 'timeout-after':
      return { ...carryOut(), drop: 'after', dropHow: 'hang' }
    case 'reset-after':
      return { ...carryOut(), drop: 'after', dropHow: 'reset' }
    case '500':
      return internalError(venue)
    case '500-after':
      carryOut()
      return internalError(venue)
    case '503':
      return { ...answer(503, null), ...GATEWAY_PAGE }
    case '429':
      return {
        ...refuse(venue.options.dialect, refusal('RATE_LIMIT', 'Too many requests')),
        headers: { 'retry-after': '2' },
      }
    case 'html':
      return { ...carryOut(), ...GATEWAY_PAGE, status: 502 }
    case 'malformed':
      return { ...carryOut(), rawBody: '{"status": ok,,}' }
    case 'truncated':
      return { ...carryOut(), truncate: true }
  }
}

export type SpoiltAnswer = Answer & {
  readonly rawBody?: string
  readonly truncate?: boolean
  readonly dropHow?: 'hang' | 'reset'
}

/** What a proxy in front of the venue says when the venue does not. */
export const GATEWAY_PAGE = {
  rawBody:
    '<html><head><title>Service unavailable</title></head><body><h1>Service unavailable</h1></body></html>',
  headers: { 'content-type': 'text/html' },
} as const

function internalError(venue: VenueState): Answer {
  return refuse(venue.options.dialect, refusal('INTERNAL_ERROR', 'Unexpected server error'))
}
