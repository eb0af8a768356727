import { answer } from '../venue-request.ts'
import type { Handler } from './handler.ts'

/** GET /fills: the same object while nothing changed. */
export const readFills: Handler = (venue) => answer(200, venue.fillRows.body())
