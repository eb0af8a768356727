import { HOUR_MS } from '../../../base/time.ts'
import { ok, type Result } from '../../../base/result.ts'
import type { Finding } from '../source/problem.ts'
import type { LoadedNotify } from './loaded-config.ts'
import { isAnyChannel, readChannels } from './channels.ts'
import type { ConfigFile } from '../schema/schema.ts'
import type { Env } from '../source/secret.ts'

const MINUTES_AN_HOUR = 60

/** Reads the secrets of `notify`; null without a channel. Findings never contain a secret. */
export function readNotify(
  section: ConfigFile['notify'],
  configFile: string,
  env: Env,
): Result<LoadedNotify | null, readonly Finding[]> {
  if (!isAnyChannel(section)) return ok(null)
  const channels = readChannels(section, ['notify'], configFile, env)
  if (!channels.ok) return channels
  const { runbookUrl, consoleUrl } = section
  return ok({ ...channels.value, ...times(section), runbookUrl, consoleUrl })
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
