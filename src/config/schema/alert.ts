import { z } from 'zod'
import { field } from './field.ts'

/**
 * Who notices when the daemon itself is gone: a service outside, on another machine, that expects to hear from it.
 */
export const alertSection = z.strictObject({
  heartbeatUrl: field.secret
    .nullable()
    .default(null)
    .describe(
      'An address of an outside dead-man service, which is asked with GET while every position that names it journals what it does, and which notifies you when the requests stop. null = none.',
    ),
  heartbeatEveryMs: z
    .int()
    .min(1_000)
    .max(3_600_000)
    .default(60_000)
    .describe('How often; the service needs a grace time of at least twice as long.'),
  heartbeatSuffixes: z
    .boolean()
    .default(false)
    .describe(
      'true also sends `/start` when the process starts and `/fail` when a position stops, as healthchecks.io has them; false sends nothing then.',
    ),
})
