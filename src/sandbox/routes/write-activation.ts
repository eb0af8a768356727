import { z } from 'zod'
import { activate } from '../activate.ts'
import { refusal } from '../venue-error.ts'
import type { Handler } from './handler.ts'

const Body = z.object({ isActive: z.boolean() })

/** POST /activate (the observed dialect takes PATCH as well). */
export const writeActivation: Handler = (venue, { body }) => {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'isActive: expected true or false')
  return activate(venue, parsed.data.isActive)
}
