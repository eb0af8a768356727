import { HOUR_MS } from '../../base/time.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Finding } from '../source/problem.ts'
import type { LoadedNotify } from './loaded-config.ts'
import type { ConfigFile } from '../schema/schema.ts'
import { readSecret, type Secret, type SecretReference, type Env } from '../source/secret.ts'

/** What is wrong with a secret's value; never repeats it. Null = nothing. */
type Check = (text: string) => string | null

const MINUTES_AN_HOUR = 60
const SHORTEST_KEY = 16

/** The secrets of `notify`; null where no channel is named. No finding's text holds a secret. */
export function readNotify(
  section: ConfigFile['notify'],
  configFile: string,
  env: Env,
): Result<LoadedNotify | null, readonly Finding[]> {
  const { telegram, slack, webhook } = section
  if (telegram === null && slack === null && webhook === null) return ok(null)
  const findings: Finding[] = []
  const take = (reference: SecretReference, path: readonly string[], check: Check): Secret | null => {
    const read = readSecret(reference, configFile, env)
    const problem = read.ok ? check(read.value.reveal()) : read.error
    if (problem !== null) findings.push({ path: ['notify', ...path], at: 'value', message: problem })
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
    ...times(section),
    runbookUrl: section.runbookUrl,
    consoleUrl: section.consoleUrl,
  })
}

function times({ groupMs, remindHours, quietHours, summaryAt, timezone }: ConfigFile['notify']) {
  const [from = '', to = ''] = quietHours?.split('-') ?? []
  return {
    groupMs,
    remindMs: remindHours === null ? null : remindHours * HOUR_MS,
    quietHours: quietHours === null ? null : { fromMinute: minuteOf(from), toMinute: minuteOf(to) },
    summaryAt: summaryAt === null ? null : clockOf(summaryAt),
    timezone,
  }
}

function minuteOf(text: string): number {
  const { hour, minute } = clockOf(text)
  return hour * MINUTES_AN_HOUR + minute
}

function clockOf(text: string): { readonly hour: number; readonly minute: number } {
  const [hour, minute] = text.split(':')
  return { hour: Number(hour), minute: Number(minute) }
}

function asToken(text: string): string | null {
  return /^\d{3,20}:[A-Za-z0-9_-]{20,100}$/.test(text)
    ? null
    : 'what it stands for is no bot token; digits, a colon and the rest, as @BotFather gives it, would be right'
}

function asAddress(text: string): string | null {
  return /^https?:\/\/[^\s@/]+\/?[^\s@]*$/.test(text) && URL.canParse(text)
    ? null
    : 'what it stands for is no address; http(s)://host/path, without a user, would be right'
}

function asKey(text: string): string | null {
  return text.length >= SHORTEST_KEY
    ? null
    : `what it stands for is too short to sign with; at least ${SHORTEST_KEY} characters would be right`
}
