import { z } from 'zod'
import { apiPath, apiUrl, withoutEndSlash } from '../base/http/api-address.ts'
import { ASSETS, OWNED_TOKENS } from '../base/money/asset.ts'

const timeoutMs = (least: number, most: number) => z.int().min(least).max(most)

/**
 * What the client of the LP API reads of the section `venue`: addresses, deadlines, and each point that the contract
 * leaves open. The contract has the sources of the defaults, or the venue notes if it is silent.
 */
export const venueSettingsSchema = z.object({
  baseUrl: apiUrl.overwrite(withoutEndSlash).describe('The prefix (/api/v1/mm) is appended.'),
  publicUrl: apiUrl
    .overwrite(withoutEndSlash)
    .nullable()
    .optional()
    .describe(
      "Base URL of /api/v1/swap/rate, which does not use the key's budget; null turns it off. Default: baseUrl.",
    ),
  prefix: apiPath.overwrite(withoutEndSlash).default('/api/v1/mm'),
  requestTimeoutMs: timeoutMs(100, 120_000).default(10_000),
  /** Activation and withdrawal wait for the chain: up to a minute or more. */
  slowTimeoutMs: timeoutMs(1_000, 600_000).default(120_000),
  activateMethod: z
    .enum(['auto', 'POST', 'PATCH'])
    .default('auto')
    .describe('Of /activate; auto: POST, and after a 405 the method that the venue names.'),
  /** The body of PUT /custody is not in the contract: the name of its one boolean. */
  custodyBody: z.enum(['enabled', 'selfCustody']).default('enabled'),
  rfqOrderPath: apiPath.overwrite(withoutEndSlash).default('/rfq/orders').describe('Below the prefix.'),
  shillingSymbol: z
    .enum(['auto', 'NTZS', 'TZS_TOKEN'])
    .default('auto')
    .describe('The shilling in the public API; auto: the one that the venue takes.'),
  tokens: z
    .record(
      z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'not an EVM address; expected 0x and 40 hex digits in quotes'),
      z.enum(ASSETS),
    )
    .default({})
    .describe('The asset of each token address, for fills that name addresses.'),
  protocolFeeBps: z.number().min(0).max(1_000).default(10).describe('Used until the venue reports its fee.'),
  quoteStable: z
    .enum(OWNED_TOKENS)
    .default('USDC')
    .describe('Quotes are derived from the mid of this stable; read-backs and most public probes use it.'),
  quoteProbeUsd: z
    .number()
    .positive()
    .max(1_000_000)
    .default(100)
    .describe('The size of read-back and probe quotes.'),
})

/** With every default filled in. */
export type VenueSettings = z.output<typeof venueSettingsSchema>
/** The settings as in the configuration: only `baseUrl` is required. */
export type VenueSettingsInput = z.input<typeof venueSettingsSchema>
