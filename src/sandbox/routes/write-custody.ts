import { z } from 'zod'
import { refusal } from '../venue-error.ts'
import { isoTime } from '../venue-state.ts'
import { answer } from '../venue-request.ts'
import type { Handler } from './handler.ts'

const Body = z.object({ enabled: z.boolean() })

/** PUT /custody: self-custody needs the shared pool to hold nothing of ours. */
export const writeCustody: Handler = (venue, { body }) => {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return refusal('INVALID_REQUEST', 'enabled: expected true or false')
  const { enabled } = parsed.data
  if (enabled && (venue.ours.isActive || venue.isActivating)) {
    return refusal('pooled_capital_active', 'Deactivate first: capital is still in the shared pool')
  }
  venue.selfCustody = enabled
  return answer(200, { enabled, makerAddress: venue.options.walletAddress, updatedAt: isoTime(venue.now) })
}
