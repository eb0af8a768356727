import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import { SEVERITY_RANK } from '../../../../core/alerts/entry.ts'
import { alertEntry } from '../../../../core/alerts/position-notices.ts'
import { composeMessage, type MessagePlace } from '../../../notify/message/compose-message.ts'
import type { Notice } from '../../../notify/notice.ts'
import type { Delivery, Message } from '../../../notify/message/message.ts'
import type { ChannelPlan } from '../../../notify/delivery/notifier.ts'
import { openChannels } from './channels.ts'

/** The outcome of one message on one channel. `why` never contains a secret. */
export type SentOnce = {
  readonly channel: string
  readonly outcome: Delivery['outcome']
  readonly why: string | null
}

/** Returns the origin and the destination of a command's message. */
export function placeOf({ core, file }: LoadedConfig, notify: LoadedNotify): MessagePlace {
  return { ...notify, position: core.name, mode: core.mode, configFile: file }
}

/** Sends `message` once to each channel that `wants` it, and closes the channels. Never rejects. */
export async function sendOnce(
  notify: LoadedNotify,
  message: Message,
  wants: (plan: ChannelPlan) => boolean = () => true,
): Promise<readonly SentOnce[]> {
  return Promise.all(openChannels(notify).flatMap((plan) => (wants(plan) ? [sendTo(plan, message)] : [])))
}

/** For a command with `--notify`. */
export const NO_CHANNEL = 'notify names no channel; configure telegram, slack or webhook'

/**
 * Sends a command's finding to each channel whose minimum severity it meets; a summary goes to the channels that accept summaries. Never
 * rejects.
 */
export async function sendNotice(
  config: LoadedConfig,
  { kind, severity, code, t, text, since }: Notice,
): Promise<readonly SentOnce[]> {
  if (config.notify === null) return []
  const found = { t, text }
  const subject = { kind, severity, code, count: 1, first: found, last: found, since }
  const rank = SEVERITY_RANK[alertEntry(code)?.severity ?? severity]
  return sendOnce(
    config.notify,
    composeMessage(placeOf(config, config.notify), subject),
    ({ minSeverity, summary }) => (kind === 'summary' ? summary : rank >= SEVERITY_RANK[minSeverity]),
  )
}

async function sendTo({ name, channel }: ChannelPlan, message: Message): Promise<SentOnce> {
  const delivery = await channel.send(message)
  await channel.close()
  const { outcome } = delivery
  return { channel: name, outcome, why: outcome === 'sent' ? null : delivery.why }
}

/** Returns one line for the terminal. */
export function sentLine({ channel, outcome, why }: SentOnce): string {
  const what =
    outcome === 'sent'
      ? 'sent; check that it arrived'
      : outcome === 'refused'
        ? `refused: ${why}`
        : `not sent: ${why}; the daemon would retry`
  return `${channel.padEnd(9)} ${what}`
}
