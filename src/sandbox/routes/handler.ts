import type { Refusal } from '../venue-error.ts'
import type { VenueState } from '../venue-state.ts'
import type { Answer, VenueRequest } from '../venue-request.ts'

/** Carries out one request that has passed the door (key, limit, permission). */
export type Handler = (venue: VenueState, request: VenueRequest) => Answer | Refusal
