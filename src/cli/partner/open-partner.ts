import { unverifiedProblem } from '../../base/outgoing.ts'
import { createPartnerClient, type PartnerClient } from '../../treasury/api/client.ts'
import { partnerSettingsSchema, type PartnerSettingsInput } from '../../treasury/api/settings.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { problemOf } from '../../base/http/body.ts'
import { proxyProblem } from '../../base/http/proxy.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, type OutputFormat } from '../output/print.ts'

export type PartnerOptions = OutputFormat & { readonly config?: string }

/** Access to the partner API, and related settings of the configuration. */
export type PartnerAccess = {
  readonly settings: PartnerSettingsInput
  /** Null = no key, which suffices only for public routes. */
  readonly apiKey: string | null
  /** The provider's own partner user; null = not configured. */
  readonly userId: string | null
  /** Secrets of the webhooks, the newest last; empty = none is configured. */
  readonly webhookSecrets: readonly string[]
  /** Routes on which the configuration vouches that Idempotency-Keys are honoured. */
  readonly keysHonoured: readonly string[]
  /** The position's configuration; null = only the environment is known. */
  readonly config: LoadedConfig | null
  /** Describes the key's source for people. */
  readonly from: string
}

const HOW =
  'PARTNER_URL and PARTNER_KEY in the environment, or --config FILE with a treasury section, give the address and the key'

/** Reads the access from `--config`, or else from the environment; returns null after printing what is missing. */
export async function partnerAccess(
  options: PartnerOptions,
  { needsKey }: { readonly needsKey: boolean },
): Promise<PartnerAccess | null> {
  const access = options.config === undefined ? fromEnvironment() : await fromConfig(options.config, options)
  if (access === null) return null
  const parsed = partnerSettingsSchema.safeParse(access.settings)
  const problem = unverifiedProblem(process.env) ?? proxyProblem(process.env)
  if (problem !== null) fail(options, EXIT_CODE.usage, problem)
  else if (access.settings.baseUrl === '') fail(options, EXIT_CODE.usage, `PARTNER_URL is not set: ${HOW}`)
  else if (!parsed.success) fail(options, EXIT_CODE.usage, `${access.from}: ${problemOf(parsed.error)}`)
  else if (needsKey && access.apiKey === null)
    fail(options, EXIT_CODE.usage, `PARTNER_KEY is not set: ${HOW}`)
  else return access
  return null
}

function fromEnvironment(): PartnerAccess {
  const { PARTNER_URL = '', PARTNER_KEY = '', PARTNER_WEBHOOK_SECRET = '' } = process.env
  return {
    settings: { baseUrl: PARTNER_URL },
    apiKey: PARTNER_KEY === '' ? null : PARTNER_KEY,
    userId: null,
    webhookSecrets: PARTNER_WEBHOOK_SECRET === '' ? [] : [PARTNER_WEBHOOK_SECRET],
    keysHonoured: [],
    config: null,
    from: 'PARTNER_URL',
  }
}

async function fromConfig(file: string, voice: OutputFormat): Promise<PartnerAccess | null> {
  const config = await loadOrExplain(file, voice)
  if (config === null) return null
  if (config.treasury === null) {
    fail(voice, EXIT_CODE.usage, `${file} has no treasury section: ${HOW}`)
    return null
  }
  const { partner, apiKey, core, webhooks } = config.treasury
  return {
    settings: partner,
    apiKey: apiKey.reveal(),
    userId: core.userId,
    webhookSecrets: (webhooks?.secrets ?? []).map((secret) => secret.reveal()),
    keysHonoured: core.keysHonoured ?? [],
    config,
    from: `${file}, treasury.partner`,
  }
}

/** Runs `work` with a client that is closed afterwards. */
export async function withPartner(
  { settings, apiKey }: PartnerAccess,
  work: (client: PartnerClient) => Promise<void>,
): Promise<void> {
  const client = createPartnerClient(settings, { apiKey: apiKey ?? '' })
  try {
    await work(client)
  } finally {
    await client.close()
  }
}
