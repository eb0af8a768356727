import { z } from 'zod'
import { OWNED_TOKENS, STABLE_ASSETS } from '../../../base/money/asset.ts'
import { field, flag, whole } from './field.ts'

/**
 * How to reach the venue, and each point that its contract leaves open. What a default is based on stands
 * beside it.
 */
const section = z.strictObject({
  baseUrl: field.url.describe('The prefix (/api/v1/mm) is appended.'),
  publicUrl: field.url
    .nullable()
    .optional()
    .describe(
      "Base URL of /api/v1/swap/rate, which does not use the key's budget; null turns it off. Default: baseUrl.",
    ),
  allowPlainHttp: flag(
    'Allows http:// to another host for baseUrl and publicUrl: the key is readable on the network.',
  ),
  apiKey: field.secret,
  requestsPerMinute: field.count.max(6_000).default(60).describe("The contract's limit per key."),
  /** The public endpoint allows 60 a minute per source address; half of it leaves room for a neighbour. */
  publicRequestsPerMinute: whole(0, 6_000).default(30),
  prefix: field.route.default('/api/v1/mm'),
  requestTimeoutMs: whole(100, 120_000).default(10_000),
  writeTimeoutMs: whole(100, 60_000)
    .default(1_000)
    .describe(
      'Of a change of the quote while a guard watches, or with store.postgres; else requestTimeoutMs counts.',
    ),
  /** Activation and withdrawal wait for the chain: up to a minute or more. */
  slowTimeoutMs: whole(1_000, 600_000).default(120_000),
  activateMethod: z
    .enum(['auto', 'POST', 'PATCH'])
    .default('auto')
    .describe('Of /activate; auto: POST, and after a 405 the method that the venue names.'),
  custodyBody: z.enum(['enabled', 'selfCustody']).default('enabled'),
  rfqOrderPath: field.route.default('/rfq/orders').describe('Below the prefix.'),
  shillingSymbol: z
    .enum(['auto', 'NTZS', 'TZS_TOKEN'])
    .default('auto')
    .describe('The shilling in the public API; auto: the one that the venue takes.'),
  tokens: z
    .record(field.address, z.enum(['NTZS', ...STABLE_ASSETS]))
    .default({})
    .describe('The asset of each token address, for fills that name addresses.'),
  protocolFeeBps: field.bps.max(1_000).default(10).describe('Used until the venue reports its fee.'),
  bidFormula: z.enum(['divide', 'multiply']).default('divide'),
  toleranceBps: field.bps
    .default(5)
    .describe(
      'The venue routes round-robin among quotes within this many bps of the best; for backtests and calibrations.',
    ),
  quoteStable: z
    .enum(OWNED_TOKENS)
    .default('USDC')
    .describe('Quotes are derived from the mid of this stable; read-backs and most public probes use it.'),
  unfilledQuote: z
    .strictObject({ bidBps: field.bps, askBps: field.bps })
    .nullable()
    .default({ bidBps: 120, askBps: 150 })
    .describe(
      'What the public rate answers, with lowLiquidity, when no provider is active: no rival. null = it answers nothing of the kind.',
    ),
  clock: z
    .enum(['real', 'virtual'])
    .default('real')
    .describe(
      'virtual: a simulated venue on this machine with simulated time; its dates are not compared with our clock.',
    ),
  quoteProbeUsd: z
    .number()
    .positive()
    .max(1_000_000)
    .default(100)
    .describe('The size of read-back and probe quotes.'),
})

const LOOPBACK = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/

/** Only a simulated venue has a clock of its own, and it runs on this machine. */
export const venueSection = section.refine(
  ({ clock, baseUrl }) => clock === 'real' || LOOPBACK.test(baseUrl),
  {
    path: ['clock'],
    message: 'virtual is for a simulated venue on this machine (a loopback baseUrl); use real',
  },
)
