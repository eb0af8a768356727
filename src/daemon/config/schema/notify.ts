import { z } from 'zod'
import { isTimeZone } from '../../../core/strategy/local-time.ts'
import { field, orNull, whole } from './field.ts'

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/
const HOURS = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

/** The settings of every channel. */
const rules = {
  minSeverity: z
    .enum(['critical', 'warning', 'info'])
    .default('warning')
    .describe('Lowest severity that is sent to this channel.'),
  maxPerHour: whole(1, 1_000)
    .default(30)
    .describe(
      'Further messages come later as one digest; a fifth of the limit is reserved for critical messages.',
    ),
  summary: z.boolean().default(true).describe('Whether this channel receives the daily summary.'),
}

const telegram = {
  botToken: field.secret.describe('The token of the bot, as @BotFather gives it.'),
  chatId: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{3,60})$/, 'not a chat; expected its number in quotes, or @channel')
    .describe('The chat, group or channel; groups have a negative number.'),
  topicId: orNull(
    z.int().min(1),
    'The topic of a forum group, message_thread_id of the Bot API; null = the group itself.',
  ),
  apiUrl: field.url
    .default('https://api.telegram.org')
    .describe('URL of the Bot API, if you run your own server.'),
}

const slack = {
  webhookUrl: field.secret.describe('The incoming webhook of one channel; its whole address is the secret.'),
}

const webhook = {
  url: field.secret.describe('The address to which each message is posted as JSON.'),
  hmacKey: field.secret.describe('The key that signs every message; at least 16 characters.'),
}

/** The destination of a channel, without rules. */
export const channelTarget = {
  telegram: z.strictObject(telegram),
  slack: z.strictObject(slack),
  webhook: z.strictObject(webhook),
}

/** Notification channels and times. Without a channel nothing is sent. */
export const notifySection = z.strictObject({
  telegram: orNull(z.strictObject({ ...telegram, ...rules }), 'null = off.'),
  slack: orNull(z.strictObject({ ...slack, ...rules }), 'null = off.'),
  webhook: orNull(z.strictObject({ ...webhook, ...rules }), 'null = off.'),
  groupMs: field.intervalMs
    .default(30_000)
    .describe(
      'Equal notifications within this time become one message with a count. Critical ones are sent at once.',
    ),
  remindHours: z
    .number()
    .positive()
    .max(168)
    .nullable()
    .default(6)
    .describe('A halt is repeated at this interval while it lasts; null = once.'),
  quietHours: orNull(
    z.string().regex(HOURS, 'not hours; expected two times such as 22:00-07:00 in quotes'),
    'Hours in which only critical messages are sent, such as `22:00-07:00`; the others follow as a digest.',
  ),
  timezone: z
    .string()
    .refine(isTimeZone, 'not a time zone; expected a name such as Africa/Dar_es_Salaam')
    .default('Africa/Dar_es_Salaam')
    .describe('Time zone of `quietHours`, `summaryAt` and the times in messages.'),
  summaryAt: z
    .string()
    .regex(CLOCK, 'not a time; expected a time such as 08:00 in quotes')
    .nullable()
    .default('08:00')
    .describe('Time of the daily summary; null = never.'),
  runbookUrl: orNull(
    field.text.regex(/^[^\s#]+$/, 'not an address; expected an address without spaces and without #'),
    'Address of the runbook; messages link to it with the code as the anchor. null = the page of the console at `consoleUrl`, or without it the command `mizani runbook CODE`.',
  ),
  consoleUrl: orNull(
    field.url,
    'Address at which people reach the console, such as https://desk.example; messages of the treasury, and critical ones where alert.repeatMinutes or alert.escalation is set, link to its page there. Nothing is approved by a link. null = no link.',
  ),
})
