import { z } from 'zod'
import { field } from './field.ts'

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

/** What every channel has. */
const rules = {
  minSeverity: z
    .enum(['critical', 'warning', 'info'])
    .default('warning')
    .describe('Nothing less grave is sent here.'),
  maxPerHour: z
    .int()
    .min(1)
    .max(1_000)
    .default(30)
    .describe('What is over it is told as one summary later; a fifth is kept for critical ones.'),
  summary: z.boolean().default(true).describe('Whether the daily summary is sent here.'),
}

const telegram = z.strictObject({
  botToken: field.secret.describe('Of the bot, as @BotFather gives it.'),
  chatId: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{3,60})$/, 'not a chat; its number in quotes, or @channel, would be right')
    .describe('The chat, group or channel; groups have a negative number.'),
  apiUrl: field.url
    .default('https://api.telegram.org')
    .describe('Another one where you run the Bot API yourself.'),
  ...rules,
})

const slack = z.strictObject({
  webhookUrl: field.secret.describe('The incoming webhook of one channel; its whole address is the secret.'),
  ...rules,
})

const webhook = z.strictObject({
  url: field.secret.describe('Where each message is posted to, as JSON.'),
  hmacKey: field.secret.describe('At least 16 characters; every message is signed with it.'),
  ...rules,
})

/** Whom the daemon tells, and when. Without a channel it tells nobody. */
export const notifySection = z.strictObject({
  telegram: telegram.nullable().default(null).describe('null = off.'),
  slack: slack.nullable().default(null).describe('null = off.'),
  webhook: webhook.nullable().default(null).describe('null = off.'),
  groupMs: field.intervalMs
    .default(30_000)
    .describe(
      'What is told twice within it becomes one message with a count. Critical ones do not wait for it.',
    ),
  remindHours: z
    .number()
    .positive()
    .max(168)
    .nullable()
    .default(6)
    .describe('While it stays HALTED it is said again this often; null = once.'),
  quietHours: z
    .string()
    .regex(HOURS, 'not hours; two times such as 22:00-07:00 in quotes would be right')
    .nullable()
    .default(null)
    .describe(
      'Only critical messages within them, such as `22:00-07:00`; the others come as a summary afterwards.',
    ),
  timezone: z
    .string()
    .refine(isTimezone, 'not a time zone; a name such as Africa/Dar_es_Salaam would be right')
    .default('Africa/Dar_es_Salaam')
    .describe('Of `quietHours`, `summaryAt` and the times in messages.'),
  summaryAt: z
    .string()
    .regex(CLOCK, 'not a time; one such as 08:00 in quotes would be right')
    .nullable()
    .default('08:00')
    .describe('When the daily summary comes; null = never.'),
  runbookUrl: field.text
    .regex(/^[^\s#]+$/, 'not an address; one without spaces and without # would be right')
    .default('docs/runbook.md')
    .describe('Messages link to it, with the code as the anchor. Where your people can read it.'),
})

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
