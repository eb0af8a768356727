import { createHash } from 'node:crypto'
import { HOUR_MS, type Ms } from '../../../../base/time.ts'
import type { LoadedNotify } from '../../../config/load/loaded-config.ts'
import type { ChannelPlan } from '../../../notify/delivery/notifier.ts'
import { slackChannel } from '../../../notify/channels/slack.ts'
import { telegramChannel } from '../../../notify/channels/telegram.ts'
import { webhookChannel } from '../../../notify/channels/webhook.ts'
import type { SendOutcome } from '../../../notify/delivery/channel-queue.ts'
import { createSharedChannels, type SharedChannels } from '../../../notify/delivery/shared-channel.ts'
import type { Channel } from '../../../notify/message/message.ts'
import { liftedNotice, type Notice, raisedNotice } from '../../../notify/notice.ts'
import type { Log } from '../../../telemetry/log/log.ts'

/** One instance per process: positions that name the same chat share its channel. */
const SHARED = createSharedChannels()

/**
 * Opens the configured channels, shared with other positions of the process that name the same. Their secrets are read for each message and
 * never copied.
 */
export function openChannels(
  { telegram, slack, webhook, timezone }: LoadedNotify,
  shared: SharedChannels = SHARED,
): readonly ChannelPlan[] {
  const plans: ChannelPlan[] = []
  const share = (target: readonly string[], open: () => Channel) =>
    shared.share(keyOf([timezone, ...target]), open)
  if (telegram !== null) {
    const { botToken, chatId, topicId = null, apiUrl, minSeverity, maxPerHour, summary } = telegram
    const channel = share(['telegram', botToken.reveal(), chatId, apiUrl, String(topicId)], () =>
      telegramChannel({ botToken: () => botToken.reveal(), chatId, topicId, apiUrl, timezone }),
    )
    plans.push({ name: 'telegram', channel, minSeverity, maxPerHour, summary })
  }
  if (slack !== null) {
    const { webhookUrl, minSeverity, maxPerHour, summary } = slack
    const channel = share(['slack', webhookUrl.reveal()], () =>
      slackChannel({ webhookUrl: () => webhookUrl.reveal(), timezone }),
    )
    plans.push({ name: 'slack', channel, minSeverity, maxPerHour, summary })
  }
  if (webhook !== null) {
    const { url, hmacKey, minSeverity, maxPerHour, summary } = webhook
    const channel = share(['webhook', url.reveal(), hmacKey.reveal()], () =>
      webhookChannel({ url: () => url.reveal(), hmacKey: () => hmacKey.reveal(), timezone }),
    )
    plans.push({ name: 'webhook', channel, minSeverity, maxPerHour, summary })
  }
  return plans
}

/** Returns a key for a channel's destination that reveals no secret. */
function keyOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

type OnOutcome = (channel: string, outcome: SendOutcome, messages: number, why: string | null) => void

/** Maximum number of distinct failures logged per channel: texts may differ each time, such as the seconds to wait. */
const MOST_FAILURES_LOGGED = 20

/** Logs the outcome of messages. Each failure of a channel is logged once until it accepts messages again. */
export function notificationLog(log: Log): OnOutcome {
  const logged = new Map<string, Set<string>>()
  return (channel, outcome, messages, why) => {
    const line = { event: 'notification', channel, outcome, messages }
    const before = logged.get(channel) ?? new Set<string>()
    if (outcome === 'sent') {
      logged.delete(channel)
      if ([...before].some((key) => !key.startsWith('held')))
        log.info(line, `${channel} accepts messages again`)
      return
    }
    // The same failure has a different duration each time.
    const key = `${outcome} ${why?.replaceAll(/\d+ ms/g, '')}`
    if (outcome !== 'lost' && (before.has(key) || before.size >= MOST_FAILURES_LOGGED)) return
    logged.set(channel, before.add(key))
    const text = TEXTS[outcome](channel, messages, why ?? '')
    if (outcome === 'held') log.info(line, text)
    else log.warn(line, text)
  }
}

const TEXTS: Readonly<
  Record<Exclude<SendOutcome, 'sent'>, (channel: string, messages: number, why: string) => string>
> = {
  retry: (channel, _messages, why) => `${channel} did not accept a message: ${why}; it is retried`,
  refused: (channel, _messages, why) => `${channel} refuses messages: ${why}; correct the notify section`,
  failed: (channel, _messages, why) =>
    `${channel} does not accept messages: ${why}; they are sent as a summary when it does`,
  held: (channel, _messages, why) =>
    `${channel} does not get every message separately: ${why}; they are combined into a summary`,
  lost: (channel, messages) => `${messages} messages to ${channel} were not sent: the process ended`,
}

export type FailingChannels = ReturnType<typeof watchChannels>

const FAILING_MS = HOUR_MS

/**
 * Tracks the channels of one position that accept no messages: `look` raises an alert for those failing for an hour, `list` returns a line
 * for each. A channel counts as failing from its first failure until it accepts a message; after a restart, a restored failure counts once
 * the channel fails again.
 */
export function watchChannels(tell: (notice: Notice) => void, now: () => Ms = Date.now) {
  const failing = new Map<string, string>()
  const raised = new Set<string>()
  let since: Record<string, Ms> = {}
  const list = () =>
    [...failing].flatMap(([channel, why]) => {
      const from = since[channel] ?? now()
      if (now() - from < FAILING_MS) return []
      return [`${channel} has accepted no message since ${new Date(from).toISOString()}: ${why}`]
    })
  return {
    record: ((channel, outcome, _messages, why) => {
      if (outcome === 'held' || outcome === 'lost') return
      if (outcome !== 'sent') {
        failing.set(channel, why ?? '')
        since[channel] = Math.min(since[channel] ?? now(), now())
        return
      }
      failing.delete(channel)
      delete since[channel]
      if (raised.delete(channel) && raised.size === 0)
        tell(liftedNotice(now(), 'channel-failing', `${channel} accepts messages again`))
    }) satisfies OnOutcome,
    look: (): void => {
      const late = [...failing.keys()].filter((one) => now() - (since[one] ?? now()) >= FAILING_MS)
      if (late.every((one) => raised.has(one))) return
      for (const one of late) raised.add(one)
      tell(raisedNotice(now(), 'channel-failing', list().join('\n')))
    },
    list,
    restore: (before: Readonly<Record<string, Ms>>) => void (since = { ...before, ...since }),
    since: () => ({ ...since }),
  }
}
