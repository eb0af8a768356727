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
 * Where the venue is, and each point its contract leaves open. Plain data without the key. What a default
 * rests on is in the contract, or in the venue notes where the contract is silent.
 */
export const venueSettingsSchema = z.object({
  baseUrl: url,
  prefix: path.default('/api/v1/mm'),
  /** Null turns the public endpoint off. */
  publicUrl: url.nullable().default(null),
  publicPrefix: path.default('/api/v1'),
  /** What the public API calls the shilling token. */
  shillingSymbol: z.enum(['auto', 'TZS_TOKEN', 'NTZS']).default('auto'),
  requestTimeoutMs: positiveMs.default(10_000),
  /** For PATCH /spread under a lease. */
  writeTimeoutMs: positiveMs.default(1_000),
  /** For what waits for the chain: activation and withdrawal. */
  slowTimeoutMs: positiveMs.default(90_000),
  /** auto: POST, and after a 405 what the venue names, which is then remembered. */
  activateMethod: z.enum(['auto', 'POST', 'PATCH']).default('auto'),
  /** The body of PUT /custody is not in the contract: the name of its one boolean. */
  custodyBody: z.enum(['enabled', 'selfCustody']).default('enabled'),
  /** Below the prefix; not in the contract. */
  rfqOrderPath: path.default('/rfq/orders'),
  /** The size of a read-back quote, in dollars. */
  quoteProbeUsd: z.number().positive().default(100),
  /** The same for the other side, in whole shillings; null = the dollars at 2500, which is near enough for a size. */
  quoteProbeTzs: z.number().positive().nullable().default(null),
  /** The dollar that read-back quotes are asked in. */
  quoteStable: z.enum(['USDC', 'USDT']).default('USDC'),
  /** Explains a quote that does not say its own fee. */
  protocolFeeBps: z.number().min(0).max(1_000).default(10),
  /** The chain of a token that is named without one. */
  primaryChain: z.enum(['base', 'bnb']).default('base'),
  /** Token addresses beside the known dollars; the shilling's own address is not in the contract. */
  tokens: z.record(z.string(), z.enum(ASSETS)).default({} as Record<string, Asset>),
  /** An answer beyond this is not the venue's. The 100 rows of fills are some 60 kB. */
  maxAnswerBytes: z.int().positive().default(2_097_152),
})

/** With every default filled in. */
export type VenueSettings = z.output<typeof venueSettingsSchema>
/** As the configuration has it: everything but `baseUrl` may be left out, other fields are no concern of this room. */
export type VenueSettingsInput = z.input<typeof venueSettingsSchema>

function withoutEndSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
