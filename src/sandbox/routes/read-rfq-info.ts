import { answer } from '../venue-request.ts'
import type { Handler } from './handler.ts'

/** GET /rfq/info: whom orders must name, and where they would be filled. */
export const readRfqInfo: Handler = (venue) => answer(200, { ...venue.options.rfq })
