import { z } from 'zod'
import { venueSettingsSchema } from '../../../venue/settings.ts'
import { GUARD_DIALECTS, type VenueKind } from '../../../venue/wire/kinds.ts'
import { field, flag, whole } from './field.ts'

const { baseUrl, publicUrl, ...client } = venueSettingsSchema.shape

/** The settings of the venue's client, and what the core, the guard and research need of the venue. */
const section = z.strictObject({
  kind: z
    .enum(Object.keys(GUARD_DIALECTS) as [VenueKind])
    .default('lp')
    .describe('lp: the LP API, so far the only kind.'),
  baseUrl,
  publicUrl,
  allowPlainHttp: flag(
    'Allows http:// to another host for baseUrl and publicUrl: the key is readable on the network.',
  ),
  apiKey: field.secret,
  requestsPerMinute: field.count.max(6_000).default(60).describe("The contract's limit per key."),
  /** The public endpoint allows 60 requests a minute per source address; half of it leaves room for a neighbour. */
  publicRequestsPerMinute: whole(0, 6_000).default(30),
  writeTimeoutMs: whole(100, 60_000)
    .default(1_000)
    .describe(
      'Of a change of the quote while a guard watches, or with store.postgres; else requestTimeoutMs counts.',
    ),
  ...client,
  bidFormula: z.enum(['divide', 'multiply']).default('divide'),
  toleranceBps: field.bps
    .default(5)
    .describe(
      'The venue routes round-robin among quotes within this many bps of the best; for strategies, backtests and calibrations.',
    ),
  unfilledQuote: z
    .strictObject({ bidBps: field.bps, askBps: field.bps })
    .nullable()
    .default({ bidBps: 120, askBps: 150 })
    .describe(
      'The spread that the public rate returns, with lowLiquidity, when no provider is active; it is not a competitor. null = the venue has no such answer.',
    ),
  clock: z
    .enum(['real', 'virtual'])
    .default('real')
    .describe(
      'virtual: a simulated venue on this machine with simulated time; its dates are not compared with our clock.',
    ),
})

const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/

/** Only a simulated venue has its own clock, and it runs on this machine. */
export const venueSection = section.refine(
  ({ clock, baseUrl }) => clock === 'real' || LOOPBACK.test(baseUrl),
  {
    path: ['clock'],
    message: 'virtual is for a simulated venue on this machine (a loopback baseUrl); use real',
  },
)
