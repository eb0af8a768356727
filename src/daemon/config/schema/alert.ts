import { z } from 'zod'
import { between, field, flag, orNull, whole } from './field.ts'
import { channelTarget } from './notify.ts'

const CHANNELS = ['telegram', 'slack', 'webhook'] as const

const escalationStep = z
  .strictObject({
    afterMinutes: z
      .number()
      .positive()
      .max(1_440)
      .describe('Minutes after the alert was raised, if no one has acknowledged it by then.'),
    telegram: orNull(channelTarget.telegram, 'null = off.'),
    slack: orNull(channelTarget.slack, 'null = off.'),
    webhook: orNull(channelTarget.webhook, 'null = off.'),
  })
  .refine((step) => CHANNELS.some((name) => step[name] !== null), {
    message: 'a step without a channel; expected telegram, slack or webhook',
  })

/**
 * How long a critical alert is repeated, to whom it escalates, and the outside service on another machine that detects
 * the daemon's absence.
 */
export const alertSection = z.strictObject({
  heartbeatUrl: orNull(
    field.secret,
    'URL of an outside dead-man service. The daemon sends it GET requests while every position that names it writes its journal; the service notifies you when the requests stop. null = none.',
  ),
  heartbeatEveryMs: whole(1_000, 3_600_000)
    .default(60_000)
    .describe('How often; the service needs a grace time of at least twice as long.'),
  heartbeatSuffixes: flag(
    'true also sends `/start` when the process starts and `/fail` when a position stops, as healthchecks.io has them; false sends nothing then.',
  ),
  repeatMinutes: between(0.05, 1_440)
    .nullable()
    .default(15)
    .describe(
      'A critical alert is repeated at this interval until it lifts or an operator acknowledges it; null = it is sent once. Without a channel in notify nothing is sent.',
    ),
  escalation: z
    .array(escalationStep)
    .max(10)
    .default([])
    .describe('Further channels for a critical alert that no one acknowledges, ordered by minutes.'),
})
