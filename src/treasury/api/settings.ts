import { z } from 'zod'
import { isPlainAway } from '../../base/outgoing.ts'

/** The deadline of a request by its kind. A ramp is definitive after about 10 s; reconcile reads every wallet. */
export const DEADLINES_MS = { usual: 60_000, lookup: 30_000, ramp: 45_000, reconcile: 120_000 } as const
export type Deadline = keyof typeof DEADLINES_MS

/**
 * The address of the partner API, and each point that its contract leaves open; without the key. Deadlines cover the
 * whole request: name look-up, connection, headers and body.
 */
export const partnerSettingsSchema = z
  .object({
    baseUrl: z
      .string()
      .regex(/^https?:\/\/[^\s?#@]+$/, 'must be an http:// or https:// address without query or password')
      .transform((url) => url.replace(/\/+$/, '')),
    /** Without it http:// is allowed only for this machine, because the network could read the key. */
    allowPlainHttp: z.boolean().default(false),
    /** The contract takes /v1 for the same routes. */
    prefix: z
      .string()
      .regex(/^\/[^\s?#]*$/, 'must begin with a slash')
      .transform((path) => path.replace(/\/+$/, ''))
      .default('/api/v1'),
    /** The deadline of every request; null = that of its route (`DEADLINES_MS`). */
    requestTimeoutMs: z.number().positive().nullable().default(null),
    /** auto: learned from the venue's refusal of the other name. */
    shillingSymbol: z.enum(['auto', 'TZS_TOKEN', 'NTZS']).default('auto'),
    /** The guide names the tokens of a swap `fromToken` and `toToken`, the route's schema `from` and `to`. */
    swapFields: z.enum(['fromToken', 'from']).default('fromToken'),
    /** The guide's attestation has `decision`, the first description `status`, `nationalId` and `provider`. */
    attestationFields: z.enum(['decision', 'status']).default('decision'),
    /** The guide's ramp quote has `tzsAmount` or `usdcAmount`, the route's schema one `amount`. */
    rampFields: z.enum(['tzsAmount', 'amount']).default('tzsAmount'),
    /** How DELETE of a payment link names it; the contract does not show it. */
    linkSelector: z.enum(['query', 'path', 'body']).default('query'),
    /** An answer beyond this is not the venue's. */
    maxAnswerBytes: z.int().positive().default(2_097_152),
  })
  .refine(({ baseUrl, allowPlainHttp }) => allowPlainHttp || !isPlainAway(baseUrl), {
    path: ['baseUrl'],
    message: 'http:// to another machine shows the key to the network; use https://, or set allowPlainHttp',
  })

/** With every default filled in. */
export type PartnerSettings = z.output<typeof partnerSettingsSchema>
export type PartnerSettingsInput = z.input<typeof partnerSettingsSchema>
