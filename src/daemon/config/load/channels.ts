import { err, ok, type Result } from '../../../base/result.ts'
import type { Finding, PathStep } from '../source/problem.ts'
import type { ConfigFile } from '../schema/schema.ts'
import { readSecret, type Secret, type SecretReference, type Env } from '../source/secret.ts'

/** Returns why a secret's value is invalid, without repeating it. Null = it is valid. */
type Check = (text: string) => string | null

const SHORTEST_KEY = 16

/** The notification channels, with their secrets and without rules. */
export type LoadedChannels = {
  readonly telegram: {
    readonly botToken: Secret
    readonly chatId: string
    readonly topicId?: number | null
    readonly apiUrl: string
  } | null
  readonly slack: { readonly webhookUrl: Secret } | null
  readonly webhook: { readonly url: Secret; readonly hmacKey: Secret } | null
}

type Step = ConfigFile['alert']['escalation'][number]

export function isAnyChannel({ telegram, slack, webhook }: Pick<Step, keyof LoadedChannels>): boolean {
  return telegram !== null || slack !== null || webhook !== null
}

type Of<Name extends keyof LoadedChannels> = NonNullable<Step[Name]>

/** Reads the channels' secrets and keeps their other fields. Findings never contain a secret. */
export function readChannels<
  Telegram extends Of<'telegram'>,
  Slack extends Of<'slack'>,
  Webhook extends Of<'webhook'>,
>(
  {
    telegram,
    slack,
    webhook,
  }: {
    readonly telegram: Telegram | null
    readonly slack: Slack | null
    readonly webhook: Webhook | null
  },
  at: readonly PathStep[],
  configFile: string,
  env: Env,
): Result<
  {
    readonly telegram: (Telegram & { readonly botToken: Secret }) | null
    readonly slack: (Slack & { readonly webhookUrl: Secret }) | null
    readonly webhook: (Webhook & { readonly url: Secret; readonly hmacKey: Secret }) | null
  },
  readonly Finding[]
> {
  const findings: Finding[] = []
  const take = (reference: SecretReference, path: readonly PathStep[], check: Check): Secret | null => {
    const read = readSecret(reference, configFile, env)
    const problem = read.ok ? check(read.value.reveal()) : read.error
    if (problem !== null) findings.push({ path: [...at, ...path], at: 'value', message: problem })
    return read.ok ? read.value : null
  }
  const botToken = telegram === null ? null : take(telegram.botToken, ['telegram', 'botToken'], asToken)
  const webhookUrl = slack === null ? null : take(slack.webhookUrl, ['slack', 'webhookUrl'], asAddress)
  const url = webhook === null ? null : take(webhook.url, ['webhook', 'url'], asAddress)
  const hmacKey = webhook === null ? null : take(webhook.hmacKey, ['webhook', 'hmacKey'], asKey)
  if (findings.length > 0) return err(findings)
  return ok({
    telegram: telegram === null || botToken === null ? null : { ...telegram, botToken },
    slack: slack === null || webhookUrl === null ? null : { ...slack, webhookUrl },
    webhook: webhook === null || url === null || hmacKey === null ? null : { ...webhook, url, hmacKey },
  })
}

function asToken(text: string): string | null {
  return /^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(text)
    ? null
    : 'its value is not a bot token; expected digits, a colon and the rest, as @BotFather gives it'
}

function asAddress(text: string): string | null {
  return /^https?:\/\/[^\s@/]+\/?[^\s@]*$/.test(text) && URL.canParse(text)
    ? null
    : 'its value is not an address; expected http(s)://host/path, without a user'
}

function asKey(text: string): string | null {
  return text.length >= SHORTEST_KEY
    ? null
    : `its value is too short to sign with; expected at least ${SHORTEST_KEY} characters`
}
