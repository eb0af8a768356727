import { z } from 'zod'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { readFields } from '../kit/read-answer.ts'
import type { PartnerOutcome } from '../outcome.ts'

/** POST /testmode/signup: needs no key. Only this answer contains the secrets. */
export const signup = partnerEndpoint({
  route: 'POST /testmode/signup',
  summary: 'Opens a sandbox account. Prints its key and its webhook secret, which are shown only once.',
  isPublic: true,
  params: z.strictObject({
    name: param.text('of the account'),
    email: param.text('e-mail address'),
  }),
  answer: z
    .object({ apiKey: z.string().min(1).max(500), webhookSecret: z.string().min(1).max(500) })
    .readonly(),
  command: { resource: 'testmode', verb: 'signup', example: '--name desk --email desk@example.com' },
})

/** GET /testmode. The contract does not define the bodies of this route and the next three. */
export const testmode = partnerEndpoint({
  route: 'GET /testmode',
  summary: 'Reads whether the key is a test key, and which rails are real.',
  params: z.strictObject({}),
  answer: readFields,
  command: { resource: 'testmode', verb: 'read', example: '' },
})

/**
 * Returns whether the key is live: the venue answers live keys with `livemode`, or refuses them. Null = not stated, or
 * two fields disagree; treat such a key as live.
 */
export function modeOf(outcome: PartnerOutcome<Readonly<Record<string, unknown>>>): 'live' | 'test' | null {
  if (outcome.kind === 'refused') return outcome.code === 'test_mode_only' ? 'live' : null
  if (outcome.kind !== 'answered') return null
  const { livemode, mode = null } = outcome.value
  if (typeof livemode !== 'boolean') return null
  const stated = livemode ? 'live' : 'test'
  return mode === null || mode === stated ? stated : null
}

export const advance = partnerEndpoint({
  route: 'POST /testmode/advance',
  summary: 'Settles every pending simulated transaction now.',
  params: z.strictObject({}),
  answer: readFields,
  command: { resource: 'testmode', verb: 'advance', example: '' },
})

export const approveUser = partnerEndpoint({
  route: 'POST /testmode/users/:userId/approve',
  summary: 'Clears the simulated review of an identity.',
  params: z.strictObject({ userId: param.id('of the user') }),
  answer: readFields,
  command: { resource: 'testmode', verb: 'approve', example: '--user-id 6f1c...' },
})

/** POST /testmode/reset: removes data that others may still use, so it counts as a money route and asks first. */
export const reset = partnerEndpoint({
  route: 'POST /testmode/reset',
  summary: 'Removes every test user and transaction of the key.',
  isMoney: true,
  takesKey: false,
  params: z.strictObject({}),
  answer: readFields,
  command: { resource: 'testmode', verb: 'reset', example: '--yes' },
})
