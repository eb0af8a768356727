import { z } from 'zod'
import { ASSETS, type Asset } from '../base/money/asset.ts'

const positiveMs = z.number().positive()
const path = z
  .string()
  .regex(/^\/[^\s?#]*$/)
  .transform(withoutEndSlash)
const url = z
  .string()
  .regex(/^https?:\/\/[^\s?#@]+$/)
  .transform(withoutEndSlash)

/**
 * The address of the venue, and each point that its contract leaves open, without the key. The contract has the sources
 * of the defaults, or the venue notes if it is silent.
 */
export const venueSettingsSchema = z.object({
  baseUrl: url,
  prefix: path.default('/api/v1/mm'),
  /** Null turns the public endpoint off. */
  publicUrl: url.nullable().default(null),
  publicPrefix: path.default('/api/v1'),
  /** The public API's name of the shilling token. */
  shillingSymbol: z.enum(['auto', 'TZS_TOKEN', 'NTZS']).default('auto'),
  requestTimeoutMs: positiveMs.default(10_000),
  /** For PATCH /spread under a lease. */
  writeTimeoutMs: positiveMs.default(1_000),
  /** For requests that wait for the chain: activation and withdrawal. */
  slowTimeoutMs: positiveMs.default(90_000),
  /** auto: POST, and after a 405 the method that the venue names, which is then remembered. */
  activateMethod: z.enum(['auto', 'POST', 'PATCH']).default('auto'),
  /** The body of PUT /custody is not in the contract: the name of its one boolean. */
  custodyBody: z.enum(['enabled', 'selfCustody']).default('enabled'),
  /** Below the prefix; not in the contract. */
  rfqOrderPath: path.default('/rfq/orders'),
  /** The size of a read-back quote, in dollars. */
  quoteProbeUsd: z.number().positive().default(100),
  /** The same for the other side, in whole shillings; null = the dollars at 2500. */
  quoteProbeTzs: z.number().positive().nullable().default(null),
  /** The dollar token of read-back quotes. */
  quoteStable: z.enum(['USDC', 'USDT']).default('USDC'),
  /** The assumed fee of a quote that does not state it. */
  protocolFeeBps: z.number().min(0).max(1_000).default(10),
  /** The chain of a token that is named without one. */
  primaryChain: z.enum(['base', 'bnb']).default('base'),
  /** Token addresses besides the known dollars; the contract does not state the shilling's address. */
  tokens: z.record(z.string(), z.enum(ASSETS)).default({} as Record<string, Asset>),
  /** A larger answer is rejected. The 100 rows of fills have about 60 kB. */
  maxAnswerBytes: z.int().positive().default(2_097_152),
})

/** With every default filled in. */
export type VenueSettings = z.output<typeof venueSettingsSchema>
/** The settings as in the configuration: only `baseUrl` is required. */
export type VenueSettingsInput = z.input<typeof venueSettingsSchema>

function withoutEndSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
