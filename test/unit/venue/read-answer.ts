import type { Result } from '../../../src/base/result.ts'
import type { VenueAnswer } from '../../../src/core/engine/model/event.ts'
import type {
  CustodyAnswer,
  RfqOrderAnswer,
  VenueFailure,
} from '../../../src/core/engine/model/venue-answer.ts'
import { createVenueCalls, type VenueCalls } from '../../../src/venue/endpoints.ts'
import { interpret } from '../../../src/venue/interpret.ts'
import { venueSettingsSchema, type VenueSettingsInput } from '../../../src/venue/settings.ts'
import type { VenueCall } from '../../../src/venue/call.ts'

/** An answer of any endpoint of the LP API. */
export type LpAnswer = VenueAnswer | CustodyAnswer | RfqOrderAnswer

export const SHILLING_ADDRESS = '0x7a5A3c0BE7F9F6d3b1e2AC4d5E6f708192a3B4C5'
export const NOW = Date.UTC(2026, 2, 2, 6)

export function callsWith(settings: Partial<VenueSettingsInput> = {}): VenueCalls {
  return createVenueCalls(
    venueSettingsSchema.parse({
      baseUrl: 'http://venue.invalid',
      tokens: { [SHILLING_ADDRESS]: 'NTZS' },
      ...settings,
    }),
  )
}

/** What `body` (an object, or text as received) means as the answer to this call. */
export function read<Answer>(
  call: VenueCall<Answer>,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Result<Answer, VenueFailure> {
  return interpret(call, { status, headers, body, receivedAt: NOW })
}

export function valueOf<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`expected an answer, got ${JSON.stringify(result.error)}`)
  return result.value
}

export function failureOf<T, E>(result: Result<T, E>): E {
  if (result.ok) throw new Error('expected a failure, got an answer')
  return result.error
}
