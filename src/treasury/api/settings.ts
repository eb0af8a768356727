import { z } from 'zod'
import { apiPath, apiUrl, withoutEndSlash } from '../../base/http/api-address.ts'
import { isPlainAway } from '../../base/outgoing.ts'

/** The deadline of a request by its kind. A ramp is definitive after about 10 s; reconcile reads every wallet. */
export const DEADLINES_MS = { usual: 60_000, lookup: 30_000, ramp: 45_000, reconcile: 120_000 } as const
export type Deadline = keyof typeof DEADLINES_MS

/**
 * The address of the partner API, and each point that its contract leaves open; without the key. The configuration's
 * `treasury.partner` has the same fields. Deadlines cover the whole request: name look-up, connection, headers and body.
 */
export const partnerFields = z.object({
  baseUrl: apiUrl.overwrite(withoutEndSlash).describe('The prefix is appended.'),
  allowPlainHttp: z
    .boolean()
    .default(false)
    .describe('Allows http:// to another host: the key is readable on the network.'),
  requestTimeoutMs: z
    .int()
    .min(1_000)
    .max(600_000)
    .nullable()
    .default(null)
    .describe('Deadline of every request; null = that of its route: 30 s to 120 s.'),
  prefix: apiPath
    .overwrite(withoutEndSlash)
    .default('/api/v1')
    .describe('The venue takes /v1 for the same routes.'),
  shillingSymbol: z
    .enum(['auto', 'TZS_TOKEN', 'NTZS'])
    .default('auto')
    .describe(
      'What prices, swaps and transfers call the shilling; auto = what the venue lists where it refuses the other name.',
    ),
  swapFields: z
    .enum(['fromToken', 'from'])
    .default('fromToken')
    .describe('How a swap names its tokens: as the guide, or as the schema of the route.'),
  attestationFields: z
    .enum(['decision', 'status'])
    .default('decision')
    .describe('The body of an attestation: of the guide, or as it was first described.'),
  rampFields: z
    .enum(['tzsAmount', 'amount'])
    .default('tzsAmount')
    .describe('How a ramp quote names its amount: tzsAmount or usdcAmount, or one amount.'),
  linkSelector: z
    .enum(['query', 'path', 'body'])
    .default('query')
    .describe('Where DELETE names a payment link; the contract does not show it.'),
})

export const partnerSettingsSchema = partnerFields.refine(
  ({ baseUrl, allowPlainHttp }) => allowPlainHttp || !isPlainAway(baseUrl),
  {
    path: ['baseUrl'],
    message: 'http:// to another machine shows the key to the network; use https://, or set allowPlainHttp',
  },
)

/** With every default filled in. */
export type PartnerSettings = z.output<typeof partnerSettingsSchema>
export type PartnerSettingsInput = z.input<typeof partnerSettingsSchema>
